//! Looking for one universe: what it is that is looked for, and whether a path is it.

use std::fmt;
use std::sync::Arc;

use mw_vm::{Status, ValType};

use crate::explore::Explorer;
use crate::expr::{Expr, Exprs};
use crate::leaf::{Cut, End};
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
}

/// Something that may hold in a state.
pub trait Predicate: fmt::Debug + Send + Sync {
    /// It as an expression that is not zero where it holds; `None` where it makes no sense.
    fn expr(&self, state: &mut State<'_>) -> Option<Expr>;
    /// What it looks at: nothing else can change whether it holds.
    fn looks_at(&self) -> Vec<Watched>;
}

/// A part of the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watched {
    /// A global.
    Global(u32),
    /// A local of whatever function is executed.
    Local(u32),
    /// Bytes of the first memory: from here, so many.
    Memory(u64, u64),
}

/// The state of a path, in terms of its inputs.
pub struct State<'a> {
    path: &'a Path,
    /// The expressions.
    pub exprs: &'a mut Exprs,
}

impl State<'_> {
    /// A global.
    pub fn global(&mut self, global: u32) -> Option<Expr> {
        let value = self.path.now.machine.global(global)?;
        let shadow = self.path.shadow.global(global);
        Some(shadow.unwrap_or_else(|| self.exprs.constant(value.ty(), value.to_slot())))
    }

    /// A parameter or local of the function that is executed.
    pub fn local(&mut self, local: u32) -> Option<Expr> {
        let machine = &self.path.now.machine;
        if machine.status() == Status::Idle {
            return None;
        }
        let func = machine.module().func_at(machine.pc())?;
        let ty = *machine.module().local_types(func).get(local as usize)?;
        Some(self.path.expr_of(self.exprs, u16::try_from(local).ok()?, ty))
    }

    /// The unsigned integer in so many bytes of the first memory: an `i32` up to 4, else an `i64`.
    pub fn memory(&mut self, address: u64, size: u8) -> Option<Expr> {
        let mut bytes = [0; 8];
        let buffer = bytes.get_mut(..size as usize)?;
        self.path.now.machine.memories().first()?.read(address, buffer).ok()?;
        let number = u64::from_le_bytes(bytes);
        let ty = if size > 4 { ValType::I64 } else { ValType::I32 };
        let shadow = self.path.shadow.load(self.exprs, 0, address, size, number);
        Some(shadow.unwrap_or_else(|| self.exprs.constant(ty, number)))
    }
}

impl Explorer {
    /// What has to be looked at after each write.
    pub(crate) fn watched(&self) -> Vec<Watched> {
        match &self.goal {
            Some(Goal::Holds(predicate)) => predicate.looks_at(),
            _ => Vec::new(),
        }
    }

    /// Whether an end is what was looked for.
    pub(crate) fn is_goal(&self, end: &End) -> bool {
        match &self.goal {
            Some(Goal::Failure) => end.is_failure(),
            Some(Goal::Reach(_) | Goal::Holds(_)) => *end == End::Reached,
            None => false,
        }
    }

    /// If what is looked for can hold here, a path on which it does. Where it has been looked for
    /// already, nothing happens.
    pub(crate) fn look(&mut self, path: &mut Path, stop: &Stop) -> Result<Option<End>, Cut> {
        let Some(Goal::Holds(predicate)) = self.goal.as_ref().filter(|_| path.is_unseen) else {
            return Ok(None);
        };
        let predicate = predicate.clone();
        let mut state = State { path, exprs: &mut self.exprs };
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
