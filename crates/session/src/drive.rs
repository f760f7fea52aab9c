//! Moving forward: the machine runs, the world answers, the tree records.
//!
//! This is the *follow or create* of seed 000's traversal rules: where the universe goes on that
//! one is in, it is followed; where it does not, it is created.

use std::cmp::Ordering;

use mw_multiverse::{NodeId, Outcome, Site};
use mw_vm::{Breakpoints, NoProbe, Probe, Status, Stop, ValType, Value};
use mw_world::board::Transcript;
use mw_world::{Call, Kind, Performed, Sample};

use crate::control::{Control, Progress};
use crate::error::SessionError;
use crate::session::{Effect, Halt, Session, Undoable};

/// How choices are made on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// By mocks, else as recorded, else by the world.
    Live,
    /// By mocks, else as recorded, else as suggested, else by the world.
    AsSuggested,
    /// As recorded, and not otherwise.
    Replay,
}

/// Why driving ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Drive {
    /// At the goal.
    Reached,
    /// Before an instruction with a breakpoint.
    Breakpoint,
    /// The probe stopped it.
    Probe,
    /// Before or after the call of a primitive that `on_primitive` wanted.
    Primitive,
    /// The program ended.
    Ended(Outcome),
    /// The world does not know what an input returns.
    Asks,
}

/// Where to stop.
pub(crate) struct Goal<'a> {
    /// After so many instructions, and after the recorded choices that come right then.
    pub count: u64,
    /// And after this choice; no further one is made then.
    pub node: Option<NodeId>,
    /// Whether to go through with it if the program is known to fail there: the instruction that
    /// traps is never executed, so that before and after are one place.
    pub into_end: bool,
    /// Before these instructions.
    pub breakpoints: &'a Breakpoints,
    /// Before a call of a primitive for which this says so (with no value), or after one (with the
    /// value that an input returned).
    pub on_primitive: &'a mut dyn FnMut(Call<'_>, Option<Value>) -> bool,
    /// Whether the count and the breakpoints are all that can stop it.
    pub is_plain: bool,
}

/// A probe that is told where the machine is before it runs: imported calls and interrupts move it
/// without the probe's seeing it.
pub(crate) trait Watcher: Probe {
    /// The machine is about to run on from this count, with calls nested so deep.
    fn at(&mut self, count: u64, depth: usize) {
        let _ = (count, depth);
    }
}

impl Watcher for NoProbe {}

/// Instructions between looking up from the work: a few milliseconds.
const SLICE: u64 = 4_000_000;

/// More effects than this are not kept for whoever asks what happened.
const EFFECTS_LIMIT: usize = 10_000;

/// Of what one call prints, more bytes than these, which are the last, are not kept with it.
const PRINTED: usize = 4096;

/// More changes of the world than this are not kept for undoing one by one.
const LOG_LIMIT: usize = 1 << 14;

impl Session {
    /// Executes until a goal is reached or something else is the matter.
    pub(crate) fn drive<P: Watcher>(
        &mut self,
        mode: Mode,
        goal: &mut Goal<'_>,
        probe: &mut P,
        control: &mut dyn Control,
    ) -> Result<Drive, SessionError> {
        self.set_horizon(mode, goal);
        let mut looked_up = self.now.machine.count();
        // Whether it has come to another place than the one where it began, whose breakpoints are
        // of no concern.
        let mut has_moved = false;
        loop {
            let count = self.now.machine.count();
            if count - looked_up >= SLICE {
                looked_up = count;
                let goal = (goal.count != u64::MAX).then_some(goal.count);
                control.progress(Progress { count, goal });
                if mode != Mode::Replay {
                    control.keep(self);
                }
                if control.is_cancelled() {
                    return Err(SessionError::Cancelled);
                }
            }
            self.checkpoint_if_due();
            let mut limit = self.next_checkpoint();
            if goal.node != Some(self.node) {
                let depth = self.now.machine.call_depth();
                match self.make_choice_between_instructions(mode)? {
                    Some(next) => limit = limit.min(next),
                    None => {
                        has_moved |= self.now.machine.call_depth() != depth;
                        continue;
                    }
                }
            }
            limit = limit.min(goal.count).min(count + SLICE);
            if count >= goal.count && goal.node.is_none_or(|node| node == self.node) {
                let ended = self.multiverse.ended(self.node);
                if !(goal.into_end && ended.is_some_and(|(end, _)| *end == count)) {
                    return Ok(Drive::Reached);
                }
                limit = count + 1;
            }
            if has_moved && self.is_at(goal.breakpoints) {
                return Ok(Drive::Breakpoint);
            }
            probe.at(count, self.now.machine.call_depth());
            let stop = self.now.machine.run(limit.saturating_sub(count), goal.breakpoints, probe);
            has_moved |= self.now.machine.count() != count;
            match stop {
                Stop::Budget if limit <= count => {
                    // All that was recorded before the goal must have happened by now.
                    let recorded = "a choice before that".into();
                    let actual = "did not get to it".into();
                    return Err(SessionError::Diverged { count, recorded, actual });
                }
                Stop::Budget => {}
                Stop::Breakpoint => return Ok(Drive::Breakpoint),
                Stop::Probe => return Ok(Drive::Probe),
                Stop::Import(_) => {
                    if let Some(drive) = self.answer_import(mode, goal, has_moved, control)? {
                        return Ok(drive);
                    }
                    has_moved = true;
                }
                Stop::Trap(kind) => {
                    let outcome = match self.now.aborted.clone() {
                        Some(message) => Outcome::Aborted(message),
                        None => Outcome::Trapped(kind),
                    };
                    return Ok(self.ended(outcome));
                }
                Stop::Finished => return Ok(self.ended(Outcome::Finished)),
            }
        }
    }

    /// Whether the next instruction has a breakpoint.
    pub(crate) fn is_at(&self, breakpoints: &Breakpoints) -> bool {
        let is_running = matches!(self.now.machine.status(), Status::Running);
        is_running && breakpoints.contains(self.now.machine.pc())
    }

    fn ended(&mut self, outcome: Outcome) -> Drive {
        self.multiverse.end(self.node, self.now.machine.count(), outcome.clone());
        Drive::Ended(outcome)
    }

    /// Makes the recorded choice that comes before the next instruction, if there is one, and
    /// returns `None`; otherwise the count up to which there is none.
    pub(crate) fn make_choice_between_instructions(
        &mut self,
        mode: Mode,
    ) -> Result<Option<u64>, SessionError> {
        let Some((at, site, slot, node)) = self.way_on(mode) else {
            return Ok(Some(u64::MAX));
        };
        let site = match self.multiverse.site(site) {
            None | Some(Site::Input { .. }) => return Ok(Some(u64::MAX)),
            Some(site) => site,
        };
        match at.cmp(&self.now.machine.count()) {
            Ordering::Greater => Ok(Some(at)),
            // The program has gone on without it.
            Ordering::Less => Ok(Some(u64::MAX)),
            Ordering::Equal => {
                let site = site.clone();
                self.apply_site(&site, slot)?;
                self.node = node;
                Ok(None)
            }
        }
    }

    /// The choice that comes next as recorded: count, site, slot and node. A replay also goes where
    /// the program has not been; a run does not.
    fn way_on(&self, mode: Mode) -> Option<(u64, u32, u64, NodeId)> {
        match mode {
            Mode::Replay => self.multiverse.laid_numbers(self.node),
            Mode::Live | Mode::AsSuggested => self.multiverse.preferred_numbers(self.node),
        }
    }

    /// Answers the imported call that the machine is stopped at. Returns why to stop, if so.
    fn answer_import(
        &mut self,
        mode: Mode,
        goal: &mut Goal<'_>,
        has_moved: bool,
        control: &mut dyn Control,
    ) -> Result<Option<Drive>, SessionError> {
        let Some((import, args)) = self.now.machine.import_call() else {
            return Err(SessionError::Unknown("the machine waits for nothing".into()));
        };
        let call = Call { import, args: &args };
        if has_moved && (goal.on_primitive)(call, None) {
            return Ok(Some(Drive::Primitive));
        }
        match self.now.world.kind(import)? {
            Kind::Input => {
                let site = self.multiverse.number_of_input(import, &args);
                let is_last = goal.node == Some(self.node);
                let Some(value) = self.choose(mode, call, site, is_last, control)? else {
                    return Ok(Some(Drive::Asks));
                };
                self.input(call, site, value)?;
                if mode != Mode::Replay {
                    self.multiverse.visit(self.node);
                }
                self.note_read()?;
                Ok((goal.on_primitive)(call, Some(value)).then_some(Drive::Primitive))
            }
            Kind::Output { .. } | Kind::Abort => self.output(call),
        }
    }

    /// What an input returns; `None` if nobody knows. At the last node of a way that is replayed,
    /// no recorded choice is on that way.
    fn choose(
        &mut self,
        mode: Mode,
        call: Call<'_>,
        site: u32,
        is_last: bool,
        control: &mut dyn Control,
    ) -> Result<Option<Value>, SessionError> {
        let count = self.now.machine.count();
        let func = &self.module.funcs()[call.import as usize];
        let ty = self.module.func_type(func).results.first().copied();
        let value = |slot| Value::from_slot(ty.unwrap_or(ValType::I32), slot);
        let recorded = self.way_on(mode).filter(|_| !is_last);
        let fits = recorded.filter(|&(at, recorded, ..)| recorded == site && at == count);
        let recorded_value = fits.map(|(_, _, slot, _)| value(slot));
        match mode {
            Mode::Replay => match recorded_value {
                Some(value) => Ok(Some(value)),
                None => {
                    let recorded = self.multiverse.preferred(self.node);
                    let recorded = match recorded.map(|step| step.choice) {
                        Some(choice) => {
                            let shown = self.show_choice(choice.site, choice.slot);
                            format!("{shown} after {} instructions", choice.count)
                        }
                        None => "no further choice".into(),
                    };
                    let actual = format!("calls {}", self.now.world.show(call));
                    Err(SessionError::Diverged { count, recorded, actual })
                }
            },
            Mode::Live | Mode::AsSuggested => {
                if let Some(value) = self.mocks.value_for(call) {
                    self.now.world.check(call, value)?;
                    self.mocks.used(call);
                    return Ok(Some(value));
                }
                if recorded_value.is_some() {
                    return Ok(recorded_value);
                }
                let suggested = self.suggested(count, site).filter(|_| mode == Mode::AsSuggested);
                if let Some(value) = suggested.map(value) {
                    let call = self.now.world.show(call);
                    self.say(count, format!("{call} = {value}, as suggested"));
                    return Ok(Some(value));
                }
                match self.sample(call, control)? {
                    Sample::Value(value) => Ok(Some(value)),
                    Sample::Ask => Ok(None),
                }
            }
        }
    }

    /// An input returns a value: a choice.
    pub(crate) fn input(
        &mut self,
        call: Call<'_>,
        site: u32,
        value: Value,
    ) -> Result<(), SessionError> {
        let count = self.now.machine.count();
        let undo = self.now.read(call, value)?;
        let slot = value.to_slot();
        self.node = self.multiverse.follow_or_create_numbered(self.node, count, site, slot);
        self.remember(count, call.import, undo);
        Ok(())
    }

    fn output(&mut self, call: Call<'_>) -> Result<Option<Drive>, SessionError> {
        let count = self.now.machine.count();
        let before = self.transcript().map_or(0, Transcript::len);
        match self.now.perform(call)? {
            Performed::Done { undo, effect } => {
                self.remember(count, call.import, undo);
                let grown = self.transcript().filter(|transcript| transcript.len() > before);
                let printed = grown.map(|transcript| {
                    transcript.since(before.max(transcript.len().saturating_sub(PRINTED)))
                });
                if self.effects.len() == EFFECTS_LIMIT {
                    self.effects.pop_front();
                }
                let args = call.args.to_vec();
                let (node, import) = (self.node, call.import);
                self.effects.push_back(Effect { node, count, import, args, effect, printed });
                Ok(None)
            }
            Performed::Aborted(message) => Ok(Some(self.ended(Outcome::Aborted(message)))),
        }
    }

    fn transcript(&self) -> Option<&Transcript> {
        self.now.world.state().board().map(|board| board.transcript())
    }

    fn remember(&mut self, count: u64, import: u32, undo: mw_world::Undo) {
        if matches!(self.now.world.kind(import), Ok(Kind::Output { irreversible: true })) {
            self.irreversible.push((count, import));
        }
        if undo.is_empty() {
            return;
        }
        if self.log.len() >= LOG_LIMIT {
            // Farther back, the world comes from a checkpoint.
            self.log.drain(..LOG_LIMIT / 2);
            self.log_start = self.log.first().map_or(count, |performed| performed.count);
        }
        self.log.push(Undoable { count, undo });
    }

    /// The count at which a checkpoint is due; never, if there are none.
    fn next_checkpoint(&self) -> u64 {
        match self.options.checkpoint_memory {
            0 => u64::MAX,
            _ => self.last_checkpoint.saturating_add(self.options.checkpoint_interval.max(1)),
        }
    }

    fn checkpoint_if_due(&mut self) {
        let here = self.here();
        let is_alive = matches!(self.now.machine.status(), Status::Running | Status::Importing(_));
        if is_alive && here.count >= self.next_checkpoint() {
            self.checkpoints.add(&self.multiverse, here, &mut self.now);
            self.last_checkpoint = here.count;
        }
    }
}

impl From<Drive> for Halt {
    fn from(drive: Drive) -> Self {
        match drive {
            Drive::Ended(outcome) => Halt::Ended(outcome),
            Drive::Asks => Halt::Asks,
            _ => Halt::Reached,
        }
    }
}
