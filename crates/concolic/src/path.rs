//! One path being explored: a machine and its world, and what they are in terms of the inputs.
//!
//! **Invariant:** the machine is what a plain run with the present values of the inputs would be.
//! When values change, so does everything in the machine that has a shadow.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use mw_ensemble::Moment;
use mw_vm::{TrapKind, ValType, Value};
use mw_world::{Answer, HeapError, Port};

use crate::arrivals::Arrivals;
use crate::asked::Asked;
use crate::chain::Chain;
use crate::clock::Clock;
use crate::evaluate::Evaluation;
use crate::expr::{Expr, Exprs, Var};
use crate::finish::Exact;
use crate::leaf::{Cut, End};
use crate::ledger::{Charge, Ledger};
use crate::monitors::{Guard, Watching};
use crate::omitted::Omitted;
use crate::pointers::Pointers;
use crate::shadow::{CHUNK, Shadow};
use crate::solver::Constraints;
use crate::stop::Stop;
use crate::tasks::Tasks;
use crate::tracer::Ready;

/// How a decision went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// A condition was true or false.
    Condition(bool),
    /// A branch table led to this instruction.
    Target(u32),
    /// An indirect call called this function.
    Callee(u32),
    /// The instruction trapped, or not.
    Trap(Option<TrapKind>),
    /// The instruction misused memory that the program had allocated, or not.
    Heap(Option<HeapError>),
    /// Something was this number, as a slot of this type.
    Value(ValType, u64),
    /// A guard of a property held, or not.
    Guard(Guard, bool),
}

/// A decision that an input made: both this and another outcome were possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The program, by its number.
    pub program: u16,
    /// The instruction.
    pub pc: u32,
    /// After how many instructions.
    pub count: u64,
    /// How it went.
    pub outcome: Outcome,
    /// What holds since.
    pub condition: Expr,
}

/// How something was decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Got {
    /// It is open: an input of expressions.
    Open(Var),
    /// Somebody has decided it: what an input was mocked with.
    Mocked(Answer),
    /// There is nothing to be said but that it happened.
    Nothing,
}

/// Something that was decided on a path: mostly an input that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// After how many instructions.
    pub count: u64,
    /// The program that runs, by its number.
    pub program: u16,
    /// The instruction that comes next.
    pub pc: u32,
    /// What.
    pub asked: Asked,
    /// How.
    pub got: Got,
    /// What the program had put out since the reading before, and the state it was in, as a hash.
    pub behaviour: u128,
}

/// An input that is not explored, because somebody has decided what it returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mocked {
    /// The primitive, where several programs run: each numbers its imports itself.
    pub port: Option<Port>,
    /// The import.
    pub import: u32,
    /// Only with these arguments, if given.
    pub args: Option<Vec<Value>>,
    /// What it answers.
    pub answer: Answer,
    /// Only the next time.
    pub once: bool,
}

/// What a call has set that the world shows from then on.
#[derive(Clone, Debug)]
pub struct Shown {
    pub import: u32,
    pub args: Arc<[Value]>,
    /// Which of the arguments.
    pub argument: usize,
    pub expr: Expr,
}

/// A path. See the [module](self).
#[derive(Debug)]
pub struct Path {
    /// The program in its world.
    pub now: Moment,
    pub shadow: Shadow,
    pub constraints: Constraints,
    pub readings: Chain<Reading>,
    pub decisions: Chain<Decision>,
    pub mocks: Vec<Mocked>,
    /// What inputs return from here on, if that is given.
    pub along: Option<VecDeque<Answer>>,
    /// What has been decided about the next instruction, and how many parts of that.
    pub ready: Ready,
    pub stage: u8,
    /// The world's clock, if inputs have a say in it.
    pub clock: Option<Clock>,
    /// What the world shows and was set by something that inputs have a say in, by its
    /// [cell](mw_world::World::cell): the call, which of its arguments that is, and what it is.
    pub shown: BTreeMap<u32, Shown>,
    /// How often the decision at an instruction has been made.
    pub turns: BTreeMap<u32, u32>,
    /// What the program has put out since the last reading, as a hash.
    pub put_out: u64,
    /// Whether somebody compares what paths do.
    pub is_observed: bool,
    /// Which numbers point into blocks of memory.
    pub pointers: Pointers,
    /// The same of tasks and messages, if there are any.
    pub tasks: Option<Box<Tasks>>,
    /// What is known of properties, if there are any.
    pub watching: Option<Box<Watching>>,
    /// The interrupts that may arrive.
    pub arrivals: Arrivals,
    /// What is not explored of it.
    pub omitted: BTreeSet<Omitted>,
    /// Whether the state may be what is looked for, and has not been looked at.
    pub is_unseen: bool,
    /// Whether it ends with its next instruction.
    pub ends_at_once: bool,
    /// How it ends here, if that is decided already.
    pub end: Option<End>,
    /// Whether the turn of the task that runs is over.
    pub is_turn_over: bool,
    /// Where it goes on, for whoever chooses among paths.
    pub next_pc: u32,
    /// Inputs that have got other values, which the memory does not show yet.
    stale: Vec<Var>,
    /// What is known exactly of it as it is, once that has been found out.
    pub exact: Option<Exact>,
    /// Bytes taken for readings and decisions since the last fork.
    pub noted: usize,
    /// What it holds alone, and what it shares with others that began alike: of the machine, and
    /// of what was noted, which outlives it.
    charge: Charge,
    pages: Chain<Charge>,
    pub notes: Chain<Charge>,
    ledger: Ledger,
}

/// What a path takes beside what is counted: its stack, its world.
const PATH_BYTES: usize = 8 << 10;

/// What a list takes for one more, beside the thing itself.
const LINK_BYTES: usize = 32;

/// So many pieces of memory are brought up to date between two looks at whether to stop.
const PIECES: usize = 1 << 12;

impl Path {
    /// The path that begins at a moment.
    pub fn new(mut now: Moment, mocks: Vec<Mocked>, ledger: &Ledger) -> Path {
        Path {
            next_pc: now.machine.pc(),
            pointers: Pointers::of(&now.machine, now.world.state().heap()),
            omitted: BTreeSet::new(),
            arrivals: Arrivals::default(),
            tasks: now.ensemble.is_some().then(Box::default),
            watching: Watching::new(&mut now),
            now,
            shadow: Shadow::default(),
            constraints: Constraints::default(),
            readings: Chain::default(),
            decisions: Chain::default(),
            mocks,
            along: None,
            ready: Ready::No,
            stage: 0,
            clock: None,
            shown: BTreeMap::new(),
            turns: BTreeMap::new(),
            put_out: 0,
            is_observed: false,
            is_unseen: false,
            ends_at_once: false,
            end: None,
            is_turn_over: false,
            stale: Vec::new(),
            exact: None,
            noted: 0,
            charge: ledger.charge(PATH_BYTES),
            pages: Chain::default(),
            notes: Chain::default(),
            ledger: ledger.clone(),
        }
    }

    /// A second path that is the same so far.
    pub fn fork(&mut self) -> Path {
        self.shadow.stack.truncate(self.now.machine.stack_height());
        // What it has taken up to here belongs to both.
        let share = |chain: &mut Chain<Charge>, ledger: &Ledger, bytes: usize| {
            if bytes > 0 {
                chain.push(ledger.charge(bytes));
            }
        };
        share(
            &mut self.pages,
            &self.ledger,
            self.now.machine.written_bytes() + self.shadow.taken(),
        );
        share(&mut self.notes, &self.ledger, std::mem::take(&mut self.noted));
        self.shadow.reset_taken();
        Path {
            now: self.now.fork(),
            shadow: self.shadow.clone(),
            constraints: self.constraints.clone(),
            readings: self.readings.clone(),
            decisions: self.decisions.clone(),
            mocks: self.mocks.clone(),
            along: self.along.clone(),
            ready: self.ready,
            stage: self.stage,
            clock: self.clock,
            shown: self.shown.clone(),
            turns: self.turns.clone(),
            put_out: self.put_out,
            is_observed: self.is_observed,
            pointers: self.pointers.clone(),
            tasks: self.tasks.clone(),
            watching: self.watching.clone(),
            arrivals: self.arrivals.clone(),
            omitted: self.omitted.clone(),
            is_unseen: self.is_unseen,
            ends_at_once: false,
            end: self.end.clone(),
            is_turn_over: self.is_turn_over,
            next_pc: self.next_pc,
            stale: self.stale.clone(),
            exact: None,
            noted: 0,
            charge: self.ledger.charge(PATH_BYTES),
            pages: self.pages.clone(),
            notes: self.notes.clone(),
            ledger: self.ledger.clone(),
        }
    }

    /// Bytes taken since the last fork.
    fn taken(&self) -> usize {
        self.now.machine.written_bytes() + self.shadow.taken() + self.noted
    }

    /// Bytes taken by what is known of its inputs.
    pub fn known(&self) -> usize {
        size_of_val(self.constraints.inputs()) + self.decisions.len() * 2 * size_of::<Expr>()
    }

    /// Charges what it holds now.
    pub fn charge(&mut self) {
        self.charge.set(PATH_BYTES + self.taken() + self.known());
    }

    /// An input was read, or something else was decided.
    pub fn note_reading(&mut self, reading: Reading) {
        self.noted += size_of::<Reading>() + reading.asked.held() + LINK_BYTES;
        self.readings.push(reading);
    }

    /// A decision was made.
    pub fn note_decision(&mut self, decision: Decision) {
        self.noted += size_of::<Decision>() + LINK_BYTES;
        self.decisions.push(decision);
    }

    /// The program that runs, by its number: several have several.
    pub fn program(&self) -> u16 {
        let ensemble = self.now.ensemble.as_deref();
        ensemble.and_then(|all| Some(all.task(all.current())?.program)).unwrap_or(0)
    }

    /// Whether the program has announced blocks of memory.
    pub fn has_blocks(&self) -> bool {
        !self.now.world.state().heap().is_empty()
    }

    /// The number that an expression is with the present values.
    pub fn evaluate(&self, exprs: &Exprs, expr: Expr) -> u64 {
        Evaluation::new(exprs, |var| self.constraints.slot(exprs, var)).slot(expr)
    }

    /// Gives inputs other values, and the machine the state that follows from them.
    pub fn assign(&mut self, exprs: &Exprs, values: &[(Var, u64)]) {
        let mut changed = Vec::new();
        for &(var, slot) in values {
            let bound = self.constraints.bound_mut(exprs, var);
            if bound.slot != slot {
                bound.slot = slot;
                changed.push(var);
            }
        }
        if changed.is_empty() {
            return;
        }
        let constraints = &self.constraints;
        let mut evaluation = Evaluation::new(exprs, |var| constraints.slot(exprs, var));
        let is_concerned = |expr: Expr| exprs.support(expr).iter().any(|var| changed.contains(var));
        for (slot, expr) in self.shadow.stack.iter().filter(|(_, expr)| is_concerned(*expr)) {
            if let Some(place) = self.now.machine.stack_slot_mut(slot) {
                *place = evaluation.slot(expr);
            }
        }
        for (global, expr) in self.shadow.globals.iter().filter(|(_, expr)| is_concerned(*expr)) {
            let value = Value::from_slot(exprs.ty(expr), evaluation.slot(expr));
            let _ = self.now.machine.set_global(global as u32, value);
        }
        // Memory may be large, and the path may never be followed: that waits until it is.
        changed.retain(|var| !self.stale.contains(var));
        self.stale.append(&mut changed);
    }

    /// Another machine runs now, which was made with other values of the inputs.
    pub fn mark_stale(&mut self, exprs: &Exprs) {
        self.stale = self.constraints.inputs().iter().map(|input| input.var).collect();
        for (global, expr) in self.shadow.globals.iter() {
            let value = Value::from_slot(exprs.ty(expr), self.evaluate(exprs, expr));
            let _ = self.now.machine.set_global(global as u32, value);
        }
    }

    /// Gives the memory the state that follows from the values of the inputs.
    pub fn refresh(&mut self, exprs: &Exprs, stop: &Stop) -> Result<(), Cut> {
        if self.stale.is_empty() {
            return Ok(());
        }
        let (constraints, stale) = (&self.constraints, &self.stale);
        let mut evaluation = Evaluation::new(exprs, |var| constraints.slot(exprs, var));
        let is_concerned = |expr: Expr| exprs.support(expr).iter().any(|var| stale.contains(var));
        // Neighbours are mostly of the same expression.
        let mut last: Option<(Expr, Option<u64>)> = None;
        for (number, (memory, start, bytes)) in self.shadow.pieces().enumerate() {
            if number % PIECES == PIECES - 1
                && let Some(cut) = stop.why()
            {
                return Err(cut);
            }
            let Some(memory) = self.now.machine.memory_mut(memory) else { continue };
            let mut piece = [0; CHUNK as usize];
            let _ = memory.read(start, &mut piece);
            let mut is_concerned_here = false;
            for (at, expr, index) in bytes {
                let slot = match last {
                    Some((known, slot)) if known == expr => slot,
                    _ => is_concerned(expr).then(|| evaluation.slot(expr)),
                };
                last = Some((expr, slot));
                if let Some(slot) = slot {
                    piece[at] = (slot >> (8 * index)) as u8;
                    is_concerned_here = true;
                }
            }
            if is_concerned_here {
                let _ = memory.write(start, &piece);
            }
        }
        self.stale.clear();
        Ok(())
    }

    /// The slot of the stack that a register of the current function is.
    pub fn slot_of(&self, reg: u16) -> usize {
        self.now.machine.frame_start() + reg as usize
    }

    /// What is in a register, if inputs have a say in it.
    pub fn shadow_of(&self, reg: u16) -> Option<Expr> {
        self.shadow.stack.get(self.slot_of(reg))
    }

    /// The expression in a register: its shadow, or the number that it is.
    pub fn expr_of(&self, exprs: &mut Exprs, reg: u16, ty: ValType) -> Expr {
        match self.shadow_of(reg) {
            Some(expr) => expr,
            None => exprs.constant(ty, self.number_of(reg)),
        }
    }

    /// A call has returned to a slot of the stack; inputs may have a say in what.
    pub fn set_result(&mut self, slot: usize, result: Option<Expr>) {
        self.shadow.stack.set(slot, result);
        self.pointers.stack.set(slot, None);
        self.note_result(result);
    }

    /// The number in a register.
    pub fn number_of(&self, reg: u16) -> u64 {
        self.now.machine.stack_slot(self.slot_of(reg)).unwrap_or(0)
    }
}
