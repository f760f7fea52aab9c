//! Every operation of the machine, on numbers: the solver knows what the machine computes, and
//! that it computes nothing else.

use mw_concolic::expr::Exprs;
use mw_concolic::solver::backend::{Backend, Verdict};
use mw_concolic::solver::sat::Sat;
use mw_vm::{NumericOp, ValType};

use super::numbers::{Random, pair, special};
use super::{any, second_opinion, solve};

/// Checks an operation on operands that the solver has to find, and where one is a constant.
fn check(backend: &mut dyn Backend, op: NumericOp, cases: &[(u64, u64)]) {
    let mut exprs = Exprs::default();
    let (x, x_expr) = any(&mut exprs, 0, op.operand());
    let (y, y_expr) = any(&mut exprs, 1, op.operand());
    let result = match op.is_binary() {
        true => exprs.binary(op, x_expr, y_expr),
        false => exprs.unary(op, x_expr),
    };
    for (index, &(a, b)) in cases.iter().enumerate() {
        let expected = op.evaluate(a, b).unwrap_or(0);
        let name = format!("{} says {op:?} of {a:#x}, {b:#x} is not {expected:#x}", backend.name());
        let mut given = vec![exprs.equals(x_expr, a)];
        let mut model = vec![(x, a)];
        if op.is_binary() {
            given.push(exprs.equals(y_expr, b));
            model.push((y, b));
        }
        let right = exprs.equals(result, expected);
        let wrong = exprs.not(right);
        let with_right = [&given[..], &[right]].concat();
        assert_eq!(
            solve(backend, &exprs, &with_right),
            Verdict::Satisfiable(model.clone()),
            "{name}"
        );
        let with_wrong = [&given[..], &[wrong]].concat();
        assert_eq!(solve(backend, &exprs, &with_wrong), Verdict::Unsatisfiable, "{name}");

        // The same with a constant for one operand: other gates, the same result.
        if op.is_binary() && index % 8 == 0 {
            let (a_const, b_const) =
                (exprs.constant(op.operand(), a), exprs.constant(op.operand(), b));
            let left = exprs.binary(op, a_const, y_expr);
            let right = exprs.binary(op, x_expr, b_const);
            for (result, given) in [(left, given[1]), (right, given[0])] {
                let same = exprs.equals(result, expected);
                let wrong = exprs.not(same);
                let verdict = solve(backend, &exprs, &[given, wrong]);
                assert_eq!(verdict, Verdict::Unsatisfiable, "{name} (a constant)");
            }
        }
    }
}

/// Pairs for which an operation is likely to be wrong: what traps, zeros of both signs, infinities.
fn pairs(op: NumericOp) -> Vec<(u64, u64)> {
    let sign: u64 = 1 << if matches!(op.operand(), ValType::I32 | ValType::F32) { 31 } else { 63 };
    let infinity = if op.operand() == ValType::F32 { 0x7f80_0000 } else { 0x7ff0 << 48 };
    match op.operand() {
        _ if !op.is_binary() => vec![],
        ValType::F32 | ValType::F64 => vec![
            (0, sign),
            (sign, 0),
            (sign, sign),
            (0, infinity),
            (infinity, infinity | sign),
            (infinity, infinity),
        ],
        _ => vec![(7, 0), (sign, 0), (sign, sign | (sign - 1)), (sign, 1), (sign, sign)],
    }
}

/// Such pairs, special numbers, all of them for one operand, and random pairs.
fn cases(op: NumericOp, random_ones: usize) -> Vec<(u64, u64)> {
    let mut random = Random::new(op as u64 + 1);
    let special = special(op.operand());
    let mut cases = pairs(op);
    cases.extend(special.iter().map(|&a| (a, random.pick(&special))));
    cases.extend((0..random_ones).map(|_| pair(&mut random, op.operand())));
    cases
}

fn operations_on(ty: ValType) -> impl Iterator<Item = NumericOp> {
    NumericOp::ALL.iter().copied().filter(move |op| op.operand() == ty)
}

fn check_sat(ty: ValType, random_ones: usize) {
    for op in operations_on(ty) {
        check(&mut Sat::new(), op, &cases(op, random_ones));
    }
}

#[test]
fn sat_on_i32() {
    check_sat(ValType::I32, 40);
}

#[test]
fn sat_on_i64() {
    check_sat(ValType::I64, 40);
}

#[test]
fn sat_on_f32() {
    check_sat(ValType::F32, 120);
}

#[test]
fn sat_on_f64() {
    check_sat(ValType::F64, 60);
}

/// All cases in two questions, each with inputs of its own: a process needs milliseconds for one.
fn check_at_once(backend: &mut dyn Backend, op: NumericOp, cases: &[(u64, u64)]) {
    let mut exprs = Exprs::default();
    let (mut given, mut model, mut right) = (Vec::new(), Vec::new(), Vec::new());
    let mut is_wrong = exprs.i32(0);
    for (index, &(a, b)) in cases.iter().enumerate() {
        let (x, x_expr) = any(&mut exprs, 2 * index as u32, op.operand());
        given.push(exprs.equals(x_expr, a));
        model.push((x, a));
        let result = if op.is_binary() {
            let (y, y_expr) = any(&mut exprs, 2 * index as u32 + 1, op.operand());
            given.push(exprs.equals(y_expr, b));
            model.push((y, b));
            exprs.binary(op, x_expr, y_expr)
        } else {
            exprs.unary(op, x_expr)
        };
        let same = exprs.equals(result, op.evaluate(a, b).unwrap_or(0));
        right.push(same);
        let wrong = exprs.not(same);
        is_wrong = exprs.or(is_wrong, wrong);
    }
    let name = format!("{} says {op:?} is wrong for one of {cases:x?}", backend.name());
    let verdict = solve(backend, &exprs, &[&given[..], &right[..]].concat());
    assert_eq!(verdict, Verdict::Satisfiable(model), "{name}");
    let verdict = solve(backend, &exprs, &[&given[..], &[is_wrong]].concat());
    assert_eq!(verdict, Verdict::Unsatisfiable, "{name}");
}

fn check_smt(program: &str, types: [ValType; 2]) {
    let Some(mut smt) = second_opinion(program) else { return };
    for op in types.into_iter().flat_map(operations_on) {
        let mut random = Random::new(op as u64 + 99);
        let all = cases(op, 40);
        let others = (0..20).map(|_| random.pick(&all));
        let cases: Vec<(u64, u64)> = pairs(op).into_iter().chain(others).collect();
        check_at_once(&mut smt, op, &cases);
        assert_eq!(smt.problem(), None);
        smt.reset();
    }
}

#[test]
fn bitwuzla_on_integers() {
    check_smt("bitwuzla", [ValType::I32, ValType::I64]);
}

#[test]
fn bitwuzla_on_floats() {
    check_smt("bitwuzla", [ValType::F32, ValType::F64]);
}

#[test]
fn cvc5_on_integers() {
    check_smt("cvc5", [ValType::I32, ValType::I64]);
}

#[test]
fn cvc5_on_floats() {
    check_smt("cvc5", [ValType::F32, ValType::F64]);
}

#[test]
fn z3_on_integers() {
    check_smt("z3", [ValType::I32, ValType::I64]);
}

#[test]
fn z3_on_floats() {
    check_smt("z3", [ValType::F32, ValType::F64]);
}
