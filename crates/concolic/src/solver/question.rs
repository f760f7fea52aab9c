//! What every solver has to know about a question: the inputs it is about, and whether an answer
//! is one.

use std::collections::HashMap;

use mw_vm::{ValType, Value};

use crate::evaluate::Evaluation;
use crate::expr::{Expr, Exprs, Var};

/// The inputs that constraints are about, in ascending order; `None` when one of them has no
/// possible value.
pub fn inputs(exprs: &Exprs, constraints: &[Expr]) -> Option<Vec<Var>> {
    let supports = constraints.iter().flat_map(|&expr| exprs.support(expr).iter().copied());
    let mut vars: Vec<Var> = supports.collect();
    vars.sort_unstable();
    vars.dedup();
    let is_possible = |var: &Var| {
        let input = exprs.input(*var);
        input.domain.narrowed(input.ty).is_some()
    };
    vars.iter().all(is_possible).then_some(vars)
}

/// Whether the values are from their domains, and no constraint is zero for them.
pub fn is_answered_by(exprs: &Exprs, constraints: &[Expr], model: &[(Var, u64)]) -> bool {
    let is_inside = |&(var, slot): &(Var, u64)| {
        let input = exprs.input(var);
        input.domain.contains(match input.ty {
            ValType::I32 => Value::I32(slot as i32),
            ValType::F32 => Value::F32(slot as u32),
            ValType::F64 => Value::F64(slot),
            _ => Value::I64(slot as i64),
        })
    };
    let values: HashMap<Var, u64> = model.iter().copied().collect();
    let mut evaluation = Evaluation::new(exprs, |var| values.get(&var).copied().unwrap_or(0));
    model.iter().all(is_inside)
        && constraints.iter().all(|&constraint| evaluation.slot(constraint) as u32 != 0)
}
