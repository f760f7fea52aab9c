//! Interrupts that arrive while a path is followed: whether, and when.
//!
//! An interrupt may arrive before any instruction, as long as the program has asked for it. Of the
//! moments at which it could, those that lead to the same are one *class*, and it arrives once in
//! each, at its first moment. A class lasts until an instruction gets in the way of the handler or
//! the handler in its way: until one of the two writes what the other one touches
//! ([`Footprint`]). What the handler would touch is known from having followed it once, on a path
//! that is thrown away.
//!
//! What went before an arrival is not forgotten: an interrupt whose class is under way when another
//! one arrives does not arrive again before something that the other handler does gets in its way.
//! So of handlers that have nothing to do with each other, one order is explored.
//!
//! Where there are several tasks, an interrupt calls a function of the task that has asked for it. It
//! arrives within a turn of that task as said above, or between two of its turns, which is an
//! act of its own ([`schedules`](crate::schedules)). In the first moment of a turn it does not arrive
//! if that is the same as right before.
//!
//! A handler is not interrupted, as on WARDuino: the next interrupt arrives after it has returned.
//!
//! **Invariant:** wherever an interrupt could arrive after the one before it was handled, there is a
//! path on which it arrives so that the program ends in the same way, and in the same state if the
//! handlers return; or it is said on the path that it is not explored.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use mw_vm::{Cell, Frame, Instruction, Limits, Machine, Reg, Status, Value};
use mw_world::{
    Call, Event, EventError, GuestMemory, Kind, OutOfBounds, Statement, TaskCall, World,
};

use crate::asked::Asked;
use crate::explore::Explorer;
use crate::follow::Progress;
use crate::footprint::{Conflict, Footprint, Space, Touch, touches};
use crate::imports;
use crate::leaf::{Cut, End};
use crate::omitted::Omitted;
use crate::path::{Got, Path, Reading};
use crate::stop::Stop;

/// A handler is followed for so many instructions, and on so many paths, to see what it touches.
/// What it does beyond that may be anything.
const INSTRUCTIONS: u64 = 100_000;
const PATHS: usize = 32;

/// What is known on a path of interrupts: those that arrived, and those that could.
#[derive(Clone, Debug, Default)]
pub struct Arrivals {
    /// So many may arrive.
    pub most: u32,
    /// So many have.
    arrived: u32,
    /// How deep calls are nested in the handler that is under way.
    handler: Option<usize>,
    /// The class that is under way of each interrupt that may arrive.
    classes: BTreeMap<Event, Class>,
    /// How many classes have begun, and how many of them at each instruction.
    pub begun: usize,
    begun_at: BTreeMap<u32, u32>,
    /// After how many instructions the last one did.
    last: Option<u64>,
    /// States in which classes have begun, at instructions where that happened before.
    seen: BTreeSet<u128>,
    /// The program goes round in a circle: whatever could arrive has arrived in the first round.
    goes_round: bool,
    /// After how many instructions the turn under way has begun, if it is one of several.
    turn: u64,
    /// The interrupts that could arrive right before it as well.
    before: BTreeSet<Event>,
    /// Followed up to this count to see what the handler touches, and for nothing else.
    trial: Option<u64>,
}

/// Moments that make no difference to one another.
#[derive(Clone, Debug)]
struct Class {
    /// What the handler touches; nothing if that has to be found out.
    footprint: Option<Arc<Footprint>>,
    /// After how many instructions it begins, if the interrupt has not arrived in it yet.
    begins: Option<u64>,
}

impl Arrivals {
    /// Whether another interrupt may arrive.
    pub fn has_room(&self) -> bool {
        self.arrived < self.most
    }

    /// A turn begins, right before which some could have arrived.
    pub fn begin_turn(&mut self, count: u64, before: BTreeSet<Event>) {
        let Arrivals { most, arrived, begun, .. } = *self;
        *self = Arrivals { most, arrived, begun, turn: count, before, ..Arrivals::default() };
    }

    /// A turn begins that is the handler of an interrupt.
    pub fn begin_handler(&mut self, count: u64, depth: usize) {
        self.begin_turn(count, BTreeSet::new());
        (self.arrived, self.handler) = (self.arrived + 1, Some(depth));
    }

    /// Whether somebody has to see what the program does.
    pub fn is_watching(&self) -> bool {
        self.handler.is_some() || !self.goes_round && !self.classes.is_empty()
    }

    /// Whether the handler has returned that was followed to see what it touches.
    pub fn trial_is_over(&self, machine: &Machine) -> bool {
        let has_returned = self.handler.is_some_and(|depth| machine.call_depth() < depth);
        self.trial.is_some() && has_returned
    }

    /// How many instructions are left until it is known well enough what the handler touches.
    pub fn trial_left(&self, count: u64) -> Option<u64> {
        self.trial.map(|until| until.saturating_sub(count))
    }

    /// Something gets in the way of a handler: the class ends, and another begins at a count.
    fn end_class(&mut self, event: Event, conflict: Conflict, count: u64) {
        let Some(class) = self.classes.get_mut(&event) else { return };
        class.begins = Some(class.begins.map_or(count, |begins| begins.min(count)));
        if conflict.changes_handler {
            class.footprint = None;
        }
    }

    /// Something is touched by what is executed until a count is reached.
    fn touch(&mut self, touch: Touch, count: u64) {
        let conflicts = |(event, class): (&Event, &Class)| {
            Some((*event, class.footprint.as_ref()?.conflict(touch)?))
        };
        let found: Vec<_> = self.classes.iter().filter_map(conflicts).collect();
        found.into_iter().for_each(|(event, conflict)| self.end_class(event, conflict, count));
    }

    /// Something has been touched on coming to a count.
    pub fn touched(&mut self, touch: Touch, count: u64) {
        self.touch(touch, count);
    }

    /// What ended classes while the machine ran, up to a count.
    pub fn ended(&mut self, conflicts: BTreeMap<Event, Conflict>, count: u64) {
        conflicts.into_iter().for_each(|(event, found)| self.end_class(event, found, count));
    }
}

/// Watches what the program touches, for the tracer.
pub struct Watch<'a> {
    classes: Vec<(Event, Arc<Footprint>)>,
    /// Who gets in the way of which handler.
    pub conflicts: BTreeMap<Event, Conflict>,
    /// Where it is noted what is touched, if it is.
    trial: Option<&'a mut Footprint>,
    /// How deep calls are nested in the handler under way, at whose end to stop; and whether to
    /// stop where a class ends.
    handler: Option<usize>,
    /// Where the stack of the handler begins.
    start: usize,
    limits: Limits,
    /// Whether to stop after this instruction.
    pub stops: bool,
}

impl<'a> Watch<'a> {
    /// What has to be watched of a path, if anything.
    pub fn new(path: &Path, trial: Option<&'a mut Footprint>) -> Option<Watch<'a>> {
        let known = |(event, class): (&Event, &Class)| Some((*event, class.footprint.clone()?));
        path.arrivals.is_watching().then(|| Watch {
            classes: path.arrivals.classes.iter().filter_map(known).collect(),
            conflicts: BTreeMap::new(),
            trial,
            handler: path.arrivals.handler,
            start: path.now.machine.frame_start(),
            limits: *path.now.machine.limits(),
            stops: false,
        })
    }

    /// An instruction is about to be executed.
    pub fn instruction(
        &mut self,
        instruction: Instruction,
        frame: &Frame<'_>,
        looked_at: &[Cell],
        is_open: impl Fn(Reg) -> bool,
    ) {
        let returns = matches!(instruction, Instruction::Return { .. });
        self.stops = returns && self.handler == Some(frame.depth);
        let Watch { classes, conflicts, trial, handler, start, limits, stops } = self;
        let mut found = |event: Event, conflict: Conflict| {
            let known = conflicts.entry(event).or_insert(conflict);
            known.changes_handler |= conflict.changes_handler;
            // While a handler is under way, no other arrives.
            *stops |= handler.is_none();
        };
        touches(instruction, frame, limits, looked_at, is_open, |touch| {
            if let Some(trial) = trial {
                trial.add(touch);
            }
            for (event, footprint) in &*classes {
                if let Some(conflict) = footprint.conflict(touch) {
                    found(*event, conflict);
                }
            }
        });
        for (event, footprint) in &*classes {
            if footprint.may_lack_room(frame, limits) {
                found(*event, Conflict { changes_handler: true });
            }
        }
        if let (Some(trial), Some(depth)) = (trial, handler) {
            let slots = (frame.start + frame.slots.len()).saturating_sub(*start);
            trial.needs(frame.depth.saturating_sub(*depth) + 1, slots);
        }
    }
}

impl Path {
    /// An interrupt arrives.
    fn arrive(&mut self, event: Event) -> Result<(), EventError> {
        let (count, pc) = (self.now.machine.count(), self.now.machine.pc());
        let (program, behaviour) = (self.program(), imports::behaviour(self));
        self.now.happen(event)?;
        self.put_out = 0;
        self.next_pc = self.now.machine.pc();
        let (start, height) = (self.now.machine.frame_start(), self.now.machine.stack_height());
        self.shadow.stack.clear(start..height);
        self.pointers.stack.clear(start..height);
        let (asked, got) = (Asked::Event(event), Got::Nothing);
        let since = count - self.arrivals.turn.min(count);
        self.note_outcome(|| told_apart(event, since));
        self.note_reading(Reading { count, program, pc, asked, got, behaviour });
        let arrivals = &mut self.arrivals;
        arrivals.arrived += 1;
        arrivals.handler = Some(self.now.machine.call_depth());
        (arrivals.begun_at, arrivals.seen) = (BTreeMap::new(), BTreeSet::new());
        // Handlers that decide what arrives get in the way of what has arrived.
        arrivals.touch(Touch::all(Space::Subscriptions, false), count);
        arrivals.touch(Touch::all(Space::Table(0), false), count);
        if arrivals.arrived >= arrivals.most {
            arrivals.classes.clear();
        }
        Ok(())
    }

    /// Notes what the call of the outside touches that the machine is stopped at. It counts from
    /// when the call has been made.
    pub fn touch_by_call(&mut self, trial: Option<&mut Footprint>) {
        let Some((import, args)) = self.now.machine.import_call() else { return };
        let call = Call { import, args: &args };
        let touches = touched(self, call);
        if let Some(trial) = trial {
            touches.iter().for_each(|touch| trial.add(*touch));
        }
        let after = self.now.machine.count() + 1;
        touches.into_iter().for_each(|touch| self.arrivals.touch(touch, after));
    }
}

/// A memory that notes what is read of it.
struct Noting<'a> {
    machine: &'a Machine,
    reads: RefCell<Vec<(u32, usize)>>,
}

impl GuestMemory for Noting<'_> {
    fn read(&self, address: u32, buffer: &mut [u8]) -> Result<(), OutOfBounds> {
        self.reads.borrow_mut().push((address, buffer.len()));
        GuestMemory::read(self.machine, address, buffer)
    }
}

/// What a call of the outside touches.
fn touched(path: &Path, call: Call<'_>) -> Vec<Touch> {
    let world = &path.now.world;
    match world.statement(call.import) {
        // These are about numbers alone.
        Some(Statement::Assume | Statement::AssumeNotNegative | Statement::Assert) => return vec![],
        Some(Statement::Allocate | Statement::Free) => {
            return Touch::change(Space::Heap).into();
        }
        Some(Statement::Exit) | None => {}
    }
    let memory = |writes: bool| Touch::all(Space::Memory(0), writes);
    let base = path.now.machine.import_slots().map_or(0, |(base, _)| base);
    let is_open = |arg: usize| path.shadow.stack.get(base + arg).is_some();
    let is_any_open = (0..call.args.len()).any(is_open);
    if let Some(asked) = world.task_call(call.import) {
        let mut touches = touched_of_tasks(asked, call.args);
        if is_any_open {
            for touch in &mut touches {
                if let Space::Memory(_) = touch.space {
                    *touch = memory(touch.writes);
                }
            }
        }
        return touches;
    }
    if world.kind(call.import) == Ok(Kind::Input) {
        // Where a mock is for one reading, it matters who reads first.
        let mut touches = match path.mocks.is_empty() && only_looks(world, call) {
            true => vec![Touch::all(Space::World, false)],
            false => Touch::change(Space::World).into(),
        };
        touches.extend(world.fills_buffer(call.import).then(|| memory(true)));
        return touches;
    }
    let mut touches: Vec<Touch> = Touch::change(Space::World).into();
    let noting = Noting { machine: &path.now.machine, reads: RefCell::default() };
    let mut after = world.clone();
    match after.perform(call, &noting) {
        Ok(mw_world::Outcome::Done { reply, .. }) => {
            let writes = reply.writes.iter().map(|(address, bytes)| (*address, bytes.len()));
            touches.extend(writes.map(|range| bytes(range, true)));
            if after.pending_interrupts() != world.pending_interrupts() {
                touches.push(Touch::all(Space::Subscriptions, true));
            }
        }
        Ok(mw_world::Outcome::Abort { .. }) => {}
        Err(_) => touches.push(memory(true)),
    }
    match is_any_open {
        // What is read with other values, nobody has seen.
        true => touches.push(memory(false)),
        false => touches.extend(noting.reads.into_inner().into_iter().map(|of| bytes(of, false))),
    }
    touches
}

/// What a call touches that is about other tasks.
fn touched_of_tasks(asked: TaskCall, args: &[Value]) -> Vec<Touch> {
    let number = |index: usize| match args.get(index) {
        Some(Value::I32(number)) => *number as u32,
        _ => 0,
    };
    let bytes_at = |at: usize, writes| bytes((number(at), number(at + 1) as usize), writes);
    let [looks, changes] = Touch::change(Space::Tasks);
    let turn = Touch::all(Space::Turn, false);
    match asked {
        TaskCall::Myself => vec![],
        TaskCall::Find => vec![bytes_at(0, false)],
        TaskCall::Sender => vec![turn],
        TaskCall::Payload => vec![turn, bytes_at(0, true)],
        TaskCall::Tell => vec![looks, changes, bytes_at(1, false), bytes_at(3, false)],
        TaskCall::Spawn => vec![looks, changes, bytes_at(0, false), bytes_at(2, false)],
        // Futures get the numbers that are free, and some become free as a turn begins.
        TaskCall::Send | TaskCall::When | TaskCall::Rescue => {
            vec![turn, looks, changes, bytes_at(1, false), bytes_at(3, false)]
        }
        TaskCall::Resolve | TaskCall::Ruin => vec![turn, looks, changes, bytes_at(1, false)],
        TaskCall::Defer | TaskCall::Stop => vec![turn, looks, changes],
    }
}

/// Whether an input leaves the world as it is, whatever it returns.
fn only_looks(world: &World, call: Call<'_>) -> bool {
    let ty = world.imports().nth(call.import as usize).and_then(|(_, ty)| ty.results.first());
    let (Some(ty), Ok(domain)) = (ty, world.domain(call)) else { return false };
    let value = domain.smallest(*ty);
    let accepted = world.clone().accept(call, value);
    !world.is_in_rust(call.import) && accepted.is_ok_and(|accepted| accepted.undo.is_empty())
}

fn bytes((address, length): (u32, usize), writes: bool) -> Touch {
    let start = u64::from(address);
    Touch { space: Space::Memory(0), start, end: start + length as u64, writes }
}

impl Explorer {
    /// Lets interrupts arrive on paths of their own, where that leads to something that no moment
    /// before this one leads to.
    pub(crate) fn let_arrive(&mut self, path: &mut Path, stop: &Stop) -> Result<Option<End>, Cut> {
        let (count, pc) = (path.now.machine.count(), path.now.machine.pc());
        let arrivals = &mut path.arrivals;
        if arrivals.most == 0 || path.now.machine.status() != Status::Running {
            return Ok(None);
        }
        if arrivals.handler.is_some_and(|depth| path.now.machine.call_depth() >= depth) {
            return Ok(None);
        }
        arrivals.handler = None;
        let (is_last, goes_round) = (arrivals.arrived >= arrivals.most, arrivals.goes_round);
        let pending: BTreeSet<Event> = path.now.pending().collect();
        if !pending.is_empty() && path.is_timed() {
            path.omitted.insert(Omitted::Deadlines);
        }
        if is_last && !pending.is_empty() {
            path.omitted.insert(Omitted::MoreInterrupts(path.arrivals.most));
        }
        if is_last || goes_round {
            return Ok(None);
        }
        let classes = &mut path.arrivals.classes;
        classes.retain(|event, _| pending.contains(event));
        for event in pending {
            classes.entry(event).or_insert(Class { footprint: None, begins: Some(count) });
        }
        let is_due = |class: &Class| class.begins.is_some_and(|begins| begins <= count);
        let due = classes.iter().filter(|(_, class)| is_due(class)).map(|(event, _)| *event);
        let due: Vec<Event> = due.collect();
        if due.is_empty() {
            return Ok(None);
        }
        if path.arrivals.last != Some(count) {
            path.arrivals.last = Some(count);
            path.arrivals.begun += 1;
            let turns = path.arrivals.begun_at.entry(pc).or_default();
            if *turns >= self.bounds.turns {
                return Ok(Some(End::Cut(Cut::Turns)));
            }
            *turns += 1;
            // Most instructions are executed once.
            if *turns > 1 && goes_round_at(path) {
                path.arrivals.goes_round = true;
                return Ok(None);
            }
        }
        for event in due.iter().copied() {
            let footprint = match path.arrivals.classes[&event].footprint.clone() {
                Some(footprint) => footprint,
                None => Arc::new(self.try_out(path, event, stop)?),
            };
            if let Some(class) = path.arrivals.classes.get_mut(&event) {
                class.footprint = Some(footprint);
            }
        }
        for event in due {
            let is_first = path.arrivals.turn == count && path.arrivals.before.contains(&event);
            // It has arrived in this class then, also on its own path: a handler that is not in its
            // own way changes nothing, however often it is called. Those that come after it are
            // still to arrive.
            if let Some(class) = path.arrivals.classes.get_mut(&event) {
                class.begins = None;
                let footprint = class.footprint.as_deref();
                if is_first && footprint.is_some_and(Footprint::is_apart_from_turns) {
                    continue;
                }
            }
            let mut fork = path.fork();
            match fork.arrive(event) {
                Ok(()) => self.wait(fork),
                // The program has asked for a call that cannot be made.
                Err(_) => {
                    path.omitted.insert(Omitted::Interrupts);
                }
            }
        }
        Ok(None)
    }

    /// Follows a handler to its end, whatever its inputs are, to see what it touches.
    fn try_out(&mut self, path: &mut Path, event: Event, stop: &Stop) -> Result<Footprint, Cut> {
        let mut footprint = Footprint::default();
        footprint.add(Touch::all(Space::Table(0), false));
        let mut fork = path.fork();
        if fork.arrive(event).is_err() {
            return Ok(footprint);
        }
        if fork.now.machine.status() != Status::Running {
            // There is no room for it here, but there may be elsewhere.
            footprint.is_unknown = true;
            return Ok(footprint);
        }
        fork.arrivals.trial = Some(fork.now.machine.count() + INSTRUCTIONS);
        fork.arrivals.classes.clear();
        // Nothing of it is a path of this exploration.
        let waiting = std::mem::replace(&mut self.waiting, [fork].into());
        let ended = std::mem::take(&mut self.ended);
        let stops = std::mem::take(&mut self.stops);
        let executed = self.executed;
        self.trial = Some(footprint);
        // It is begun anew where it is stopped, so it is not stopped for having been looked at.
        let followed = self.follow_trial(&stop.however_often());
        let mut footprint = self.trial.take().unwrap_or_default();
        let is_cut = self.ended.iter().any(|ended| is_out_of_sight(&ended.end));
        (self.waiting, self.ended) = (waiting, ended);
        self.stops = stops;
        if followed.is_err() {
            self.executed = executed;
        }
        footprint.is_unknown = !followed? || is_cut;
        Ok(footprint)
    }

    /// Follows all waiting paths to the end of the handler. Says whether that succeeded.
    fn follow_trial(&mut self, stop: &Stop) -> Result<bool, Cut> {
        let mut paths = 0;
        while let Some(mut path) = self.waiting.pop_front() {
            paths += 1;
            match self.advance(&mut path, stop)? {
                Progress::End(end) if is_out_of_sight(&end) => return Ok(false),
                Progress::End(_) | Progress::None | Progress::Returned | Progress::Turn => {}
                Progress::Pause => self.waiting.push_back(path),
            }
            if paths + self.waiting.len() > PATHS {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Whether a handler that ends so while it is tried out may do more when it arrives. What is cut off
/// by what the path has read and decided is cut off there as well, and said.
fn is_out_of_sight(end: &End) -> bool {
    match end {
        End::Cut(Cut::Inputs | Cut::Turns | Cut::Values) => false,
        End::Cut(_) => true,
        _ => false,
    }
}

/// The arrival of an interrupt after so many instructions of a turn, as a number.
fn told_apart(event: Event, since: u64) -> u64 {
    let mut hasher = DefaultHasher::new();
    (event, since).hash(&mut hasher);
    hasher.finish()
}

/// Whether a path is where it was before, with nothing having arrived since.
fn goes_round_at(path: &mut Path) -> bool {
    // What is not part of the machine or the world is not compared.
    if path.tasks.is_some() || path.clock.is_some() || !path.shown.is_empty() || path.has_blocks() {
        return false;
    }
    let (state, world) = (imports::state(path, 0), path.now.world.state().hash());
    !path.arrivals.seen.insert(state ^ world.rotate_left(64) ^ path.mocks.len() as u128)
}
