//! Hard questions: given up when it is time, and then the solver goes on with others.

use mw_concolic::Stop;
use mw_concolic::expr::{Expr, Exprs};
use mw_concolic::solver::backend::{Backend, Verdict};
use mw_concolic::solver::sat::Sat;
use mw_concolic::solver::smt::Smt;
use mw_vm::NumericOp::{I64ExtendI32U, I64GtU, I64Mul};
use mw_vm::ValType;

use super::{any, second_opinion, solve};

/// Two factors of a number that has none but large ones: nobody finds them soon.
fn factors(exprs: &mut Exprs) -> Vec<Expr> {
    let (_, a) = any(exprs, 0, ValType::I32);
    let (_, b) = any(exprs, 1, ValType::I32);
    let (a, b) = (exprs.unary(I64ExtendI32U, a), exprs.unary(I64ExtendI32U, b));
    let product = exprs.binary(I64Mul, a, b);
    let is_product = exprs.equals(product, 3_037_000_493 * 2_654_435_761);
    vec![is_product, exprs.with_const(I64GtU, a, 1), exprs.with_const(I64GtU, b, 1)]
}

fn check(backend: &mut dyn Backend) {
    let mut exprs = Exprs::default();
    let constraints = factors(&mut exprs);
    let stop = Stop::after_looks(30);
    let verdict = backend.solve(&exprs, &constraints, &stop);
    assert_eq!(verdict, Verdict::Unknown);
    assert!(stop.looks() < 40, "it looked {} times, most of them when it was over", stop.looks());
    // An easy one about the same expressions still gets its answer.
    let verdict = solve(backend, &exprs, &constraints[1..2]);
    assert!(matches!(verdict, Verdict::Satisfiable(model) if model.len() == 1));
}

#[test]
fn sat_gives_up_in_time() {
    check(&mut Sat::new());
}

#[test]
fn sat_gives_up_before_it_begins() {
    let mut exprs = Exprs::default();
    let constraints = factors(&mut exprs);
    let verdict = Sat::new().solve(&exprs, &constraints, &Stop::after_looks(0));
    assert_eq!(verdict, Verdict::Unknown);
}

#[test]
fn smt_gives_up_in_time() {
    for program in ["bitwuzla", "cvc5", "z3"] {
        if let Some(mut smt) = second_opinion(program) {
            check(&mut smt);
            assert_eq!(smt.problem(), None, "{program}");
        }
    }
}

#[test]
fn what_is_no_solver_is_a_problem_and_not_an_answer() {
    let mut exprs = Exprs::default();
    let constraints = factors(&mut exprs);
    for (program, problem) in [
        ("no-such-solver", "could not be started"),
        // It repeats what it is told, which is no answer.
        ("cat", "instead of an answer"),
        ("true", "has ended without an answer"),
    ] {
        let mut smt = Smt::new(program);
        for _ in 0..2 {
            assert_eq!(solve(&mut smt, &exprs, &constraints), Verdict::Unknown);
            let said = smt.problem().unwrap_or_default();
            assert!(said.contains(program) && said.contains(problem), "{said}");
        }
    }
}

/// A program that is no solver, by its name in the folder beside this file.
#[cfg(unix)]
fn script(name: &str) -> String {
    format!("{}/tests/backends/solvers/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[cfg(unix)]
#[test]
fn who_never_answers_is_given_up() {
    let mut exprs = Exprs::default();
    let constraints = factors(&mut exprs);
    for name in ["silent", "complaining"] {
        let mut smt = Smt::new(&script(name));
        for _ in 0..2 {
            let verdict = smt.solve(&exprs, &constraints, &Stop::after_looks(30));
            assert_eq!(verdict, Verdict::Unknown);
            assert_eq!(smt.problem(), None, "{name}");
        }
    }
}

#[cfg(unix)]
#[test]
fn who_never_ends_or_ends_at_once_is_a_problem() {
    let mut exprs = Exprs::default();
    let constraints = factors(&mut exprs);
    for (name, problem) in [
        ("babbling", "says more than any answer is long"),
        ("blank", "says more than any answer is long"),
        ("closing", "has ended without an answer (it closed its output)"),
        ("dying", "has ended without an answer (exit status: 3: out of luck)"),
    ] {
        let program = script(name);
        let mut smt = Smt::new(&program);
        assert_eq!(solve(&mut smt, &exprs, &constraints), Verdict::Unknown);
        let said = smt.problem().unwrap_or_default();
        assert!(said.starts_with(&program) && said.contains(problem), "{said}");
    }
}

#[cfg(unix)]
#[test]
fn who_does_not_tell_its_version_is_not_waited_for() {
    for (name, instead) in [
        ("silent", "does not tell its version within 5 seconds"),
        ("dying", "does not tell its version (exit status: 3)"),
        ("none", "is not installed"),
    ] {
        assert_eq!(Smt::new(&script(name)).check(), Err(instead.to_owned()));
    }
}
