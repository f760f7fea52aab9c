//! Trying all values: exact for every operation, floating point included, and for the inputs of
//! real boards faster than any reasoning.

use std::iter;
use std::ops::ControlFlow;

use mw_world::Integers;

use crate::evaluate::{LANES, Program};
use crate::expr::{Expr, Exprs, Var};
use crate::solver::constraints::to_slot;
use crate::stop::Stop;

/// Inputs with at most so many values are tried out one by one.
pub const SMALL: u128 = 1 << 16;

/// At most so many operations are evaluated for one question: some milliseconds.
pub const EFFORT: u128 = 1 << 24;

/// After so many operations it looks whether to stop: about a millisecond.
const SLICE: usize = 1 << 20;

/// Inputs with fixed values, and inputs to try all values of.
pub struct Candidates<'a> {
    /// With the slot of its value.
    pub fixed: Vec<(Var, u64)>,
    /// With the values to try, those near to zero first; the last input changes fastest.
    pub free: Vec<(Var, &'a Integers)>,
}

impl Candidates<'_> {
    /// Evaluates expressions for all values in order, and hands those of the free inputs with the
    /// results to `visit` until that says to stop. `None` if that would be too much work, or if it
    /// is over before.
    pub fn each(
        &self,
        exprs: &Exprs,
        results: &[Expr],
        stop: &Stop,
        visit: impl FnMut(&[i64], &dyn Fn(usize) -> u64) -> ControlFlow<()>,
    ) -> Option<()> {
        let mut program = Program::new(exprs, results)?;
        if self.work(&program) > EFFORT {
            return None;
        }
        self.run(exprs, &mut program, stop, visit)
    }

    /// The same for expressions that have been made ready, whatever the work. `None` if it is over
    /// before.
    pub fn run(
        &self,
        exprs: &Exprs,
        program: &mut Program,
        stop: &Stop,
        mut visit: impl FnMut(&[i64], &dyn Fn(usize) -> u64) -> ControlFlow<()>,
    ) -> Option<()> {
        for (var, slot) in &self.fixed {
            program.give(*var, |slots| slots.fill(*slot));
        }
        let Some(((last, values), outer)) = self.free.split_last() else {
            program.run();
            let _ = visit(&[], &|result| program.result(result)[0]);
            return Some(());
        };
        let ty = exprs.input(*last).ty;
        let outer: Vec<(Var, Vec<i64>)> =
            outer.iter().map(|(var, values)| (*var, nearest_first(values).collect())).collect();
        let mut indices = vec![0; outer.len()];
        let mut current = vec![0; self.free.len()];
        let mut lanes = Vec::with_capacity(LANES);
        let mut done = 0;
        // Few values are listed once for all combinations of the others but the first.
        let mut listed: Option<Vec<i64>> = None;
        for turn in 0.. {
            if turn == 1 && values.count() <= SMALL {
                listed = Some(nearest_first(values).collect());
            }
            for (at, (var, values)) in outer.iter().enumerate() {
                current[at] = values[indices[at]];
                let slot = to_slot(exprs.input(*var).ty, current[at]);
                program.give(*var, |slots| slots.fill(slot));
            }
            let mut chunks = listed.as_deref().map(|listed| listed.chunks(LANES));
            let mut inner = nearest_first(values);
            loop {
                lanes.clear();
                match &mut chunks {
                    None => lanes.extend(inner.by_ref().take(LANES)),
                    Some(chunks) => lanes.extend(chunks.next().unwrap_or_default()),
                }
                if lanes.is_empty() {
                    break;
                }
                program.give(*last, |slots| {
                    slots.iter_mut().zip(&lanes).for_each(|(slot, &v)| *slot = to_slot(ty, v));
                });
                program.run();
                done += LANES * program.size();
                if done > SLICE {
                    done = 0;
                    if stop.is_over() {
                        return None;
                    }
                }
                for (lane, &value) in lanes.iter().enumerate() {
                    current[outer.len()] = value;
                    if visit(&current, &|result| program.result(result)[lane]).is_break() {
                        return Some(());
                    }
                }
            }
            if !advance(&mut indices, &outer) {
                break;
            }
        }
        Some(())
    }

    /// The first values of the free inputs with which no result of a program is zero: `Some(None)` if
    /// there are none, `None` if it is over before.
    pub fn first(
        &self,
        exprs: &Exprs,
        program: &mut Program,
        stop: &Stop,
    ) -> Option<Option<Vec<i64>>> {
        let mut found = None;
        let constraints = program.results();
        self.run(exprs, program, stop, |values, result| {
            if (0..constraints).all(|c| result(c) as u32 != 0) {
                found = Some(values.to_vec());
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        })?;
        Some(found)
    }

    /// How many operations it takes to try all combinations.
    pub fn work(&self, program: &Program) -> u128 {
        let combinations = self.free.iter().map(|(_, values)| values.count());
        combinations.fold(program.size() as u128, u128::saturating_mul)
    }
}

/// Goes to the next combination of all but the last input; says whether there is one.
fn advance(indices: &mut [usize], outer: &[(Var, Vec<i64>)]) -> bool {
    for (index, (_, values)) in indices.iter_mut().zip(outer).rev() {
        *index += 1;
        if *index < values.len() {
            return true;
        }
        *index = 0;
    }
    false
}

/// The values in the order of how near to zero they are, the smaller one of two equally near first.
fn nearest_first(values: &Integers) -> impl Iterator<Item = i64> + '_ {
    let below =
        values.ranges().iter().rev().flat_map(|range| (range.low..=range.high.min(-1)).rev());
    let above = values.ranges().iter().flat_map(|range| range.low.max(0)..=range.high);
    let (mut below, mut above) = (below.peekable(), above.peekable());
    iter::from_fn(move || match (below.peek(), above.peek()) {
        (Some(low), Some(high)) if low.unsigned_abs() <= high.unsigned_abs() => below.next(),
        (Some(_), None) => below.next(),
        _ => above.next(),
    })
}
