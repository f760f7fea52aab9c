//! What tasks are in terms of the inputs: each has shadows of its own, and so have messages.
//!
//! A number that comes from an input is followed into a message, to whoever handles it, and back
//! with the answer. Tasks and messages that wait keep the numbers that they were made with; when it
//! is their turn they get those that follow from the values of the inputs by then.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use mw_ensemble::{FutureId, Message, Next, ScheduleError, Standing, TaskId, size_in_message};
use mw_vm::{NumericOp, Status, ValType, Value};
use mw_world::{Call, Event, TaskCall};

use crate::clock::Clock;
use crate::expr::{Expr, Exprs};
use crate::path::{Path, Shown};
use crate::pointers::Pointers;
use crate::shadow::{Byte, Shadow};

/// Which bytes of something come from inputs, by their position.
type Bytes = Vec<(usize, Byte)>;

/// What a world is in terms of the inputs: its clock, and what it shows.
type Outside = (Option<Clock>, BTreeMap<u32, Shown>);

/// What is known of a message: who sent it, and which of theirs it is.
pub type MessageId = (TaskId, u64);

/// What tasks and messages are in terms of the inputs, apart from the task that runs.
#[derive(Clone, Debug, Default)]
pub struct Tasks {
    parked: BTreeMap<TaskId, Arc<(Shadow, Pointers)>>,
    worlds: BTreeMap<u16, Arc<Outside>>,
    messages: BTreeMap<MessageId, Arc<Bytes>>,
    /// What somebody wants to be told after the value of a future: that it was resolved, or not.
    interests: BTreeMap<(FutureId, bool), Arc<Bytes>>,
    /// What futures were answered with, while nobody has wanted to know.
    settled: BTreeMap<FutureId, Arc<Bytes>>,
    /// Messages to somebody who takes no further turns, of which that has been noticed.
    pub dropped: BTreeSet<MessageId>,
    /// Crashes that do not happen, and those that have happened: who, and the how manieth time.
    pub crashes: BTreeSet<(TaskId, u32)>,
    /// Interrupts that do not arrive between turns any more, and how many have.
    pub refused: BTreeSet<(TaskId, Event)>,
    pub arrived: BTreeMap<(TaskId, Event), u32>,
    /// How the turn under way has gone so far, as a hash.
    pub trace: u64,
    /// The parameters of the turn that begins when the start function has returned, by their
    /// numbers.
    beginning: Vec<(usize, Expr)>,
    /// How many turns there were.
    pub turns: usize,
    /// The states between turns, of paths with many, and how many inputs had been read by then.
    seen: BTreeSet<(u128, usize)>,
}

/// So many turns go by before states are compared: most systems come to their end before.
const MANY: usize = 64;

impl Path {
    /// What tasks are in terms of the inputs; there are tasks.
    fn tasks(&mut self) -> &mut Tasks {
        self.tasks.get_or_insert_default()
    }

    /// Whether tasks have come to a state in which they were before, with nothing read since.
    pub(crate) fn goes_round(&mut self) -> bool {
        if self.tasks.as_deref().is_none_or(|tasks| tasks.turns < MANY) {
            return false;
        }
        let (machines, worlds) = self.now.hash();
        let monitors = self.hash_of_monitors();
        let inputs = self.constraints.inputs().len();
        !self.tasks().seen.insert((machines ^ worlds.rotate_left(64) ^ monitors, inputs))
    }

    /// Notes how something was decided in the turn under way, whether or not it could have been
    /// otherwise: that is what tells the outcomes of a turn apart in any order of turns.
    pub(crate) fn note_outcome(&mut self, outcome: impl FnOnce() -> u64) {
        if let Some(tasks) = self.tasks.as_deref_mut() {
            tasks.trace =
                (tasks.trace.rotate_left(5) ^ outcome()).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
    }

    /// Where the last turn of a task is over, what it has sent to itself in that turn is for nobody: it
    /// could not have come earlier either.
    pub(crate) fn drop_own_messages(&mut self) {
        let Some(ensemble) = self.now.ensemble.as_deref() else { return };
        let current = ensemble.current();
        let standing = ensemble.task(current).map(|task| task.standing);
        if let Some(Standing::Stopped | Standing::Failed) = standing {
            let sent = ensemble.footprint().sent.iter().filter(|(to, _)| *to == current);
            let own: Vec<MessageId> = sent.map(|(_, number)| (current, *number)).collect();
            self.tasks().dropped.extend(own);
        }
    }

    /// How many messages have been sent in the turn under way.
    pub(crate) fn sent_in_turn(&self) -> usize {
        self.now.ensemble.as_deref().map_or(0, |ensemble| ensemble.footprint().sent.len())
    }

    /// Lets somebody have the next turn.
    pub(crate) fn take(&mut self, exprs: &mut Exprs, next: Next) -> Result<(), ScheduleError> {
        let Some(ensemble) = self.now.ensemble.as_deref() else { return Err(ScheduleError::Alone) };
        let (before, device) = (ensemble.current(), self.now.world.device());
        let message = ensemble.message_of(next).cloned();
        self.now.take(next)?;
        let tasks = self.tasks();
        (tasks.trace, tasks.turns) = (0, tasks.turns + 1);
        tasks.beginning.clear();
        if let Next::Interrupt { task, event } = next {
            *tasks.arrived.entry((task, event)).or_default() += 1;
        }
        self.is_turn_over = false;
        if let Some(watching) = &mut self.watching {
            watching.told.clear();
        }
        let after = self.now.ensemble.as_deref().map_or(before, |ensemble| ensemble.current());
        if before != after {
            self.change_task(before, after);
        }
        if device != self.now.world.device() {
            self.change_world(device, self.now.world.device());
        }
        if let Next::Crash(_) = next {
            (self.shadow, self.pointers) = Default::default();
        }
        self.shadow.stack.truncate(0);
        self.mark_stale(exprs);
        let message = match next {
            Next::Deliver { .. } | Next::Double { .. } => message,
            // It begins with what it began with.
            Next::Crash(_) => self.now.ensemble.as_deref().and_then(|all| {
                let task = all.task(all.current())?;
                task.message.clone().filter(|_| task.standing == Standing::Busy)
            }),
            _ => None,
        };
        if let Some(message) = message {
            self.receive(exprs, &message);
        }
        self.next_pc = self.now.machine.pc();
        let count = self.now.machine.count();
        match next {
            Next::Interrupt { .. } => {
                self.arrivals.begin_handler(count, self.now.machine.call_depth());
            }
            // Right before these nothing else can happen to the task.
            Next::Crash(_) | Next::Resume(_) | Next::Start(_) => {
                self.arrivals.begin_turn(count, BTreeSet::new());
            }
            Next::Deliver { .. } | Next::Double { .. } | Next::Lose { .. } => {
                let pending = self.now.pending().collect();
                self.arrivals.begin_turn(count, pending);
            }
        }
        Ok(())
    }

    fn change_task(&mut self, before: TaskId, after: TaskId) {
        let own = (std::mem::take(&mut self.shadow), std::mem::take(&mut self.pointers));
        let tasks = self.tasks();
        tasks.parked.insert(before, Arc::new(own));
        let parked = tasks.parked.remove(&after);
        let (shadow, pointers) = match parked {
            Some(parked) => Arc::unwrap_or_clone(parked),
            None => {
                let heap = self.now.world.state().heap();
                (Shadow::default(), Pointers::of(&self.now.machine, heap))
            }
        };
        (self.shadow, self.pointers) = (shadow, pointers);
    }

    fn change_world(&mut self, before: u16, after: u16) {
        let own = (self.clock.take(), std::mem::take(&mut self.shown));
        let worlds = &mut self.tasks().worlds;
        worlds.insert(before, Arc::new(own));
        let other = worlds.remove(&after).map(Arc::unwrap_or_clone).unwrap_or_default();
        (self.clock, self.shown) = other;
    }

    /// The parameters of a handler are what is in its message.
    fn receive(&mut self, exprs: &mut Exprs, message: &Message) {
        let id = (message.from, message.number);
        let Some(bytes) = self.tasks().messages.get(&id).cloned() else { return };
        let machine = &self.now.machine;
        let func = match (machine.next_call(), machine.status(), machine.call_stack().first()) {
            (Some(func), ..) => func,
            (None, Status::Running, Some(frame)) => frame.func,
            _ => return,
        };
        let module = machine.module().clone();
        let params = &module.func_type(&module.funcs()[func as usize]).params;
        let mut at = 0;
        for (index, &ty) in params.iter().enumerate() {
            let Some(size) = size_in_message(ty) else { return };
            if let Some(expr) = self.number_in(exprs, message, &bytes, at, ty) {
                self.tasks().beginning.push((index, expr));
            }
            at += size;
        }
        self.begin_handler(exprs);
    }

    /// Whether a handler is still to begin whose parameters come from inputs: the start function of
    /// its program comes first.
    pub(crate) fn awaits_handler(&self) -> bool {
        self.tasks.as_deref().is_some_and(|tasks| !tasks.beginning.is_empty())
    }

    /// Gives a handler that has just begun its parameters.
    pub(crate) fn begin_handler(&mut self, exprs: &Exprs) {
        if !self.awaits_handler() || self.now.machine.next_call().is_some() {
            return;
        }
        let start = self.now.machine.frame_start();
        for (index, expr) in std::mem::take(&mut self.tasks().beginning) {
            let slot = self.evaluate(exprs, expr);
            self.shadow.stack.set(start + index, Some(expr));
            if let Some(place) = self.now.machine.stack_slot_mut(start + index) {
                *place = slot;
            }
        }
    }

    /// The number that lies in a message, if it comes from inputs.
    fn number_in(
        &self,
        exprs: &mut Exprs,
        message: &Message,
        bytes: &Bytes,
        at: usize,
        ty: ValType,
    ) -> Option<Expr> {
        let size = size_in_message(ty)?;
        let mut shadow = Shadow::default();
        for &(position, byte) in bytes {
            shadow.set_byte(0, position as u64, Some(byte));
        }
        let mut number = [0; 8];
        number[..size].copy_from_slice(message.bytes.get(at..at + size)?);
        let bits = shadow.load(exprs, 0, at as u64, size as u8, u64::from_le_bytes(number))?;
        Some(match ty {
            ValType::F32 => exprs.unary(NumericOp::F32ReinterpretI32, bits),
            ValType::F64 => exprs.unary(NumericOp::F64ReinterpretI64, bits),
            _ => bits,
        })
    }

    /// So many bytes of a message as a number, if they come from inputs.
    pub(crate) fn number_in_message(
        &self,
        exprs: &mut Exprs,
        id: MessageId,
        at: usize,
        size: u8,
        known: u64,
    ) -> Option<Expr> {
        let bytes = self.tasks.as_deref()?.messages.get(&id)?;
        let mut shadow = Shadow::default();
        for &(position, byte) in bytes.iter() {
            shadow.set_byte(0, position as u64, Some(byte));
        }
        shadow.load(exprs, 0, at as u64, size, known)
    }

    /// The bytes at an address that come from inputs.
    fn bytes_at(&self, args: &[Value], index: usize) -> Bytes {
        let number = |index: usize| match args.get(index) {
            Some(Value::I32(number)) => u64::from(*number as u32),
            _ => 0,
        };
        let (address, length) = (number(index), number(index + 1));
        if !self.shadow.touches(0, address, length) {
            return Vec::new();
        }
        let byte = |at: u64| Some((at as usize, self.shadow.byte(0, address + at)?));
        (0..length).filter_map(byte).collect()
    }

    /// A call about other tasks has been answered, before which so many messages had been sent in
    /// this turn.
    pub(crate) fn note_task_call(
        &mut self,
        exprs: &Exprs,
        call: Call<'_>,
        asked: TaskCall,
        sent_before: usize,
    ) {
        let Some(ensemble) = self.now.ensemble.as_deref() else { return };
        let (current, footprint) = (ensemble.current(), ensemble.footprint());
        let posted = footprint.sent.get(sent_before).map(|(_, number)| (current, *number));
        let future = footprint.futures.last().copied();
        match asked {
            TaskCall::Tell | TaskCall::Send => {
                self.put_message(posted, self.bytes_at(call.args, 3))
            }
            TaskCall::Spawn => self.put_message(posted, self.bytes_at(call.args, 2)),
            TaskCall::When | TaskCall::Rescue => {
                let (data, is_when) = (self.bytes_at(call.args, 3), asked == TaskCall::When);
                let Some(future) = future else { return };
                match posted {
                    Some(_) => {
                        let value = self.tasks().settled.remove(&future);
                        let length = self.length_of(current, posted) - data_length(call.args, 4);
                        self.put_message(posted, joined(value, length, &data));
                    }
                    None if data.is_empty() => {}
                    None => {
                        self.tasks().interests.insert((future, is_when), Arc::new(data));
                    }
                }
            }
            TaskCall::Resolve | TaskCall::Ruin => {
                let value = self.bytes_at(call.args, 1);
                let length = data_length(call.args, 2);
                let is_resolved = asked == TaskCall::Resolve;
                self.note_answer(future, posted, (value, length), is_resolved);
            }
            TaskCall::Payload => self.copy_payload(exprs, call.args),
            TaskCall::Myself
            | TaskCall::Sender
            | TaskCall::Find
            | TaskCall::Defer
            | TaskCall::Stop => {}
        }
    }

    /// Somebody was given an answer: by a message, or it is kept until they ask.
    fn note_answer(
        &mut self,
        future: Option<FutureId>,
        posted: Option<MessageId>,
        (value, length): (Bytes, usize),
        is_resolved: bool,
    ) {
        let Some(future) = future else { return };
        let data = self.tasks().interests.remove(&(future, is_resolved)).unwrap_or_default();
        match posted {
            Some(_) => self.put_message(posted, joined(Some(Arc::new(value)), length, &data)),
            None if value.is_empty() => {}
            None => {
                self.tasks().settled.insert(future, Arc::new(value));
            }
        }
    }

    /// A turn has ended: what its function returned is the answer to its message.
    pub(crate) fn note_turn_end(&mut self, sent_before: usize) {
        let Some(ensemble) = self.now.ensemble.as_deref() else { return };
        let (current, footprint) = (ensemble.current(), ensemble.footprint());
        let message = ensemble.task(current).and_then(|task| task.message.clone());
        let Some(answered) = message.and_then(|message| message.answers) else { return };
        if footprint.futures.last() != Some(&answered) {
            return;
        }
        let posted = footprint.sent.get(sent_before).map(|(_, number)| (current, *number));
        let (mut value, mut at) = (Vec::new(), 0);
        for (index, &ty) in self.now.turn_results().iter().enumerate() {
            let size = size_in_message(ty).unwrap_or(0);
            if let Some(expr) = self.shadow.stack.get(index) {
                value.extend((0..size).map(|n| (at + n, Byte { expr, index: n as u8 })));
            }
            at += size;
        }
        self.note_answer(Some(answered), posted, (value, at), true);
    }

    fn put_message(&mut self, id: Option<MessageId>, bytes: Bytes) {
        if let Some(id) = id.filter(|_| !bytes.is_empty()) {
            self.tasks().messages.insert(id, Arc::new(bytes));
        }
    }

    /// How many bytes there are in a message that was just sent.
    fn length_of(&self, current: TaskId, posted: Option<MessageId>) -> usize {
        let task = self.now.ensemble.as_deref().and_then(|ensemble| ensemble.task(current));
        let waiting = task.and_then(|task| task.inbox.get(&current));
        let last = waiting.and_then(|waiting| waiting.back());
        last.filter(|last| posted == Some((last.from, last.number))).map_or(0, |m| m.bytes.len())
    }

    /// The bytes of the message of this turn have been copied into memory.
    fn copy_payload(&mut self, exprs: &Exprs, args: &[Value]) {
        let ensemble = self.now.ensemble.as_deref();
        let message = ensemble.and_then(|e| e.task(e.current())?.message.clone());
        let (Some(message), Some(Value::I32(address)), Some(Value::I32(room))) =
            (message, args.first(), args.get(1))
        else {
            return;
        };
        let (address, room) = (u64::from(*address as u32), *room as u32 as usize);
        let length = room.min(message.bytes.len());
        self.shadow.fill(0, address, length as u64, None);
        self.pointers.forget(0, address, length as u64);
        let known = self.tasks().messages.get(&(message.from, message.number)).cloned();
        for &(at, byte) in
            known.iter().flat_map(|bytes| bytes.iter()).filter(|(at, _)| *at < length)
        {
            self.shadow.set_byte(0, address + at as u64, Some(byte));
            let slot = self.evaluate(exprs, byte.expr);
            if let Some(memory) = self.now.machine.memory_mut(0) {
                let _ = memory.write(address + at as u64, &[(slot >> (8 * byte.index)) as u8]);
            }
        }
    }
}

fn data_length(args: &[Value], index: usize) -> usize {
    match args.get(index) {
        Some(Value::I32(length)) => *length as u32 as usize,
        _ => 0,
    }
}

/// A value of so many bytes, and what comes after it.
fn joined(value: Option<Arc<Bytes>>, length: usize, data: &[(usize, Byte)]) -> Bytes {
    let mut bytes = value.map(Arc::unwrap_or_clone).unwrap_or_default();
    bytes.extend(data.iter().map(|&(at, byte)| (at + length, byte)));
    bytes
}
