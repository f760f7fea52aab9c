//! The debugger in every editor that speaks the Debug Adapter Protocol.
//!
//! Three layers, each of which knows the one below it: [`codec`] turns bytes into messages,
//! [`Adapter`] answers requests with what the debugger says, [`serve`] reads while the adapter
//! works, so that a long run can be stopped.
//!
//! What the protocol has no words for are requests of our own, whose names begin with `mw/`
//! (`multiverse.rs`), and the debug console takes the commands of the terminal.
//!
//! **Architecture invariant:** there is no debugger logic here. What can be done is what the api
//! offers; programs are opened and commands carried out by a [`Host`].

mod actors;
mod adapter;
mod breakpoints;
pub mod codec;
mod console;
mod host;
mod inspect;
mod interrupt;
mod lifecycle;
mod memory;
mod movement;
mod multiverse;
mod properties;
mod protocol;
mod report;
mod server;
mod sources;

pub use adapter::Adapter;
pub use host::{Console, Host, Launch};
pub use interrupt::Interrupt;
pub use protocol::Client;
pub use server::serve;
