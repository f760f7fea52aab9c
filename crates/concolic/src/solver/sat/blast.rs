//! Expressions as bits: what each node of the graph is, in gates.
//!
//! Nodes are translated in the order of their numbers, never by recursion, and each only once.
//! Like everywhere in expressions, what would trap is 0.

use std::collections::{HashMap, HashSet};

use mw_vm::NumericOp::{self, *};
use mw_vm::ValType;

use super::floats::{self, Format, Integral};
use super::gates::{Bit, Gates, Word};
use super::inputs;
use super::integers::{Shift, constant, sign, sign_extended, zero_extended};
use crate::expr::{Expr, Exprs, Node, Var};
use crate::stop::Stop;

/// How many bits a value of a type has.
pub fn width(ty: ValType) -> usize {
    match ty {
        ValType::I32 | ValType::F32 => 32,
        ValType::I64 | ValType::F64 | ValType::FuncRef | ValType::ExternRef => 64,
    }
}

/// Which words expressions have become.
#[derive(Default)]
pub struct Blaster {
    /// By the expression's number.
    words: Vec<Option<Box<[Bit]>>>,
    /// How many clauses each has cost.
    costs: HashMap<Expr, u64>,
    inputs: HashMap<Var, Expr>,
}

impl Blaster {
    /// The bits of an expression that has been translated.
    pub fn word(&self, expr: Expr) -> &[Bit] {
        self.words.get(expr.index()).and_then(Option::as_deref).unwrap_or(&[])
    }

    /// The bits of an input that is part of an expression that has been translated.
    pub fn input(&self, var: Var) -> &[Bit] {
        self.inputs.get(&var).map_or(&[], |&expr| self.word(expr))
    }

    /// About how many bytes they take.
    pub fn held(&self) -> usize {
        let words = self.words.iter().flatten().map(|word| size_of_val(&word[..]));
        size_of_val(&self.words[..]) + words.sum::<usize>() + self.costs.len() * 32
    }

    /// How many clauses there are because of these expressions and all that they consist of.
    pub fn cost(&self, exprs: &Exprs, wanted: &[Expr]) -> u64 {
        let parts = parts(exprs, wanted, |_| true);
        parts.iter().filter_map(|expr| self.costs.get(expr)).sum()
    }

    /// Translates the expressions and all that they consist of. Returns false if there are more
    /// clauses then than there may be, or if it is over before.
    pub fn translate(
        &mut self,
        (gates, most): (&mut Gates, u64),
        exprs: &Exprs,
        wanted: &[Expr],
        stop: &Stop,
    ) -> bool {
        self.words.resize(self.words.len().max(exprs.len()), None);
        let mut missing = parts(exprs, wanted, |expr| self.words[expr.index()].is_none());
        missing.sort_unstable();
        for expr in missing {
            if stop.is_over() || gates.clauses() > most {
                return false;
            }
            let before = gates.clauses();
            let word = match exprs.node(expr) {
                Node::Const(ty, slot) => constant(slot, width(ty)),
                Node::Input(var) => {
                    self.inputs.insert(var, expr);
                    inputs::word(gates, exprs.input(var))
                }
                Node::Unary(op, a) => operation(gates, op, self.word(a), &[]),
                Node::Binary(op, a, b) => operation(gates, op, self.word(a), self.word(b)),
                Node::Ite(condition, then, otherwise) => {
                    let condition = gates.any(self.word(condition));
                    gates.choose(condition, self.word(then), self.word(otherwise))
                }
            };
            self.words[expr.index()] = Some(word.into());
            self.costs.insert(expr, gates.clauses().saturating_sub(before));
        }
        true
    }
}

/// These expressions and all that they consist of, but for those (and their parts) that do not
/// count, in no particular order.
fn parts(exprs: &Exprs, whole: &[Expr], counts: impl Fn(Expr) -> bool) -> Vec<Expr> {
    let mut open = whole.to_vec();
    let mut parts = HashSet::new();
    while let Some(expr) = open.pop() {
        if !counts(expr) || !parts.insert(expr) {
            continue;
        }
        open.extend(exprs.node(expr).operands());
    }
    parts.into_iter().collect()
}

/// The result of an operation; one with a single operand takes no notice of `b`.
fn operation(gates: &mut Gates, op: NumericOp, a: &[Bit], b: &[Bit]) -> Word {
    let bit = match op {
        F32Abs | F32Neg | F32Ceil | F32Floor | F32Trunc | F32Nearest | F32Sqrt | F32Add
        | F32Sub | F32Mul | F32Div | F32Min | F32Max | F32Copysign | F32DemoteF64
        | F32ConvertI32S | F32ConvertI32U | F32ConvertI64S | F32ConvertI64U | F64Abs | F64Neg
        | F64Ceil | F64Floor | F64Trunc | F64Nearest | F64Sqrt | F64Add | F64Sub | F64Mul
        | F64Div | F64Min | F64Max | F64Copysign | F64PromoteF32 | F64ConvertI32S
        | F64ConvertI32U | F64ConvertI64S | F64ConvertI64U => return to_float(gates, op, a, b),
        F32Eq | F64Eq => floats::equal(gates, a, b),
        F32Ne | F64Ne => !floats::equal(gates, a, b),
        F32Lt | F64Lt => floats::less(gates, a, b),
        F32Gt | F64Gt => floats::less(gates, b, a),
        F32Le | F64Le => floats::less_or_equal(gates, a, b),
        F32Ge | F64Ge => floats::less_or_equal(gates, b, a),
        I32Eqz | I64Eqz | RefIsNull => !gates.any(a),
        I32Eq | I64Eq => gates.equal(a, b),
        I32Ne | I64Ne => !gates.equal(a, b),
        I32LtU | I64LtU => gates.less_unsigned(a, b),
        I32GtU | I64GtU => gates.less_unsigned(b, a),
        I32LeU | I64LeU => !gates.less_unsigned(b, a),
        I32GeU | I64GeU => !gates.less_unsigned(a, b),
        I32LtS | I64LtS => gates.less_signed(a, b),
        I32GtS | I64GtS => gates.less_signed(b, a),
        I32LeS | I64LeS => !gates.less_signed(b, a),
        I32GeS | I64GeS => !gates.less_signed(a, b),
        _ => return to_integer(gates, op, a, b),
    };
    zero_extended(&[bit], 32)
}

/// The result of an operation that results in an integer which is not a truth value, or in the
/// same bits as another type.
fn to_integer(gates: &mut Gates, op: NumericOp, a: &[Bit], b: &[Bit]) -> Word {
    let distance = || &b[..b.len().ilog2() as usize];
    match op {
        I32Add | I64Add => gates.add(a, b),
        I32Sub | I64Sub => gates.subtract(a, b),
        I32Mul | I64Mul => gates.multiply(a, b, a.len()),
        I32And | I64And => gates.zip(a, b, Gates::and),
        I32Or | I64Or => gates.zip(a, b, Gates::or),
        I32Xor | I64Xor => gates.zip(a, b, Gates::xor),
        I32Shl | I64Shl => gates.shift(a, distance(), Shift::Left, Bit::FALSE),
        I32ShrU | I64ShrU => gates.shift(a, distance(), Shift::Right, Bit::FALSE),
        I32ShrS | I64ShrS => gates.shift(a, distance(), Shift::Right, sign(a)),
        I32Rotl | I64Rotl => gates.rotate_left(a, distance()),
        I32Rotr | I64Rotr => {
            let left = gates.negate(distance());
            gates.rotate_left(a, &left)
        }
        I32DivU | I64DivU => {
            let (quotient, _) = gates.divide(a, b);
            let defined = gates.any(b);
            gates.masked(&quotient, defined)
        }
        I32RemU | I64RemU => {
            let (_, rest) = gates.divide(a, b);
            let defined = gates.any(b);
            gates.masked(&rest, defined)
        }
        I32DivS | I64DivS => gates.divide_signed(a, b).0,
        I32RemS | I64RemS => gates.divide_signed(a, b).1,
        I32Clz | I64Clz => gates.leading_zeros(a),
        I32Ctz | I64Ctz => {
            let reversed: Word = a.iter().rev().copied().collect();
            gates.leading_zeros(&reversed)
        }
        I32Popcnt | I64Popcnt => gates.count_ones(a),
        I32WrapI64 => a[..32].to_vec(),
        I64ExtendI32S => sign_extended(a, 64),
        I64ExtendI32U => zero_extended(a, 64),
        I32Extend8S | I64Extend8S => sign_extended(&a[..8], a.len()),
        I32Extend16S | I64Extend16S => sign_extended(&a[..16], a.len()),
        I64Extend32S => sign_extended(&a[..32], 64),
        I32TruncF32S | I32TruncF64S => floats::truncate(gates, a, 32, true, false),
        I32TruncF32U | I32TruncF64U => floats::truncate(gates, a, 32, false, false),
        I64TruncF32S | I64TruncF64S => floats::truncate(gates, a, 64, true, false),
        I64TruncF32U | I64TruncF64U => floats::truncate(gates, a, 64, false, false),
        I32TruncSatF32S | I32TruncSatF64S => floats::truncate(gates, a, 32, true, true),
        I32TruncSatF32U | I32TruncSatF64U => floats::truncate(gates, a, 32, false, true),
        I64TruncSatF32S | I64TruncSatF64S => floats::truncate(gates, a, 64, true, true),
        I64TruncSatF32U | I64TruncSatF64U => floats::truncate(gates, a, 64, false, true),
        // Reinterpretation changes the type, not the bits.
        _ => a.to_vec(),
    }
}

/// The result of an operation that results in a float.
fn to_float(gates: &mut Gates, op: NumericOp, a: &[Bit], b: &[Bit]) -> Word {
    let format = if op.result() == ValType::F32 { Format::F32 } else { Format::F64 };
    match op {
        F32Abs | F64Abs => floats::with_sign(a, Bit::FALSE),
        F32Neg | F64Neg => floats::with_sign(a, !sign(a)),
        F32Copysign | F64Copysign => floats::with_sign(a, sign(b)),
        F32Ceil | F64Ceil => floats::to_integral(gates, a, Integral::Ceil),
        F32Floor | F64Floor => floats::to_integral(gates, a, Integral::Floor),
        F32Trunc | F64Trunc => floats::to_integral(gates, a, Integral::Trunc),
        F32Nearest | F64Nearest => floats::to_integral(gates, a, Integral::Nearest),
        F32Add | F64Add => floats::add(gates, a, b),
        F32Sub | F64Sub => floats::add(gates, a, &floats::with_sign(b, !sign(b))),
        F32Mul | F64Mul => floats::multiply(gates, a, b),
        F32Div | F64Div => floats::divide(gates, a, b),
        F32Sqrt | F64Sqrt => floats::square_root(gates, a),
        F32Min | F64Min => floats::minimum(gates, a, b),
        F32Max | F64Max => floats::maximum(gates, a, b),
        F32ConvertI32S | F32ConvertI64S | F64ConvertI32S | F64ConvertI64S => {
            floats::from_integer(gates, format, a, sign(a))
        }
        F32ConvertI32U | F32ConvertI64U | F64ConvertI32U | F64ConvertI64U => {
            floats::from_integer(gates, format, a, Bit::FALSE)
        }
        // Between the two formats.
        _ => floats::convert(gates, format, a),
    }
}
