//! The machine on the device, the debugger on the desk.

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
