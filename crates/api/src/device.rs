//! Devices: a session whose program runs elsewhere, or whose primitives are elsewhere.
//!
//! A session does not know what a device is; it has a [`Target`] that follows it. Here are the two
//! that there are: the machine *in place*, on the device, and *out of place*, here, with only
//! primitives called on the device.

mod agreement;
mod attach;
mod in_place;
mod out_of_place;
mod recorded;

use std::sync::{Arc, Mutex, MutexGuard};

use mw_remote::host::Device;
use serde::{Deserialize, Serialize};

use crate::debugger::Debugger;
use crate::error::ApiError;

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
