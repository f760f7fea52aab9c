//! Sessions that begin with a device.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{SystemTime, UNIX_EPOCH};

use mw_remote::host::{Address, Device, Key, Stream};
use mw_session::Target;

use super::{Attachment, RunOn, follower, lock, unusable};
use crate::debugger::{Bridge, Debugger};
use crate::error::{ApiError, ErrorKind};
use crate::event::Listener;
use crate::setup::Setup;

const OTHER_LIMITS: &str = "the session in the file was made with other limits than the device \
    has, so the program might do other things here; go on with it on a device like the one that it \
    was made with, or without one: mw debug --session FILE";

pub(super) fn open(address: &Address, key: Option<&Key>) -> Result<Box<dyn Stream>, ApiError> {
    address.open(key).map_err(|error| {
        ApiError::new(ErrorKind::Unusable, format!("{address} cannot be opened: {error}"))
    })
}

pub(super) fn connect(stream: Box<dyn Stream>) -> Result<Device, ApiError> {
    // No two sessions of a device may have the same number.
    let time = SystemTime::now().duration_since(UNIX_EPOCH);
    let session = time.map_or(1, |time| time.as_nanos() as u64) ^ u64::from(std::process::id());
    Device::connect(stream, session).map_err(unusable)
}

impl Debugger {
    /// A session on the device at an address, at the start of a program. With a file, the session is
    /// kept there; the one that is there goes on, and the device is brought to where it stands.
    pub fn attach(
        setup: Setup,
        (address, key): (&Address, Option<&Key>),
        run_on: RunOn,
        file: Option<&Path>,
        listener: &mut dyn Listener,
    ) -> Result<Debugger, ApiError> {
        Debugger::attach_stream(setup, open(address, key)?, run_on, file, listener)
    }

    /// The same, on the device at the other end of a stream.
    pub fn attach_stream(
        mut setup: Setup,
        stream: Box<dyn Stream>,
        run_on: RunOn,
        file: Option<&Path>,
        listener: &mut dyn Listener,
    ) -> Result<Debugger, ApiError> {
        let device = Arc::new(Mutex::new(connect(stream)?));
        let entry = setup.entry.as_ref().map(|(func, args)| (*func, &args[..]));
        let (target, limits) = follower(&device, (&setup.module, &setup.world), entry, run_on)?;
        if let Some(limits) = limits {
            setup.options.limits = limits;
        }
        let fresh = setup.machine()?;
        let mut debugger = Debugger::opened(setup, file, listener)?;
        if let Some(limits) = limits {
            if debugger.session.options().limits != limits {
                return Err(ApiError::new(ErrorKind::Unusable, OTHER_LIMITS));
            }
            if !debugger.session.has_whole_past() {
                let start = debugger.session.fork_start();
                lock(&device).restore(&fresh, &start).map_err(unusable)?;
            }
        }
        debugger.follow(target, Attachment::new(device, run_on), listener)?;
        Ok(debugger)
    }

    /// Lets a device that stands at the start of the session follow it, from where it stands on.
    pub(super) fn follow(
        &mut self,
        target: Box<dyn Target>,
        device: Attachment,
        listener: &mut dyn Listener,
    ) -> Result<(), ApiError> {
        self.session.attach(target);
        self.device = Some(device);
        Ok(self.session.bring_target(&mut Bridge { listener, keeper: None })?)
    }
}
