//! Looking for one universe: what it is that is looked for, and whether a path is it.

use std::fmt;
use std::sync::Arc;

use mw_vm::NumericOp::{F32ReinterpretI32, F64ReinterpretI64, I32Extend8S, I32Extend16S};
use mw_vm::{Cell, Load};

use crate::explore::Explorer;
use crate::expr::{Expr, Exprs};
use crate::leaf::{Cut, End};
use crate::monitors::PropertyGoal;
use crate::path::Path;
use crate::solver::Answer;
use crate::stop::Stop;

/// What is looked for. Exploring ends when it is found.
#[derive(Clone, Debug)]
pub enum Goal {
    /// A path that comes to one of these instructions.
    Reach(Vec<u32>),
    /// A path on which something goes wrong.
    Failure,
    /// A path on which this holds at some time.
    Holds(Arc<dyn Predicate>),
    /// A path on which the monitor of a property comes to a state.
    Property(PropertyGoal),
}

/// Something that may hold in a state.
pub trait Predicate: fmt::Debug + Send + Sync {
    /// It as an expression that is not zero where it holds; `None` where it makes no sense.
    fn expr(&self, state: &mut SymbolicState<'_>) -> Option<Expr>;
    /// What it looks at: nothing else can change whether it holds.
    fn looks_at(&self) -> Vec<Cell>;
}

/// The state of a path, in terms of its inputs.
pub struct SymbolicState<'a> {
    pub(crate) path: &'a Path,
    /// The expressions.
    pub exprs: &'a mut Exprs,
}

impl SymbolicState<'_> {
    /// The value of a cell; of locals, only those of the function that is executed.
    pub fn cell(&mut self, cell: Cell) -> Option<Expr> {
        let (machine, shadow) = (&self.path.now.machine, &self.path.shadow);
        let value = machine.read(cell)?;
        let known = match cell {
            Cell::Global(global) => shadow.globals.get(global as usize),
            Cell::Local { depth: 0, local } => {
                return Some(self.path.expr_of(self.exprs, u16::try_from(local).ok()?, value.ty()));
            }
            Cell::Local { .. } => return None,
            Cell::Memory { address, load } => {
                let mut bytes = [0; 8];
                let buffer = bytes.get_mut(..load.size() as usize)?;
                machine.memories().first()?.read(address.into(), buffer).ok()?;
                let bits = u64::from_le_bytes(bytes);
                let size = load.size() as u8;
                let known = shadow.load(self.exprs, 0, address.into(), size, bits);
                known.and_then(|bits| read_as(self.exprs, load, bits))
            }
        };
        Some(known.unwrap_or_else(|| self.exprs.constant(value.ty(), value.to_slot())))
    }
}

/// What bits of memory, an `i32` up to four bytes and else an `i64`, are read as.
fn read_as(exprs: &mut Exprs, load: Load, bits: Expr) -> Option<Expr> {
    Some(match load.number()? {
        Load::I8 => exprs.unary(I32Extend8S, bits),
        Load::I16 => exprs.unary(I32Extend16S, bits),
        Load::F32 => exprs.unary(F32ReinterpretI32, bits),
        Load::F64 => exprs.unary(F64ReinterpretI64, bits),
        _ => bits,
    })
}

impl Explorer {
    /// What has to be looked at after each write.
    pub(crate) fn watched(&self) -> Vec<Cell> {
        match &self.goal {
            Some(Goal::Holds(predicate)) => predicate.looks_at(),
            _ => Vec::new(),
        }
    }

    /// Whether an end is what was looked for.
    pub(crate) fn is_goal(&self, end: &End) -> bool {
        match &self.goal {
            Some(Goal::Failure) => end.is_failure(),
            Some(Goal::Reach(_) | Goal::Holds(_) | Goal::Property(_)) => *end == End::Reached,
            None => false,
        }
    }

    /// If what is looked for can hold here, a path on which it does. Where it has been looked for
    /// already, nothing happens.
    pub(crate) fn look(&mut self, path: &mut Path, stop: &Stop) -> Result<Option<End>, Cut> {
        // What a handler does that is tried out has not happened.
        let is_wanted = path.is_unseen && self.trial.is_none();
        let Some(Goal::Holds(predicate)) = self.goal.as_ref().filter(|_| is_wanted) else {
            return Ok(None);
        };
        let predicate = predicate.clone();
        let mut state = SymbolicState { path, exprs: &mut self.exprs };
        let Some(expr) = predicate.expr(&mut state) else {
            path.is_unseen = false;
            return Ok(None);
        };
        let condition = self.exprs.truth(expr);
        let answer = match path.evaluate(&self.exprs, condition) as u32 != 0 {
            true => Answer::Values(Vec::new()),
            false => self.solver.find(&mut self.exprs, &path.constraints, condition, stop),
        };
        // Who was interrupted has to look again before the path goes on.
        if let (Answer::Unknown, Some(cut)) = (&answer, stop.why()) {
            return Err(cut);
        }
        path.is_unseen = false;
        Ok(match answer {
            Answer::Values(values) => {
                path.assign(&self.exprs, &values);
                if self.exprs.as_const(condition).is_none() {
                    self.require(path, condition);
                }
                Some(End::Reached)
            }
            // Where nobody knows, the path goes on; it may hold later.
            Answer::Impossible | Answer::Unknown => None,
        })
    }
}
