//! Conditions in terms of inputs: "find a universe where `global 0 == 66`".

use mw_concolic::expr::{Expr, Exprs};
use mw_concolic::{Predicate, State, Watched};
use mw_vm::NumericOp::{self, *};
use mw_vm::ValType;

use crate::condition::{Comparison, Condition, Load, Operator, Term};

impl Predicate for Condition {
    fn expr(&self, state: &mut State<'_>) -> Option<Expr> {
        let mut any = state.exprs.i32(0);
        for all in self.alternatives() {
            let mut holds = state.exprs.i32(1);
            for comparison in all {
                // What is not there makes a comparison false.
                let compared = match compare(comparison, state) {
                    Some(compared) => compared,
                    None => state.exprs.i32(0),
                };
                holds = state.exprs.and(holds, compared);
            }
            any = state.exprs.or(any, holds);
        }
        Some(any)
    }

    fn looks_at(&self) -> Vec<Watched> {
        let terms = self.alternatives().iter().flatten();
        terms.flat_map(|c| [&c.left, &c.right]).filter_map(watched).collect()
    }
}

fn watched(term: &Term) -> Option<Watched> {
    match *term {
        Term::Integer(_) | Term::Float(_) => None,
        Term::Global(global) => Some(Watched::Global(global)),
        Term::Local(local) => Some(Watched::Local(local)),
        Term::Memory(address, load) => Some(Watched::Memory(address.into(), load.size().into())),
    }
}

/// Numbers are compared as people compare them: integers as integers, anything else as floats.
fn compare(comparison: &Comparison, state: &mut State<'_>) -> Option<Expr> {
    let (left, right) = (value(&comparison.left, state)?, value(&comparison.right, state)?);
    let exprs = &mut *state.exprs;
    let is_float = |exprs: &Exprs, expr| exprs.ty(expr) == ValType::F64;
    let (left, right, floats) = match is_float(exprs, left) || is_float(exprs, right) {
        false => (left, right, false),
        true => (as_float(exprs, left), as_float(exprs, right), true),
    };
    let op: NumericOp = match (comparison.operator, floats) {
        (Operator::Equal, false) => I64Eq,
        (Operator::Different, false) => I64Ne,
        (Operator::Less, false) => I64LtS,
        (Operator::LessOrEqual, false) => I64LeS,
        (Operator::Greater, false) => I64GtS,
        (Operator::GreaterOrEqual, false) => I64GeS,
        (Operator::Equal, true) => F64Eq,
        (Operator::Different, true) => F64Ne,
        (Operator::Less, true) => F64Lt,
        (Operator::LessOrEqual, true) => F64Le,
        (Operator::Greater, true) => F64Gt,
        (Operator::GreaterOrEqual, true) => F64Ge,
    };
    Some(exprs.binary(op, left, right))
}

/// A term as an `i64` or `f64`.
fn value(term: &Term, state: &mut State<'_>) -> Option<Expr> {
    let expr = match *term {
        Term::Integer(value) => state.exprs.constant(ValType::I64, value as u64),
        Term::Float(bits) => state.exprs.constant(ValType::F64, bits),
        Term::Global(global) => state.global(global)?,
        Term::Local(local) => state.local(local)?,
        Term::Memory(address, load) => {
            let bits = state.memory(address.into(), load.size())?;
            match load {
                Load::Number(ValType::F32) => state.exprs.unary(F32ReinterpretI32, bits),
                Load::Number(ValType::F64) => state.exprs.unary(F64ReinterpretI64, bits),
                _ => bits,
            }
        }
    };
    match state.exprs.ty(expr) {
        ValType::I32 => Some(state.exprs.unary(I64ExtendI32S, expr)),
        ValType::F32 => Some(state.exprs.unary(F64PromoteF32, expr)),
        ValType::I64 | ValType::F64 => Some(expr),
        ValType::FuncRef | ValType::ExternRef => None,
    }
}

fn as_float(exprs: &mut Exprs, expr: Expr) -> Expr {
    match exprs.ty(expr) {
        ValType::I64 => exprs.unary(F64ConvertI64S, expr),
        _ => expr,
    }
}
