//! Values as people write them: arguments, settings, answers.

use mw_vm::{ValType, Value};

/// A value of type `ty`, or what is wrong with the text.
///
/// Integers are decimal or hexadecimal, signed or unsigned, with `_` between digits as in the text
/// format of WebAssembly.
pub fn parse_value(text: &str, ty: ValType) -> Result<Value, String> {
    let text = text.trim();
    let wrong = || format!("{text:?} is not {}", described(ty));
    let integer = || parse_integer(text).ok_or_else(wrong);
    let value = match ty {
        ValType::I32 => {
            let number = integer()?;
            let fits = i128::from(i32::MIN) <= number && number <= i128::from(u32::MAX);
            fits.then_some(Value::I32(number as i32))
        }
        ValType::I64 => {
            let number = integer()?;
            let fits = i128::from(i64::MIN) <= number && number <= i128::from(u64::MAX);
            fits.then_some(Value::I64(number as i64))
        }
        ValType::F32 => text.parse().ok().map(|number: f32| Value::from(number)),
        ValType::F64 => text.parse().ok().map(|number: f64| Value::from(number)),
        ValType::FuncRef if text == "null" => Some(Value::FuncRef(None)),
        ValType::ExternRef if text == "null" => Some(Value::ExternRef(None)),
        ValType::ExternRef => text.parse().ok().map(|number| Value::ExternRef(Some(number))),
        ValType::FuncRef => None,
    };
    value.ok_or_else(wrong)
}

pub(crate) fn parse_integer(text: &str) -> Option<i128> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (digits, radix) = match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        Some(digits) => (digits, 16),
        None => (digits, 10),
    };
    let misplaced = digits.starts_with(['_', '-', '+']) || digits.ends_with('_');
    if misplaced || digits.contains("__") {
        return None;
    }
    let number = i128::from_str_radix(&digits.replace('_', ""), radix).ok()?;
    Some(if negative { -number } else { number })
}

fn described(ty: ValType) -> &'static str {
    match ty {
        ValType::I32 => "an i32: write a whole number of 32 bits, such as -7 or 0xff",
        ValType::I64 => "an i64: write a whole number of 64 bits, such as -7 or 0xff",
        ValType::F32 => "an f32: write a number, such as 0.5, -inf or nan",
        ValType::F64 => "an f64: write a number, such as 0.5, -inf or nan",
        ValType::FuncRef => "a funcref: only null can be given",
        ValType::ExternRef => "an externref: write null or a number",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_by_type() {
        for (text, ty, expected) in [
            ("42", ValType::I32, Some(Value::I32(42))),
            ("-1", ValType::I32, Some(Value::I32(-1))),
            ("4294967295", ValType::I32, Some(Value::I32(-1))),
            ("4294967296", ValType::I32, None),
            ("-2147483648", ValType::I32, Some(Value::I32(i32::MIN))),
            ("-2147483649", ValType::I32, None),
            ("0xff", ValType::I32, Some(Value::I32(255))),
            ("-0x10", ValType::I32, Some(Value::I32(-16))),
            ("1_000_000", ValType::I32, Some(Value::I32(1_000_000))),
            ("1__0", ValType::I32, None),
            ("_1", ValType::I32, None),
            ("--1", ValType::I32, None),
            ("-+1", ValType::I32, None),
            ("", ValType::I32, None),
            ("1.5", ValType::I32, None),
            ("0xffffffffffffffff", ValType::I64, Some(Value::I64(-1))),
            ("-9223372036854775808", ValType::I64, Some(Value::I64(i64::MIN))),
            ("18446744073709551616", ValType::I64, None),
            ("1.5", ValType::F32, Some(Value::from(1.5f32))),
            ("-inf", ValType::F64, Some(Value::from(f64::NEG_INFINITY))),
            ("nan", ValType::F64, Some(Value::from(f64::NAN))),
            ("1e3", ValType::F64, Some(Value::from(1000.0))),
            ("one", ValType::F64, None),
            ("null", ValType::ExternRef, Some(Value::ExternRef(None))),
            ("3", ValType::ExternRef, Some(Value::ExternRef(Some(3)))),
            ("null", ValType::FuncRef, Some(Value::FuncRef(None))),
            ("3", ValType::FuncRef, None),
        ] {
            assert_eq!(parse_value(text, ty).ok(), expected, "{text:?} as {ty}");
        }
    }
}
