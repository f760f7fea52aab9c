//! What a question to a solver costs, of a new solver and of one that has been asked before.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use mw_concolic::Stop;
use mw_concolic::expr::{Expr, Exprs, Input};
use mw_concolic::solver::backend::{Backend, Verdict};
use mw_concolic::solver::sat::Sat;
use mw_concolic::solver::smt::Smt;
use mw_vm::NumericOp::*;
use mw_vm::ValType;
use mw_world::Domain;

const QUESTIONS: u32 = 20;

/// External solvers, each measured if it is installed.
const PROGRAMS: [&str; 3] = ["bitwuzla", "cvc5", "z3"];

fn input(exprs: &mut Exprs, position: u32, domain: Domain) -> Expr {
    let var = exprs.var(Input { position, ty: ValType::I32, domain });
    exprs.input_expr(var)
}

/// The temperature that a 12-bit sensor means: `((f32(x) / 1024 * 5) - 0.5) * 100`.
fn temperature(exprs: &mut Exprs) -> Expr {
    temperature_of(exprs, 0)
}

fn temperature_of(exprs: &mut Exprs, position: u32) -> Expr {
    let x = input(exprs, position, Domain::range(0, 4095).expect("it is not empty"));
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
    let all = Domain::all(ValType::I32).expect("it is a type of numbers");
    let mut h = input(exprs, 0, all);
    for (shift, factor) in [(15, 0x9e37_79b1), (13, 0x85eb_ca6b)] {
        let product = exprs.with_const(I32Mul, h, factor);
        let high = exprs.with_const(I32ShrU, product, shift);
        h = exprs.binary(I32Xor, product, high);
    }
    exprs.with_const(I32RemU, h, 1000)
}

type Question = (&'static str, fn(&mut Exprs) -> Expr, fn(&mut Exprs, Expr, u32) -> Vec<Expr>);

const KINDS: [Question; 4] = [
    ("floats", temperature, |exprs, t, i| {
        let low = 10.0 + 90.0 * i as f32;
        window(exprs, t, low, low + 2.0)
    }),
    // Between two values that are 0.488 apart.
    ("floats without answer", temperature, |exprs, t, i| {
        let low = (((100 * i + 7) as f32 / 1024.0 * 5.0) - 0.5) * 100.0;
        window(exprs, t, low + 0.1, low + 0.4)
    }),
    ("hash", hash, |exprs, h, i| vec![exprs.with_const(I32Eq, h, u64::from(37 * i + 5))]),
    // Both remainders at once.
    ("hash without answer", hash, |exprs, h, i| {
        let last = exprs.with_const(I32RemU, h, 10);
        let a = exprs.with_const(I32LtU, h, u64::from(37 * i + 5));
        let b = exprs.with_const(I32GtU, h, u64::from(37 * i + 5));
        vec![a, b, exprs.with_const(I32Eq, last, 3)]
    }),
];

pub fn run(_repeat: u32) -> Result<()> {
    println!("Questions to solvers, {QUESTIONS} of each kind; medians.\n");
    println!("| solver and question        | a new one, ms | one in use, ms | ratio |");
    println!("|----------------------------|--------------:|---------------:|------:|");
    measure(&|| Box::new(Sat::new()))?;
    for program in PROGRAMS.into_iter().filter(|program| Smt::new(program).is_installed()) {
        measure(&|| Box::new(Smt::new(program)))?;
    }
    many_inputs()
}

/// The median, in milliseconds.
fn median(mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    times[times.len() / 2].as_secs_f64() * 1000.0
}

/// How long an answer takes, which has to be this one.
fn time(
    backend: &mut dyn Backend,
    exprs: &Exprs,
    constraints: &[Expr],
    satisfiable: bool,
) -> Result<Duration> {
    let start = Instant::now();
    let verdict = backend.solve(exprs, constraints, &Stop::default());
    let time = start.elapsed();
    ensure!(matches!(verdict, Verdict::Satisfiable(_)) == satisfiable, "a wrong answer");
    Ok(time)
}

fn measure(new: &dyn Fn() -> Box<dyn Backend>) -> Result<()> {
    for (name, make, ask) in KINDS {
        let (mut fresh, mut kept) = (Vec::new(), Vec::new());
        let mut backend = new();
        let mut exprs = Exprs::default();
        let expr = make(&mut exprs);
        let satisfiable = !name.contains("without");
        for i in 0..QUESTIONS {
            let constraints = ask(&mut exprs, expr, i);
            kept.push(time(&mut *backend, &exprs, &constraints, satisfiable)?);
            fresh.push(time(&mut *new(), &exprs, &constraints, satisfiable)?);
        }
        let (fresh, kept) = (median(fresh), median(kept));
        let what = format!("{}: {name}", backend.name());
        println!("| {what:26} | {fresh:>13.2} | {kept:>14.2} | {:>4.2}x |", kept / fresh);
    }
    Ok(())
}

/// Questions about one of many inputs at a time: what is known of the others is in the way.
fn many_inputs() -> Result<()> {
    let mut exprs = Exprs::default();
    let mut sat = Sat::new();
    let temperatures: Vec<Expr> = (0..100).map(|at| temperature_of(&mut exprs, at)).collect();
    println!("\n| about each of 100 inputs, round | ms   | clauses |");
    println!("|---------------------------------|-----:|--------:|");
    for round in 0..3 {
        let mut times = Vec::new();
        for (at, &t) in temperatures.iter().enumerate() {
            let low = (7 * at + 100 * round) as f32;
            let constraints = window(&mut exprs, t, low, low + 2.0);
            times.push(time(&mut sat, &exprs, &constraints, true)?);
        }
        println!("| {:31} | {:>4.1} | {:>7} |", round + 1, median(times), sat.clauses());
    }
    println!();
    Ok(())
}
