//! Following one path: running the machine, and deciding wherever an input decides.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use mw_vm::{Breakpoints, MemoryAccess, NoProbe, NumericOp, Stop as Halt, ValType, Value};
use mw_world::Call;

use crate::arrivals::Watch;
use crate::decide::{Branch, Question, question};
use crate::explore::Explorer;
use crate::expr::{Expr, Exprs};
use crate::imports::{self, Next};
use crate::leaf::{Cut, End};
use crate::options::Strategy;
use crate::path::{Decision, Outcome, Path};
use crate::shadow::{self, Shadow};
use crate::solver::Answer;
use crate::stop::Stop;
use crate::tracer::{Ready, Tracer};

/// Instructions between looking up from the work: a few milliseconds.
const SLICE: u64 = 200_000;

/// Where it is fair, a path makes so many decisions, or executes so many instructions, before it
/// is another one's turn.
const DECISIONS: usize = 16;
const INSTRUCTIONS: u64 = 5 * SLICE;

/// So many bytes of memory one instruction may make dependent on inputs.
const BYTES: u64 = 1 << 26;

/// Where paths stop in programs that the goal is not about.
static NOWHERE: Breakpoints = Breakpoints::none();

/// How far a path has come.
pub(crate) enum Progress {
    /// It has ended.
    End(End),
    /// It turned out to be none.
    None,
    /// It is another one's turn.
    Pause,
    /// The turn of the task that runs is over.
    Turn,
    /// The handler that was tried out has returned.
    Returned,
}

impl Explorer {
    /// Follows a path to its end, or until it is another one's turn.
    pub(crate) fn advance(&mut self, path: &mut Path, stop: &Stop) -> Result<Progress, Cut> {
        let (decisions, instructions) = (path.decisions.len(), path.now.machine.count());
        let begun = path.arrivals.begun;
        loop {
            if path.now.is_due() {
                path.refresh(&self.exprs, stop)?;
                if let Some(end) = self.tell_monitors(path, stop)? {
                    return Ok(Progress::End(end));
                }
            }
            if path.arrivals.trial_is_over(&path.now.machine) {
                return Ok(Progress::Returned);
            }
            if std::mem::take(&mut path.is_turn_over) {
                return Ok(Progress::Turn);
            }
            if let Some(end) = path.end.take() {
                return Ok(Progress::End(end));
            }
            if path.tasks.is_some()
                && let Some(message) = &path.now.aborted
            {
                return Ok(Progress::End(End::Aborted(message.clone())));
            }
            let done = path.now.machine.count() - self.start;
            let left = self.bounds.instructions.saturating_sub(done);
            let trial = path.arrivals.trial_left(path.now.machine.count());
            let left = left.min(trial.unwrap_or(u64::MAX));
            if left == 0 {
                return Ok(Progress::End(End::Cut(Cut::Instructions)));
            }
            if let Some(cut) = stop.why() {
                return Err(cut);
            }
            path.charge();
            if self.is_full() {
                return Err(Cut::Memory);
            }
            let has_had_its_turn = path.decisions.len() - decisions >= DECISIONS
                || path.arrivals.begun - begun >= DECISIONS
                || path.now.machine.count() - instructions >= INSTRUCTIONS;
            let is_others = self.strategy == Strategy::Fair && !self.waiting.is_empty();
            if has_had_its_turn && is_others || !path.ends_at_once && self.ends_at_once() {
                return Ok(Progress::Pause);
            }
            path.begin_handler(&self.exprs);
            path.refresh(&self.exprs, stop)?;
            if let Some(end) = self.look(path, stop)? {
                return Ok(Progress::End(end));
            }
            if let Some(end) = self.let_arrive(path, stop)? {
                return Ok(Progress::End(end));
            }
            let before = path.now.machine.count();
            let sent = path.sent_in_turn();
            // Where the start function returns, the parameters of what is called next are on the stack.
            let slice = if path.awaits_handler() { 1 } else { SLICE };
            let (halt, wrote) = self.run_machine(path, slice.min(left));
            self.executed += path.now.machine.count() - before;
            if path.now.machine.count() != before {
                path.stage = 0;
            }
            path.is_unseen |= wrote || matches!(halt, Halt::Import(_) | Halt::Finished);
            if let Some(end) = self.look(path, stop)? {
                return Ok(Progress::End(end));
            }
            let end = match halt {
                Halt::Breakpoint => Some(End::Reached),
                Halt::Budget => None,
                Halt::Probe if wrote || path.now.is_due() => None,
                Halt::Probe if self.is_too_much => self.too_much(path),
                Halt::Probe => self.answer(path, stop)?,
                Halt::Trap(kind) => Some(End::Trapped(kind)),
                Halt::Finished if path.tasks.is_some() => {
                    path.note_turn_end(sent);
                    path.is_turn_over = true;
                    None
                }
                Halt::Finished => Some(End::Finished),
                // What comes before the call is told first.
                Halt::Import(_) if path.now.is_due() => None,
                Halt::Import(_) => {
                    if path.arrivals.is_watching() {
                        path.touch_by_call(self.trial.as_mut());
                    }
                    let before = path.now.machine.count();
                    let next =
                        imports::call(path, &mut self.exprs, &mut self.solver, self.bounds.inputs);
                    let end = match next {
                        Ok(()) => None,
                        Err(Next::End(end)) => Some(end),
                        Err(Next::Number(slot, ty)) => self.pin(path, slot, ty, stop)?,
                        Err(Next::Shown(cell)) => self.settle_shown(path, cell, stop)?,
                        Err(Next::Assume(condition)) => match self.assume(path, condition, stop)? {
                            true => None,
                            false => return Ok(Progress::None),
                        },
                        Err(Next::Assert(condition)) => self.assert(path, condition, stop)?,
                    };
                    self.executed += path.now.machine.count() - before;
                    end
                }
            };
            match end {
                // How it ends is something to be told as well.
                Some(end) if path.now.is_due() => path.end = Some(end),
                Some(end) => return Ok(Progress::End(end)),
                None => {}
            }
        }
    }

    /// Too much of the memory would depend on inputs to be kept. Where the instruction does not
    /// get that far, it does nothing.
    fn too_much(&mut self, path: &mut Path) -> Option<End> {
        let number = |reg: u16| u64::from(path.number_of(reg) as u32);
        let memories = path.now.machine.memories();
        let op = path.now.machine.module().code()[path.now.machine.pc() as usize];
        let fits = op.ranges().into_iter().all(|(memory, start, length)| {
            number(start) + number(length) <= memories[memory as usize].byte_size()
        });
        match fits {
            true => Some(End::Cut(Cut::Memory)),
            false => {
                path.ready = Ready::Stored;
                None
            }
        }
    }

    /// Runs the machine: with the probe as soon as there is something to follow. Says whether it
    /// stopped after an instruction that somebody wants to know of, rather than before one.
    fn run_machine(&mut self, path: &mut Path, budget: u64) -> (Halt, bool) {
        let watched = self.watched();
        let has_blocks = path.has_blocks();
        // Of another program than this exploration's, if tasks have several.
        let other = match Arc::ptr_eq(&self.module, path.now.machine.module()) {
            true => None,
            false => Some(path.now.machine.module().clone()),
        };
        let stops = if other.is_some() { &NOWHERE } else { &self.stops };
        let watch = Watch::new(path, self.trial.as_mut());
        let is_plain =
            path.constraints.inputs().is_empty() && !self.covers && !has_blocks && watch.is_none();
        if is_plain && watched.is_empty() {
            return (path.now.run(budget, stops, &mut NoProbe), false);
        }
        let room = self.memory.saturating_sub(self.ledger.held()) as u64;
        let module = other.as_ref().unwrap_or(&self.module);
        let heap = path.now.world.state().heap().clone();
        let mut tracer = Tracer::new(module, &mut self.exprs, &mut path.shadow);
        tracer.most_bytes = room.min(BYTES);
        tracer.ready = std::mem::take(&mut path.ready);
        tracer.forks_at_select = self.forks_at_select;
        tracer.watched = &watched;
        tracer.coverage = self.covers.then_some(&mut self.coverage);
        tracer.blocks = has_blocks.then_some((&heap, &mut path.pointers));
        tracer.watch = watch;
        let halt = path.now.run(budget, stops, &mut tracer);
        self.is_too_much = tracer.is_too_much;
        let (mut has_seen, watch) = (tracer.wrote, tracer.watch.take());
        if let Some(watch) = watch {
            has_seen |= watch.stops;
            // A call of the outside is still to be made.
            let made = u64::from(matches!(halt, Halt::Import(_)));
            path.arrivals.ended(watch.conflicts, path.now.machine.count() + made);
        }
        (halt, has_seen)
    }

    /// Finds out what may happen at the instruction that a path has stopped before.
    fn answer(&mut self, path: &mut Path, stop: &Stop) -> Result<Option<End>, Cut> {
        let question = question(path, &mut self.exprs, path.stage);
        if matches!(question, Question::Address { .. } | Question::Number(..)) {
            path.note_open_access();
        }
        match question {
            Question::Which(branches) => self.decide(path, (&branches, None), stop, |path, _| {
                path.ready = Ready::Yes;
            }),
            Question::Traps(branches) => {
                self.decide(path, (&branches, None), stop, |path, outcome| match outcome {
                    Outcome::Trap(None) | Outcome::Condition(true) => path.stage += 1,
                    _ => path.ready = Ready::Yes,
                })
            }
            Question::Heap(branches) => {
                self.decide(path, (&branches, None), stop, |path, outcome| match outcome {
                    Outcome::Heap(Some(error)) => path.end = Some(End::Heap(error)),
                    _ => path.stage += 1,
                })
            }
            Question::Number(reg, ty) => {
                let slot = path.slot_of(reg);
                self.pin(path, slot, ty, stop)
            }
            Question::Address { memory, size, address, offset } => {
                self.access(path, (memory, size), (address, offset), stop)
            }
            Question::Nothing => {
                path.ready = Ready::Yes;
                Ok(None)
            }
        }
    }

    /// Follows this path with the outcome that its values have, and forks one for each other
    /// outcome that is possible. `then` is done to each path with its outcome. Outcomes that are
    /// not among the branches are cut off, if there are `others`.
    pub(crate) fn decide(
        &mut self,
        path: &mut Path,
        (branches, others): (&[Branch], Option<Cut>),
        stop: &Stop,
        then: impl Fn(&mut Path, Outcome),
    ) -> Result<Option<End>, Cut> {
        let (pc, count) = (path.now.machine.pc(), path.now.machine.count());
        let holds = |branch: &&Branch| path.evaluate(&self.exprs, branch.condition) as u32 != 0;
        let Some(here) = branches.iter().find(holds).copied() else {
            // One of them holds, whatever the values.
            return Ok(Some(End::Cut(Cut::Unknown)));
        };
        let mut forks = Vec::new();
        let mut unknown = Vec::new();
        for branch in branches.iter().filter(|branch| branch.outcome != here.outcome) {
            let answer =
                self.solver.find(&mut self.exprs, &path.constraints, branch.condition, stop);
            match answer {
                Answer::Values(values) => forks.push((*branch, values)),
                Answer::Impossible => {}
                Answer::Unknown => match stop.why() {
                    Some(cut) => return Err(cut),
                    None => unknown.push(*branch),
                },
            }
        }
        let is_decided = !forks.is_empty() || !unknown.is_empty() || others.is_some();
        if is_decided {
            let turns = path.turns.entry(pc).or_default();
            if *turns >= self.bounds.turns {
                return Ok(Some(End::Cut(Cut::Turns)));
            }
            *turns += 1;
        }
        let program = path.program();
        let decision = |branch: &Branch| {
            let Branch { condition, outcome, .. } = *branch;
            Decision { program, pc, count, outcome, condition }
        };
        if self.follows_one {
            // What else could have been is known to be possible, and no more than that is wanted.
            path.note_outcome(|| told_apart(pc, here.outcome));
            if is_decided {
                self.require(path, here.condition);
                path.note_decision(decision(&here));
            }
            then(path, here.outcome);
            return Ok(None);
        }
        for branch in &unknown {
            let mut decisions = path.decisions.clone();
            decisions.push(decision(branch));
            self.finish_with(path, decisions, End::Cut(Cut::Unknown));
        }
        if let Some(cut) = others {
            self.finish(path, End::Cut(cut));
        }
        for (branch, values) in forks.into_iter().rev() {
            let mut fork = path.fork();
            fork.assign(&self.exprs, &values);
            self.require(&mut fork, branch.condition);
            fork.note_decision(decision(&branch));
            fork.note_outcome(|| told_apart(pc, branch.outcome));
            fork.next_pc = branch.next_pc;
            then(&mut fork, branch.outcome);
            fork.ends_at_once =
                fork.end.is_some() || matches!(branch.outcome, Outcome::Trap(Some(_)));
            self.wait(fork);
        }
        if is_decided {
            self.require(path, here.condition);
            path.note_decision(decision(&here));
        }
        path.note_outcome(|| told_apart(pc, here.outcome));
        then(path, here.outcome);
        Ok(None)
    }

    /// From now on, a condition holds on a path.
    pub(crate) fn require(&mut self, path: &mut Path, condition: Expr) {
        self.solver.require(&mut self.exprs, &mut path.constraints, condition);
        if let [var] = self.exprs.support(condition)[..]
            && let Some(left) = &path.constraints.bound(&self.exprs, var).left
        {
            path.noted += size_of_val(left.ranges());
        }
    }

    /// Makes a path for each number that a slot of the stack can be.
    fn pin(
        &mut self,
        path: &mut Path,
        slot: usize,
        ty: ValType,
        stop: &Stop,
    ) -> Result<Option<End>, Cut> {
        let Some(expr) = path.shadow.stack.get(slot) else { return Ok(None) };
        self.settle(path, expr, ty, stop, |path, _| path.shadow.stack.set(slot, None))
    }

    /// Makes a path for each number that an expression can be; those that are too many are cut
    /// off.
    pub(crate) fn settle(
        &mut self,
        path: &mut Path,
        expr: Expr,
        ty: ValType,
        stop: &Stop,
        then: impl Fn(&mut Path, u64),
    ) -> Result<Option<End>, Cut> {
        let (branches, others) = self.number_branches(path, expr, ty, stop)?;
        self.decide(path, (&branches, others), stop, |path, outcome| {
            if let Outcome::Value(_, slot) = outcome {
                then(path, slot);
            }
        })
    }

    fn number_branches(
        &mut self,
        path: &mut Path,
        expr: Expr,
        ty: ValType,
        stop: &Stop,
    ) -> Result<(Vec<Branch>, Option<Cut>), Cut> {
        let most = self.bounds.values;
        let mut values = self.solver.values(&mut self.exprs, &path.constraints, expr, most, stop);
        if let (Some(Cut::Unknown), Some(cut)) = (values.cut, stop.why()) {
            return Err(cut);
        }
        let now = path.evaluate(&self.exprs, expr);
        if !values.slots.contains(&now) {
            values.slots.push(now);
        }
        let pc = path.now.machine.pc();
        let exprs = &mut self.exprs;
        let branch = |&slot: &u64| Branch {
            condition: exprs.equals(expr, slot),
            outcome: Outcome::Value(ty, slot),
            next_pc: pc,
        };
        let branches: Vec<Branch> = values.slots.iter().map(branch).collect();
        Ok((branches, values.cut))
    }

    /// The world is to show what was set by something that inputs have a say in.
    fn settle_shown(
        &mut self,
        path: &mut Path,
        cell: u32,
        stop: &Stop,
    ) -> Result<Option<End>, Cut> {
        let Some(shown) = path.shown.get(&cell).cloned() else { return Ok(None) };
        let is_set = self.exprs.truth(shown.expr);
        self.settle(path, is_set, ValType::I32, stop, |path, slot| {
            path.shown.remove(&cell);
            let mut args = shown.args.to_vec();
            args[shown.argument] = Value::I32(slot as i32);
            let call = Call { import: shown.import, args: &args };
            // It has been performed before, only with another value.
            let _ = path.now.world.perform(call, &path.now.machine);
        })
    }

    /// Resolves the address of a load or store that stays within its memory.
    fn access(
        &mut self,
        path: &mut Path,
        (memory, size): (u16, u8),
        (address, offset): (Expr, u32),
        stop: &Stop,
    ) -> Result<Option<End>, Cut> {
        let most = self.bounds.values;
        let values = self.solver.values(&mut self.exprs, &path.constraints, address, most, stop);
        if let (Some(Cut::Unknown), Some(cut)) = (values.cut, stop.why()) {
            return Err(cut);
        }
        let op = path.now.machine.module().code()[path.now.machine.pc() as usize];
        let Some(access) = op.access() else { return Ok(None) };
        let is_watched = path.watches_accesses();
        if values.cut.is_some() || is_watched || has_pointers(path, &access, offset, &values.slots)
        {
            // Too much to be said in one expression: each is a path, as far as the bound goes.
            let slot = path.slot_of(access.address);
            return self.pin(path, slot, ValType::I32, stop);
        }
        let exprs = &mut self.exprs;
        let shadow = &mut path.shadow;
        let ty = if size > 4 { ValType::I64 } else { ValType::I32 };
        let load = |exprs: &mut Exprs, shadow: &mut Shadow, at: u64| {
            let mut bytes = [0; 8];
            let contents = &path.now.machine.memories()[memory as usize];
            let _ = contents.read(at, &mut bytes[..size as usize]);
            let number = u64::from_le_bytes(bytes);
            let expr = shadow.load(exprs, memory, at, size, number);
            expr.unwrap_or_else(|| exprs.constant(ty, number))
        };
        let mut found: Vec<(u64, Expr)> = Vec::new();
        for &slot in &values.slots {
            found.push((slot, load(exprs, shadow, slot + u64::from(offset))));
        }
        if access.is_load {
            path.ready = Ready::Loads(choose(exprs, address, &found));
            return Ok(None);
        }
        let value = path.now.machine.frame_start() + access.register as usize;
        let new = match shadow.stack.get(value) {
            Some(expr) => shadow::bits(exprs, expr),
            None => exprs.constant(ty, path.now.machine.stack_slot(value).unwrap_or(0)),
        };
        let new = fit(exprs, new, size);
        // Addresses may overlap: one store after the other, of which exactly one happens.
        for &(slot, _) in &found {
            let at = slot + u64::from(offset);
            let old = load(exprs, shadow, at);
            let is_here = exprs.equals(address, slot);
            let stored = exprs.ite(is_here, new, old);
            shadow.store(exprs, memory, at, size, Some(stored));
        }
        path.ready = Ready::Stored;
        Ok(None)
    }

    /// Goes on only where something holds. Says whether that is possible at all.
    fn assume(&mut self, path: &mut Path, condition: Expr, stop: &Stop) -> Result<bool, Cut> {
        if path.evaluate(&self.exprs, condition) as u32 == 0 {
            match self.solver.find(&mut self.exprs, &path.constraints, condition, stop) {
                Answer::Values(values) => path.assign(&self.exprs, &values),
                Answer::Impossible => return Ok(false),
                Answer::Unknown => {
                    if let Some(cut) = stop.why() {
                        return Err(cut);
                    }
                    self.finish(path, End::Cut(Cut::Unknown));
                    return Ok(false);
                }
            }
        }
        if self.exprs.as_const(condition).is_none() {
            self.require(path, condition);
        }
        carry_out(path);
        Ok(true)
    }

    /// Where something need not hold, that is a path of its own, which ends here.
    fn assert(
        &mut self,
        path: &mut Path,
        condition: Expr,
        stop: &Stop,
    ) -> Result<Option<End>, Cut> {
        let pc = path.now.machine.pc();
        let not = self.exprs.not(condition);
        let branches = [
            Branch { condition, outcome: Outcome::Condition(true), next_pc: pc + 1 },
            Branch { condition: not, outcome: Outcome::Condition(false), next_pc: pc },
        ];
        self.decide(path, (&branches, None), stop, |path, outcome| match outcome {
            Outcome::Condition(false) => path.end = Some(End::AssertionFailed),
            _ => carry_out(path),
        })
    }
}

/// How a decision went, as a number.
fn told_apart(pc: u32, outcome: Outcome) -> u64 {
    let mut hasher = DefaultHasher::new();
    (pc, outcome).hash(&mut hasher);
    hasher.finish()
}

/// The expression that belongs to an address: found by halving, so that it is as deep as it has to
/// be and not deeper.
fn choose(exprs: &mut Exprs, address: Expr, found: &[(u64, Expr)]) -> Expr {
    if let [(_, only)] = found {
        return *only;
    }
    let (low, high) = found.split_at(found.len() / 2);
    let is_low = exprs.with_const(NumericOp::I32LtU, address, high[0].0);
    let (low, high) = (choose(exprs, address, low), choose(exprs, address, high));
    exprs.ite(is_low, low, high)
}

/// The lowest bytes of an integer, as an `i32` up to 4 of them, else as an `i64`.
fn fit(exprs: &mut Exprs, expr: Expr, size: u8) -> Expr {
    let narrow = match exprs.ty(expr) {
        ValType::I64 if size <= 4 => exprs.unary(NumericOp::I32WrapI64, expr),
        _ => expr,
    };
    match size {
        1 | 2 => exprs.with_const(NumericOp::I32And, narrow, (1 << (8 * size)) - 1),
        _ => narrow,
    }
}

/// Makes the call that the path has stopped before, after it has been decided about.
fn carry_out(path: &mut Path) {
    let Some((import, args)) = path.now.machine.import_call() else { return };
    if let Err(Next::End(end)) = imports::perform(path, Call { import, args: &args }) {
        path.end = Some(end);
    }
}

/// Whether an access at one of some addresses moves a pointer into a block, or writes over one.
fn has_pointers(path: &Path, access: &MemoryAccess, offset: u32, slots: &[u64]) -> bool {
    let stores =
        !access.is_load && path.pointers.stack.get(path.slot_of(access.register)).is_some();
    let lies_in = |slot: &u64| {
        path.pointers.lies_in(access.memory, slot + u64::from(offset), access.size.into())
    };
    path.has_blocks() && (stores || slots.iter().any(lies_in))
}
