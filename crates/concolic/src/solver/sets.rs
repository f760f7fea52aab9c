//! All values: of an expression on a path, or of an input that takes it.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use mw_world::{Integers, Range};

use super::differences::Differences;
use super::enumerate::{Candidates, EFFORT, SMALL};
use super::{Answer, Constraints, Solver, to_slot};
use crate::evaluate::{Evaluation, Program};
use crate::expr::{Expr, Exprs, Var};
use crate::leaf::Cut;
use crate::stop::Stop;

/// At most so many operations are evaluated for one class: about a second, unless it is to stop
/// before.
const CLASS_EFFORT: u128 = EFFORT << 6;

/// The values that an expression can have on a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Values {
    /// In ascending order of the slots.
    pub slots: Vec<u64>,
    /// Why these are not all, if they are not: too many, or nobody knows.
    pub cut: Option<Cut>,
}

impl Solver {
    /// The values that an expression can have on a path, at most so many.
    pub fn values(
        &mut self,
        exprs: &mut Exprs,
        constraints: &Constraints,
        expr: Expr,
        most: usize,
        stop: &Stop,
    ) -> Values {
        let support = exprs.support(expr).clone();
        let (group, wanted) = constraints.group(exprs, &support, 0);
        if let Some(candidates) = constraints.candidates(exprs, &group, 0) {
            let mut results = wanted.clone();
            results.push(expr);
            let mut slots = BTreeSet::new();
            let enumerated = candidates.each(exprs, &results, stop, |_, result| {
                if (0..wanted.len()).all(|c| result(c) as u32 != 0) {
                    slots.insert(result(wanted.len()));
                }
                if slots.len() > most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            if enumerated.is_some() {
                self.statistics.enumeration += 1;
                let cut = (slots.len() > most).then_some(Cut::Values);
                return Values { slots: slots.into_iter().take(most).collect(), cut };
            }
        }
        // One after the other, each different from those before.
        let mut slots = Vec::new();
        let mut wanted = constraints.clone();
        let mut cut = Some(Cut::Values);
        while slots.len() <= most {
            let condition = match slots.last() {
                None => exprs.i32(1),
                Some(&last) => {
                    let same = exprs.equals(expr, last);
                    exprs.not(same)
                }
            };
            let slot = match slots.is_empty() {
                // The path itself has one.
                true => Evaluation::new(exprs, |var| constraints.slot(exprs, var)).slot(expr),
                false => {
                    match self.find(exprs, &wanted, condition, stop) {
                        Answer::Values(values) => {
                            for (var, slot) in values {
                                wanted.bound_mut(exprs, var).slot = slot;
                            }
                        }
                        Answer::Impossible => {
                            cut = None;
                            break;
                        }
                        Answer::Unknown => {
                            cut = Some(Cut::Unknown);
                            break;
                        }
                    }
                    self.require(exprs, &mut wanted, condition);
                    let now = |var| wanted.slot(exprs, var);
                    Evaluation::new(exprs, now).slot(expr)
                }
            };
            slots.push(slot);
        }
        // One more than allowed shows that there are more.
        slots.truncate(most);
        slots.sort_unstable();
        Values { slots, cut }
    }
}

impl Constraints {
    /// The values of an input with which the path can be taken, those read before it being what
    /// they are: `None` if that cannot be said as a set, or not in time.
    pub fn class(&self, exprs: &Exprs, var: Var, stop: &Stop) -> Option<Arc<Integers>> {
        let left = self.bound(exprs, var).left.clone()?;
        let position = exprs.input(var).position as usize;
        let (group, wanted) = self.group(exprs, &[var], position);
        if wanted.is_empty() {
            return Some(left);
        }
        let at = group.iter().position(|&other| other == var)?;
        let slots: Vec<u64> = group.iter().map(|&v| self.slot(exprs, v)).collect();
        let sets = group.iter().map(|&v| self.bound(exprs, v).left.clone());
        if let Some(sets) = sets.collect::<Option<Vec<_>>>()
            && let Some(differences) = Differences::new(exprs, &group, &sets, &wanted)
            && let Some(values) = differences.values(&slots[..at], stop)
        {
            return values.map(Arc::new);
        }
        if left.count() > SMALL {
            return None;
        }
        // For each value, others have to be found for what is read later. What does for one often
        // does for many: first of all, what the path itself has.
        let mut program = Program::new(exprs, &wanted)?;
        let mut search = self.candidates(exprs, &group, at + 1)?;
        let mut work = CLASS_EFFORT;
        let mut others: Vec<(Var, u64)> = group.iter().copied().zip(slots).collect();
        let mut class = Vec::new();
        let mut open = Some(left);
        while let Some(left) = open.take() {
            let mut rest = Vec::new();
            let fixed = others.iter().copied().filter(|&(other, _)| other != var).collect();
            let alike = Candidates { fixed, free: vec![(var, &left)] };
            work = work.checked_sub(alike.work(&program))?;
            alike.run(exprs, &mut program, stop, |values, result| {
                let holds = (0..wanted.len()).all(|c| result(c) as u32 != 0);
                let of = if holds { &mut class } else { &mut rest };
                of.push(Range::new(values[0], values[0]));
                ControlFlow::Continue(())
            })?;
            rest.sort_unstable();
            // The others are for the first value that they do for.
            for (tried, range) in rest.iter().enumerate() {
                work = work.checked_sub(search.work(&program))?;
                search.fixed[at] = (var, to_slot(exprs.input(var).ty, range.low));
                if let Some(found) = search.first(exprs, &mut program, stop)? {
                    let slot = |(&(var, _), value)| (var, to_slot(exprs.input(var).ty, value));
                    let found = search.free.iter().zip(found).map(slot);
                    others = search.fixed.iter().copied().chain(found).collect();
                    open = Integers::new(rest[tried..].iter().copied()).map(Arc::new);
                    break;
                }
            }
        }
        Integers::new(class).map(Arc::new)
    }

    /// How many combinations of inputs take a path: `None` if nobody knows, or too many to count.
    pub fn count(&self, exprs: &Exprs, stop: &Stop) -> Option<u128> {
        let connected = self.connected(exprs);
        let mut total: u128 = 1;
        let mut open = Vec::new();
        for input in &self.inputs {
            if connected.contains(&input.var) {
                open.push(input.var);
                continue;
            }
            total = total.checked_mul(match &input.left {
                Some(left) => left.count(),
                None => exprs.input(input.var).domain.count(),
            })?;
        }
        while let Some(&var) = open.first() {
            let (group, wanted) = self.group(exprs, &[var], 0);
            open.retain(|var| !group.contains(var));
            let mut count: u128 = 0;
            let candidates = self.candidates(exprs, &group, 0)?;
            candidates.each(exprs, &wanted, stop, |_, result| {
                count += u128::from((0..wanted.len()).all(|c| result(c) as u32 != 0));
                ControlFlow::Continue(())
            })?;
            total = total.checked_mul(count)?;
        }
        Some(total)
    }

    /// The first inputs of a group as they are, the others with all values that they can have.
    pub(super) fn candidates(
        &self,
        exprs: &Exprs,
        group: &[Var],
        kept: usize,
    ) -> Option<Candidates<'_>> {
        let fixed = group[..kept].iter().map(|&var| (var, self.slot(exprs, var))).collect();
        let free = group[kept..].iter().map(|&var| {
            let left = self.bound(exprs, var).left.as_deref()?;
            Some((var, left))
        });
        Some(Candidates { fixed, free: free.collect::<Option<_>>()? })
    }
}
