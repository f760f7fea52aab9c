//! Devices: a session whose program runs elsewhere, or whose primitives are elsewhere.
//!
//! A session does not know what a device is; it has a [`Target`] that follows it. Here are the two
//! that there are: the machine *in place*, on the device, and *out of place*, here, with only
//! primitives called on the device.

mod agreement;
mod attach;
mod in_place;
mod link;
mod out_of_place;
mod recorded;

use std::sync::{Arc, Mutex, MutexGuard};

use mw_remote::host::Device;
use serde::{Deserialize, Serialize};

pub(crate) use self::link::Attachment;
pub use self::link::{DeviceView, LinkState, LinkView, SideView};

/// Where the machine runs of a program that is debugged on a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RunOn {
    /// On the device.
    Device,
    /// Here; only primitives are called on the device.
    Host,
}

type Shared = Arc<Mutex<Device>>;

fn lock(device: &Shared) -> MutexGuard<'_, Device> {
    // Whoever panicked with it left it between two messages.
    device.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}
