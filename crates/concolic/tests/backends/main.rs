//! Solvers against the machine's own arithmetic: every operation on special and on random numbers,
//! random expressions against trying out all inputs, domains, and giving up in time.

mod domains;
mod expressions;
#[path = "../common/numbers.rs"]
mod numbers;
mod operations;
mod patience;

use mw_concolic::Stop;
use mw_concolic::expr::{Expr, Exprs, Input, Var};
use mw_concolic::solver::backend::{Backend, Verdict};
use mw_concolic::solver::smt::Smt;
use mw_vm::ValType;
use mw_world::Domain;

/// An input with a domain.
fn input(exprs: &mut Exprs, position: u32, ty: ValType, domain: Domain) -> (Var, Expr) {
    let var = exprs.var(Input { position, ty, domain });
    (var, exprs.input_expr(var))
}

/// An input that can be any value of its type.
fn any(exprs: &mut Exprs, position: u32, ty: ValType) -> (Var, Expr) {
    let domain = Domain::all(ty).unwrap_or_else(|| panic!("{ty:?} is not a type of numbers"));
    input(exprs, position, ty, domain)
}

/// What the solver says, with all the time in the world.
fn solve(backend: &mut dyn Backend, exprs: &Exprs, constraints: &[Expr]) -> Verdict {
    backend.solve(exprs, constraints, &Stop::default())
}

/// An external solver for a second opinion, where it is installed.
fn second_opinion(program: &str) -> Option<Smt> {
    let smt = Smt::new(program);
    if smt.is_installed() {
        return Some(smt);
    }
    eprintln!("SKIPPED: {program} is not installed, `cargo xtask setup` tells how");
    None
}
