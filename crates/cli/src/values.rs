//! Values as people write them, and as JSON has them.

use mw_vm::Value;

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
}
