//! Devices: a session whose program runs elsewhere, or whose primitives are elsewhere.
//!
//! A session does not know what a device is; it has a [`Target`] that follows it. Here are the two
//! that there are: the machine *in place*, on the device, and *out of place*, here, with only
//! primitives called on the device.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{SystemTime, UNIX_EPOCH};

use mw_remote::host::{Address, Change, Device, DeviceError, Key, Stream};
use mw_remote::message::Reason;
use mw_session::{Answer, Direction, Leg, Target, Unit};
use mw_vm::{Breakpoints, Machine, NoProbe, Stop, Value};
use mw_world::Call;
use serde::{Deserialize, Serialize};

use crate::debugger::Debugger;
use crate::error::{ApiError, ErrorKind};
use crate::event::Listener;
use crate::request::Request;
use crate::setup::Setup;

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

type Shared = Arc<Mutex<Device>>;

fn lock(device: &Shared) -> MutexGuard<'_, Device> {
    // Whoever panicked with it left it between two messages.
    device.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
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
        let mut imports = Vec::new();
        for (name, ty) in setup.module.imports() {
            let fits = |p: &mw_remote::message::Described| {
                p.module == name.module && p.name == name.field && p.types.contains(ty)
            };
            imports.push(
                device.primitives().iter().position(fits).map(|index| index as u32).ok_or_else(
                    || {
                        let text = format!("the device has no primitive {name} of type {ty}");
                        ApiError::new(ErrorKind::Unusable, text)
                    },
                )?,
            );
        }
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
        debugger.device = Some(device);
        Ok(debugger)
    }

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

fn changes(answers: &[Answer]) -> Vec<Change> {
    answers.iter().map(|&(count, slot)| Change { count, slot }).collect()
}

/// The machine runs on the device.
#[derive(Debug)]
struct InPlace(Shared);

impl InPlace {
    /// Runs to the end of a stretch.
    fn go(device: &mut Device, leg: &Leg<'_>) -> Result<(), DeviceError> {
        let from = leg.from.count();
        // How a program ends is known only when it has been tried to go on.
        let until = leg.until.saturating_add(leg.ends.into());
        let stopped = device.replay(from, until, from, &changes(leg.answers))?;
        check(leg, stopped.count, stopped.hash)
    }
}

/// The device has to be where the session is.
fn check(leg: &Leg<'_>, count: u64, hash: u128) -> Result<(), DeviceError> {
    if (count, hash) == (leg.until, leg.hash) {
        return Ok(());
    }
    Err(DeviceError::Nonsense(match count == leg.until {
        true => format!("after {count} instructions its state is another one than here"),
        false => format!("it stopped after {count} instructions instead of {}", leg.until),
    }))
}

impl Target for InPlace {
    fn undo(&mut self, to: u64) -> Result<(), String> {
        lock(&self.0).undo(to).map_err(|error| error.to_string())
    }

    fn restore(
        &mut self,
        from: &Machine,
        to: &Machine,
        history: Option<&[Answer]>,
    ) -> Result<(), String> {
        let mut device = lock(&self.0);
        let count = to.count();
        let done = match history {
            Some(history) if !device.prefers_restoring(from, to, history.len()) => {
                let begun = device.reset();
                begun.and_then(|()| match count {
                    0 => Ok(()),
                    _ => device.replay(0, count, count, &changes(history)).map(drop),
                })
            }
            _ => device.restore(from, to).map(drop),
        };
        done.map_err(|error| error.to_string())
    }

    fn advance(&mut self, leg: Leg<'_>) -> Result<(), String> {
        InPlace::go(&mut lock(&self.0), &leg).map_err(|error| error.to_string())
    }

    fn read(&mut self, leg: Leg<'_>, _: Call<'_>) -> Result<Option<Value>, String> {
        let mut device = lock(&self.0);
        let read = |device: &mut Device| -> Result<Option<Value>, DeviceError> {
            if !leg.answers.is_empty() {
                InPlace::go(device, &leg)?;
            }
            device.play(leg.until + 1)?;
            let stopped = device.wait(&mut || false)?;
            if stopped.reason == Reason::Asks && stopped.count == leg.until {
                return Ok(None);
            }
            let nonsense = || {
                DeviceError::Nonsense(match &stopped.reason {
                    Reason::Reached => "it did not read the input that comes next".into(),
                    reason => format!("it ended with {reason:?} instead of reading an input"),
                })
            };
            let choice = device.next_choice().filter(|choice| choice.count == leg.until);
            let choice = choice.ok_or_else(nonsense)?;
            let ty = leg.result.ok_or_else(nonsense)?;
            Ok(Some(Value::from_slot(ty, choice.slot)))
        };
        read(&mut device).map_err(|error| error.to_string())
    }
}

/// The machine runs here, and primitives are called on the device.
#[derive(Debug)]
struct OutOfPlace {
    device: Shared,
    /// The primitive behind each import.
    imports: Vec<u32>,
}

impl OutOfPlace {
    /// Calls on the device what the program calls on a stretch.
    fn go(&mut self, leg: Leg<'_>) -> Result<(), String> {
        let mut device = lock(&self.device);
        let mut machine = leg.from.fork();
        let mut answers = leg.answers.iter();
        while machine.count() < leg.until {
            let left = leg.until - machine.count();
            match machine.run(left, &Breakpoints::default(), &mut NoProbe) {
                Stop::Import(_) => {}
                _ => break,
            }
            let Some((import, args)) = machine.import_call() else { break };
            let (primitive, count) = (self.imports[import as usize], machine.count());
            let module = machine.module().clone();
            let result =
                module.func_type(&module.funcs()[import as usize]).results.first().copied();
            let is_input = matches!(
                device.primitives()[primitive as usize].kind,
                mw_remote::message::Kind::Input
            );
            let failed = |error: DeviceError| error.to_string();
            let results: Vec<Value> = match (is_input, result) {
                (true, Some(ty)) => {
                    let answer = answers.next().filter(|(at, _)| *at == count);
                    let (_, slot) = answer.ok_or("the program reads another input than before")?;
                    let value = Value::from_slot(ty, *slot);
                    let read = device.read_primitive(primitive, &args, Some(value), count);
                    read.map_err(failed)?;
                    vec![value]
                }
                _ => {
                    let done = device.perform_primitive(primitive, &args, count, &machine);
                    let (ended, returned) = done.map_err(failed)?;
                    if ended.is_some() {
                        break;
                    }
                    result.map(|ty| returned.unwrap_or(Value::zero(ty))).into_iter().collect()
                }
            };
            machine.resume(&results).map_err(|error| error.to_string())?;
        }
        match machine.count() == leg.until && machine.hash() == leg.hash || leg.ends {
            true => Ok(()),
            false => Err("primitives of the device do other things than those here".into()),
        }
    }
}

impl Target for OutOfPlace {
    fn undo(&mut self, to: u64) -> Result<(), String> {
        lock(&self.device).undo(to).map_err(|error| error.to_string())
    }

    fn restore(&mut self, _: &Machine, _: &Machine, _: Option<&[Answer]>) -> Result<(), String> {
        // The machine is here.
        Ok(())
    }

    fn advance(&mut self, leg: Leg<'_>) -> Result<(), String> {
        self.go(leg)
    }

    fn read(&mut self, leg: Leg<'_>, call: Call<'_>) -> Result<Option<Value>, String> {
        let count = leg.until;
        self.go(leg)?;
        let primitive = self.imports[call.import as usize];
        let read = lock(&self.device).read_primitive(primitive, call.args, None, count);
        read.map_err(|error| error.to_string())
    }
}

/// No device any more, but what it has recorded.
#[derive(Debug)]
struct Recorded {
    choices: VecDeque<Change>,
}

impl Target for Recorded {
    fn undo(&mut self, _: u64) -> Result<(), String> {
        Ok(())
    }

    fn restore(&mut self, _: &Machine, _: &Machine, _: Option<&[Answer]>) -> Result<(), String> {
        Ok(())
    }

    fn advance(&mut self, _: Leg<'_>) -> Result<(), String> {
        Ok(())
    }

    fn read(&mut self, leg: Leg<'_>, _: Call<'_>) -> Result<Option<Value>, String> {
        let Some(choice) = self.choices.pop_front() else { return Ok(None) };
        if choice.count != leg.until {
            return Err(format!(
                "it recorded an input after {} instructions, but the program reads one after {}",
                choice.count, leg.until
            ));
        }
        Ok(leg.result.map(|ty| Value::from_slot(ty, choice.slot)))
    }
}
