//! What numeric instructions make of ranges.
//!
//! Where all operands are known, the machine itself is asked. Else integers are computed with as
//! intervals, signed and unsigned; what is not known here is anything of the result's type, which
//! is always right, and may trap in any way that an instruction on numbers can.

use mw_vm::{NumericOp, TrapKind, ValType};

use crate::effects::Traps;
use crate::range::{Integer, Range};

/// What an instruction may come to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outcome {
    /// Its result; `None` if it always traps.
    pub result: Option<Range>,
    pub traps: Traps,
}

/// The bits of an integer type.
pub(crate) fn bits_of(ty: ValType) -> u32 {
    match ty {
        ValType::I32 | ValType::F32 => 32,
        ValType::I64 | ValType::F64 | ValType::FuncRef | ValType::ExternRef => 64,
    }
}

/// What an instruction comes to for any operands of these ranges.
pub(crate) fn compute(op: NumericOp, a: Range, b: Option<Range>) -> Outcome {
    if let (Some(a), Some(b)) = (a.single(), b.map_or(Some(0), |b| b.single())) {
        return match op.evaluate(a, b) {
            Ok(slot) => Outcome { result: Some(Range::exact(slot)), traps: Traps::NONE },
            Err(kind) => Outcome { result: None, traps: Traps::of(kind) },
        };
    }
    if op.may_trap() {
        return trapping(op, a, b);
    }
    let bits = bits_of(op.operand());
    let integers = (a.integer(bits), b.unwrap_or(Range::ANY).integer(bits));
    let integer = integer(op, integers.0, integers.1);
    let any = Range::of_type(op.result());
    // Nothing is lost by being wrong about an interval that is empty.
    let result = integer.and_then(Integer::range).unwrap_or(any);
    Outcome { result: Some(result.meet(any).unwrap_or(any)), traps: Traps::NONE }
}

/// The result, where more is known than its type.
fn integer(op: NumericOp, a: Integer, b: Integer) -> Option<Integer> {
    use NumericOp::*;
    let bits = a.bits;
    Some(match op {
        I32Add | I64Add => {
            let add = |a: (i128, i128), b: (i128, i128)| Some((a.0 + b.0, a.1 + b.1));
            Integer::wrapped(bits, add(a.signed, b.signed), add(a.unsigned, b.unsigned))
        }
        I32Sub | I64Sub => {
            let sub = |a: (i128, i128), b: (i128, i128)| Some((a.0 - b.1, a.1 - b.0));
            Integer::wrapped(bits, sub(a.signed, b.signed), sub(a.unsigned, b.unsigned))
        }
        I32Mul | I64Mul => {
            Integer::wrapped(bits, product(a.signed, b.signed), product(a.unsigned, b.unsigned))
        }
        I32Shl | I64Shl => {
            let by = single(b)? % i128::from(bits);
            let factor = (1 << by, 1 << by);
            Integer::wrapped(bits, product(a.signed, factor), product(a.unsigned, factor))
        }
        I32And | I64And => Integer::of_unsigned(bits, (0, a.unsigned.1.min(b.unsigned.1))),
        I32Or | I64Or => {
            let low = a.unsigned.0.max(b.unsigned.0);
            Integer::of_unsigned(bits, (low, ones(a.unsigned.1.max(b.unsigned.1))))
        }
        I32Xor | I64Xor => Integer::of_unsigned(bits, (0, ones(a.unsigned.1.max(b.unsigned.1)))),
        I32ShrU | I64ShrU => {
            let (least, most) = shift(b);
            Integer::of_unsigned(bits, (a.unsigned.0 >> most, a.unsigned.1 >> least))
        }
        I32ShrS | I64ShrS => {
            let (least, most) = shift(b);
            let low = (a.signed.0 >> least).min(a.signed.0 >> most);
            let high = (a.signed.1 >> least).max(a.signed.1 >> most);
            Integer::of_signed(bits, (low, high))
        }
        I32Clz | I32Ctz | I32Popcnt | I64Clz | I64Ctz | I64Popcnt => {
            Integer::of_unsigned(bits, (0, bits.into()))
        }
        I32Extend8S | I64Extend8S => extended(a, 8),
        I32Extend16S | I64Extend16S => extended(a, 16),
        I64Extend32S => extended(a, 32),
        // A slot keeps what is known of its lower half.
        I64ExtendI32S => Integer::of_signed(64, a.signed),
        I64ExtendI32U => Integer::of_unsigned(64, a.unsigned),
        I32WrapI64 => wrap(a),
        _ if op.is_comparison() => {
            let truth = is_true(op, a, b);
            Integer::of_unsigned(
                32,
                match truth {
                    Some(truth) => (truth.into(), truth.into()),
                    None => (0, 1),
                },
            )
        }
        // Of rotations and of floats nothing is known.
        _ => return None,
    })
}

/// A comparison of integers: what it asks, and whether it looks at signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Comparison {
    pub asks: Asks,
    pub is_signed: bool,
}

/// What a comparison asks of its left operand; the others are these with operands exchanged, or
/// denied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asks {
    Equal,
    Different,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Asks {
    /// What holds where this does not.
    pub fn denied(self) -> Asks {
        match self {
            Asks::Equal => Asks::Different,
            Asks::Different => Asks::Equal,
            Asks::Less => Asks::GreaterOrEqual,
            Asks::LessOrEqual => Asks::Greater,
            Asks::Greater => Asks::LessOrEqual,
            Asks::GreaterOrEqual => Asks::Less,
        }
    }
}

impl Comparison {
    /// What an instruction compares, if it compares two integers.
    pub fn of(op: NumericOp) -> Option<Comparison> {
        use NumericOp::*;
        let (asks, is_signed) = match op {
            I32Eq | I64Eq => (Asks::Equal, false),
            I32Ne | I64Ne => (Asks::Different, false),
            I32LtS | I64LtS => (Asks::Less, true),
            I32LtU | I64LtU => (Asks::Less, false),
            I32LeS | I64LeS => (Asks::LessOrEqual, true),
            I32LeU | I64LeU => (Asks::LessOrEqual, false),
            I32GtS | I64GtS => (Asks::Greater, true),
            I32GtU | I64GtU => (Asks::Greater, false),
            I32GeS | I64GeS => (Asks::GreaterOrEqual, true),
            I32GeU | I64GeU => (Asks::GreaterOrEqual, false),
            _ => return None,
        };
        Some(Comparison { asks, is_signed })
    }
}

/// What a comparison says, if it always says the same.
fn is_true(op: NumericOp, a: Integer, b: Integer) -> Option<bool> {
    if matches!(op, NumericOp::I32Eqz | NumericOp::I64Eqz | NumericOp::RefIsNull) {
        return match a.unsigned {
            (0, 0) => Some(true),
            (low, _) if low > 0 => Some(false),
            _ => None,
        };
    }
    let Comparison { asks, is_signed } = Comparison::of(op)?;
    let (x, y) = if is_signed { (a.signed, b.signed) } else { (a.unsigned, b.unsigned) };
    let are_apart = |x: (i128, i128), y: (i128, i128)| x.1 < y.0 || y.1 < x.0;
    let is_less = |x: (i128, i128), y: (i128, i128)| match () {
        () if x.1 < y.0 => Some(true),
        () if x.0 >= y.1 => Some(false),
        () => None,
    };
    match asks {
        Asks::Equal | Asks::Different => {
            let is_equal = if are_apart(a.unsigned, b.unsigned) || are_apart(a.signed, b.signed) {
                Some(false)
            } else if single(a).is_some() && single(a) == single(b) {
                Some(true)
            } else {
                None
            };
            is_equal.map(|is_equal| is_equal == (asks == Asks::Equal))
        }
        Asks::Less => is_less(x, y),
        Asks::Greater => is_less(y, x),
        Asks::GreaterOrEqual => is_less(x, y).map(|less| !less),
        Asks::LessOrEqual => is_less(y, x).map(|less| !less),
    }
}

/// Divisions, and conversions of floats that do not fit.
fn trapping(op: NumericOp, a: Range, b: Option<Range>) -> Outcome {
    use NumericOp::*;
    let any = Range::of_type(op.result());
    let Some(b) = b else {
        let traps = Traps::of(TrapKind::IntegerOverflow).with(TrapKind::InvalidConversion);
        return Outcome { result: Some(any), traps };
    };
    let bits = bits_of(op.operand());
    let (a, b) = (a.integer(bits), b.integer(bits));
    let mut traps = Traps::NONE;
    if b.unsigned.0 == 0 && b.signed.0 <= 0 && b.signed.1 >= 0 {
        traps = traps.with(TrapKind::DivisionByZero);
    }
    if b.unsigned.1 == 0 {
        return Outcome { result: None, traps };
    }
    let least = Integer::any(bits).signed.0;
    let overflows = a.signed.0 == least && b.signed.0 <= -1 && b.signed.1 >= -1;
    if overflows && matches!(op, I32DivS | I64DivS) {
        traps = traps.with(TrapKind::IntegerOverflow);
    }
    let divisor = (b.unsigned.0.max(1), b.unsigned.1);
    let result = match op {
        I32DivU | I64DivU => {
            Integer::of_unsigned(bits, (a.unsigned.0 / divisor.1, a.unsigned.1 / divisor.0))
        }
        I32RemU | I64RemU if a.unsigned.1 < divisor.0 => a,
        I32RemU | I64RemU => Integer::of_unsigned(bits, (0, a.unsigned.1.min(divisor.1 - 1))),
        I32DivS | I64DivS => Integer::of_signed(bits, quotients(a.signed, b.signed, bits)),
        I32RemS | I64RemS => {
            let most = b.signed.0.abs().max(b.signed.1.abs()) - 1;
            let low = if a.signed.0 < 0 { a.signed.0.max(-most) } else { 0 };
            let high = if a.signed.1 > 0 { a.signed.1.min(most) } else { 0 };
            Integer::of_signed(bits, (low, high))
        }
        _ => Integer::any(bits),
    };
    Outcome { result: Some(result.range().unwrap_or(any)), traps }
}

/// All quotients but that which does not fit, which is a trap. Between zero and either end of the
/// divisors a quotient only grows or only shrinks, so that the ends are enough.
fn quotients(a: (i128, i128), b: (i128, i128), bits: u32) -> (i128, i128) {
    let parts = [(b.0, b.1.min(-1)), (b.0.max(1), b.1)];
    let ends = parts
        .into_iter()
        .filter(|part| part.0 <= part.1)
        .flat_map(|part| [a.0 / part.0, a.0 / part.1, a.1 / part.0, a.1 / part.1]);
    let all = Integer::any(bits).signed;
    let (low, high) =
        ends.fold((i128::MAX, i128::MIN), |(low, high), end| (low.min(end), high.max(end)));
    (low.max(all.0), high.min(all.1))
}

/// The only number that it can be.
fn single(integer: Integer) -> Option<i128> {
    (integer.unsigned.0 == integer.unsigned.1).then_some(integer.unsigned.0)
}

fn product(a: (i128, i128), b: (i128, i128)) -> Option<(i128, i128)> {
    let ends = [(a.0, b.0), (a.0, b.1), (a.1, b.0), (a.1, b.1)];
    let mut bounds: Option<(i128, i128)> = None;
    for (x, y) in ends {
        let end = x.checked_mul(y)?;
        // So large that the bounds could not be told apart from those of their neighbours.
        if end.unsigned_abs() > 1 << 126 {
            return None;
        }
        bounds = Some(bounds.map_or((end, end), |(low, high)| (low.min(end), high.max(end))));
    }
    bounds
}

/// The least number of ones that is not less.
fn ones(value: i128) -> i128 {
    (1 << (128 - value.leading_zeros())) - 1
}

/// By how many bits something may be shifted.
fn shift(by: Integer) -> (i128, i128) {
    let bits = i128::from(by.bits);
    if by.unsigned.1 < bits { by.unsigned } else { (0, bits - 1) }
}

fn extended(a: Integer, bits: u32) -> Integer {
    let all = Integer::any(bits).signed;
    let fits = all.0 <= a.signed.0 && a.signed.1 <= all.1;
    Integer::of_signed(a.bits, if fits { a.signed } else { all })
}

fn wrap(a: Integer) -> Integer {
    Integer::wrapped(32, bounded(a.signed), bounded(a.unsigned))
}

/// Intervals that are wider than an integer of 32 bits say nothing of one.
fn bounded(bounds: (i128, i128)) -> Option<(i128, i128)> {
    (bounds.1 - bounds.0 < 1 << 32).then_some(bounds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{config, operands};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(config())]

        #[test]
        fn what_the_machine_computes_is_in_the_range((op, (a, x), (b, y)) in operands()) {
            let outcome = compute(op, a, op.is_binary().then_some(b));
            match op.evaluate(x, y) {
                Ok(slot) => prop_assert!(
                    outcome.result.is_some_and(|result| result.contains(slot)),
                    "{op:?} {x:#x} {y:#x} is {slot:#x}, not of {:?}", outcome.result
                ),
                Err(kind) => prop_assert!(outcome.traps.contains(kind), "{op:?} {x:#x} {y:#x}"),
            }
        }
    }
}
