//! Inputs compared with one another: `x < y`, `x + 3 <= y`, and so on.
//!
//! Programs that sort, search or calibrate do little else. Such constraints say how much one input
//! is less than another at least; raising each input from its smallest value until all of that
//! holds finds the smallest values that will do, or that there are none.

use mw_vm::NumericOp::{self, *};
use mw_vm::ValType;
use mw_world::Range;

use crate::expr::{Expr, Exprs, Node, Var};
use crate::solver::constraints::{Constraints, from_slot, to_slot};

/// `x - y <= most`; where there is no input, 0 stands.
#[derive(Clone, Copy, Debug)]
struct Difference {
    x: Option<usize>,
    y: Option<usize>,
    most: i64,
}

/// A number, or an input plus a number.
#[derive(Clone, Copy, Debug)]
struct Sum {
    input: Option<usize>,
    number: i64,
    /// From where to where it can be.
    range: (i64, i64),
}

/// The constraints of a group, as differences of its inputs.
pub struct Differences {
    group: Vec<Var>,
    ranges: Vec<(i64, i64)>,
    differences: Vec<Difference>,
}

impl Differences {
    /// The constraints on a group of inputs, if all of them are of this kind.
    pub fn new(
        exprs: &Exprs,
        constraints: &Constraints,
        group: &[Var],
        wanted: &[Expr],
    ) -> Option<Differences> {
        let ranges = group.iter().map(|&var| {
            match constraints.bound(exprs, var).left.as_deref()?.ranges() {
                [range] => Some((range.low, range.high)),
                _ => None,
            }
        });
        let ranges = ranges.collect::<Option<Vec<_>>>()?;
        let mut found = Differences { group: group.to_vec(), ranges, differences: Vec::new() };
        wanted.iter().try_for_each(|&constraint| found.add(exprs, constraint))?;
        Some(found)
    }

    fn add(&mut self, exprs: &Exprs, constraint: Expr) -> Option<()> {
        let Node::Binary(op, a, b) = exprs.node(constraint) else { return None };
        if op == I32And && exprs.is_boolean(constraint) {
            self.add(exprs, a)?;
            return self.add(exprs, b);
        }
        let (left, right) = (self.sum(exprs, a)?, self.sum(exprs, b)?);
        let is_unsigned =
            matches!(op, I32LtU | I32LeU | I32GtU | I32GeU | I64LtU | I64LeU | I64GtU | I64GeU);
        // Unsigned order is the same where nothing is negative.
        if is_unsigned && (left.range.0 < 0 || right.range.0 < 0) {
            return None;
        }
        match plain(op)? {
            I32LtS => self.at_most(left, right, -1),
            I32LeS => self.at_most(left, right, 0),
            I32GtS => self.at_most(right, left, -1),
            I32GeS => self.at_most(right, left, 0),
            _ => {
                self.at_most(left, right, 0);
                self.at_most(right, left, 0);
            }
        }
        Some(())
    }

    /// `left - right <= most`.
    fn at_most(&mut self, left: Sum, right: Sum, most: i64) {
        let most = most.saturating_add(right.number).saturating_sub(left.number);
        self.differences.push(Difference { x: left.input, y: right.input, most });
    }

    fn sum(&self, exprs: &Exprs, expr: Expr) -> Option<Sum> {
        match exprs.node(expr) {
            Node::Const(ty @ (ValType::I32 | ValType::I64), slot) => {
                let number = from_slot(ty, slot);
                Some(Sum { input: None, number, range: (number, number) })
            }
            Node::Input(var) => {
                let input = self.group.iter().position(|&other| other == var)?;
                Some(Sum { input: Some(input), number: 0, range: self.ranges[input] })
            }
            Node::Unary(I64ExtendI32S, a) => self.sum(exprs, a),
            Node::Unary(I64ExtendI32U, a) => self.sum(exprs, a).filter(|sum| sum.range.0 >= 0),
            Node::Binary(op @ (I32Add | I64Add), a, b) => {
                let sum = self.sum(exprs, a)?;
                let added = from_slot(op.operand(), exprs.as_const(b)?);
                let end = |end: i64| {
                    let end = end.checked_add(added)?;
                    // What wraps around is no sum.
                    (op == I64Add || i32::try_from(end).is_ok()).then_some(end)
                };
                let range = (end(sum.range.0)?, end(sum.range.1)?);
                Some(Sum { number: sum.number.checked_add(added)?, range, ..sum })
            }
            _ => None,
        }
    }

    /// The smallest values with which all of it holds, those of the first inputs being given.
    pub fn smallest(&self, exprs: &Exprs, kept: &[u64]) -> Option<Vec<(Var, u64)>> {
        let values = self.extreme(exprs, kept, true)?;
        let slot = |(&var, value)| (var, to_slot(exprs.input(var).ty, value));
        Some(self.group.iter().zip(values).map(slot).collect())
    }

    /// All values that the next input can have, those of the first ones being given: there are no
    /// gaps between the smallest and the largest.
    pub fn values(&self, exprs: &Exprs, kept: &[u64]) -> Option<Range> {
        let low = self.extreme(exprs, kept, true)?;
        let high = self.extreme(exprs, kept, false)?;
        Some(Range::new(*low.get(kept.len())?, *high.get(kept.len())?))
    }

    /// The smallest or the largest values with which all of it holds.
    fn extreme(&self, exprs: &Exprs, kept: &[u64], smallest: bool) -> Option<Vec<i64>> {
        let mut ranges = self.ranges.clone();
        for (at, &slot) in kept.iter().enumerate() {
            let value = from_slot(exprs.input(self.group[at]).ty, slot);
            if value < ranges[at].0 || value > ranges[at].1 {
                return None;
            }
            ranges[at] = (value, value);
        }
        let end = |range: &(i64, i64)| if smallest { range.0 } else { range.1 };
        let mut values: Vec<i64> = ranges.iter().map(end).collect();
        // Once each has been moved because of each other, moving goes round in a circle.
        for _ in 0..self.group.len() + 2 {
            let mut changed = false;
            for &Difference { x, y, most } in &self.differences {
                let value = |input: Option<usize>| input.map_or(0, |at| values[at]);
                if value(x).saturating_sub(value(y)) <= most {
                    continue;
                }
                // The larger one goes down, or the smaller one up; what is no input cannot.
                let (moved, to) = match smallest {
                    true => (y?, value(x).saturating_sub(most)),
                    false => (x?, value(y).saturating_add(most)),
                };
                if to < ranges[moved].0 || to > ranges[moved].1 {
                    return None;
                }
                values[moved] = to;
                changed = true;
            }
            if !changed {
                return Some(values);
            }
        }
        None
    }
}

/// The comparison without its width and sign.
fn plain(op: NumericOp) -> Option<NumericOp> {
    Some(match op {
        I32LtS | I32LtU | I64LtS | I64LtU => I32LtS,
        I32LeS | I32LeU | I64LeS | I64LeU => I32LeS,
        I32GtS | I32GtU | I64GtS | I64GtU => I32GtS,
        I32GeS | I32GeU | I64GeS | I64GeU => I32GeS,
        I32Eq | I64Eq => I32Eq,
        _ => return None,
    })
}
