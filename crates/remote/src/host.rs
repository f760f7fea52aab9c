//! The desk's side: streams to devices, and a device as the debugger sees it.

mod address;
mod device;
mod domain;
mod error;
mod incoming;
mod key;
mod simulated;
mod stream;

pub use self::address::{Address, AddressError};
pub use self::device::{Captured, Device, Stopped, Trace};
pub use self::error::DeviceError;
pub use self::incoming::{DeviceChoice, Snapshot};
pub use self::key::{Key, KeyError};
pub use self::simulated::SimulatedBoard;
pub use self::stream::{Serving, Stream, listen_tcp, serve};
