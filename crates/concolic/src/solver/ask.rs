//! Asking backends: for some values, then for stable ones.

use std::time::Instant;

use mw_vm::{NumericOp, ValType};

use super::{Answer, Constraints, Solver, Verdict, from_slot, to_slot};
use crate::expr::{Expr, Exprs, Var};
use crate::stop::Stop;

impl Solver {
    /// Values with which all of `key` holds: inputs that were read earlier keep theirs as far as
    /// possible, and what has to change becomes as small as possible.
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
        // What has to change becomes as small as possible.
        for &var in &group[changed..] {
            let ty = exprs.input(var).ty;
            let input = exprs.input_expr(var);
            if let Some(set) = exprs.input(var).domain.integers() {
                // As near to zero as possible: not below it if that can be.
                let mut low = set.smallest();
                let mut high = from_slot(ty, value(&model, var));
                if high < 0 && set.largest() >= 0 {
                    let at_least =
                        if ty == ValType::I64 { NumericOp::I64GeS } else { NumericOp::I32GeS };
                    let not_below = exprs.with_const(at_least, input, 0);
                    fixed.push(not_below);
                    if let Verdict::Satisfiable(values) = self.ask(exprs, &fixed, stop) {
                        high = from_slot(ty, value(&values, var));
                        model = values;
                    }
                    fixed.pop();
                }
                if high >= 0 {
                    low = low.max(0);
                }
                while low < high {
                    let middle = ((i128::from(low) + i128::from(high)) >> 1) as i64;
                    let at_most =
                        if ty == ValType::I64 { NumericOp::I64LeS } else { NumericOp::I32LeS };
                    let smaller = exprs.with_const(at_most, input, to_slot(ty, middle));
                    fixed.push(smaller);
                    match self.ask(exprs, &fixed, stop) {
                        Verdict::Satisfiable(values) => {
                            high = from_slot(ty, value(&values, var));
                            model = values;
                        }
                        _ => low = middle + 1,
                    }
                    fixed.pop();
                }
            }
            let is = exprs.equals(input, value(&model, var));
            fixed.push(is);
        }
        Answer::Values(model)
    }

    /// Asks one backend after the other.
    fn ask(&mut self, exprs: &Exprs, constraints: &[Expr], stop: &Stop) -> Verdict {
        let begun = Instant::now();
        let mut verdict = Verdict::Unknown;
        for backend in &mut self.backends {
            self.statistics.calls += 1;
            verdict = backend.solve(exprs, constraints, &stop.within(self.timeout));
            if verdict != Verdict::Unknown {
                break;
            }
        }
        self.statistics.time += begun.elapsed();
        verdict
    }
}
