//! Conditions in terms of inputs: "find a universe where `global 0 == 66`".
//!
//! The same tree as everywhere, with the same meaning: integers are computed at the width of the
//! wider operand, anything else as floats.

use mw_concolic::expr::{Expr, Exprs};
use mw_concolic::{Predicate, State};
use mw_source::Tree;
use mw_vm::NumericOp::{self, *};
use mw_vm::{Cell, ValType};

use crate::condition::Condition;

impl Condition {
    /// Whether a universe can be looked for in which it holds: what it is about can be written in
    /// terms of inputs.
    pub fn is_symbolic(&self) -> bool {
        self.expression().is_some_and(|expression| is_symbolic(expression.tree()))
    }
}

impl Predicate for Condition {
    fn expr(&self, state: &mut State<'_>) -> Option<Expr> {
        let tree = self.expression()?.tree();
        Some(holds(tree, state))
    }

    fn looks_at(&self) -> Vec<Cell> {
        let mut cells = Vec::new();
        if let Some(expression) = self.expression() {
            add_cells(expression.tree(), &mut cells);
        }
        cells
    }
}

fn is_symbolic(tree: &Tree) -> bool {
    match tree {
        Tree::Cell(Cell::Local { depth, .. }) => *depth == 0,
        Tree::Cell(_) | Tree::Float(_) | Tree::Bool(_) => true,
        Tree::Integer(number) => i64::try_from(*number).is_ok(),
        Tree::Unary('-' | '!' | '~', of) => is_symbolic(of),
        Tree::Binary("/" | "%", ..) => false,
        Tree::Binary(_, left, right) => is_symbolic(left) && is_symbolic(right),
        _ => false,
    }
}

fn add_cells(tree: &Tree, cells: &mut Vec<Cell>) {
    match tree {
        Tree::Cell(cell) => cells.push(*cell),
        Tree::Unary(_, of) => add_cells(of, cells),
        Tree::Binary(_, left, right) => {
            add_cells(left, cells);
            add_cells(right, cells);
        }
        _ => {}
    }
}

/// Whether something holds. What is not there does not.
fn holds(tree: &Tree, state: &mut State<'_>) -> Expr {
    let value = value(tree, state).and_then(|value| truth(state.exprs, value));
    value.unwrap_or_else(|| state.exprs.i32(0))
}

fn truth(exprs: &mut Exprs, value: Expr) -> Option<Expr> {
    match exprs.ty(value) {
        ValType::I32 | ValType::I64 => Some(exprs.truth(value)),
        ValType::F32 | ValType::F64 => {
            let (value, zero) = (as_float(exprs, value)?, exprs.constant(ValType::F64, 0));
            Some(exprs.binary(F64Ne, value, zero))
        }
        ValType::FuncRef | ValType::ExternRef => None,
    }
}

/// The value of a part: an integer or a float.
fn value(tree: &Tree, state: &mut State<'_>) -> Option<Expr> {
    match tree {
        Tree::Cell(cell) => state.cell(*cell),
        Tree::Integer(number) => literal(state.exprs, *number),
        Tree::Float(number) => Some(state.exprs.constant(ValType::F64, number.to_bits())),
        Tree::Bool(value) => Some(state.exprs.i32((*value).into())),
        Tree::Unary('!', of) => {
            let value = value(of, state)?;
            let value = truth(state.exprs, value)?;
            Some(state.exprs.not(value))
        }
        Tree::Unary('-', of) => match **of {
            Tree::Integer(number) => literal(state.exprs, -number),
            _ => {
                let value = value(of, state)?;
                let op = match state.exprs.ty(value) {
                    ValType::F32 => return Some(state.exprs.unary(F32Neg, value)),
                    ValType::F64 => return Some(state.exprs.unary(F64Neg, value)),
                    _ => "-",
                };
                let zero = state.exprs.i32(0);
                binary(state.exprs, op, zero, value)
            }
        },
        Tree::Unary('~', of) => {
            let (value, ones) = (value(of, state)?, state.exprs.i32(-1));
            binary(state.exprs, "^", value, ones)
        }
        Tree::Binary("&&", left, right) => {
            let (left, right) = (holds(left, state), holds(right, state));
            Some(state.exprs.and(left, right))
        }
        Tree::Binary("||", left, right) => {
            let (left, right) = (holds(left, state), holds(right, state));
            Some(state.exprs.or(left, right))
        }
        Tree::Binary(operator, left, right) => {
            let (left, right) = (value(left, state), value(right, state));
            match (compared(operator), left, right) {
                (Some(ops), Some(left), Some(right)) => compare(state.exprs, ops, left, right),
                // What is not there is neither equal nor different.
                (Some(_), ..) => Some(state.exprs.i32(0)),
                (None, left, right) => binary(state.exprs, operator, left?, right?),
            }
        }
        _ => None,
    }
}

/// A number as it is written.
fn literal(exprs: &mut Exprs, number: i128) -> Option<Expr> {
    match i32::try_from(number) {
        Ok(number) => Some(exprs.i32(number)),
        Err(_) => Some(exprs.constant(ValType::I64, i64::try_from(number).ok()? as u64)),
    }
}

/// What compares integers, and floats.
fn compared(operator: &str) -> Option<(NumericOp, NumericOp)> {
    Some(match operator {
        "=" | "==" | "===" => (I64Eq, F64Eq),
        "!=" | "!==" => (I64Ne, F64Ne),
        "<" => (I64LtS, F64Lt),
        "<=" => (I64LeS, F64Le),
        ">" => (I64GtS, F64Gt),
        ">=" => (I64GeS, F64Ge),
        _ => return None,
    })
}

/// Numbers are compared as people compare them: integers as integers, anything else as floats.
fn compare(
    exprs: &mut Exprs,
    (integers, floats): (NumericOp, NumericOp),
    left: Expr,
    right: Expr,
) -> Option<Expr> {
    match (as_i64(exprs, left), as_i64(exprs, right)) {
        (Some(left), Some(right)) => Some(exprs.binary(integers, left, right)),
        _ => {
            let (left, right) = (as_float(exprs, left)?, as_float(exprs, right)?);
            Some(exprs.binary(floats, left, right))
        }
    }
}

fn binary(exprs: &mut Exprs, operator: &str, left: Expr, right: Expr) -> Option<Expr> {
    let types = [left, right].map(|expr| exprs.ty(expr));
    let ops = match operator {
        "+" => (I32Add, I64Add, Some(F64Add)),
        "-" => (I32Sub, I64Sub, Some(F64Sub)),
        "*" => (I32Mul, I64Mul, Some(F64Mul)),
        "&" => (I32And, I64And, None),
        "|" => (I32Or, I64Or, None),
        "^" => (I32Xor, I64Xor, None),
        "<<" => (I32Shl, I64Shl, None),
        ">>" => (I32ShrS, I64ShrS, None),
        _ => return None,
    };
    if types == [ValType::I32; 2] {
        return Some(exprs.binary(ops.0, left, right));
    }
    if let (Some(left), Some(right)) = (as_i64(exprs, left), as_i64(exprs, right)) {
        return Some(exprs.binary(ops.1, left, right));
    }
    let (left, right) = (as_float(exprs, left)?, as_float(exprs, right)?);
    let value = exprs.binary(ops.2?, left, right);
    Some(match types.contains(&ValType::F64) {
        true => value,
        false => exprs.unary(F32DemoteF64, value),
    })
}

fn as_i64(exprs: &mut Exprs, expr: Expr) -> Option<Expr> {
    match exprs.ty(expr) {
        ValType::I32 => Some(exprs.unary(I64ExtendI32S, expr)),
        ValType::I64 => Some(expr),
        _ => None,
    }
}

fn as_float(exprs: &mut Exprs, expr: Expr) -> Option<Expr> {
    match exprs.ty(expr) {
        ValType::I32 => Some(exprs.unary(F64ConvertI32S, expr)),
        ValType::I64 => Some(exprs.unary(F64ConvertI64S, expr)),
        ValType::F32 => Some(exprs.unary(F64PromoteF32, expr)),
        ValType::F64 => Some(expr),
        ValType::FuncRef | ValType::ExternRef => None,
    }
}
