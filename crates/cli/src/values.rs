//! Values as people write them, and as JSON has them.

use mw_api::Value;

pub use mw_api::notation::parse_value as parse;

/// The value as JSON has it. What JSON has no number for is a string: `"NaN"`, `"inf"`.
pub fn to_json(value: Value) -> serde_json::Value {
    match value {
        Value::I32(number) => number.into(),
        Value::I64(number) => number.into(),
        Value::FuncRef(index) | Value::ExternRef(index) => index.into(),
        Value::F32(_) | Value::F64(_) => {
            // By way of the text, which is the shortest that reads back as the same number.
            let text = value.to_string();
            match text.parse().ok().and_then(serde_json::Number::from_f64) {
                Some(number) => number.into(),
                None => text.into(),
            }
        }
    }
}

/// A number of bytes, as people write it.
pub fn parse_size(text: &str) -> Result<usize, String> {
    let wrong = || "write a number of bytes, such as 65536, 64K, 64M or 1G".to_owned();
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let shift = match text[digits.len()..].to_ascii_lowercase().as_str() {
        "" | "b" => 0,
        "k" | "kb" | "kib" => 10,
        "m" | "mb" | "mib" => 20,
        "g" | "gb" | "gib" => 30,
        _ => return Err(wrong()),
    };
    let number: usize = digits.replace('_', "").parse().map_err(|_| wrong())?;
    number.checked_mul(1 << shift).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_has_the_shortest_number_that_is_the_same() {
        for (value, expected) in [
            (Value::I64(i64::MIN), "-9223372036854775808"),
            (Value::from(0.1f32), "0.1"),
            (Value::from(0.1f64), "0.1"),
            (Value::from(-0.0f64), "-0.0"),
            (Value::from(f32::NAN), "\"NaN\""),
            (Value::from(f64::NEG_INFINITY), "\"-inf\""),
            (Value::FuncRef(None), "null"),
        ] {
            assert_eq!(to_json(value).to_string(), expected, "{value:?}");
        }
    }

    #[test]
    fn sizes() {
        for (text, expected) in [
            ("0", Some(0)),
            ("64K", Some(65536)),
            ("2MiB", Some(2 << 20)),
            ("x", None),
            ("1T", None),
        ] {
            assert_eq!(parse_size(text).ok(), expected, "{text}");
        }
    }
}
