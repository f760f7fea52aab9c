//! Asking backends: for some values, then for stable ones.

use std::time::Instant;

use mw_vm::{NumericOp, ValType};
use mw_world::Integers;

use super::{Answer, Constraints, Solver, Verdict, from_slot, to_slot};
use super::{guess, question};
use crate::expr::{Expr, Exprs, Var};
use crate::stop::Stop;

impl Solver {
    /// Values with which all of `key` holds: inputs that were read earlier keep theirs as far as
    /// possible, and what has to change becomes as near to zero as possible.
    pub(super) fn ask_backends(
        &mut self,
        exprs: &mut Exprs,
        constraints: &Constraints,
        group: &[Var],
        key: &[Expr],
        stop: &Stop,
    ) -> Answer {
        let found = match self.ask(exprs, key, stop) {
            Verdict::Satisfiable(values) => values,
            Verdict::Unsatisfiable => return Answer::Impossible,
            Verdict::Unknown => return Answer::Unknown,
        };
        let value = |values: &[(Var, u64)], var: Var| {
            values.iter().find(|(of, _)| *of == var).map_or(0, |(_, slot)| *slot)
        };
        // Inputs that were read earlier keep their values as far as possible.
        let mut model = found;
        let mut fixed = key.to_vec();
        let mut changed = 0;
        for (at, &var) in group.iter().enumerate() {
            if stop.is_over() {
                return Answer::Unknown;
            }
            let slot = constraints.slot(exprs, var);
            let input = exprs.input_expr(var);
            let stays = exprs.equals(input, slot);
            fixed.push(stays);
            if value(&model, var) == slot {
                continue;
            }
            match self.ask(exprs, &fixed, stop) {
                Verdict::Satisfiable(values) => model = values,
                _ => {
                    fixed.pop();
                    changed = at;
                    break;
                }
            }
        }
        // What has to change becomes as near to zero as possible.
        for &var in &group[changed..] {
            let ty = exprs.input(var).ty;
            let input = exprs.input_expr(var);
            if let Some(set) = exprs.input(var).domain.integers().cloned() {
                let distance =
                    |values: &[(Var, u64)]| from_slot(ty, value(values, var)).unsigned_abs();
                let mut low = set.nearest(0).unsigned_abs();
                let mut high = distance(&model);
                while low < high {
                    if stop.is_over() {
                        return Answer::Unknown;
                    }
                    let middle = low + (high - low) / 2;
                    let within = within(exprs, input, &set, middle);
                    fixed.push(within);
                    match self.ask(exprs, &fixed, stop) {
                        Verdict::Satisfiable(values) => {
                            high = distance(&values);
                            model = values;
                        }
                        _ => low = middle + 1,
                    }
                    fixed.pop();
                }
                // The smaller one of two equally near.
                let smaller =
                    0i64.checked_sub_unsigned(high).filter(|&smaller| set.contains(smaller));
                if let Some(smaller) = smaller.filter(|&v| v != from_slot(ty, value(&model, var))) {
                    let is = exprs.equals(input, to_slot(ty, smaller));
                    fixed.push(is);
                    if let Verdict::Satisfiable(values) = self.ask(exprs, &fixed, stop) {
                        model = values;
                    }
                    fixed.pop();
                }
            }
            let is = exprs.equals(input, value(&model, var));
            fixed.push(is);
        }
        Answer::Values(model)
    }

    /// Guesses, then asks one backend after the other.
    fn ask(&mut self, exprs: &Exprs, constraints: &[Expr], stop: &Stop) -> Verdict {
        let begun = Instant::now();
        if let Some(vars) = question::inputs(exprs, constraints)
            && let Some(model) = guess::values(exprs, constraints, &vars)
        {
            return Verdict::Satisfiable(model);
        }
        let mut verdict = Verdict::Unknown;
        for backend in &mut self.backends {
            self.statistics.calls += 1;
            verdict = backend.solve(exprs, constraints, &stop.within(self.timeout));
            if verdict != Verdict::Unknown {
                break;
            }
            if let (None, Some(problem)) = (&self.statistics.problem, backend.problem()) {
                self.statistics.problem = Some(problem.to_owned());
            }
        }
        self.statistics.time += begun.elapsed();
        verdict
    }
}

/// Whether an input with these values is not further away from zero than this.
fn within(exprs: &mut Exprs, input: Expr, set: &Integers, distance: u64) -> Expr {
    let ty = exprs.ty(input);
    let (at_most, at_least) = match ty {
        ValType::I64 => (NumericOp::I64LeS, NumericOp::I64GeS),
        _ => (NumericOp::I32LeS, NumericOp::I32GeS),
    };
    let mut within = exprs.i32(1);
    // There are values that are further away, so the ends can be said.
    if let Some(low) = 0i64.checked_sub_unsigned(distance).filter(|&low| set.smallest() < low) {
        let above = exprs.with_const(at_least, input, to_slot(ty, low));
        within = exprs.and(within, above);
    }
    if let Some(high) = 0i64.checked_add_unsigned(distance).filter(|&high| high < set.largest()) {
        let below = exprs.with_const(at_most, input, to_slot(ty, high));
        within = exprs.and(within, below);
    }
    within
}
