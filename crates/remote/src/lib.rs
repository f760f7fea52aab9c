//! The machine on the device, the debugger on the desk.

#![no_std]

extern crate alloc;
#[cfg(any(feature = "host", test))]
extern crate std;

pub mod frame;
pub mod link;
