//! What a path demands of its inputs.
//!
//! A constraint on one input with few possible values is kept as the set of values that are left:
//! whether there are any is seen at once, and the set is the label of the path. All others are
//! kept as they are, and inputs that they connect have to be looked at together.

use std::collections::HashSet;
use std::sync::Arc;

use mw_vm::ValType;
use mw_world::Integers;

use crate::expr::{Expr, Exprs, Var};

/// An input of a path.
#[derive(Clone, Debug)]
pub struct Bound {
    /// Which one.
    pub var: Var,
    /// The value that it has in the running machine, as a slot.
    pub slot: u64,
    /// What the constraints on this input alone leave, if that can be said as a set.
    pub left: Option<Arc<Integers>>,
}

/// The inputs of a path, in the order in which they were read, and what must hold for them.
#[derive(Clone, Debug, Default)]
pub struct Constraints {
    pub(crate) inputs: Vec<Bound>,
    /// The constraints that [`Bound::left`] expresses: none of them is zero.
    pub(crate) single: Vec<Expr>,
    /// All others: none of them is zero, either.
    pub(crate) rest: Vec<Expr>,
}

impl Constraints {
    /// The inputs, in the order in which they were read.
    pub fn inputs(&self) -> &[Bound] {
        &self.inputs
    }

    /// The value of an input, as a slot.
    pub fn slot(&self, exprs: &Exprs, var: Var) -> u64 {
        self.inputs[exprs.input(var).position as usize].slot
    }

    pub(crate) fn bound(&self, exprs: &Exprs, var: Var) -> &Bound {
        &self.inputs[exprs.input(var).position as usize]
    }

    pub(crate) fn bound_mut(&mut self, exprs: &Exprs, var: Var) -> &mut Bound {
        &mut self.inputs[exprs.input(var).position as usize]
    }

    /// The value of an input, as a slot, if it is the only one that is left.
    pub(crate) fn only(&self, exprs: &Exprs, var: Var) -> Option<u64> {
        let Bound { slot, left, .. } = self.bound(exprs, var);
        left.as_ref().is_some_and(|left| left.smallest() == left.largest()).then_some(*slot)
    }

    /// The inputs that any constraint is about.
    pub(crate) fn constrained(&self, exprs: &Exprs) -> HashSet<Var> {
        let all = self.single.iter().chain(&self.rest);
        all.flat_map(|&constraint| exprs.support(constraint).iter().copied()).collect()
    }

    /// The inputs about which more is known than which values are left of each alone.
    pub(crate) fn connected(&self, exprs: &Exprs) -> HashSet<Var> {
        self.rest.iter().flat_map(|&constraint| exprs.support(constraint).iter().copied()).collect()
    }

    /// The inputs that constraints connect with some of them, themselves included, in order; and
    /// the constraints that do. The first inputs of the path may be taken as given: what is given,
    /// or has one value only, connects nothing.
    pub(crate) fn group(&self, exprs: &Exprs, vars: &[Var], given: usize) -> (Vec<Var>, Vec<Expr>) {
        let at = |var: Var| exprs.input(var).position as usize;
        let is_open = |var: &Var| at(*var) >= given && self.only(exprs, *var).is_none();
        let mut parts = Parts((0..self.inputs.len()).collect());
        let open = |vars: &[Var]| -> Vec<usize> {
            vars.iter().filter(|var| is_open(var)).map(|&var| at(var)).collect()
        };
        // The first one stands for all that belong together.
        let mut joined = |vars: &[Var]| {
            let open = open(vars);
            open.iter().for_each(|&other| parts.join(open[0], other));
            open.first().copied()
        };
        let wanted = joined(vars);
        let rest: Vec<(Expr, Option<usize>)> = self
            .rest
            .iter()
            .map(|&constraint| (constraint, joined(exprs.support(constraint))))
            .collect();
        let wanted = wanted.map(|first| parts.of(first));
        let mut constraints: Vec<Expr> = Vec::new();
        for (constraint, first) in rest {
            let is_in = first.is_some_and(|first| Some(parts.of(first)) == wanted);
            constraints.extend(is_in.then_some(constraint));
        }
        let supports = constraints.iter().flat_map(|&constraint| exprs.support(constraint).iter());
        let mut group: Vec<Var> = supports.chain(vars).copied().collect();
        group.sort_unstable_by_key(|&var| at(var));
        group.dedup();
        constraints.sort_unstable();
        (group, constraints)
    }

    /// The constraints on each of some inputs alone that are expressed as sets.
    pub(crate) fn single(&self, exprs: &Exprs, vars: &[Var]) -> Vec<Expr> {
        let is_about =
            |constraint: &&Expr| exprs.support(**constraint).iter().any(|var| vars.contains(var));
        self.single.iter().filter(is_about).copied().collect()
    }
}

/// Which of some things belong together: each has another one of its part, or itself, with a
/// smaller number or the same.
struct Parts(Vec<usize>);

impl Parts {
    /// The smallest of the part that something belongs to.
    fn of(&mut self, mut at: usize) -> usize {
        while self.0[at] != at {
            self.0[at] = self.0[self.0[at]];
            at = self.0[at];
        }
        at
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.of(a), self.of(b));
        let first = a.min(b);
        self.0[a] = first;
        self.0[b] = first;
    }
}

/// The slot of an integer of this type.
pub fn to_slot(ty: ValType, value: i64) -> u64 {
    match ty {
        ValType::I32 => u64::from(value as u32),
        _ => value as u64,
    }
}

/// The integer in a slot of this type.
pub fn from_slot(ty: ValType, slot: u64) -> i64 {
    match ty {
        ValType::I32 => i64::from(slot as i32),
        _ => slot as i64,
    }
}
