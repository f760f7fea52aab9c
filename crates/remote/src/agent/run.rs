//! Running a program: the rules *Run*, *Run-Prim-In*, *Run-Prim-Out* and *Dbg-Break*.

use alloc::{collections::BTreeSet, string::String, sync::Arc, vec::Vec};

use mw_vm::{Breakpoints, ImportValues, Limits, Machine, Module, NoProbe, Stop, Value};

use super::Agent;
use super::log::Entry;
use super::outside::{Answer, Call, Fault, Outside};
use crate::choices::{Reading, Supply};
use crate::message::{Event, Kind, Reason, Refusal};

/// Choices are told when they take so many bytes, whatever the time.
const TELL: usize = 200;
/// The program waits when choices that could not be told take so many bytes.
const HOLD: usize = 400;

/// A program that has been loaded.
pub(super) struct Program {
    pub module: Arc<Module>,
    pub machine: Machine,
    pub limits: Limits,
    pub entry: Option<(u32, Vec<u64>)>,
    /// The primitive behind each import.
    pub imports: Vec<u32>,
    pub pcs: BTreeSet<u32>,
    pub breakpoints: Breakpoints,
    pub ended: Option<Reason>,
}

impl Program {
    /// A machine at the start.
    pub fn begin(
        module: &Arc<Module>,
        limits: Limits,
        entry: &Option<(u32, Vec<u64>)>,
    ) -> Result<Machine, Refusal> {
        let refused = |error: &dyn core::fmt::Display| Refusal::Image(alloc::format!("{error}"));
        let mut machine = Machine::new(module.clone(), limits, ImportValues::default())
            .map_err(|error| refused(&error))?;
        if let Some((func, slots)) = entry {
            let decl = module.funcs().get(*func as usize).ok_or(Refusal::NoSuchThing)?;
            let types = module.func_type(decl).params.iter();
            let args: Vec<Value> =
                types.zip(slots).map(|(ty, slot)| Value::from_slot(*ty, *slot)).collect();
            machine.call_next(*func, &args).map_err(|error| refused(&error))?;
        }
        Ok(machine)
    }
}

/// How far to run, and how inputs are answered.
pub(super) struct Run {
    pub until: u64,
    pub answers: Answers,
    /// Whether breakpoints, and outputs that cannot be taken back, stop it.
    pub is_careful: bool,
    /// What it starts at is no reason to stop.
    pub has_moved: bool,
}

/// Where the values of inputs come from.
pub(super) enum Answers {
    /// From the outside.
    Outside,
    /// The one that comes next is known.
    Mock(u64),
    /// All are known.
    Recorded {
        choices: Supply,
        /// The count of the last one.
        last: u64,
        perform_from: u64,
    },
}

/// Why a call of a primitive was not answered.
enum Unanswered {
    Ends(Reason),
    /// Not an end, but here it goes no further.
    Stops(Reason),
}

impl<W: Outside> Agent<W> {
    /// Executes some instructions.
    pub(super) fn run_slice(&mut self, now: u64) {
        let room = self.untold.size() < HOLD || self.detached;
        self.stalls += u64::from(!room && !self.is_stalled);
        self.is_stalled = !room;
        let end = self.count().saturating_add(self.config.slice);
        while !self.is_stalled && self.run.is_some() && self.count() < end {
            if !self.run_to_call(end, now) {
                return;
            }
        }
    }

    /// Executes instructions up to a count or to a call of a primitive, and that call. Says whether
    /// to go on without a look at the link.
    fn run_to_call(&mut self, end: u64, now: u64) -> bool {
        let (Some(program), Some(run)) = (&mut self.program, &mut self.run) else { return false };
        let machine = &mut program.machine;
        let count = machine.count();
        if count >= run.until {
            self.stop(Reason::Reached, now);
            return false;
        }
        let budget = run.until.min(end) - count;
        let none = Breakpoints::default();
        let breakpoints = if run.is_careful { &program.breakpoints } else { &none };
        let is_running = matches!(machine.status(), mw_vm::Status::Running);
        if run.has_moved && is_running && breakpoints.contains(machine.pc()) {
            self.stop(Reason::Breakpoint, now);
            return false;
        }
        let stop = machine.run(budget, breakpoints, &mut NoProbe);
        run.has_moved |= machine.count() != count;
        match stop {
            Stop::Budget | Stop::Probe => {}
            Stop::Breakpoint => self.stop(Reason::Breakpoint, now),
            Stop::Finished => self.end(Reason::Finished, now),
            Stop::Trap(kind) => self.end(Reason::Trapped(kind), now),
            Stop::Import(import) => {
                let (pc, has_moved) = (machine.pc(), run.has_moved);
                if has_moved && machine.count() > count && breakpoints.contains(pc) {
                    self.stop(Reason::Breakpoint, now);
                    return false;
                }
                match self.answer(import, now) {
                    Ok(may_have_waited) => {
                        if let Some(run) = &mut self.run {
                            run.has_moved = true;
                        }
                        let is_much = !self.detached && self.untold.size() >= TELL;
                        return !may_have_waited && !is_much && self.outbox.is_empty();
                    }
                    Err(Unanswered::Stops(reason)) => self.stop(reason, now),
                    Err(Unanswered::Ends(reason)) => {
                        if let Some(program) = &mut self.program {
                            // It is stopped at the call: it can be refused.
                            let _ = program.machine.refuse();
                        }
                        self.end(reason, now);
                    }
                }
            }
        }
        false
    }

    fn end(&mut self, reason: Reason, now: u64) {
        if let Some(program) = &mut self.program {
            program.ended = Some(reason.clone());
        }
        self.stop(reason, now);
    }

    /// Stops and tells: *executed(count)*.
    pub(super) fn stop(&mut self, reason: Reason, now: u64) {
        self.run = None;
        self.is_stalled = false;
        self.tell_choices(true, now);
        let Some(program) = &mut self.program else { return };
        let (count, hash) = (program.machine.count(), program.machine.hash());
        if !self.detached {
            self.outbox.event(Event::Stopped { count, reason, hash }, true);
        }
    }

    /// Answers the call that the machine is stopped at. Says whether the call may have been one
    /// that waits: one that neither returns anything nor leaves anything to take back.
    fn answer(&mut self, import: u32, now: u64) -> Result<bool, Unanswered> {
        let (Some(program), Some(run)) = (&mut self.program, &mut self.run) else {
            return Ok(true);
        };
        let machine = &mut program.machine;
        let Some((_, args)) = machine.import_call() else { return Ok(true) };
        let Some(&primitive) = program.imports.get(import as usize) else { return Ok(true) };
        let call = Call { primitive, args: &args };
        let kind = self.outside.kind(primitive);
        let count = machine.count();
        let result = program.module.result_type(import);
        let as_value = |slot: u64| result.map(|ty| Value::from_slot(ty, slot));
        let stands =
            matches!(run.answers, Answers::Recorded { perform_from, .. } if count < perform_from);
        let given = match &mut run.answers {
            Answers::Mock(slot) if kind == Kind::Input => as_value(*slot),
            Answers::Recorded { .. } if kind != Kind::Input && !stands => None,
            Answers::Recorded { choices, last, .. } if result.is_some() => {
                match choices.next().filter(|choice| *last + choice.after == count + 1) {
                    Some(choice) => {
                        *last = count + 1;
                        as_value(choice.slot)
                    }
                    None => return Err(Unanswered::Stops(Reason::Diverged)),
                }
            }
            _ => None,
        };
        let is_final = kind == Kind::Output { irreversible: true };
        if is_final && run.is_careful && run.has_moved {
            return Err(Unanswered::Stops(Reason::Irreversible));
        }
        let is_given = given.is_some();
        let answer = match (kind, given) {
            _ if stands => Ok(Answer { result: given, captured: Vec::new() }),
            (Kind::Input, given) => self.outside.answer(call, given),
            (Kind::Output { .. } | Kind::Abort, _) => self.outside.perform(call, machine),
        };
        let answer = answer.map_err(|fault| match fault {
            Fault::Asks => Unanswered::Stops(Reason::Asks),
            Fault::Impossible => Unanswered::Stops(Reason::Diverged),
            fault => Unanswered::Ends(Reason::Aborted(message_of(fault))),
        })?;
        let results: Vec<Value> = match (answer.result, result) {
            (Some(value), _) => [value].into(),
            (None, Some(ty)) => [Value::zero(ty)].into(),
            (None, None) => Vec::new(),
        };
        if machine.resume(&results).is_err() {
            let message = String::from("the primitive returned something of another type");
            return Err(Unanswered::Ends(Reason::Aborted(message)));
        }
        let may_have_waited = results.is_empty() && answer.captured.is_empty();
        // When nobody watches, nobody takes anything back either.
        if !answer.captured.is_empty() && !self.detached {
            self.log.push(Entry { count, primitive, captured: answer.captured });
        }
        let is_told = !matches!(run.answers, Answers::Recorded { .. }) || !is_given;
        if let (Kind::Input, true, Some(value)) = (kind, is_told, results.first()) {
            self.choice(value.to_slot(), now);
        }
        self.spill();
        Ok(may_have_waited)
    }

    /// An input has returned something: *choice(count, value)*.
    fn choice(&mut self, slot: u64, now: u64) {
        let Some(program) = &self.program else { return };
        if self.detached {
            return self.recorder.push(&program.machine, slot);
        }
        let count = program.machine.count();
        if self.untold.is_empty() {
            self.untold_since = now;
        }
        self.untold.push(Reading { after: count - self.told.1, slot });
        self.told.1 = count;
    }

    /// Choices from here on are counted from the machine's count.
    pub(super) fn count_from_here(&mut self, now: u64) {
        self.tell_choices(true, now);
        self.told = (self.count(), self.count());
    }

    /// Tells what inputs returned, when it is time or there is much.
    pub(super) fn tell_choices(&mut self, at_once: bool, now: u64) {
        let due = now.saturating_sub(self.untold_since) >= self.config.link.delay;
        let much = self.untold.size() >= TELL;
        if self.untold.is_empty() || !(at_once || due || much) {
            return;
        }
        // Kept and packed further while the link has no room.
        if !at_once && !self.link.has_room(self.untold.size() + 16) {
            return;
        }
        let choices = self.untold.take();
        self.outbox.event(Event::Choices { from: self.told.0, choices: &choices }, false);
        self.told.0 = self.told.1;
    }

    /// Gives the host what there is no room for.
    pub(super) fn spill(&mut self) {
        while let Some(entry) = self.log.overflow() {
            let Entry { count, primitive, captured } = entry;
            self.outbox.event(Event::Captured { count, primitive, captured: &captured }, false);
        }
    }
}

/// The longest message of a primitive.
const MESSAGE: usize = 200;

pub(super) fn message_of(fault: Fault) -> String {
    match fault {
        Fault::Abort(mut message) => {
            let end =
                (0..=MESSAGE.min(message.len())).rev().find(|at| message.is_char_boundary(*at));
            message.truncate(end.unwrap_or(0));
            message
        }
        Fault::Asks => String::from("nobody knows what the input returns"),
        Fault::Impossible => String::from("the input cannot return that value"),
        Fault::Memory { address, length } => {
            alloc::format!("address {address:#x} (+{length}) is outside of the memory")
        }
    }
}
