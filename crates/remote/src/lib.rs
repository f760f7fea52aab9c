//! The machine on the device, the debugger on the desk.
//!
//! A microcontroller cannot hold a debugger (seeds 000 and 001), but it can hold a machine:
//!
//! ```text
//!   session ─▶ host::Device ─▶ link ~~ bytes ~~ link ◀─ agent::Agent ─▶ vm, Outside
//! ```
//!
//! - [`link`]: messages over any stream of bytes, each once and in order.
//! - [`message`]: what is said: commands, replies, events.
//! - [`agent`]: the device's side: runs a program with the primitives of the device.
//! - `host` (with the feature of that name): the desk's side.
//!
//! Link and agent are `no_std`, do no I/O and know no clock: whoever owns them feeds them bytes
//! and the time.
//!
//! | feature | default | what it adds |
//! |---|---|---|
//! | `host` | yes | the desk's side, with a standard library |

#![no_std]

extern crate alloc;
#[cfg(any(feature = "host", test))]
extern crate std;

pub mod agent;
pub mod choices;
pub mod frame;
#[cfg(feature = "host")]
pub mod host;
pub mod link;
pub mod message;
pub mod runs;
mod varint;
