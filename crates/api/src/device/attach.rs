//! Sessions that begin with a device.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{SystemTime, UNIX_EPOCH};

use mw_remote::host::{Address, Device, Key, Stream};
use mw_session::Target;
use mw_vm::{Limits, Machine, Value};

use super::{Attachment, RunOn, Shared, follower, lock, unusable};
use crate::debugger::{Bridge, Debugger};
use crate::error::{ApiError, ErrorKind};
use crate::event::{Listener, Unattended};
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
    Device::connect(stream, session_number()).map_err(unusable)
}

/// No two sessions of a device may have the same number.
fn session_number() -> u64 {
    let time = SystemTime::now().duration_since(UNIX_EPOCH);
    time.map_or(1, |time| time.as_nanos() as u64) ^ u64::from(std::process::id())
}

/// What a device that has started anew is given: what it was given in the beginning.
pub(crate) struct Beginning {
    /// The function that is called, with its arguments.
    entry: Option<(u32, Vec<Value>)>,
    /// The machine before its first instruction.
    fresh: Machine,
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
        setup.check_alone()?;
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
        let beginning = Beginning { entry: setup.entry.clone(), fresh: setup.machine()? };
        let mut debugger = Debugger::opened(setup, file, listener)?;
        debugger.go_to_start(&device, &beginning.fresh, limits)?;
        let attachment = Attachment::new(device, run_on).restartable(beginning);
        debugger.follow(target, attachment, listener)?;
        Ok(debugger)
    }

    /// Makes the machine of a device that has just been given the program the one that the session
    /// starts with.
    fn go_to_start(
        &mut self,
        device: &Shared,
        fresh: &Machine,
        limits: Option<Limits>,
    ) -> Result<(), ApiError> {
        let Some(limits) = limits else { return Ok(()) };
        if self.session.options().limits != limits {
            return Err(ApiError::new(ErrorKind::Unusable, OTHER_LIMITS));
        }
        if !self.session.has_whole_past() {
            let start = self.session.fork_start();
            lock(device).restore(fresh, &start).map_err(unusable)?;
        }
        Ok(())
    }

    /// Gives the program to a device that has started anew, and brings it to where the session
    /// stands.
    pub(super) fn begin_again(&mut self) -> Result<(), ApiError> {
        let Some(Attachment { device, run_on, beginning: Some(beginning), .. }) = &self.device
        else {
            return Ok(());
        };
        let (device, run_on, beginning) = (device.clone(), *run_on, beginning.clone());
        lock(&device).meet_again(session_number()).map_err(unusable)?;
        let entry = beginning.entry.as_ref().map(|(func, args)| (*func, &args[..]));
        let world = self.session.world().description();
        let (target, limits) = follower(&device, (self.session.module(), world), entry, run_on)?;
        self.go_to_start(&device, &beginning.fresh, limits)?;
        self.catch_up(target, &mut Unattended)
    }

    /// Lets a device that stands at the start of the session follow it, from where it stands on.
    pub(super) fn follow(
        &mut self,
        target: Box<dyn Target>,
        device: Attachment,
        listener: &mut dyn Listener,
    ) -> Result<(), ApiError> {
        self.device = Some(device);
        self.catch_up(target, listener)
    }

    /// Brings a target that stands at the start of the session to where the session stands.
    fn catch_up(
        &mut self,
        target: Box<dyn Target>,
        listener: &mut dyn Listener,
    ) -> Result<(), ApiError> {
        self.session.attach(target);
        Ok(self.session.bring_target(&mut Bridge { listener })?)
    }
}
