//! Devices: a session whose program runs elsewhere, or whose primitives are elsewhere.
//!
//! A session does not know what a device is; it has a [`Target`] that follows it. Here are the two
//! that there are: the machine *in place*, on the device, and *out of place*, here, with only
//! primitives called on the device.

mod agreement;
mod attach;
mod field;
mod in_place;
mod link;
mod out_of_place;
mod recorded;

use std::sync::{Arc, Mutex, MutexGuard};

use mw_remote::host::{Device, DeviceError};
use mw_session::Target;
use mw_vm::{Limits, Module, Value};
use mw_world::Description;
use serde::{Deserialize, Serialize};

pub use self::field::Detach;
use self::in_place::InPlace;
pub(crate) use self::link::Attachment;
pub use self::link::{DeviceView, Link, LinkState, LinkView, SideView};
use self::out_of_place::OutOfPlace;
use crate::error::{ApiError, ErrorKind};

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

fn unusable(error: DeviceError) -> ApiError {
    ApiError::new(ErrorKind::Unusable, error.to_string())
}

/// Readies a device for a program: the target that follows a session at its start, and the limits
/// that the session has to keep to, if the device sets any.
pub fn follower(
    device: &Arc<Mutex<Device>>,
    (module, world): (&Module, &Description),
    entry: Option<(u32, &[Value])>,
    run_on: RunOn,
) -> Result<(Box<dyn Target>, Option<Limits>), ApiError> {
    let mut locked = lock(device);
    let imports = agreement::bind(module, world, locked.primitives())?;
    match run_on {
        RunOn::Device => {
            let limits = locked.load(module, entry).map_err(unusable)?;
            Ok((Box::new(InPlace(device.clone())), Some(limits)))
        }
        RunOn::Host => {
            locked.unload().map_err(unusable)?;
            Ok((Box::new(OutOfPlace { device: device.clone(), imports }), None))
        }
    }
}

fn lock(device: &Shared) -> MutexGuard<'_, Device> {
    // Whoever panicked with it left it between two messages.
    device.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}
