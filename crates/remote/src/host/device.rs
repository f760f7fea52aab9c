//! A device, as the debugger sees it: commands that are answered, and news that has arrived.

mod recover;

use std::boxed::Box;
use std::collections::{BTreeSet, VecDeque};
use std::format;
use std::string::{String, ToString};
use std::time::Duration;
use std::vec::Vec;

use mw_vm::{Limits, Machine, Module, PAGE_SIZE, Value};

use self::recover::Connection;
use super::error::DeviceError;
use super::incoming::{Change, Incoming, Snapshot};
use super::stream::Stream;
use crate::agent::PART;
use crate::choices::{Choice, Packer};
use crate::link::{Config, Counters, Link};
use crate::message::{Activity, Command, Described, Reason, Refusal, Reply, Status};
use crate::runs;

/// How long a device may take to answer, and to come back when the stream has broken.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long to wait for an answer before greeting the device again: one that has been restarted
/// does not know whom it is to answer.
const GREETING: Duration = Duration::from_secs(3);
/// How many pieces of a program's memory a primitive may need.
const RANGES: usize = 16;

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
    pub choices: Vec<Change>,
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
        let now = device.stream.now();
        device.link.reconnect(now);
        let Reply::Description { name, primitives, memory, .. } =
            device.call(&Command::Describe)?
        else {
            return Err(unexpected());
        };
        // It is shown to people, in terminals that obey control characters.
        device.name = name.chars().filter(|letter| !letter.is_control()).collect();
        device.memory = memory;
        if primitives > 10_000 {
            return Err(DeviceError::nonsense("it has too many primitives"));
        }
        for index in 0..primitives {
            device.send(&Command::Primitive(index))?;
        }
        for _ in 0..primitives {
            let Reply::Primitive(described) = device.reply()? else { return Err(unexpected()) };
            device.primitives.push(described);
        }
        Ok(device)
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

    /// Executes until so many instructions have been executed, or something else stops it: a
    /// breakpoint, or an output that cannot be taken back, unless it begins right there.
    pub fn play(&mut self, until: u64) -> Result<(), DeviceError> {
        self.begin(&Command::Play { until }, Some(until))
    }

    /// Lets it run: to a count, or by one instruction.
    fn begin(&mut self, command: &Command<'_>, until: Option<u64>) -> Result<(), DeviceError> {
        let before = self.incoming.runs(until);
        let begun = self.done(command);
        if begun.is_err() {
            self.incoming.runs_on(before);
        }
        begun
    }

    /// Executes one instruction; an input returns the value given.
    pub fn mock(&mut self, value: Value) -> Result<Stopped, DeviceError> {
        self.begin(&Command::Mock { slot: value.to_slot() }, None)?;
        self.wait(&mut || false)
    }

    /// Executes one instruction.
    pub fn step(&mut self) -> Result<Stopped, DeviceError> {
        self.begin(&Command::Step, None)?;
        self.wait(&mut || false)
    }

    /// Tells a running program to stop.
    pub fn pause(&mut self) -> Result<(), DeviceError> {
        match self.done(&Command::Pause) {
            // It has stopped by itself in the meantime.
            Err(DeviceError::Refused(Refusal::NotNow(_))) => Ok(()),
            result => result,
        }
    }

    /// Runs to a count with these choices, unless it is cancelled. Outputs before `perform_from`
    /// still stand.
    pub fn replay(
        &mut self,
        from: u64,
        until: u64,
        perform_from: u64,
        choices: &[Change],
        cancelled: &mut dyn FnMut() -> bool,
    ) -> Result<Stopped, DeviceError> {
        let started = self.stream.now();
        let mut last = from;
        let mut rest = choices;
        let mut stopped = None;
        while stopped.is_none() || !rest.is_empty() {
            let mut packer = Packer::default();
            while let Some((choice, others)) = rest.split_first() {
                if packer.size() > PART - 80 {
                    break;
                }
                packer.push(Choice { after: choice.count + 1 - last, slot: choice.slot });
                last = choice.count + 1;
                rest = others;
            }
            let until = if rest.is_empty() { until } else { last };
            let choices = packer.take();
            self.begin(&Command::Replay { until, perform_from, choices: &choices }, Some(until))?;
            let now = self.wait(cancelled)?;
            if now.reason == Reason::Diverged {
                return Err(DeviceError::nonsense("it does not go the way that it went before"));
            }
            let is_early = now.count < until;
            stopped = Some(now);
            if is_early {
                break;
            }
        }
        self.measure(until.saturating_sub(from), self.stream.now().saturating_sub(started));
        stopped.ok_or_else(unexpected)
    }

    /// Waits until the program stops; pauses it if the person does not want to wait.
    pub fn wait(&mut self, cancelled: &mut dyn FnMut() -> bool) -> Result<Stopped, DeviceError> {
        let mut quiet = Quiet::new(self);
        loop {
            if let Some(stopped) = self.incoming.stopped.take() {
                return Ok(stopped);
            }
            if cancelled() {
                self.pause()?;
                // It says where it has stopped before it says that it has.
                let stopped = self.incoming.stopped.take();
                return stopped.ok_or_else(|| DeviceError::nonsense("it does not stop"));
            }
            self.listen(&mut quiet)?;
        }
    }

    /// Waits for the next choice of a program that plays; `None` if it has stopped before, or the
    /// person does not want to wait.
    pub fn wait_for_choice(
        &mut self,
        cancelled: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Change>, DeviceError> {
        let mut quiet = Quiet::new(self);
        loop {
            let choice = self.next_choice();
            if choice.is_some() || self.incoming.stopped.is_some() || cancelled() {
                return Ok(choice);
            }
            self.listen(&mut quiet)?;
        }
    }

    /// Looks at what a program has to say that plays. It may run for long without anything; asked,
    /// the device answers.
    fn listen(&mut self, quiet: &mut Quiet) -> Result<(), DeviceError> {
        self.exchange(Duration::from_millis(20))?;
        if quiet.lasts(self) {
            let status = self.status()?;
            if status.activity != Activity::Running && self.incoming.stopped.is_none() {
                return Err(DeviceError::nonsense("it does not say where it has stopped"));
            }
            *quiet = Quiet::new(self);
        }
        Ok(())
    }

    /// The next choice that the program has made, if it has been told.
    pub fn next_choice(&mut self) -> Option<Change> {
        self.incoming.choices.pop_front()
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

    /// Asks for the state: what has changed since the last time, or everything.
    pub fn inspect(&mut self, all: bool) -> Result<Snapshot, DeviceError> {
        self.incoming.asks();
        self.done(&Command::Inspect { all })?;
        let snapshot = self.until(|incoming| incoming.snapshots.pop_front())?;
        self.incoming.has_come();
        Ok(snapshot)
    }

    /// Makes the device's machine another one: `from` is what it is, `to` what it becomes.
    pub fn restore(&mut self, from: &Machine, to: &Machine) -> Result<usize, DeviceError> {
        let delta = Delta::between(from, to);
        self.parts(&delta.state)?;
        self.done(&Command::Restore)?;
        for (memory, page, squeezed) in &delta.pages {
            self.parts(squeezed)?;
            self.done(&Command::RestorePage { memory: *memory, page: *page })?;
        }
        self.done(&Command::Restored)?;
        self.incoming.moves(to.count());
        Ok(delta.size())
    }

    /// Whether restoring a state is cheaper than beginning again and replaying so many choices, by
    /// what the link and the device have been measured to take.
    pub fn prefers_restoring(&self, from: &Machine, to: &Machine, choices: usize) -> bool {
        // Without measurements: a serial line, a slow interpreter.
        let pace = if self.pace > 0.0 { self.pace } else { 1.0 };
        let trip = self.link.counters().round_trip.max(100) as f64;
        // To begin again, and to execute with choices of a few bytes each.
        let replaying = 2 + choices * 4 / PART;
        let restoring = Delta::between(from, to).exchanges();
        restoring as f64 * trip < replaying as f64 * trip + to.count() as f64 * pace
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

    /// Reads an input for a machine that runs here; `value` if it is known already.
    pub fn read_primitive(
        &mut self,
        primitive: u32,
        args: &[Value],
        value: Option<Value>,
        count: u64,
    ) -> Result<Option<Value>, DeviceError> {
        match self.call(&Command::Read { primitive, args: args.to_vec(), value, count })? {
            Reply::Returned(value) => Ok(value),
            Reply::Aborted(message) => Err(DeviceError::Nonsense(message)),
            _ => Err(unexpected()),
        }
    }

    /// Performs an output for a machine that runs here. Returns the message with which the device
    /// ended the program, if it did, and what the output returned.
    pub fn perform_primitive(
        &mut self,
        primitive: u32,
        args: &[Value],
        count: u64,
        machine: &Machine,
    ) -> Result<(Option<String>, Option<Value>), DeviceError> {
        let mut ranges: Vec<(u32, Vec<u8>)> = Vec::new();
        loop {
            let mut parts = Vec::new();
            for (address, bytes) in &ranges {
                parts.extend(address.to_le_bytes());
                parts.extend((bytes.len() as u32).to_le_bytes());
                parts.extend(bytes);
            }
            self.parts(&parts)?;
            match self.call(&Command::Perform { primitive, args: args.to_vec(), count })? {
                Reply::Returned(value) => return Ok((None, value)),
                Reply::Aborted(message) => return Ok((Some(message), None)),
                Reply::NeedsMemory { address, length } => {
                    let memory = machine.memories().first();
                    let bytes = memory.and_then(|m| m.read_vec(address.into(), length.into()).ok());
                    let asked =
                        ranges.iter().any(|(at, b)| (*at, b.len()) == (address, length as usize));
                    let Some(bytes) = bytes.filter(|_| !asked && length <= PAGE_SIZE as u32) else {
                        let text =
                            format!("address {address:#x} (+{length}) is outside of the memory");
                        return Ok((Some(text), None));
                    };
                    if ranges.len() == RANGES {
                        return Err(DeviceError::nonsense("it asks for memory without end"));
                    }
                    ranges.push((address, bytes));
                }
                _ => return Err(unexpected()),
            }
        }
    }

    /// Notes how many microseconds executing took.
    fn measure(&mut self, instructions: u64, took: u64) {
        let trip = self.link.counters().round_trip;
        // What takes hardly longer than asking for it tells nothing.
        if took > 4 * trip && instructions > 0 {
            let pace = (took - 2 * trip) as f64 / instructions as f64;
            self.pace = if self.pace > 0.0 { (self.pace + pace) / 2.0 } else { pace };
        }
    }

    fn parts(&mut self, bytes: &[u8]) -> Result<(), DeviceError> {
        self.settle()?;
        for part in bytes.chunks(PART) {
            self.send(&Command::Part(part))?;
        }
        // All are answered, also those after one that was refused.
        let mut refused = Ok(());
        for _ in bytes.chunks(PART) {
            match self.reply().and_then(expect_done) {
                Err(DeviceError::Refused(refusal)) => refused = refused.and(Err(refusal.into())),
                answered => answered?,
            }
        }
        refused
    }

    fn done(&mut self, command: &Command<'_>) -> Result<(), DeviceError> {
        self.call(command).and_then(expect_done)
    }

    fn call(&mut self, command: &Command<'_>) -> Result<Reply, DeviceError> {
        self.settle()?;
        self.send(command)?;
        self.reply()
    }

    /// Waits for the answers to commands that were given up, so that none of them is taken for the
    /// answer to what is asked next.
    fn settle(&mut self) -> Result<(), DeviceError> {
        while self.unanswered > 0 {
            match self.reply() {
                Err(DeviceError::Refused(_)) | Ok(_) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn send(&mut self, command: &Command<'_>) -> Result<(), DeviceError> {
        let bytes = postcard::to_allocvec(command).expect("a vector takes everything");
        let mut quiet = Quiet::new(self);
        loop {
            let now = self.stream.now();
            match self.link.send(&bytes, true, now) {
                Ok(()) => break,
                Err(crate::link::SendError::Full) => self.exchange(Duration::from_millis(5))?,
                Err(error) => return Err(DeviceError::nonsense(error.to_string())),
            }
            if quiet.lasts_unanswered(self) {
                return Err(DeviceError::Silent);
            }
        }
        self.unanswered += 1;
        self.exchange(Duration::ZERO)
    }

    fn reply(&mut self) -> Result<Reply, DeviceError> {
        let reply = self.until(|incoming| incoming.replies.pop_front())?;
        self.unanswered = self.unanswered.saturating_sub(1);
        match reply {
            Reply::Refused(refusal) => Err(refusal.into()),
            reply => Ok(reply),
        }
    }

    /// Waits for something to arrive.
    fn until<T>(
        &mut self,
        mut arrived: impl FnMut(&mut Incoming) -> Option<T>,
    ) -> Result<T, DeviceError> {
        let mut quiet = Quiet::new(self);
        loop {
            if let Some(found) = arrived(&mut self.incoming) {
                return Ok(found);
            }
            self.exchange(Duration::from_millis(20))?;
            if quiet.lasts_unanswered(self) {
                return Err(DeviceError::Silent);
            }
        }
    }

    /// Writes what is to be written, waits for bytes for so long, and sorts what has arrived.
    fn exchange(&mut self, wait: Duration) -> Result<(), DeviceError> {
        self.write()?;
        let wake = self.link.wake_at().map_or(wait, |at| {
            Duration::from_micros(at.saturating_sub(self.stream.now())).min(wait)
        });
        match self.stream.read(wake) {
            Ok(bytes) => {
                let now = self.stream.now();
                self.link.receive(&bytes, now);
            }
            Err(error) => self.recover(error)?,
        }
        if let Some(broken) = self.link.broken() {
            return Err(broken.clone().into());
        }
        if self.link.is_connected() {
            self.connection.note(None);
        }
        let now = self.stream.now();
        while let Some(payload) = self.link.take(now) {
            self.incoming.payload(&payload)?;
        }
        if self.incoming.replies.len() > self.unanswered {
            return Err(DeviceError::nonsense("it answers what nobody asked"));
        }
        self.write()
    }

    fn write(&mut self) -> Result<(), DeviceError> {
        let mut bytes = Vec::new();
        let now = self.stream.now();
        while self.link.transmit(now, &mut bytes) {}
        if bytes.is_empty() {
            return Ok(());
        }
        match self.stream.write(&bytes) {
            Ok(()) => Ok(()),
            Err(error) => self.recover(error),
        }
    }
}

/// Since when no message has arrived.
struct Quiet {
    since: u64,
    has_greeted: bool,
    packets: u64,
}

impl Quiet {
    fn new(device: &Device) -> Self {
        let packets = device.link.counters().packets_received;
        Quiet { since: device.stream.now(), packets, has_greeted: false }
    }

    fn lasts(&mut self, device: &Device) -> bool {
        if device.link.counters().packets_received != self.packets {
            *self = Quiet::new(device);
        }
        let (now, patience) = (device.stream.now(), PATIENCE.as_micros() as u64);
        let heard_at = device.link.heard_at().unwrap_or(0).max(self.since);
        // On a bad line, acknowledgements are a sign of life, but not for ever.
        now.saturating_sub(heard_at) > patience || now.saturating_sub(self.since) > 3 * patience
    }

    /// The same where an answer is due.
    fn lasts_unanswered(&mut self, device: &mut Device) -> bool {
        let (lasts, now) = (self.lasts(device), device.stream.now());
        if !self.has_greeted && now.saturating_sub(self.since) > GREETING.as_micros() as u64 {
            self.has_greeted = true;
            device.link.reconnect(now);
        }
        lasts
    }
}

/// What makes one machine another.
struct Delta {
    state: Vec<u8>,
    pages: VecDeque<(u32, u32, Vec<u8>)>,
}

impl Delta {
    fn between(from: &Machine, to: &Machine) -> Delta {
        let mut pages = VecDeque::new();
        for (index, (before, after)) in from.memories().iter().zip(to.memories()).enumerate() {
            let unshared: BTreeSet<usize> = after.unshared_pages(before).collect();
            let exists: BTreeSet<usize> = before.written_pages().map(|(page, _)| page).collect();
            for (page, content) in after.written_pages() {
                if unshared.contains(&page) || !exists.contains(&page) {
                    pages.push_back((index as u32, page as u32, runs::squeeze(content)));
                }
            }
        }
        Delta { state: to.save_without_pages(), pages }
    }

    /// How often the device is waited for, with one packet on the way at a time.
    fn exchanges(&self) -> usize {
        let pages = self.pages.iter().map(|(.., page)| page.len().div_ceil(PART) + 1);
        self.state.len().div_ceil(PART) + 2 + pages.sum::<usize>()
    }

    fn size(&self) -> usize {
        self.state.len() + self.pages.iter().map(|(.., page)| page.len() + 8).sum::<usize>()
    }
}

fn expect_done(reply: Reply) -> Result<(), DeviceError> {
    match reply {
        Reply::Done => Ok(()),
        _ => Err(unexpected()),
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
