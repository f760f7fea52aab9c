//! Sessions that begin with a device.

use std::sync::{Arc, Mutex};
use std::time::{SystemTime, UNIX_EPOCH};

use mw_remote::host::{Address, Device, DeviceError, Key, Stream};
use mw_session::{Direction, Unit};

use super::in_place::InPlace;
use super::out_of_place::OutOfPlace;
use super::recorded::Recorded;
use super::{Attachment, RunOn, agreement};
use crate::debugger::Debugger;
use crate::error::{ApiError, ErrorKind};
use crate::event::Listener;
use crate::request::Request;
use crate::setup::Setup;

fn unusable(error: DeviceError) -> ApiError {
    ApiError::new(ErrorKind::Unusable, error.to_string())
}

fn open(address: &Address, key: Option<&Key>) -> Result<Box<dyn Stream>, ApiError> {
    address.open(key).map_err(|error| {
        ApiError::new(ErrorKind::Unusable, format!("{address} cannot be opened: {error}"))
    })
}

fn connect(stream: Box<dyn Stream>) -> Result<Device, ApiError> {
    // No two sessions of a device may have the same number.
    let time = SystemTime::now().duration_since(UNIX_EPOCH);
    let session = time.map_or(1, |time| time.as_nanos() as u64) ^ u64::from(std::process::id());
    Device::connect(stream, session).map_err(unusable)
}

impl Debugger {
    /// A session at the start of a program, on the device at an address.
    pub fn attach(
        setup: Setup,
        address: &Address,
        key: Option<&Key>,
        run_on: RunOn,
    ) -> Result<Debugger, ApiError> {
        Debugger::attach_stream(setup, open(address, key)?, run_on)
    }

    /// Starts a program on a device and leaves it alone: it runs on and records.
    pub fn leave_running(
        setup: &Setup,
        address: &Address,
        key: Option<&Key>,
    ) -> Result<(), ApiError> {
        let mut device = connect(open(address, key)?)?;
        agreement::bind(setup, device.primitives())?;
        let entry = setup.entry.as_ref().map(|(func, args)| (*func, &args[..]));
        device.load(&setup.module, entry).map_err(unusable)?;
        device.detach().map_err(unusable)
    }

    /// A session here with what a device has recorded while nobody watched, at its end.
    pub fn read_trace(
        mut setup: Setup,
        address: &Address,
        key: Option<&Key>,
        listener: &mut dyn Listener,
    ) -> Result<Debugger, ApiError> {
        let mut device = connect(open(address, key)?)?;
        let status = device.status().map_err(unusable)?;
        if status.program != Some(setup.module.fingerprint()) {
            let text = "the device runs another program; name the one that it was given";
            return Err(ApiError::new(ErrorKind::Unusable, text));
        }
        let trace = device.read_trace().map_err(|error| match error {
            DeviceError::Refused(_) => {
                ApiError::new(ErrorKind::Unusable, "the device has recorded nothing")
            }
            error => unusable(error),
        })?;
        if let Some(first) = trace.choices.first().filter(|_| trace.state.is_some()) {
            let text = format!(
                "the recording begins after about {} instructions, for want of room on the device; \
                 only one that begins at the start can be debugged",
                first.count
            );
            return Err(ApiError::new(ErrorKind::Unusable, text));
        }
        if let Some(limits) = status.limits {
            setup.options.limits = limits;
        }
        let mut debugger = Debugger::new(setup)?;
        let choices = trace.choices.into();
        debugger.session.attach(Box::new(Recorded { choices }));
        let count = trace.until.saturating_add(u64::from(status.ended.is_some()));
        let ran = if count == 0 {
            Ok(())
        } else {
            let (unit, direction) = (Unit::Instruction, Direction::Forward);
            let step = Request::Step { unit, direction, count, confirm: true };
            debugger.handle(step, listener).map(drop)
        };
        debugger.session.detach();
        ran.map(|()| debugger)
    }

    /// A session at the start of a program, on the device at the other end of a stream.
    pub fn attach_stream(
        mut setup: Setup,
        stream: Box<dyn Stream>,
        run_on: RunOn,
    ) -> Result<Debugger, ApiError> {
        let mut device = connect(stream)?;
        let imports = agreement::bind(&setup, device.primitives())?;
        if run_on == RunOn::Device {
            let entry = setup.entry.as_ref().map(|(func, args)| (*func, &args[..]));
            setup.options.limits = device.load(&setup.module, entry).map_err(unusable)?;
        } else {
            device.unload().map_err(unusable)?;
        }
        let device = Arc::new(Mutex::new(device));
        let mut debugger = Debugger::new(setup)?;
        debugger.session.attach(match run_on {
            RunOn::Device => Box::new(InPlace(device.clone())),
            RunOn::Host => Box::new(OutOfPlace { device: device.clone(), imports }),
        });
        debugger.device = Some(Attachment::new(device, run_on));
        Ok(debugger)
    }
}
