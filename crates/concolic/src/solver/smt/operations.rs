//! What each operation of the machine is in SMT-LIB. What would trap is 0, as in all expressions.

use mw_vm::NumericOp::{self, *};
use mw_vm::ValType;

/// How a number is represented.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Form {
    /// As a bit vector.
    Bits,
    /// As a number of the theory of floats.
    Float,
    /// As whether it is zero or not.
    Truth,
}

/// An operand of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// The only one, or the left one.
    First,
    /// The right one.
    Second,
}

/// A number as it lies in a slot.
pub fn constant(ty: ValType, slot: u64) -> String {
    match width(ty) {
        32 => format!("#x{:08x}", slot as u32),
        _ => format!("#x{slot:016x}"),
    }
}

/// The float with these bits.
pub fn float_of_bits(ty: ValType, bits: &str) -> String {
    format!("({} {bits})", to_fp(ty))
}

/// The bits of the canonical NaN.
pub fn canonical_nan(ty: ValType) -> &'static str {
    if ty == ValType::F32 { "#x7fc00000" } else { "#x7ff8000000000000" }
}

fn width(ty: ValType) -> u32 {
    if matches!(ty, ValType::I32 | ValType::F32) { 32 } else { 64 }
}

fn to_fp(ty: ValType) -> &'static str {
    if ty == ValType::F32 { "(_ to_fp 8 24)" } else { "(_ to_fp 11 53)" }
}

fn is_float(ty: ValType) -> bool {
    matches!(ty, ValType::F32 | ValType::F64)
}

/// What a comparison says, given the names of its operands in the forms that it asks for.
pub fn comparison(op: NumericOp, operand: &mut dyn FnMut(Operand, Form) -> String) -> String {
    let form = if is_float(op.operand()) { Form::Float } else { Form::Bits };
    let a = operand(Operand::First, form);
    let b = if op.is_binary() { operand(Operand::Second, form) } else { String::new() };
    match op {
        I32Eq | I64Eq => format!("(= {a} {b})"),
        I32Ne | I64Ne => format!("(not (= {a} {b}))"),
        I32LtU | I64LtU => format!("(bvult {a} {b})"),
        I32GtU | I64GtU => format!("(bvult {b} {a})"),
        I32LeU | I64LeU => format!("(bvule {a} {b})"),
        I32GeU | I64GeU => format!("(bvule {b} {a})"),
        I32LtS | I64LtS => format!("(bvslt {a} {b})"),
        I32GtS | I64GtS => format!("(bvslt {b} {a})"),
        I32LeS | I64LeS => format!("(bvsle {a} {b})"),
        I32GeS | I64GeS => format!("(bvsle {b} {a})"),
        F32Eq | F64Eq => format!("(fp.eq {a} {b})"),
        F32Ne | F64Ne => format!("(not (fp.eq {a} {b}))"),
        F32Lt | F64Lt => format!("(fp.lt {a} {b})"),
        F32Gt | F64Gt => format!("(fp.lt {b} {a})"),
        F32Le | F64Le => format!("(fp.leq {a} {b})"),
        F32Ge | F64Ge => format!("(fp.leq {b} {a})"),
        // Whether it is zero.
        _ => format!("(= {a} {})", constant(op.operand(), 0)),
    }
}

/// What an operation that is no comparison results in, as bits or as a float, given the names of
/// its operands in the forms that it asks for; `None` if the result in this form has to be derived
/// from the other one.
pub fn term(
    op: NumericOp,
    form: Form,
    operand: &mut dyn FnMut(Operand, Form) -> String,
) -> Option<String> {
    if is_float(op.result()) {
        return to_float(op, form, operand);
    }
    let operand_form = match op {
        I32ReinterpretF32 | I64ReinterpretF64 => Form::Bits,
        _ if is_float(op.operand()) => Form::Float,
        _ => Form::Bits,
    };
    let a = operand(Operand::First, operand_form);
    let b = if op.is_binary() { operand(Operand::Second, operand_form) } else { String::new() };
    Some(to_integer(op, &a, &b))
}

/// An operation that results in an integer which is not a truth value.
fn to_integer(op: NumericOp, a: &str, b: &str) -> String {
    let ty = op.operand();
    let bits = width(ty);
    let number = |value: u64| constant(ty, value);
    let zero = number(0);
    let distance = || format!("(bvand {b} {})", number(u64::from(bits) - 1));
    let unless_zero = |term: String| format!("(ite (= {b} {zero}) {zero} {term})");
    let rotate = |one: &str, other: &str| {
        let rest = format!("(bvand (bvneg {b}) {})", number(u64::from(bits) - 1));
        format!("(bvor ({one} {a} {}) ({other} {a} {rest}))", distance())
    };
    let extend =
        |from: u32| format!("((_ sign_extend {}) ((_ extract {} 0) {a}))", bits - from, from - 1);
    match op {
        I32Add | I64Add => format!("(bvadd {a} {b})"),
        I32Sub | I64Sub => format!("(bvsub {a} {b})"),
        I32Mul | I64Mul => format!("(bvmul {a} {b})"),
        I32And | I64And => format!("(bvand {a} {b})"),
        I32Or | I64Or => format!("(bvor {a} {b})"),
        I32Xor | I64Xor => format!("(bvxor {a} {b})"),
        I32Shl | I64Shl => format!("(bvshl {a} {})", distance()),
        I32ShrU | I64ShrU => format!("(bvlshr {a} {})", distance()),
        I32ShrS | I64ShrS => format!("(bvashr {a} {})", distance()),
        I32Rotl | I64Rotl => rotate("bvshl", "bvlshr"),
        I32Rotr | I64Rotr => rotate("bvlshr", "bvshl"),
        I32DivU | I64DivU => unless_zero(format!("(bvudiv {a} {b})")),
        I32RemU | I64RemU => unless_zero(format!("(bvurem {a} {b})")),
        I32RemS | I64RemS => unless_zero(format!("(bvsrem {a} {b})")),
        I32DivS | I64DivS => {
            let (smallest, minus_one) = (number(1 << (bits - 1)), number(u64::MAX));
            let overflows = format!("(and (= {a} {smallest}) (= {b} {minus_one}))");
            unless_zero(format!("(ite {overflows} {zero} (bvsdiv {a} {b}))"))
        }
        I32Popcnt | I64Popcnt => count_ones(ty, a),
        // The zeros below the lowest one are the ones of a number that has nothing else.
        I32Ctz | I64Ctz => {
            count_ones(ty, &format!("(bvand (bvnot {a}) (bvsub {a} {}))", number(1)))
        }
        // With the highest one copied to all places below it, the rest are the zeros above.
        I32Clz | I64Clz => {
            let spread = (0..bits.ilog2()).fold(a.to_owned(), |word, power| {
                format!("(let ((w {word})) (bvor w (bvlshr w {})))", number(1 << power))
            });
            count_ones(ty, &format!("(bvnot {spread})"))
        }
        I32WrapI64 => format!("((_ extract 31 0) {a})"),
        I64ExtendI32S => format!("((_ sign_extend 32) {a})"),
        I64ExtendI32U => format!("((_ zero_extend 32) {a})"),
        I32Extend8S | I64Extend8S => extend(8),
        I32Extend16S | I64Extend16S => extend(16),
        I64Extend32S => extend(32),
        I32TruncF32S | I32TruncF64S | I64TruncF32S | I64TruncF64S => truncate(op, a, true, false),
        I32TruncF32U | I32TruncF64U | I64TruncF32U | I64TruncF64U => truncate(op, a, false, false),
        I32TruncSatF32S | I32TruncSatF64S | I64TruncSatF32S | I64TruncSatF64S => {
            truncate(op, a, true, true)
        }
        I32TruncSatF32U | I32TruncSatF64U | I64TruncSatF32U | I64TruncSatF64U => {
            truncate(op, a, false, true)
        }
        // Reinterpretation changes the type, not the bits.
        _ => a.to_owned(),
    }
}

/// How many ones there are.
fn count_ones(ty: ValType, word: &str) -> String {
    let bits = width(ty);
    let bit = |at| format!("((_ zero_extend {}) ((_ extract {at} {at}) v))", bits - 1);
    let sum = (1..bits).fold(bit(0), |sum, at| format!("(bvadd {sum} {})", bit(at)));
    format!("(let ((v {word})) {sum})")
}

/// A float as an integer, its fraction cut off.
fn truncate(op: NumericOp, a: &str, is_signed: bool, saturates: bool) -> String {
    let (from, to) = (op.operand(), op.result());
    let bits = width(to);
    let float = |value: f64| {
        let slot = if from == ValType::F32 {
            u64::from((value as f32).to_bits())
        } else {
            value.to_bits()
        };
        float_of_bits(from, &constant(from, slot))
    };
    let (low, high, function) = match is_signed {
        true => (-2f64.powi(bits as i32 - 1), 2f64.powi(bits as i32 - 1), "fp.to_sbv"),
        false => (0.0, 2f64.powi(bits as i32), "fp.to_ubv"),
    };
    let (smallest, largest) = match is_signed {
        true => (constant(to, 1 << (bits - 1)), constant(to, u64::MAX >> (65 - bits))),
        false => (constant(to, 0), constant(to, u64::MAX)),
    };
    let whole = format!("(fp.roundToIntegral RTZ {a})");
    let is_above = format!("(fp.leq {} {whole})", float(low));
    let is_below = format!("(fp.lt {whole} {})", float(high));
    let inside = format!("((_ {function} {bits}) RTZ {whole})");
    let zero = constant(to, 0);
    let outside = match saturates {
        true => format!("(ite (fp.isNaN {a}) {zero} (ite {is_above} {largest} {smallest}))"),
        false => zero,
    };
    format!("(ite (and {is_above} {is_below}) {inside} {outside})")
}

/// An operation that results in a float.
fn to_float(
    op: NumericOp,
    form: Form,
    operand: &mut dyn FnMut(Operand, Form) -> String,
) -> Option<String> {
    use Operand::{First, Second};
    let ty = op.result();
    let sign = constant(ty, 1 << (width(ty) - 1));
    let others = constant(ty, u64::MAX >> (65 - width(ty)));
    // What is defined on bits, or chooses between its operands, exists in both forms.
    match (op, form) {
        (F32ReinterpretI32 | F64ReinterpretI64, Form::Bits) => {
            return Some(operand(First, Form::Bits));
        }
        // The theory of floats does not know the sign of a NaN.
        (F32Copysign | F64Copysign, Form::Bits) => {
            let (a, b) = (operand(First, form), operand(Second, form));
            return Some(format!("(bvor (bvand {a} {others}) (bvand {b} {sign}))"));
        }
        (F32ReinterpretI32 | F64ReinterpretI64 | F32Copysign | F64Copysign, _) => return None,
        (F32Abs | F64Abs, Form::Bits) => {
            return Some(format!("(bvand {} {others})", operand(First, form)));
        }
        (F32Neg | F64Neg, Form::Bits) => {
            return Some(format!("(bvxor {} {sign})", operand(First, form)));
        }
        (F32Min | F64Min | F32Max | F64Max, _) => return Some(extremum(op, form, operand)),
        (_, Form::Bits) => return None,
        _ => {}
    }
    let operand_form = if is_float(op.operand()) { Form::Float } else { Form::Bits };
    let a = operand(First, operand_form);
    let b = if op.is_binary() { operand(Second, operand_form) } else { String::new() };
    Some(match op {
        F32Abs | F64Abs => format!("(fp.abs {a})"),
        F32Neg | F64Neg => format!("(fp.neg {a})"),
        F32Ceil | F64Ceil => format!("(fp.roundToIntegral RTP {a})"),
        F32Floor | F64Floor => format!("(fp.roundToIntegral RTN {a})"),
        F32Trunc | F64Trunc => format!("(fp.roundToIntegral RTZ {a})"),
        F32Nearest | F64Nearest => format!("(fp.roundToIntegral RNE {a})"),
        F32Sqrt | F64Sqrt => format!("(fp.sqrt RNE {a})"),
        F32Add | F64Add => format!("(fp.add RNE {a} {b})"),
        F32Sub | F64Sub => format!("(fp.sub RNE {a} {b})"),
        F32Mul | F64Mul => format!("(fp.mul RNE {a} {b})"),
        F32Div | F64Div => format!("(fp.div RNE {a} {b})"),
        F32ConvertI32U | F64ConvertI32U | F32ConvertI64U | F64ConvertI64U => {
            format!("({} RNE {a})", to_fp(ty).replace("to_fp", "to_fp_unsigned"))
        }
        // From a signed integer, or between the two formats.
        _ => format!("({} RNE {a})", to_fp(ty)),
    })
}

/// The lesser or the greater one; of two zeros, the negative or the positive one.
fn extremum(op: NumericOp, form: Form, operand: &mut dyn FnMut(Operand, Form) -> String) -> String {
    let ty = op.result();
    let (a, b) = (operand(Operand::First, Form::Float), operand(Operand::Second, Form::Float));
    let (result_a, result_b) = (operand(Operand::First, form), operand(Operand::Second, form));
    let nan = match form {
        Form::Float => float_of_bits(ty, canonical_nan(ty)),
        _ => canonical_nan(ty).to_owned(),
    };
    let is_min = matches!(op, F32Min | F64Min);
    let (first, second) = if is_min { (&result_a, &result_b) } else { (&result_b, &result_a) };
    let unequal = format!("(ite (fp.lt {a} {b}) {first} {second})");
    let equal = format!("(ite (fp.isNegative {a}) {first} {second})");
    let number = format!("(ite (fp.eq {a} {b}) {equal} {unequal})");
    format!("(ite (or (fp.isNaN {a}) (fp.isNaN {b})) {nan} {number})")
}
