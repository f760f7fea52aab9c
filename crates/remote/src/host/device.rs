//! A device, as the debugger sees it: commands that are answered, and news that has arrived.

mod primitives;
mod recover;
mod restore;
mod run;
mod talk;

use std::boxed::Box;
use std::collections::BTreeSet;
use std::string::{String, ToString};
use std::time::Duration;
use std::vec::Vec;

use mw_vm::{Limits, Module, Value};

use self::recover::Connection;
use super::error::DeviceError;
use super::incoming::{DeviceChoice, Incoming, Snapshot};
use super::stream::Stream;
use crate::link::{Broken, Config, Counters, Link};
use crate::message::{Activity, Command, Described, Reason, Reply, Status};

/// How long a device may take to answer, and to come back when the stream has broken.
const PATIENCE: Duration = Duration::from_secs(10);

/// Where a device has stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stopped {
    /// How many instructions have been executed.
    pub count: u64,
    /// Why.
    pub reason: Reason,
    /// The hash of its machine.
    pub hash: u128,
}

/// How to take back something that the device has no room to remember.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Captured {
    /// The count before it.
    pub count: u64,
    /// The primitive.
    pub primitive: u32,
    /// What was captured.
    pub captured: Vec<u8>,
}

/// What a device has recorded while nobody watched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The state that it begins with; the start of the program if there is none.
    pub state: Option<Snapshot>,
    /// The choices.
    pub choices: Vec<DeviceChoice>,
    /// The count up to which it is complete.
    pub until: u64,
    /// How many choices are missing after that.
    pub lost: u64,
}

/// A device. See the [module](self).
pub struct Device {
    stream: Box<dyn Stream>,
    link: Link,
    incoming: Incoming,
    /// Commands that have been sent and not been answered.
    unanswered: usize,
    name: String,
    primitives: Vec<Described>,
    memory: u32,
    limits: Limits,
    loaded: Option<u128>,
    breakpoints: BTreeSet<u32>,
    /// Microseconds that executing an instruction takes, as measured; 0 as long as nothing was.
    pace: f64,
    connection: Connection,
}

impl std::fmt::Debug for Device {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Device").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Device {
    /// Connects with the agent at the other end of a stream. The number of the session should
    /// differ from that of every one before.
    pub fn connect(stream: Box<dyn Stream>, session: u64) -> Result<Device, DeviceError> {
        let mut device = Device {
            stream,
            link: Link::initiator(session, Config::HOST),
            incoming: Incoming::default(),
            unanswered: 0,
            name: String::new(),
            primitives: Vec::new(),
            memory: 0,
            limits: Limits::default(),
            loaded: None,
            breakpoints: BTreeSet::new(),
            pace: 0.0,
            connection: Connection::default(),
        };
        device.meet()?;
        Ok(device)
    }

    /// Greets the device and asks what it is.
    fn meet(&mut self) -> Result<(), DeviceError> {
        let now = self.stream.now();
        self.link.reconnect(now);
        let Reply::Description { name, primitives, memory, .. } = self.call(&Command::Describe)?
        else {
            return Err(unexpected());
        };
        // It is shown to people, in terminals that obey control characters.
        self.name = name.chars().filter(|letter| !letter.is_control()).collect();
        self.memory = memory;
        if primitives > 10_000 {
            return Err(DeviceError::nonsense("it has too many primitives"));
        }
        for index in 0..primitives {
            self.send(&Command::Primitive(index))?;
        }
        self.primitives.clear();
        for _ in 0..primitives {
            let Reply::Primitive(described) = self.reply()? else { return Err(unexpected()) };
            self.primitives.push(described);
        }
        Ok(())
    }

    /// Whether the device has started anew and knows nothing of what was said.
    pub fn has_restarted(&self) -> bool {
        matches!(self.link.broken(), Some(Broken::Forgotten))
    }

    /// Meets a device that has started anew like one that was never met, over the same stream. It
    /// has no program then, and has to have the primitives that it had.
    pub fn meet_again(&mut self, session: u64) -> Result<(), DeviceError> {
        let had = std::mem::take(&mut self.primitives);
        self.link = Link::initiator(session, Config::HOST);
        self.incoming = Incoming::default();
        (self.unanswered, self.loaded) = (0, None);
        self.breakpoints.clear();
        self.meet()?;
        match self.primitives == had {
            true => Ok(()),
            false => Err(DeviceError::nonsense("it has other primitives since it has restarted")),
        }
    }

    /// What the device calls itself.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The stream, for people.
    pub fn stream(&self) -> &dyn Stream {
        &*self.stream
    }

    /// Its primitives.
    pub fn primitives(&self) -> &[Described] {
        &self.primitives
    }

    /// Bytes of memory that it has for a program.
    pub fn memory(&self) -> u32 {
        self.memory
    }

    /// The limits that a program runs within on it.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// The figures of this side of the link.
    pub fn counters(&self) -> &Counters {
        self.link.counters()
    }

    /// The figures of the device's side, and how often its program had to wait.
    pub fn its_counters(&mut self) -> Result<(Counters, u64), DeviceError> {
        match self.call(&Command::Counters)? {
            Reply::Counters { link, stalls } => Ok((link, stalls)),
            _ => Err(unexpected()),
        }
    }

    /// What it does.
    pub fn status(&mut self) -> Result<Status, DeviceError> {
        match self.call(&Command::Status)? {
            Reply::Status(status) => {
                status.limits.iter().try_for_each(believe)?;
                Ok(status)
            }
            _ => Err(unexpected()),
        }
    }

    /// Sends a program and starts it. Says before anything is sent if it does not fit.
    pub fn load(
        &mut self,
        module: &Module,
        entry: Option<(u32, &[Value])>,
    ) -> Result<Limits, DeviceError> {
        let image = module.to_image(false);
        let compact = Module::from_image_compact(&image)
            .map_err(|error| DeviceError::nonsense(error.to_string()))?;
        if matches!(self.status()?.activity, Activity::Running) {
            self.pause()?;
        }
        let bytes = |size: usize| u32::try_from(size).unwrap_or(u32::MAX);
        let (size, needs) = (bytes(image.len()), bytes(compact.footprint()));
        self.done(&Command::Load { image: size, module: needs })?;
        self.parts(&image)?;
        let slots = |args: &[Value]| args.iter().map(|value| value.to_slot()).collect();
        let entry = entry.map(|(func, args)| (func, slots(args)));
        match self.call(&Command::Start { entry })? {
            Reply::Loaded(limits) => {
                believe(&limits)?;
                self.limits = limits;
                self.loaded = Some(module.fingerprint());
                self.breakpoints.clear();
                self.incoming = Incoming::default();
                self.incoming.moves(0);
                Ok(limits)
            }
            _ => Err(unexpected()),
        }
    }

    /// Stops the program that the device has already, and tells how it stands. Nothing of it is
    /// changed.
    pub fn take_over(&mut self) -> Result<Status, DeviceError> {
        let mut status = self.status()?;
        if matches!(status.activity, Activity::Running) {
            self.pause()?;
            status = self.status()?;
        }
        self.limits = status.limits.unwrap_or(self.limits);
        self.loaded = status.program;
        Ok(status)
    }

    /// Stops the program and forgets it, so that primitives can be called for one that runs here.
    pub fn unload(&mut self) -> Result<(), DeviceError> {
        if matches!(self.status()?.activity, Activity::Running) {
            self.pause()?;
        }
        self.done(&Command::Unload)
    }

    /// Begins again.
    pub fn reset(&mut self) -> Result<(), DeviceError> {
        self.done(&Command::Reset)?;
        self.incoming.moves(0);
        Ok(())
    }

    /// Adds or removes a breakpoint.
    pub fn set_breakpoint(&mut self, pc: u32, on: bool) -> Result<(), DeviceError> {
        self.done(&Command::Breakpoint { pc, on })?;
        match on {
            true => self.breakpoints.insert(pc),
            false => self.breakpoints.remove(&pc),
        };
        Ok(())
    }

    /// Has breakpoints at these instructions and no others.
    pub fn set_breakpoints(&mut self, pcs: &[u32]) -> Result<(), DeviceError> {
        let wanted: BTreeSet<u32> = pcs.iter().copied().collect();
        let others: Vec<u32> = self.breakpoints.symmetric_difference(&wanted).copied().collect();
        others.into_iter().try_for_each(|pc| self.set_breakpoint(pc, wanted.contains(&pc)))
    }

    /// Takes back what was done to the outside since a count.
    pub fn undo(&mut self, to: u64) -> Result<(), DeviceError> {
        let Reply::Undone { .. } = self.call(&Command::Undo { to })? else {
            return Err(unexpected());
        };
        // What the device had no room for is older than all that it had.
        while let Some(last) = self.incoming.take_captured(to) {
            let Captured { primitive, captured, .. } = &last;
            self.done(&Command::Compensate { primitive: *primitive, captured })?;
        }
        Ok(())
    }

    /// Goes on without a debugger, and records.
    pub fn detach(&mut self) -> Result<(), DeviceError> {
        self.done(&Command::Detach)
    }

    /// Reads out what was recorded.
    pub fn read_trace(&mut self) -> Result<Trace, DeviceError> {
        self.incoming.asks();
        self.done(&Command::ReadTrace)?;
        let (has_state, until, lost) = self.until(|incoming| incoming.trace_ended.take())?;
        self.incoming.has_come();
        let state = has_state.then(|| self.incoming.snapshots.pop_front()).flatten();
        let choices = std::mem::take(&mut self.incoming.trace);
        Ok(Trace { state, choices, until, lost })
    }
}

/// A program runs here within the limits of the device: they may not be wider than those here.
fn believe(limits: &Limits) -> Result<(), DeviceError> {
    match limits.are_within(&Limits::default()) {
        true => Ok(()),
        false => Err(DeviceError::nonsense("it has room for more than any program may use")),
    }
}

fn unexpected() -> DeviceError {
    DeviceError::nonsense("it answers something else than was asked")
}
