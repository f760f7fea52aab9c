//! Inputs compared with one another: `x < y`, `x + 3 <= y`, `x != y`, and so on.
//!
//! Programs that sort, search or calibrate do little else. Such constraints say how much one input
//! is less than another at least, or that one of several such things holds; [`search`] finds
//! values for that.

mod search;

use std::collections::HashSet;
use std::sync::Arc;

use mw_vm::NumericOp::{self, *};
use mw_vm::ValType;
use mw_world::{Integers, Range};

use self::search::{Difference, End, Left, System};
use crate::expr::{Expr, Exprs, Node, Var};
use crate::solver::constraints::{from_slot, to_slot};
use crate::stop::Stop;

/// A number, or an input plus a number.
#[derive(Clone, Copy, Debug)]
struct Sum {
    input: usize,
    number: i128,
    /// From where to where it can be.
    range: (i128, i128),
}

/// How much work may still be done for one question.
#[derive(Debug)]
pub struct Effort<'a> {
    left: usize,
    /// Since it was last looked whether to stop.
    done: usize,
    stop: &'a Stop,
}

/// So many differences are looked at for one question: some milliseconds.
const EFFORT: usize = 1 << 20;

/// After so many it looks whether to stop.
const SLICE: usize = 1 << 14;

impl Effort<'_> {
    fn new(stop: &Stop) -> Effort<'_> {
        Effort { left: EFFORT, done: 0, stop }
    }

    /// `None` if that is more than is left, or if it is over.
    fn spend(&mut self, work: usize) -> Option<()> {
        self.left = self.left.checked_sub(work)?;
        self.done += work;
        if self.done > SLICE {
            self.done = 0;
            return (!self.stop.is_over()).then_some(());
        }
        Some(())
    }
}

/// The constraints of a group, as differences of its inputs. After the inputs comes 0.
pub struct Differences<'a> {
    exprs: &'a Exprs,
    group: &'a [Var],
    system: System,
}

impl<'a> Differences<'a> {
    /// The constraints on a group of inputs with these values, if all of them are of this kind.
    pub fn new(
        exprs: &'a Exprs,
        group: &'a [Var],
        sets: &[Arc<Integers>],
        wanted: &[Expr],
    ) -> Option<Differences<'a>> {
        let zero = Integers::new([Range::new(0, 0)])?;
        let sets = sets.iter().map(|set| &**set).chain([&zero]);
        let sets = sets.map(|set| set.ranges().to_vec()).collect();
        let system = System { sets, ..System::default() };
        let mut found = Differences { exprs, group, system };
        wanted.iter().try_for_each(|&constraint| found.add(constraint, true))?;
        found.system.simplify();
        Some(found)
    }

    /// A constraint holds, or does not.
    fn add(&mut self, constraint: Expr, holds: bool) -> Option<()> {
        for (constraint, holds) in self.parts(constraint, holds, true) {
            match self.equal(constraint, holds) {
                Some((left, right)) => {
                    let both = [less(left, right, 0), less(right, left, 0)];
                    self.system.differences.extend(both);
                }
                None => match &self.alternatives(constraint, holds)?[..] {
                    [only] => self.system.differences.push(*only),
                    several => self.system.choices.push(several.to_vec()),
                },
            }
        }
        Some(())
    }

    /// The parts of a constraint, and whether each holds: all of them, or one of them, exactly if
    /// the constraint does, or does not. (A list instead of recursion: constraints may be as deep
    /// as a program is long.)
    fn parts(&self, constraint: Expr, holds: bool, all: bool) -> Vec<(Expr, bool)> {
        let exprs = self.exprs;
        let (mut seen, mut parts) = (HashSet::new(), Vec::new());
        let mut open = vec![(constraint, holds)];
        while let Some((constraint, holds)) = open.pop() {
            if !seen.insert((constraint, holds)) {
                continue;
            }
            match exprs.node(constraint) {
                Node::Unary(I32Eqz, a) if exprs.is_boolean(a) => open.push((a, !holds)),
                Node::Binary(op, a, b)
                    if op == (if holds == all { I32And } else { I32Or })
                        && exprs.is_boolean(constraint) =>
                {
                    open.extend([(a, holds), (b, holds)]);
                }
                _ => parts.push((constraint, holds)),
            }
        }
        parts
    }

    /// The two sums that are equal exactly if a constraint holds, or does not, if there are any.
    fn equal(&self, constraint: Expr, holds: bool) -> Option<(Sum, Sum)> {
        match (self.exprs.node(constraint), holds) {
            (Node::Binary(I32Eq | I64Eq, a, b), true)
            | (Node::Binary(I32Ne | I64Ne, a, b), false) => Some((self.sum(a)?, self.sum(b)?)),
            (Node::Unary(I32Eqz | I64Eqz, a), true) => Some((self.sum(a)?, self.number(0))),
            (_, false) => Some((self.sum(constraint)?, self.number(0))),
            _ => None,
        }
    }

    /// The differences of which one holds exactly if a constraint does, or does not.
    fn alternatives(&self, constraint: Expr, holds: bool) -> Option<Vec<Difference>> {
        let mut found = Vec::new();
        for (part, holds) in self.parts(constraint, holds, false) {
            found.extend(self.compared(part, holds)?);
        }
        Some(found)
    }

    /// The same for a comparison, which may be one with 0.
    fn compared(&self, constraint: Expr, holds: bool) -> Option<Vec<Difference>> {
        let node = self.exprs.node(constraint);
        let (op, left, right) = match node {
            Node::Unary(I32Eqz | I64Eqz, a) => (I32Eq, self.sum(a)?, self.number(0)),
            Node::Binary(op, a, b) if let Some(plain) = plain(op) => {
                (plain, self.sum(a)?, self.sum(b)?)
            }
            _ => (I32Ne, self.sum(constraint)?, self.number(0)),
        };
        // Unsigned order is the same where nothing is negative.
        if is_unsigned(node) && (left.range.0 < 0 || right.range.0 < 0) {
            return None;
        }
        Some(match (op, holds) {
            (I32LtS, true) | (I32GeS, false) => vec![less(left, right, 1)],
            (I32LeS, true) | (I32GtS, false) => vec![less(left, right, 0)],
            (I32GtS, true) | (I32LeS, false) => vec![less(right, left, 1)],
            (I32GeS, true) | (I32LtS, false) => vec![less(right, left, 0)],
            (I32Ne, true) | (I32Eq, false) => vec![less(left, right, 1), less(right, left, 1)],
            // Being equal is two differences at once.
            _ => return None,
        })
    }

    fn number(&self, number: i128) -> Sum {
        Sum { input: self.group.len(), number, range: (number, number) }
    }

    fn sum(&self, expr: Expr) -> Option<Sum> {
        match self.exprs.node(expr) {
            Node::Const(ty @ (ValType::I32 | ValType::I64), slot) => {
                Some(self.number(from_slot(ty, slot).into()))
            }
            Node::Input(var) => {
                let position = |var: Var| self.exprs.input(var).position;
                let input = self.group.binary_search_by_key(&position(var), |&v| position(v));
                let set = &self.system.sets[input.ok()?];
                let range = (set.first()?.low.into(), set.last()?.high.into());
                Some(Sum { input: input.ok()?, number: 0, range })
            }
            Node::Unary(I64ExtendI32S, a) => self.sum(a),
            Node::Unary(I64ExtendI32U, a) => self.sum(a).filter(|sum| sum.range.0 >= 0),
            Node::Binary(op @ (I32Add | I64Add), a, b) => {
                let sum = self.sum(a)?;
                let added = i128::from(from_slot(op.operand(), self.exprs.as_const(b)?));
                let range = (sum.range.0 + added, sum.range.1 + added);
                // What wraps around is no sum.
                let fits = |end: i128| match op {
                    I32Add => i32::try_from(end).is_ok(),
                    _ => i64::try_from(end).is_ok(),
                };
                let sum = Sum { number: sum.number + added, range, ..sum };
                (fits(range.0) && fits(range.1)).then_some(sum)
            }
            _ => None,
        }
    }

    /// What is left when the first inputs are given.
    fn with(&self, kept: &[u64]) -> Left {
        let mut left = self.system.left();
        for (at, &slot) in kept.iter().enumerate() {
            let value = from_slot(self.exprs.input(self.group[at]).ty, slot).into();
            left.limit(at, value, value);
        }
        left
    }

    /// Values with which all of it holds: as many as possible of the first inputs as given, then
    /// each as near to zero as possible. `Some(None)` if there are none, `None` if that would be
    /// too much work.
    pub fn nearest(&self, slots: &[u64], stop: &Stop) -> Option<Option<Vec<(Var, u64)>>> {
        let mut effort = Effort::new(stop);
        let mut can_keep = |kept: usize| -> Option<bool> {
            let left = self.with(&slots[..kept]);
            Some(self.system.extreme(left, (kept, End::Smallest), &mut effort)?.is_some())
        };
        // Mostly all but the last can be kept; if not, the place is found by halving.
        let mut kept = self.group.len().saturating_sub(1);
        if !can_keep(kept)? {
            let (mut low, mut high) = (0, kept);
            while low < high {
                let middle = (low + high) / 2;
                match can_keep(middle)? {
                    true => low = middle + 1,
                    false => high = middle,
                }
            }
            match low.checked_sub(1) {
                Some(most) => kept = most,
                None => return Some(None),
            }
        }
        let mut left = self.with(&slots[..kept]);
        let mut values = slots[..kept].to_vec();
        for at in kept..self.group.len() {
            let Some(value) = self.nearest_of(&left, at, &mut effort)? else { return Some(None) };
            left.limit(at, value, value);
            values.push(to_slot(self.exprs.input(self.group[at]).ty, value as i64));
        }
        Some(Some(self.group.iter().copied().zip(values).collect()))
    }

    /// The value of one input that is nearest to zero, the smaller one of two equally near.
    fn nearest_of(&self, left: &Left, at: usize, effort: &mut Effort<'_>) -> Option<Option<i128>> {
        let mut end = |low: i128, high: i128, end: End| {
            let mut left = left.clone();
            left.limit(at, low, high);
            let found = self.system.extreme(left, (at, end), effort)?;
            Some(found.map(|values| values[at]))
        };
        let above = end(0, i128::MAX, End::Smallest)?;
        if above == Some(0) {
            return Some(above);
        }
        let low = above.map_or(i128::MIN, |above| -above);
        Some(end(low, -1, End::Largest)?.or(above))
    }

    /// All values that the next input can have, those of the first ones being given: `Some(None)`
    /// if there are none, `None` if that would be too much work.
    pub fn values(&self, kept: &[u64], stop: &Stop) -> Option<Option<Integers>> {
        self.system.values(self.with(kept), kept.len(), &mut Effort::new(stop))
    }
}

/// A sum is less than another by so much at least.
fn less(left: Sum, right: Sum, by: i128) -> Difference {
    Difference { x: left.input, y: right.input, most: right.number - left.number - by }
}

fn is_unsigned(node: Node) -> bool {
    matches!(
        node,
        Node::Binary(I32LtU | I32LeU | I32GtU | I32GeU | I64LtU | I64LeU | I64GtU | I64GeU, ..)
    )
}

/// The comparison without its width and sign.
fn plain(op: NumericOp) -> Option<NumericOp> {
    Some(match op {
        I32LtS | I32LtU | I64LtS | I64LtU => I32LtS,
        I32LeS | I32LeU | I64LeS | I64LeU => I32LeS,
        I32GtS | I32GtU | I64GtS | I64GtU => I32GtS,
        I32GeS | I32GeU | I64GeS | I64GeU => I32GeS,
        I32Eq | I64Eq => I32Eq,
        I32Ne | I64Ne => I32Ne,
        _ => return None,
    })
}
