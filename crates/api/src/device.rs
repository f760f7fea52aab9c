//! Devices: a session whose program runs elsewhere, or whose primitives are elsewhere.
//!
//! A session does not know what a device is; it has a [`Target`] that follows it. Here are the two
//! that there are: the machine *in place*, on the device, and *out of place*, here, with only
//! primitives called on the device.

mod attach;
mod field;
mod in_place;
mod out_of_place;
mod recorded;

use std::sync::{Arc, Mutex, MutexGuard};

use mw_remote::host::{Device, DeviceError};
use mw_remote::message::Described;
use mw_session::Target;
use mw_vm::{Limits, Module, Value};
use serde::{Deserialize, Serialize};

use self::in_place::InPlace;
use self::out_of_place::OutOfPlace;
use crate::debugger::Debugger;
use crate::error::{ApiError, ErrorKind};

/// Where the machine runs of a program that is debugged on a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunOn {
    /// On the device.
    Device,
    /// Here; only primitives are called on the device.
    Host,
}

/// The link to a device, in figures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkView {
    /// Where the device is.
    pub address: String,
    /// What it calls itself.
    pub device: String,
    /// Bytes of memory that it has for a program.
    pub memory: u64,
    /// What this side has seen.
    pub host: SideView,
    /// What the device has seen, if it answers.
    pub device_side: Option<SideView>,
    /// How often the program had to wait for the link.
    pub stalls: Option<u64>,
}

/// What one side of a link has seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names of mw_remote::link::Counters, where they are explained")]
pub struct SideView {
    pub bytes_sent: u64,
    pub bytes_received: u64,
    pub packets_sent: u64,
    pub packets_received: u64,
    pub messages_sent: u64,
    pub resent: u64,
    pub damaged: u64,
    pub duplicates: u64,
    pub early: u64,
    pub connections: u64,
    pub waits: u64,
    pub round_trip: u64,
}

impl From<&mw_remote::link::Counters> for SideView {
    fn from(counters: &mw_remote::link::Counters) -> Self {
        SideView {
            bytes_sent: counters.bytes_sent,
            bytes_received: counters.bytes_received,
            packets_sent: counters.packets_sent,
            packets_received: counters.packets_received,
            messages_sent: counters.messages_sent,
            resent: counters.resent,
            damaged: counters.damaged,
            duplicates: counters.duplicates,
            early: counters.early,
            connections: counters.connections.into(),
            waits: counters.waits,
            round_trip: counters.round_trip,
        }
    }
}

type Shared = Arc<Mutex<Device>>;

fn unusable(error: DeviceError) -> ApiError {
    ApiError::new(ErrorKind::Unusable, error.to_string())
}

/// Readies a device for a program: the target that follows a session at its start, and the limits
/// that the session has to keep to, if the device sets any.
pub fn follower(
    device: &Arc<Mutex<Device>>,
    module: &Module,
    entry: Option<(u32, &[Value])>,
    run_on: RunOn,
) -> Result<(Box<dyn Target>, Option<Limits>), ApiError> {
    let mut locked = lock(device);
    let mut imports = Vec::new();
    for (name, ty) in module.imports() {
        let fits =
            |p: &Described| p.module == name.module && p.name == name.field && p.types.contains(ty);
        let found = locked.primitives().iter().position(fits);
        imports.push(found.map(|index| index as u32).ok_or_else(|| {
            let text = format!("the device has no primitive {name} of type {ty}");
            ApiError::new(ErrorKind::Unusable, text)
        })?);
    }
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

impl Debugger {
    /// The link to the device.
    pub(crate) fn link(&self) -> Result<LinkView, ApiError> {
        let Some(device) = &self.device else {
            return Err(ApiError::not_here("the program runs here; there is no link"));
        };
        let mut device = lock(device);
        let its = device.its_counters().ok();
        Ok(LinkView {
            address: device.stream().describe(),
            device: device.name().to_owned(),
            memory: device.memory().into(),
            host: device.counters().into(),
            device_side: its.as_ref().map(|(counters, _)| counters.into()),
            stalls: its.map(|(_, stalls)| stalls),
        })
    }
}
