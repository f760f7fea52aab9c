//! Values are from the inputs' domains, and all of those can come.

use std::collections::BTreeSet;

use mw_concolic::expr::Exprs;
use mw_concolic::solver::backend::{Backend, Verdict};
use mw_concolic::solver::sat::Sat;
use mw_concolic::solver::smt::Smt;
use mw_vm::NumericOp::{
    I32LtU, I32Popcnt, I32ReinterpretF32, I64LtU, I64Popcnt, I64ReinterpretF64,
};
use mw_vm::ValType::{self, F32, F64, I32, I64};
use mw_world::{Domain, Floats, Integers, Range};

use super::{input, second_opinion, solve};

/// All values of an input, as the solver finds them one by one; at most `count`.
fn values(backend: &mut dyn Backend, ty: ValType, domain: &Domain, count: usize) -> BTreeSet<u64> {
    let mut exprs = Exprs::default();
    let (_, expr) = input(&mut exprs, 0, ty, domain.clone());
    // True of any value, but about the input.
    let (bits, count_ones, less) = match ty {
        F32 => (exprs.unary(I32ReinterpretF32, expr), I32Popcnt, I32LtU),
        F64 => (exprs.unary(I64ReinterpretF64, expr), I64Popcnt, I64LtU),
        I64 => (expr, I64Popcnt, I64LtU),
        _ => (expr, I32Popcnt, I32LtU),
    };
    let ones = exprs.unary(count_ones, bits);
    let mut constraints = vec![exprs.with_const(less, ones, 65)];
    let mut values = BTreeSet::new();
    while let Verdict::Satisfiable(model) = solve(backend, &exprs, &constraints) {
        let [(_, slot)] = model[..] else { panic!("one input, not {model:?}") };
        assert!(values.insert(slot), "{slot:#x} again");
        let same = exprs.equals(expr, slot);
        constraints.push(exprs.not(same));
        if values.len() > count {
            break;
        }
    }
    values
}

/// Whether the solver thinks that an input can be this.
fn can_be(backend: &mut dyn Backend, ty: ValType, domain: &Domain, slot: u64) -> bool {
    let mut exprs = Exprs::default();
    let (_, expr) = input(&mut exprs, 0, ty, domain.clone());
    let constraint = exprs.equals(expr, slot);
    solve(backend, &exprs, &[constraint]) != Verdict::Unsatisfiable
}

fn check_integers(new: &mut dyn FnMut() -> Box<dyn Backend>) {
    for ranges in [
        vec![(0, 0)],
        vec![(0, 15)],
        vec![(-3, 4)],
        vec![(-9, -5)],
        vec![(1, 3), (7, 7), (100, 102)],
        vec![(-1, -1), (1, 1)],
        vec![(i64::from(i32::MIN), i64::from(i32::MIN) + 2), (i64::from(i32::MAX), 1 << 40)],
    ] {
        let ranges = ranges.iter().map(|&(low, high)| Range::new(low, high));
        let domain = Domain::Integers(Integers::new(ranges).unwrap());
        let possible = domain.narrowed(I32).unwrap();
        let expected = possible.integers().unwrap().values().map(|v| u64::from(v as u32));
        let expected: BTreeSet<u64> = expected.collect();
        assert_eq!(values(&mut *new(), I32, &domain, 40), expected, "{domain} as i32");
        if domain.count() < 40 {
            let expected = domain.integers().unwrap().values().map(|v| v as u64).collect();
            assert_eq!(values(&mut *new(), I64, &domain, 40), expected, "{domain} as i64");
        }
    }
    let beyond = Domain::range(1 << 40, 1 << 41).unwrap();
    assert_eq!(values(&mut *new(), I32, &beyond, 1), BTreeSet::new(), "no i32 is so large");
}

fn check_floats(new: &mut dyn FnMut() -> Box<dyn Backend>) {
    let any = Domain::Floats(Floats::ANY);
    for nan in [0x7fc0_0001, 0xffff_ffff, 0x7f80_0000] {
        assert!(can_be(&mut *new(), F32, &any, nan), "{nan:#x}");
    }
    let range = |low, high| Domain::Floats(Floats::new(low, high).unwrap());
    let smallest = f64::from(f32::from_bits(1));
    let zeros = values(&mut *new(), F32, &range(0.0, smallest / 2.0), 9);
    assert_eq!(zeros, [0, 1 << 31].into(), "both zeros, but no f32 between");
    let few = values(&mut *new(), F64, &range(-5e-324, 5e-324), 9);
    assert_eq!(few, [0, 1, 1 << 63, 1 << 63 | 1].into());
    let between = range(1.0 + f64::EPSILON, 1.0 + 2.0 * f64::EPSILON);
    assert_eq!(values(&mut *new(), F32, &between, 9), BTreeSet::new(), "none is an f32");
    assert_eq!(values(&mut *new(), F64, &between, 9).len(), 2);
    for (low, high) in [(-2.5, 1e10), (0.1, 0.3), (-7.0, -6.0), (0.0, f64::MAX)] {
        let domain = range(low, high);
        for value in [low, high, 0.0, -0.0, 0.1, 0.2, -6.5, 1e39, f64::NAN, f64::INFINITY] {
            for value in [value, value.next_up(), value.next_down()] {
                let narrow = value as f32;
                let expected = low <= f64::from(narrow) && f64::from(narrow) <= high;
                let found = can_be(&mut *new(), F32, &domain, u64::from(narrow.to_bits()));
                assert_eq!(found, expected, "{narrow:?} in {domain}");
                let found = can_be(&mut *new(), F64, &domain, value.to_bits());
                assert_eq!(found, low <= value && value <= high, "{value:?} in {domain}");
            }
        }
    }
}

#[test]
fn sat_honours_integers() {
    check_integers(&mut || Box::new(Sat::new()));
}

#[test]
fn sat_honours_floats() {
    check_floats(&mut || Box::new(Sat::new()));
}

#[test]
fn smt_honours_domains() {
    for program in ["bitwuzla", "cvc5", "z3"] {
        if second_opinion(program).is_none() {
            continue;
        }
        check_integers(&mut || Box::new(Smt::new(program)));
        check_floats(&mut || Box::new(Smt::new(program)));
    }
}
