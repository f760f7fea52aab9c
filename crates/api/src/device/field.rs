//! Devices in the field: programs that run on by themselves, and what is left of them.

use std::path::Path;
use std::sync::{Arc, Mutex};

use mw_remote::host::{Address, Device, DeviceError, Key, Snapshot};
use mw_remote::message::{Activity, Reason, Refusal, Status};
use mw_session::{Direction, Start, Unit};

use super::attach::{connect, open};
use super::in_place::InPlace;
use super::recorded::Recorded;
use super::{Attachment, RunOn, agreement, lock, unusable};
use serde::{Deserialize, Serialize};

use crate::ask::{Answered, Ask, Envelope};
use crate::debugger::{Bridge, Debugger};
use crate::error::{ApiError, ErrorKind};
use crate::event::{Event, Listener};
use crate::keeping::has_session;
use crate::movement::Step;
use crate::setup::Setup;

/// Lets the program run on by itself on its device, which records, and goes on here without.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Detach {}

impl Ask for Detach {
    type Reply = ();

    fn serve(self, debugger: &mut Debugger, listener: &mut dyn Listener) -> Answered<Self> {
        let Some(device) = debugger.device.as_ref().map(|found| found.device.clone()) else {
            return Err(ApiError::not_here("the program runs here; there is no device to leave"));
        };
        debugger.session.bring_target(&mut Bridge { listener })?;
        lock(&device).detach().map_err(|error| match error {
            DeviceError::Refused(Refusal::Ended) => ApiError::not_here(
                "the program has ended, so that it cannot run on; `quit` leaves it as it is",
            ),
            DeviceError::Refused(Refusal::NotNow(Activity::Empty)) => ApiError::not_here(
                "the machine runs here, so that the device has no program to run on with; \
                 `mw attach --detach` starts one there",
            ),
            error => unusable(error),
        })?;
        debugger.session.detach();
        debugger.device = None;
        Ok(())
    }
}

impl Debugger {
    /// Starts a program on a device and leaves it alone: it runs on and records.
    pub fn leave_running(
        setup: &Setup,
        (address, key): (&Address, Option<&Key>),
    ) -> Result<(), ApiError> {
        setup.check_alone()?;
        let mut device = connect(open(address, key)?)?;
        agreement::bind(&setup.module, &setup.world, device.primitives())?;
        let entry = setup.entry.as_ref().map(|(func, args)| (*func, &args[..]));
        device.load(&setup.module, entry).map_err(unusable)?;
        device.detach().map_err(unusable)
    }

    /// A session with the program that a device runs already, from where it stands on. What the
    /// device has recorded stays there until the program is left alone again. With a file, the
    /// session is kept there.
    pub fn attach_running(
        mut setup: Setup,
        at: (&Address, Option<&Key>),
        file: Option<&Path>,
        listener: &mut dyn Listener,
    ) -> Result<Debugger, ApiError> {
        setup.check_alone()?;
        let (mut device, status) = take_over(&mut setup, at, file)?;
        agreement::bind(&setup.module, &setup.world, device.primitives())?;
        let snapshot = device.inspect(true).map_err(unusable)?;
        let message = match status.ended {
            Some(Reason::Aborted(message)) => Some(message),
            _ => None,
        };
        setup.start = Some(start(&setup, &snapshot, message)?);
        let mut debugger = Debugger::opened(setup, file, listener)?;
        let device = Arc::new(Mutex::new(device));
        let attachment = Attachment::new(device.clone(), RunOn::Device);
        debugger.follow(Box::new(InPlace(device)), attachment, listener)?;
        Ok(debugger)
    }

    /// A session here with what a device has recorded while nobody watched, at its end. With a
    /// file, the session is kept there.
    pub fn read_trace(
        mut setup: Setup,
        at: (&Address, Option<&Key>),
        file: Option<&Path>,
        listener: &mut dyn Listener,
    ) -> Result<Debugger, ApiError> {
        setup.check_alone()?;
        let (mut device, status) = take_over(&mut setup, at, file)?;
        let trace = device.read_trace().map_err(|error| match error {
            DeviceError::Refused(_) => {
                ApiError::new(ErrorKind::Unusable, "the device has recorded nothing")
            }
            error => unusable(error),
        })?;
        if let Some(snapshot) = &trace.state {
            setup.start = Some(start(&setup, snapshot, None)?);
        }
        if trace.lost > 0 {
            let message = format!(
                "the recording ends after {} instructions: there was no room for {} choices after \
                 that",
                trace.until, trace.lost
            );
            listener.event(Event::Warning { message });
        }
        let mut debugger = Debugger::opened(setup, file, listener)?;
        let choices = trace.choices.into();
        debugger.session.attach(Box::new(Recorded { choices }));
        let ends = status.ended.is_some() && status.count == trace.until;
        let begins = debugger.session.start().count;
        let count = trace.until.saturating_sub(begins).saturating_add(ends.into());
        let ran = if count == 0 {
            Ok(())
        } else {
            let (unit, direction) = (Unit::Instruction, Direction::Forward);
            let step = Envelope { request: Step { unit, direction, count }, confirm: true };
            debugger.ask(step, listener).map(drop)
        };
        debugger.session.detach();
        ran.map(|()| debugger)
    }
}

/// A file that has a session is not for another one.
fn refuse_kept(file: Option<&Path>) -> Result<(), ApiError> {
    let Some(file) = file.filter(|file| has_session(file)) else { return Ok(()) };
    let (file, problem) = (file.display(), "has a session already, and this is a new one");
    Err(ApiError::new(
        ErrorKind::Unusable,
        format!(
            "{file} {problem}; name another file, or go on with that: mw debug --session {file}"
        ),
    ))
}

/// The device, if it has the program that is meant, and how it stands; for a new session, which
/// gets its limits.
fn take_over(
    setup: &mut Setup,
    (address, key): (&Address, Option<&Key>),
    file: Option<&Path>,
) -> Result<(Device, Status), ApiError> {
    refuse_kept(file)?;
    let mut device = connect(open(address, key)?)?;
    let status = device.take_over().map_err(unusable)?;
    if status.program != Some(setup.module.fingerprint()) {
        let text = match status.program {
            Some(_) => "the device runs another program; name the one that it was given",
            None => "the device runs no program; leave --running and --read-trace out to start one",
        };
        return Err(ApiError::new(ErrorKind::Unusable, text));
    }
    if let Some(limits) = status.limits {
        setup.options.limits = limits;
    }
    Ok((device, status))
}

/// A session begins with what a device says that its machine is, if that can be.
fn start(setup: &Setup, snapshot: &Snapshot, message: Option<String>) -> Result<Start, ApiError> {
    let machine = snapshot.machine(setup.machine()?).map_err(unusable)?;
    Ok(Start::of(&machine, message))
}
