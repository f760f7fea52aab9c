//! Every operation, on special and on random numbers, with inputs and constants as operands.

use mw_concolic::expr::{Expr, Exprs, Var};
use mw_vm::NumericOp;

use super::numbers::{Random, pair, special};
use super::{any, evaluate, operations};

/// Pairs of special numbers, each with each, and random ones.
fn pairs(op: NumericOp, random: &mut Random) -> Vec<(u64, u64)> {
    let special = special(op.operand());
    let mut pairs: Vec<(u64, u64)> = match op.is_binary() {
        true => special.iter().flat_map(|&a| special.iter().map(move |&b| (a, b))).collect(),
        false => special.iter().map(|&a| (a, 0)).collect(),
    };
    pairs.extend((0..1000).map(|_| pair(random, op.operand())));
    pairs
}

fn apply(exprs: &mut Exprs, op: NumericOp, a: Expr, b: Expr) -> Expr {
    match op.is_binary() {
        true => exprs.binary(op, a, b),
        false => exprs.unary(op, a),
    }
}

/// What the machine computes, or 0 where it traps.
fn expected(op: NumericOp, (a, b): (u64, u64)) -> u64 {
    op.evaluate(a, b).unwrap_or(0)
}

fn check(exprs: &Exprs, op: NumericOp, expr: Expr, (x, y): (Var, Var), pairs: &[(u64, u64)]) {
    assert_eq!(exprs.ty(expr), op.result(), "{op:?}");
    let assignments: Vec<_> = pairs.iter().map(|&(a, b)| vec![(x, a), (y, b)]).collect();
    for (&pair, result) in pairs.iter().zip(evaluate(exprs, expr, &assignments)) {
        let node = exprs.node(expr);
        assert_eq!(result, expected(op, pair), "{op:?} of {pair:x?}, as {node:?}");
        assert!(!exprs.is_boolean(expr) || result <= 1, "{op:?} of {pair:x?} as {node:?}");
    }
}

#[test]
fn of_inputs() {
    let mut random = Random::new(1);
    for op in operations() {
        let mut exprs = Exprs::default();
        let (x, x_expr) = any(&mut exprs, 0, op.operand());
        let (y, y_expr) = any(&mut exprs, 1, op.operand());
        let pairs = pairs(op, &mut random);
        let expr = apply(&mut exprs, op, x_expr, y_expr);
        check(&exprs, op, expr, (x, y), &pairs);
        // The same input twice: rules of their own.
        let twice: Vec<_> = pairs.iter().map(|&(a, _)| (a, a)).collect();
        let expr = apply(&mut exprs, op, x_expr, x_expr);
        check(&exprs, op, expr, (x, y), &twice);
    }
}

#[test]
fn of_constants() {
    let mut random = Random::new(2);
    for op in operations() {
        let mut exprs = Exprs::default();
        for pair in pairs(op, &mut random) {
            let a = exprs.constant(op.operand(), pair.0);
            let b = exprs.constant(op.operand(), pair.1);
            let expr = apply(&mut exprs, op, a, b);
            assert_eq!(exprs.as_const(expr), Some(expected(op, pair)), "{op:?} of {pair:x?}");
            assert_eq!(exprs.ty(expr), op.result(), "{op:?} of {pair:x?}");
        }
    }
}

#[test]
fn of_an_input_and_a_constant() {
    let mut random = Random::new(3);
    for op in operations().filter(|op| op.is_binary()) {
        let mut exprs = Exprs::default();
        let (x, x_expr) = any(&mut exprs, 0, op.operand());
        let mut constants = special(op.operand());
        constants.extend((0..20).map(|_| pair(&mut random, op.operand()).0));
        for constant in constants {
            let mut others = special(op.operand());
            others.extend((0..50).map(|_| pair(&mut random, op.operand()).0));
            others.push(constant);
            let number = exprs.constant(op.operand(), constant);
            let left: Vec<_> = others.iter().map(|&other| (constant, other)).collect();
            let expr = apply(&mut exprs, op, number, x_expr);
            check_one(&exprs, op, expr, x, &left, |pair| pair.1);
            let right: Vec<_> = others.iter().map(|&other| (other, constant)).collect();
            let expr = apply(&mut exprs, op, x_expr, number);
            check_one(&exprs, op, expr, x, &right, |pair| pair.0);
        }
    }
}

fn check_one(
    exprs: &Exprs,
    op: NumericOp,
    expr: Expr,
    x: Var,
    pairs: &[(u64, u64)],
    of_pair: impl Fn(&(u64, u64)) -> u64,
) {
    let assignments: Vec<_> = pairs.iter().map(|pair| vec![(x, of_pair(pair))]).collect();
    for (&pair, result) in pairs.iter().zip(evaluate(exprs, expr, &assignments)) {
        let node = exprs.node(expr);
        assert_eq!(result, expected(op, pair), "{op:?} of {pair:x?}, as {node:?}");
    }
}

/// One of two constants, depending on an input: the operation is done on both.
#[test]
fn of_choices_between_constants() {
    let mut random = Random::new(4);
    for op in operations() {
        let mut exprs = Exprs::default();
        let (c, condition) = any(&mut exprs, 0, mw_vm::ValType::I32);
        for _ in 0..200 {
            let (first, second) =
                (pair(&mut random, op.operand()), pair(&mut random, op.operand()));
            let then = exprs.constant(op.operand(), first.0);
            let otherwise = exprs.constant(op.operand(), second.0);
            let a = exprs.ite(condition, then, otherwise);
            let b = exprs.constant(op.operand(), first.1);
            let expr = apply(&mut exprs, op, a, b);
            let swapped = apply(&mut exprs, op, b, a);
            for slot in [0, 1, 0x8000_0000] {
                let now = if slot == 0 { second.0 } else { first.0 };
                let results =
                    [expr, swapped].map(|expr| evaluate(&exprs, expr, &[vec![(c, slot)]])[0]);
                assert_eq!(results[0], expected(op, (now, first.1)), "{op:?}");
                let order = if op.is_binary() { (first.1, now) } else { (first.1, 0) };
                assert_eq!(results[1], expected(op, order), "{op:?}");
            }
        }
    }
}
