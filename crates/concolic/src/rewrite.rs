//! Simpler expressions for the same, found when an expression is made.
//!
//! Compilers write a condition in many ways; a few rules bring most of them to one form, and what
//! is left of a decision often is a number. Every rule holds for all values of its operands.

use mw_vm::NumericOp::{self, *};
use mw_vm::ValType;

use crate::expr::{Expr, Exprs, Node};

/// The operands in the order that rules expect: a number on the right where order does not matter.
pub fn ordered(exprs: &Exprs, op: NumericOp, a: Expr, b: Expr) -> (Expr, Expr) {
    let commutes = matches!(
        op,
        I32Add
            | I32Mul
            | I32And
            | I32Or
            | I32Xor
            | I32Eq
            | I32Ne
            | I64Add
            | I64Mul
            | I64And
            | I64Or
            | I64Xor
            | I64Eq
            | I64Ne
    );
    let is_const = |expr| exprs.as_const(expr).is_some();
    match commutes && (is_const(a), b) < (is_const(b), a) {
        true => (a, b),
        false if commutes => (b, a),
        false => (a, b),
    }
}

/// A simpler expression for an operation with one operand, if there is one.
pub fn unary(exprs: &mut Exprs, op: NumericOp, a: Expr) -> Option<Expr> {
    match (op, exprs.node(a)) {
        (_, Node::Const(_, slot)) => {
            Some(exprs.constant(op.result(), op.evaluate(slot, 0).unwrap_or(0)))
        }
        (I32Eqz, Node::Binary(inner, x, y)) if let Some(negated) = negated(inner) => {
            Some(exprs.binary(negated, x, y))
        }
        (I32Eqz, Node::Unary(I32Eqz, x)) => Some(exprs.truth(x)),
        (I32Eqz, Node::Unary(I64Eqz, x)) => Some(exprs.with_const(I64Ne, x, 0)),
        (I32WrapI64, Node::Unary(I64ExtendI32S | I64ExtendI32U, x))
        | (I32ReinterpretF32, Node::Unary(F32ReinterpretI32, x))
        | (I64ReinterpretF64, Node::Unary(F64ReinterpretI64, x))
        | (F32ReinterpretI32, Node::Unary(I32ReinterpretF32, x))
        | (F64ReinterpretI64, Node::Unary(I64ReinterpretF64, x)) => Some(x),
        (I64Eqz, Node::Unary(I64ExtendI32S | I64ExtendI32U, x)) => Some(exprs.not(x)),
        // Where both cases are numbers, the result is one as well.
        (_, Node::Ite(condition, then, otherwise))
            if exprs.as_const(then).is_some() && exprs.as_const(otherwise).is_some() =>
        {
            let (then, otherwise) = (exprs.unary(op, then), exprs.unary(op, otherwise));
            Some(exprs.ite(condition, then, otherwise))
        }
        _ => None,
    }
}

/// A simpler expression for an operation with two operands (in order), if there is one.
pub fn binary(exprs: &mut Exprs, op: NumericOp, a: Expr, b: Expr) -> Option<Expr> {
    match (exprs.as_const(a), exprs.as_const(b)) {
        (Some(a), Some(b)) => {
            return Some(exprs.constant(op.result(), op.evaluate(a, b).unwrap_or(0)));
        }
        (None, Some(slot)) => {
            if let Some(simpler) = with_const(exprs, op, a, slot) {
                return Some(simpler);
            }
        }
        _ => {}
    }
    if a != b {
        return None;
    }
    match op {
        I32Sub | I32Xor | I64Sub | I64Xor => Some(exprs.constant(op.result(), 0)),
        I32And | I32Or | I64And | I64Or => Some(a),
        I32Eq | I32LeS | I32LeU | I32GeS | I32GeU | I64Eq | I64LeS | I64LeU | I64GeS | I64GeU => {
            Some(exprs.i32(1))
        }
        I32Ne | I32LtS | I32LtU | I32GtS | I32GtU | I64Ne | I64LtS | I64LtU | I64GtS | I64GtU => {
            Some(exprs.i32(0))
        }
        _ => None,
    }
}

/// The same where the right operand is a number and the left one is not.
fn with_const(exprs: &mut Exprs, op: NumericOp, a: Expr, slot: u64) -> Option<Expr> {
    let is_wide = op.operand() == ValType::I64;
    let ones = if is_wide { u64::MAX } else { u64::from(u32::MAX) };
    let zero = |exprs: &mut Exprs| Some(exprs.constant(op.result(), 0));
    match op {
        I32Add | I64Add | I32Sub | I64Sub | I32Or | I64Or | I32Xor | I64Xor | I32Shl | I64Shl
        | I32ShrS | I64ShrS | I32ShrU | I64ShrU | I32Rotl | I64Rotl | I32Rotr | I64Rotr
            if slot == 0 =>
        {
            return Some(a);
        }
        I32Mul | I64Mul | I32DivS | I64DivS | I32DivU | I64DivU if slot == 1 => return Some(a),
        I32Mul | I64Mul | I32And | I64And if slot == 0 => return zero(exprs),
        I32And | I64And if slot == ones => return Some(a),
        I32LtU | I64LtU if slot == 0 => return zero(exprs),
        I32GeU | I64GeU if slot == 0 => return Some(exprs.i32(1)),
        _ => {}
    }
    if op == I32Sub || op == I64Sub {
        let add = if is_wide { I64Add } else { I32Add };
        return Some(exprs.with_const(add, a, slot.wrapping_neg() & ones));
    }
    if exprs.is_boolean(a) {
        match (op, slot) {
            (I32And | I32Mul, 1) | (I32Ne, 0) | (I32Eq, 1) | (I32GtU | I32GtS, 0) => {
                return Some(a);
            }
            (I32Eq, 0) | (I32Ne, 1) | (I32Xor, 1) | (I32LtU | I32LtS, 1) => {
                return Some(exprs.not(a));
            }
            (I32Eq, _) => return zero(exprs),
            (I32Ne, _) => return Some(exprs.i32(1)),
            _ => {}
        }
    }
    match exprs.node(a) {
        // Sums of numbers: one number.
        Node::Binary(inner @ (I32Add | I64Add), x, y) if let Some(other) = exprs.as_const(y) => {
            match op {
                I32Add | I64Add => {
                    return Some(exprs.with_const(inner, x, other.wrapping_add(slot) & ones));
                }
                I32Eq | I32Ne | I64Eq | I64Ne => {
                    return Some(exprs.with_const(op, x, slot.wrapping_sub(other) & ones));
                }
                _ => {}
            }
        }
        Node::Binary(inner @ (I32And | I64And), x, y) if let Some(other) = exprs.as_const(y) => {
            if matches!(op, I32And | I64And) {
                return Some(exprs.with_const(inner, x, other & slot));
            }
        }
        // Where both cases are numbers, the result is one as well.
        Node::Ite(condition, then, otherwise)
            if exprs.as_const(then).is_some() && exprs.as_const(otherwise).is_some() =>
        {
            let then = exprs.with_const(op, then, slot);
            let otherwise = exprs.with_const(op, otherwise, slot);
            return Some(exprs.ite(condition, then, otherwise));
        }
        Node::Unary(I64ExtendI32U, x) if slot <= u64::from(u32::MAX) => {
            let narrow = match op {
                I64Eq => I32Eq,
                I64Ne => I32Ne,
                I64LtU => I32LtU,
                I64GtU => I32GtU,
                I64LeU => I32LeU,
                I64GeU => I32GeU,
                _ => return None,
            };
            return Some(exprs.with_const(narrow, x, slot));
        }
        _ => {}
    }
    None
}

/// A simpler expression for a choice, if there is one.
pub fn ite(exprs: &mut Exprs, condition: Expr, then: Expr, otherwise: Expr) -> Option<Expr> {
    if then == otherwise {
        return Some(then);
    }
    if let Some(slot) = exprs.as_const(condition) {
        return Some(if slot as u32 != 0 { then } else { otherwise });
    }
    if let Node::Unary(I32Eqz, inner) = exprs.node(condition) {
        return Some(exprs.ite(inner, otherwise, then));
    }
    if exprs.ty(then) == ValType::I32 {
        match (exprs.as_const(then), exprs.as_const(otherwise)) {
            (Some(1), Some(0)) => return Some(exprs.truth(condition)),
            (Some(0), Some(1)) => return Some(exprs.not(condition)),
            _ => {}
        }
    }
    None
}

/// The comparison that holds where this one does not.
fn negated(op: NumericOp) -> Option<NumericOp> {
    Some(match op {
        I32Eq => I32Ne,
        I32Ne => I32Eq,
        I32LtS => I32GeS,
        I32GeS => I32LtS,
        I32LtU => I32GeU,
        I32GeU => I32LtU,
        I32GtS => I32LeS,
        I32LeS => I32GtS,
        I32GtU => I32LeU,
        I32LeU => I32GtU,
        I64Eq => I64Ne,
        I64Ne => I64Eq,
        I64LtS => I64GeS,
        I64GeS => I64LtS,
        I64LtU => I64GeU,
        I64GeU => I64LtU,
        I64GtS => I64LeS,
        I64LeS => I64GtS,
        I64GtU => I64LeU,
        I64LeU => I64GtU,
        F32Eq => F32Ne,
        F32Ne => F32Eq,
        F64Eq => F64Ne,
        F64Ne => F64Eq,
        _ => return None,
    })
}
