//! Arithmetic on numbers as their language does it.

use std::cmp::Ordering;

use mw_vm::{ValType, Value};

use super::convert::integer_type;
use super::{EvaluateError, Operator};
use crate::info::Language;

/// A number with its type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// A whole one.
    Integer {
        /// What it is.
        value: i128,
        /// How many bits numbers of its type have.
        width: u32,
        /// Whether they count below zero.
        signed: bool,
    },
    /// One with a fraction.
    Float {
        /// What it is.
        value: f64,
        /// 32 or 64.
        width: u32,
    },
    /// True or false.
    Bool(bool),
}

/// What a number is one of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NumberType {
    /// Whole ones.
    Integer {
        /// How many bits they have.
        width: u32,
        /// Whether they count below zero.
        signed: bool,
    },
    /// Those with a fraction, and how many bits they have.
    Float(u32),
    /// True and false.
    Bool,
}

impl NumberType {
    /// A type that every program has, by its name.
    pub fn named(name: &str) -> Option<NumberType> {
        Some(match name {
            "float" | "f32" => NumberType::Float(32),
            "double" | "f64" => NumberType::Float(64),
            "bool" | "_Bool" => NumberType::Bool,
            _ => {
                let (width, signed) = integer_type(name)?;
                NumberType::Integer { width, signed }
            }
        })
    }

    /// That of a number of the machine.
    pub fn of(ty: ValType) -> Option<NumberType> {
        Number::of(Value::zero(ty)).map(Number::ty)
    }
}

impl Number {
    /// What it is one of.
    pub fn ty(self) -> NumberType {
        match self {
            Number::Integer { width, signed, .. } => NumberType::Integer { width, signed },
            Number::Float { width, .. } => NumberType::Float(width),
            Number::Bool(_) => NumberType::Bool,
        }
    }

    /// The same as one of a type.
    pub fn to(self, ty: NumberType) -> Number {
        match ty {
            NumberType::Integer { width, signed } => self.to_integer(width, signed),
            NumberType::Float(width) => self.to_float(width),
            NumberType::Bool => Number::Bool(!self.is_zero()),
        }
    }

    /// `self operator other`, as a language computes it. `&&` and `||` are none of it.
    #[inline]
    pub fn binary(
        self,
        operator: Operator,
        other: Number,
        language: Language,
    ) -> Result<Number, EvaluateError> {
        binary(operator, self, other, language)
    }

    /// `-self`.
    pub fn negated(self, language: Language) -> Result<Number, EvaluateError> {
        match self {
            Number::Float { value, width } => Ok(Number::Float { value: -value, width }),
            number => binary(Operator::Subtract, Number::literal(0), number, language),
        }
    }

    /// All bits the other way round.
    pub fn inverted(self, language: Language) -> Result<Number, EvaluateError> {
        match self {
            Number::Bool(value) => Ok(Number::Bool(!value)),
            number => {
                let ones = Number::literal(-1).beside(number, language);
                binary(Operator::BitXor, number, ones, language)
            }
        }
    }

    /// A number that is written without a type has, in Rust, that of what it stands beside.
    pub fn beside(self, other: Number, language: Language) -> Number {
        match (self, other) {
            _ if language != Language::Rust => self,
            (Number::Integer { .. }, Number::Integer { width, signed, .. }) => {
                self.to_integer(width, signed)
            }
            (Number::Float { .. }, Number::Float { width, .. }) => self.to_float(width),
            _ => self,
        }
    }

    /// An integer as it is written: as small as a language makes it.
    pub fn literal(value: i128) -> Number {
        let width = if i32::try_from(value).is_ok() { 32 } else { 64 };
        Number::Integer { value, width, signed: i64::try_from(value).is_ok() }
    }

    /// A number of the machine.
    pub fn of(value: Value) -> Option<Number> {
        let integer =
            |value: i64, width| Number::Integer { value: value.into(), width, signed: true };
        Some(match value {
            Value::I32(value) => integer(value.into(), 32),
            Value::I64(value) => integer(value, 64),
            Value::F32(bits) => Number::Float { value: f32::from_bits(bits).into(), width: 32 },
            Value::F64(bits) => Number::Float { value: f64::from_bits(bits), width: 64 },
            Value::FuncRef(_) | Value::ExternRef(_) => return None,
        })
    }

    /// How many bytes something has.
    pub fn size(bytes: u64) -> Number {
        Number::Integer { value: bytes.into(), width: 32, signed: false }
    }

    /// How many bytes the number has.
    pub fn bytes(self) -> u64 {
        match self {
            Number::Integer { width, .. } | Number::Float { width, .. } => u64::from(width / 8),
            Number::Bool(_) => 1,
        }
    }

    /// Whether it is zero or false.
    pub fn is_zero(self) -> bool {
        match self {
            Number::Integer { value, .. } => value == 0,
            Number::Float { value, .. } => value == 0.0,
            Number::Bool(value) => !value,
        }
    }

    /// The number as an integer; a fraction is cut off.
    pub fn integer(self) -> i128 {
        match self {
            Number::Integer { value, .. } => value,
            Number::Float { value, .. } => value as i128,
            Number::Bool(value) => value.into(),
        }
    }

    /// The number as a float.
    pub fn float(self) -> f64 {
        match self {
            Number::Integer { value, .. } => value as f64,
            Number::Float { value, .. } => value,
            Number::Bool(value) => value.into(),
        }
    }

    /// Converts to an integer type.
    pub fn to_integer(self, width: u32, signed: bool) -> Number {
        Number::Integer { value: wrap(self.integer(), width, signed), width, signed }
    }

    /// Converts to a type of floats.
    pub fn to_float(self, width: u32) -> Number {
        let value = self.float();
        let value = if width == 32 { f64::from(value as f32) } else { value };
        Number::Float { value, width }
    }

    /// What the type is called.
    pub fn type_name(self, language: Language) -> String {
        match self {
            Number::Bool(_) => "bool".to_owned(),
            Number::Float { width, .. } => match (language, width) {
                (Language::C | Language::Cpp, 32) => "float".to_owned(),
                (Language::C | Language::Cpp, _) => "double".to_owned(),
                (_, width) => format!("f{width}"),
            },
            Number::Integer { width, signed, .. } => match language {
                Language::C | Language::Cpp => {
                    let name = match width {
                        8 => "char",
                        16 => "short",
                        32 => "int",
                        _ => "long long",
                    };
                    if signed { name.to_owned() } else { format!("unsigned {name}") }
                }
                _ => format!("{}{width}", if signed { 'i' } else { 'u' }),
            },
        }
    }
}

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Number::Integer { value, .. } => write!(f, "{value}"),
            Number::Float { value, width: 32 } => write!(f, "{:?}", value as f32),
            Number::Float { value, .. } => write!(f, "{value:?}"),
            Number::Bool(value) => write!(f, "{value}"),
        }
    }
}

/// The value of the lowest bits.
fn wrap(value: i128, width: u32, signed: bool) -> i128 {
    match (width, signed) {
        (32, true) => (value as i32).into(),
        (32, false) => (value as u32).into(),
        (64, true) => (value as i64).into(),
        (64, false) => (value as u64).into(),
        _ => {
            let above = 128 - width.clamp(1, 128);
            let bits = (value as u128) << above;
            if signed { (bits as i128) >> above } else { (bits >> above) as i128 }
        }
    }
}

/// The type that both operands are converted to, as width and sign.
fn common(left: Number, right: Number, language: Language) -> (u32, bool) {
    let own = |number| match number {
        // C computes with `int` at least.
        Number::Integer { width, .. } if width < 32 && language.is_c() => (32, true),
        Number::Integer { width, signed, .. } => (width, signed),
        _ => (32, true),
    };
    let (left, right) = (own(left), own(right));
    match left.0.cmp(&right.0) {
        Ordering::Greater => left,
        Ordering::Less => right,
        Ordering::Equal => (left.0, left.1 && right.1),
    }
}

/// `left operator right`.
#[inline]
pub(super) fn binary(
    operator: Operator,
    left: Number,
    right: Number,
    language: Language,
) -> Result<Number, EvaluateError> {
    let float_width = |number| match number {
        Number::Float { width, .. } => Some(width),
        _ => None,
    };
    if let Some(width) = float_width(left).max(float_width(right)) {
        return float(operator, left.float(), right.float(), width);
    }
    let (width, signed) = common(left, right, language);
    let (a, b) = (left.integer(), right.integer());
    // A comparison of a negative with an unsigned number is made after the conversion.
    let (a, b) = match language.is_c() {
        true => (wrap(a, width, signed), wrap(b, width, signed)),
        false => (a, b),
    };
    let divisible = || {
        if b == 0 { Err(EvaluateError::Value("this divides by zero".to_owned())) } else { Ok(()) }
    };
    let shift = (b as u32) % width.max(1);
    let value = match operator {
        Operator::Add => a.wrapping_add(b),
        Operator::Subtract => a.wrapping_sub(b),
        Operator::Multiply => a.wrapping_mul(b),
        Operator::Divide => {
            divisible()?;
            a.wrapping_div(b)
        }
        Operator::Remainder => {
            divisible()?;
            a.wrapping_rem(b)
        }
        Operator::ShiftLeft => a.wrapping_shl(shift),
        Operator::ShiftRight => a >> shift,
        Operator::BitAnd => a & b,
        Operator::BitOr => a | b,
        Operator::BitXor => a ^ b,
        _ => return Ok(Number::Bool(compare(operator, Some(a.cmp(&b)))?)),
    };
    let bits = matches!(operator, Operator::BitAnd | Operator::BitOr | Operator::BitXor);
    if bits && matches!((left, right), (Number::Bool(_), Number::Bool(_))) {
        return Ok(Number::Bool(value != 0));
    }
    Ok(Number::Integer { value: wrap(value, width, signed), width, signed })
}

fn float(operator: Operator, a: f64, b: f64, width: u32) -> Result<Number, EvaluateError> {
    let value = match operator {
        Operator::Add => a + b,
        Operator::Subtract => a - b,
        Operator::Multiply => a * b,
        Operator::Divide => a / b,
        Operator::Remainder => a % b,
        _ if operator.is_bitwise() => {
            return Err(EvaluateError::Type(format!("{operator} is not for floats")));
        }
        _ => return Ok(Number::Bool(compare(operator, a.partial_cmp(&b))?)),
    };
    Ok(Number::Float { value, width }.to_float(width))
}

/// A comparison, of what may not be comparable.
pub(super) fn compare(operator: Operator, order: Option<Ordering>) -> Result<bool, EvaluateError> {
    let holds = operator.compares(order);
    holds.ok_or_else(|| EvaluateError::Type(format!("{operator} does not fit here")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(value: i128, width: u32, signed: bool) -> Number {
        Number::Integer { value, width, signed }
    }

    fn shown(operator: Operator, left: Number, right: Number, language: Language) -> String {
        match binary(operator, left, right, language) {
            Ok(number) => format!("{number} {}", number.type_name(language)),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn integers_wrap_at_their_width() {
        let (c, rust) = (Language::C, Language::Rust);
        let byte = int(200, 8, false);
        assert_eq!(shown(Operator::Add, byte, byte, c), "400 int");
        assert_eq!(shown(Operator::Add, byte, byte, rust), "144 u8");
        assert_eq!(
            shown(Operator::Subtract, int(0, 32, false), int(1, 32, true), c),
            "4294967295 unsigned int"
        );
        assert_eq!(
            shown(Operator::Multiply, int(1 << 40, 64, true), int(2, 32, true), c),
            "2199023255552 long long"
        );
        assert_eq!(shown(Operator::Divide, int(-7, 32, true), int(2, 32, true), c), "-3 int");
        assert_eq!(shown(Operator::Remainder, int(-7, 32, true), int(2, 32, true), c), "-1 int");
        assert_eq!(
            shown(Operator::Divide, int(1, 32, true), int(0, 32, true), c),
            "this divides by zero"
        );
        assert_eq!(shown(Operator::ShiftRight, int(-8, 32, true), int(1, 32, true), c), "-4 int");
        assert_eq!(shown(Operator::ShiftLeft, int(1, 32, true), int(33, 32, true), c), "2 int");
        assert_eq!(int(300, 32, true).to_integer(8, true).integer(), 44);
    }

    #[test]
    fn c_compares_after_the_conversion() {
        let (minus, one) = (int(-1, 32, true), int(1, 32, false));
        assert_eq!(shown(Operator::Less, minus, one, Language::C), "false bool");
        assert_eq!(shown(Operator::Less, minus, one, Language::AssemblyScript), "true bool");
    }

    #[test]
    fn floats_are_what_one_operand_makes_of_both() {
        let half = Number::Float { value: 0.5, width: 32 };
        assert_eq!(shown(Operator::Multiply, half, int(3, 32, true), Language::C), "1.5 float");
        assert_eq!(shown(Operator::Divide, half, int(0, 32, true), Language::Rust), "inf f32");
        assert_eq!(shown(Operator::BitAnd, half, half, Language::C), "& is not for floats");
        let nan = Number::Float { value: f64::NAN, width: 64 };
        assert_eq!(shown(Operator::Equal, nan, nan, Language::C), "false bool");
        assert_eq!(shown(Operator::NotEqual, nan, nan, Language::C), "true bool");
    }
}
