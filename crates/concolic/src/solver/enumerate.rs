//! Trying all values: exact for every operation, floating point included, and for the inputs of
//! real boards faster than any reasoning.

use std::ops::ControlFlow;

use mw_world::Integers;

use crate::evaluate::{LANES, Program};
use crate::expr::{Expr, Exprs, Var};
use crate::solver::constraints::to_slot;

/// Inputs with at most so many values are tried out one by one.
pub const SMALL: u128 = 1 << 16;

/// At most so many operations are evaluated for one question: some milliseconds.
const EFFORT: u128 = 1 << 24;

/// Inputs with fixed values, and inputs to try all values of.
pub struct Candidates<'a> {
    /// With the slot of its value.
    pub fixed: Vec<(Var, u64)>,
    /// With the values to try, in order; the last one changes fastest.
    pub free: Vec<(Var, &'a Integers)>,
}

impl Candidates<'_> {
    /// Evaluates expressions for all values in order, and hands those of the free inputs with the
    /// results to `visit` until that says to stop. `None` if that would be too much work.
    pub fn each(
        &self,
        exprs: &Exprs,
        results: &[Expr],
        visit: impl FnMut(&[i64], &dyn Fn(usize) -> u64) -> ControlFlow<()>,
    ) -> Option<()> {
        let mut program = Program::new(exprs, results);
        if !self.is_little_work(&program) {
            return None;
        }
        self.run(exprs, &mut program, visit);
        Some(())
    }

    fn run(
        &self,
        exprs: &Exprs,
        program: &mut Program,
        mut visit: impl FnMut(&[i64], &dyn Fn(usize) -> u64) -> ControlFlow<()>,
    ) {
        for (var, slot) in &self.fixed {
            give(program, *var, |slots| slots.fill(*slot));
        }
        let Some(((last, values), outer)) = self.free.split_last() else {
            program.run();
            let _ = visit(&[], &|result| program.result(result)[0]);
            return;
        };
        let ty = exprs.input(*last).ty;
        let mut current: Vec<i64> = outer.iter().map(|(_, values)| values.smallest()).collect();
        current.push(0);
        let inner: Vec<i64> = values.values().collect();
        loop {
            for ((var, _), &value) in outer.iter().zip(&current) {
                let ty = exprs.input(*var).ty;
                give(program, *var, |slots| slots.fill(to_slot(ty, value)));
            }
            for lanes in inner.chunks(LANES) {
                give(program, *last, |slots| {
                    slots.iter_mut().zip(lanes).for_each(|(slot, &v)| *slot = to_slot(ty, v));
                });
                program.run();
                for (lane, &value) in lanes.iter().enumerate() {
                    current[outer.len()] = value;
                    if visit(&current, &|result| program.result(result)[lane]).is_break() {
                        return;
                    }
                }
            }
            if !advance(&mut current, outer) {
                return;
            }
        }
    }

    /// The first values of the free inputs with which no constraint is zero: `Some(None)` if there
    /// are none, `None` if that would be too much work.
    pub fn first(&self, exprs: &Exprs, constraints: &[Expr]) -> Option<Option<Vec<i64>>> {
        let mut program = Program::new(exprs, constraints);
        self.is_little_work(&program).then(|| self.first_of(exprs, &mut program, constraints.len()))
    }

    /// The same for constraints that have been made ready, whatever the work.
    pub fn first_of(
        &self,
        exprs: &Exprs,
        program: &mut Program,
        constraints: usize,
    ) -> Option<Vec<i64>> {
        let mut found = None;
        self.run(exprs, program, |values, result| {
            if (0..constraints).all(|c| result(c) as u32 != 0) {
                found = Some(values.to_vec());
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        found
    }

    /// Whether all combinations can be tried.
    pub fn is_little_work(&self, program: &Program) -> bool {
        let combinations = self.free.iter().map(|(_, values)| values.count());
        combinations.fold(program.size() as u128, u128::saturating_mul) <= EFFORT
    }
}

fn give(program: &mut Program, var: Var, write: impl FnOnce(&mut [u64])) {
    // An input that the results do not depend on is not there.
    if let Some(index) = program.vars().iter().position(|&known| known == var) {
        write(program.input_mut(index));
    }
}

/// Goes to the next combination of all but the last input; says whether there is one.
fn advance(current: &mut [i64], outer: &[(Var, &Integers)]) -> bool {
    for (at, (_, values)) in outer.iter().enumerate().rev() {
        let next = values.ranges().iter().find_map(|range| match current[at] < range.low {
            true => Some(range.low),
            false => (current[at] < range.high).then(|| current[at] + 1),
        });
        match next {
            Some(next) => {
                current[at] = next;
                return true;
            }
            None => current[at] = values.smallest(),
        }
    }
    false
}
