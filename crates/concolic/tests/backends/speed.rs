//! How long typical questions take. Not a test of anything: run it by name, with `--ignored` and
//! `--nocapture`, in a release build.

use std::time::{Duration, Instant};

use mw_concolic::expr::{Expr, Exprs};
use mw_concolic::solver::backend::{Backend, Verdict};
use mw_concolic::solver::sat::Sat;
use mw_concolic::solver::smt::Smt;
use mw_vm::NumericOp::*;
use mw_vm::ValType;
use mw_world::Domain;

use super::{any, input, second_opinion, solve};

const QUESTIONS: u32 = 20;

/// The temperature that a 12-bit sensor means: `((f32(x) / 1024 * 5) - 0.5) * 100`.
fn temperature(exprs: &mut Exprs) -> Expr {
    temperature_of(exprs, 0)
}

fn temperature_of(exprs: &mut Exprs, position: u32) -> Expr {
    let (_, x) = input(exprs, position, ValType::I32, Domain::range(0, 4095).unwrap());
    let mut t = exprs.unary(F32ConvertI32S, x);
    for (op, number) in [(F32Div, 1024f32), (F32Mul, 5.0), (F32Sub, 0.5), (F32Mul, 100.0)] {
        t = exprs.with_const(op, t, u64::from(number.to_bits()));
    }
    t
}

/// Whether it is between two numbers.
fn window(exprs: &mut Exprs, t: Expr, low: f32, high: f32) -> Vec<Expr> {
    let from = exprs.with_const(F32Ge, t, u64::from(low.to_bits()));
    let to = exprs.with_const(F32Lt, t, u64::from(high.to_bits()));
    vec![from, to]
}

/// A hash of any number, and its remainder.
fn hash(exprs: &mut Exprs) -> Expr {
    let (_, x) = any(exprs, 0, ValType::I32);
    let mut h = x;
    for (shift, factor) in [(15, 0x9e37_79b1), (13, 0x85eb_ca6b)] {
        let product = exprs.with_const(I32Mul, h, factor);
        let high = exprs.with_const(I32ShrU, product, shift);
        h = exprs.binary(I32Xor, product, high);
    }
    exprs.with_const(I32RemU, h, 1000)
}

type Question = (&'static str, fn(&mut Exprs) -> Expr, fn(&mut Exprs, Expr, u32) -> Vec<Expr>);

const KINDS: [Question; 4] = [
    ("FP sat", temperature, |exprs, t, i| {
        let low = 10.0 + 90.0 * i as f32;
        window(exprs, t, low, low + 2.0)
    }),
    // Between two values that are 0.488 apart.
    ("FP unsat", temperature, |exprs, t, i| {
        let low = (((100 * i + 7) as f32 / 1024.0 * 5.0) - 0.5) * 100.0;
        window(exprs, t, low + 0.1, low + 0.4)
    }),
    ("BV sat", hash, |exprs, h, i| vec![exprs.with_const(I32Eq, h, u64::from(37 * i + 5))]),
    // Both remainders at once.
    ("BV unsat", hash, |exprs, h, i| {
        let last = exprs.with_const(I32RemU, h, 10);
        let a = exprs.with_const(I32LtU, h, u64::from(37 * i + 5));
        let b = exprs.with_const(I32GtU, h, u64::from(37 * i + 5));
        vec![a, b, exprs.with_const(I32Eq, last, 3)]
    }),
];

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    times[times.len() / 2].as_secs_f64() * 1000.0
}

fn measure(new: &mut dyn FnMut() -> Box<dyn Backend>) {
    for (name, make, ask) in KINDS {
        let mut fresh = Vec::new();
        let mut kept = Vec::new();
        let mut backend = new();
        let mut exprs = Exprs::default();
        let expr = make(&mut exprs);
        for i in 0..QUESTIONS {
            let constraints = ask(&mut exprs, expr, i);
            let start = Instant::now();
            let verdict = solve(&mut *backend, &exprs, &constraints);
            kept.push(start.elapsed());
            assert_eq!(matches!(verdict, Verdict::Satisfiable(_)), name.ends_with(" sat"));
            let start = Instant::now();
            let again = solve(&mut *new(), &exprs, &constraints);
            fresh.push(start.elapsed());
            assert_eq!(matches!(again, Verdict::Satisfiable(_)), name.ends_with(" sat"));
        }
        let name = format!("{} {name}", backend.name());
        println!("{name:16} fresh {:8.2} ms, kept {:8.2} ms", median(fresh), median(kept));
    }
}

#[test]
#[ignore = "a measurement"]
fn sat_speed() {
    measure(&mut || Box::new(Sat::new()));
}

#[test]
#[ignore = "a measurement"]
fn smt_speed() {
    for program in ["bitwuzla", "cvc5", "z3"] {
        if second_opinion(program).is_some() {
            measure(&mut || Box::new(Smt::new(program)));
        }
    }
}

/// Questions about one of many inputs at a time: what is known of the others is in the way.
#[test]
#[ignore = "a measurement"]
fn sat_speed_with_many_inputs() {
    let mut exprs = Exprs::default();
    let mut sat = Sat::new();
    let temperatures: Vec<Expr> = (0..100).map(|at| temperature_of(&mut exprs, at)).collect();
    for round in 0..3 {
        let mut times = Vec::new();
        for (at, &t) in temperatures.iter().enumerate() {
            let low = (7 * at + 100 * round) as f32;
            let constraints = window(&mut exprs, t, low, low + 2.0);
            let start = Instant::now();
            assert!(matches!(solve(&mut sat, &exprs, &constraints), Verdict::Satisfiable(_)));
            times.push(start.elapsed());
        }
        println!("round {round}: {:.2} ms, {} clauses", median(times), sat.clauses());
    }
}
