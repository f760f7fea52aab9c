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
    /// All constraints: none of them is zero.
    pub(crate) all: Vec<Expr>,
    /// Those that are not expressed by [`Bound::left`].
    pub(crate) rest: Vec<Expr>,
}

impl Constraints {
    /// The inputs, in the order in which they were read.
    pub fn inputs(&self) -> &[Bound] {
        &self.inputs
    }

    /// All constraints.
    pub fn all(&self) -> &[Expr] {
        &self.all
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

    /// The inputs that any constraint is about.
    pub(crate) fn constrained(&self, exprs: &Exprs) -> HashSet<Var> {
        self.all.iter().flat_map(|&constraint| exprs.support(constraint).iter().copied()).collect()
    }

    /// The inputs about which more is known than which values are left of each alone.
    pub(crate) fn connected(&self, exprs: &Exprs) -> HashSet<Var> {
        self.rest.iter().flat_map(|&constraint| exprs.support(constraint).iter().copied()).collect()
    }

    /// The inputs that constraints connect with some of them, themselves included, in order; and
    /// the constraints that do.
    pub(crate) fn group(&self, exprs: &Exprs, vars: &[Var]) -> (Vec<Var>, Vec<Expr>) {
        let mut group: Vec<Var> = vars.to_vec();
        let mut constraints = Vec::new();
        let mut open: Vec<Expr> = self.rest.clone();
        loop {
            let before = open.len();
            open.retain(|&constraint| {
                let support = exprs.support(constraint);
                let is_in = support.iter().any(|var| group.contains(var));
                if is_in {
                    constraints.push(constraint);
                    for var in support.iter() {
                        if !group.contains(var) {
                            group.push(*var);
                        }
                    }
                }
                !is_in
            });
            if open.len() == before {
                break;
            }
        }
        group.sort_unstable_by_key(|&var| exprs.input(var).position);
        constraints.sort_unstable();
        (group, constraints)
    }

    /// The constraints on each of some inputs alone that are expressed as sets.
    pub(crate) fn single(&self, exprs: &Exprs, vars: &[Var]) -> Vec<Expr> {
        let is_single = |constraint: &&Expr| match exprs.support(**constraint)[..] {
            [var] => vars.contains(&var) && !self.rest.contains(constraint),
            _ => false,
        };
        self.all.iter().filter(is_single).copied().collect()
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
