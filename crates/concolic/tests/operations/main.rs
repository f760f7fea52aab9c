//! What expressions are worth is what the machine computes: for every operation, and for trees of
//! them that are made simpler on the way.

#[path = "../common/numbers.rs"]
mod numbers;
mod single;
mod trees;

use mw_concolic::evaluate::{Evaluation, LANES, Program};
use mw_concolic::expr::{Expr, Exprs, Input, Var};
use mw_vm::{NumericOp, ValType};
use mw_world::Domain;

/// The types of numbers.
const TYPES: [ValType; 4] = [ValType::I32, ValType::I64, ValType::F32, ValType::F64];

/// The operations on numbers.
fn operations() -> impl Iterator<Item = NumericOp> {
    NumericOp::ALL.iter().copied().filter(|&op| op != NumericOp::RefIsNull)
}

/// An input that can be any value of its type.
fn any(exprs: &mut Exprs, position: u32, ty: ValType) -> (Var, Expr) {
    let domain = Domain::all(ty).unwrap_or_else(|| panic!("{ty:?} is not a type of numbers"));
    let var = exprs.var(Input { position, ty, domain });
    (var, exprs.input_expr(var))
}

/// The numbers that an expression is for many assignments, each of which gives all inputs: found
/// out one by one and many at once, which has to be the same.
fn evaluate(exprs: &Exprs, expr: Expr, assignments: &[Vec<(Var, u64)>]) -> Vec<u64> {
    let slot = |assignment: &[(Var, u64)], var: Var| {
        assignment.iter().find(|(other, _)| *other == var).map_or(0, |(_, slot)| *slot)
    };
    let mut all = Vec::with_capacity(assignments.len());
    let mut program = Program::new(exprs, &[expr]).unwrap();
    for chunk in assignments.chunks(LANES) {
        for &var in exprs.support(expr).iter() {
            program.give(var, |lanes| {
                let lanes = lanes.iter_mut().zip(chunk);
                lanes.for_each(|(lane, assignment)| *lane = slot(assignment, var));
            });
        }
        program.run();
        all.extend_from_slice(&program.result(0)[..chunk.len()]);
    }
    for (assignment, &result) in assignments.iter().zip(&all) {
        let single = Evaluation::new(exprs, |var| slot(assignment, var)).slot(expr);
        assert_eq!(single, result, "{:?} with {assignment:x?}", exprs.node(expr));
    }
    all
}
