//! Conditions in terms of inputs: "find a universe where `global 0 == 66`".

use mw_concolic::expr::{Expr, Exprs};
use mw_concolic::{Predicate, SymbolicState};
use mw_source::{Operator, Tree};
use mw_vm::NumericOp::{self, *};
use mw_vm::{Cell, ValType};

use crate::condition::Condition;

impl Condition {
    /// Whether a universe can be looked for in which it holds: it compares cells and numbers.
    pub fn is_symbolic(&self) -> bool {
        self.tree().is_some_and(is_symbolic)
    }
}

impl Predicate for Condition {
    fn expr(&self, state: &mut SymbolicState<'_>) -> Option<Expr> {
        Some(holds(self.tree()?, state))
    }

    fn looks_at(&self) -> Vec<Cell> {
        self.tree().map(cells).unwrap_or_default()
    }
}

fn is_symbolic(tree: &Tree) -> bool {
    match tree {
        Tree::Cell(Cell::Local { depth, .. }) => *depth == 0,
        Tree::Integer(number) => i64::try_from(*number).is_ok(),
        Tree::Cell(_) | Tree::Float(_) | Tree::Bool(_) => true,
        Tree::Unary('!', of) => is_symbolic(of),
        Tree::Binary(operator, left, right) => {
            let joins =
                matches!(operator, Operator::And | Operator::Or) || comparison(*operator).is_some();
            joins && is_symbolic(left) && is_symbolic(right)
        }
        _ => false,
    }
}

fn cells(tree: &Tree) -> Vec<Cell> {
    match tree {
        Tree::Cell(cell) => vec![*cell],
        Tree::Unary(_, of) => cells(of),
        Tree::Binary(_, left, right) => [cells(left), cells(right)].concat(),
        _ => Vec::new(),
    }
}

/// Whether something holds. What is not there does not.
fn holds(tree: &Tree, state: &mut SymbolicState<'_>) -> Expr {
    let value = value(tree, state);
    let value = value.map(|value| match state.exprs.ty(value) {
        ValType::F64 => state.exprs.with_const(F64Ne, value, 0),
        _ => state.exprs.truth(value),
    });
    value.unwrap_or_else(|| state.exprs.i32(0))
}

/// The value of a part, as an `i64`, an `f64`, or an `i32` for what holds or does not.
fn value(tree: &Tree, state: &mut SymbolicState<'_>) -> Option<Expr> {
    Some(match tree {
        Tree::Cell(cell) => {
            let value = state.cell(*cell)?;
            match state.exprs.ty(value) {
                ValType::I32 => state.exprs.unary(I64ExtendI32S, value),
                ValType::F32 => state.exprs.unary(F64PromoteF32, value),
                ValType::I64 | ValType::F64 => value,
                ValType::FuncRef | ValType::ExternRef => return None,
            }
        }
        Tree::Integer(number) => {
            state.exprs.constant(ValType::I64, i64::try_from(*number).ok()? as u64)
        }
        Tree::Float(number) => state.exprs.constant(ValType::F64, number.to_bits()),
        Tree::Bool(value) => state.exprs.i32((*value).into()),
        Tree::Unary('!', of) => {
            value(of, state)?;
            let holds = holds(of, state);
            state.exprs.not(holds)
        }
        Tree::Binary(Operator::And, left, right) => {
            let (left, right) = (holds(left, state), holds(right, state));
            state.exprs.and(left, right)
        }
        Tree::Binary(Operator::Or, left, right) => {
            let (left, right) = (holds(left, state), holds(right, state));
            state.exprs.or(left, right)
        }
        Tree::Binary(operator, left, right) => {
            let (integers, floats) = comparison(*operator)?;
            let (left, right) = (value(left, state)?, value(right, state)?);
            // As people compare: integers as integers, anything else as floats.
            let exprs = &mut *state.exprs;
            match [left, right].map(|expr| exprs.ty(expr)).contains(&ValType::F64) {
                true => {
                    let (left, right) = (as_float(exprs, left), as_float(exprs, right));
                    exprs.binary(floats, left, right)
                }
                false => {
                    let (left, right) = (as_integer(exprs, left), as_integer(exprs, right));
                    exprs.binary(integers, left, right)
                }
            }
        }
        _ => return None,
    })
}

/// What compares integers, and floats.
fn comparison(operator: Operator) -> Option<(NumericOp, NumericOp)> {
    Some(match operator {
        Operator::Is | Operator::Equal => (I64Eq, F64Eq),
        Operator::NotEqual => (I64Ne, F64Ne),
        Operator::Less => (I64LtS, F64Lt),
        Operator::LessEqual => (I64LeS, F64Le),
        Operator::Greater => (I64GtS, F64Gt),
        Operator::GreaterEqual => (I64GeS, F64Ge),
        _ => return None,
    })
}

fn as_integer(exprs: &mut Exprs, expr: Expr) -> Expr {
    match exprs.ty(expr) {
        ValType::I32 => exprs.unary(I64ExtendI32S, expr),
        _ => expr,
    }
}

fn as_float(exprs: &mut Exprs, expr: Expr) -> Expr {
    match exprs.ty(expr) {
        ValType::F64 => expr,
        _ => {
            let integer = as_integer(exprs, expr);
            exprs.unary(F64ConvertI64S, integer)
        }
    }
}
