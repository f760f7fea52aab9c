//! Several values at once: `0..4095 step 512`, `10, 90`, `all`.

use mw_vm::{ValType, Value};
use mw_world::Domain;
use serde::{Deserialize, Serialize};

use crate::error::ApiError;
use crate::notation::{parse_integer, parse_value};

/// Values for branches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ValuesRef {
    /// As people write it: `0..4095 step 512`, `1, 2, 3`, `all`.
    Text(String),
    /// One after the other.
    List(Vec<String>),
    /// From one to another, the last one included if it is hit.
    Range {
        /// The first.
        from: i64,
        /// Not beyond this one.
        to: i64,
        /// From one to the next.
        step: i64,
    },
}

impl From<&str> for ValuesRef {
    fn from(text: &str) -> Self {
        ValuesRef::Text(text.into())
    }
}

/// More branches than this are not created at once.
pub(crate) const LIMIT: usize = 65_536;

/// A value: a number, or a name that the domain gives to one.
pub(crate) fn read_value(
    text: &str,
    domain: Option<&Domain>,
    ty: ValType,
) -> Result<Value, String> {
    match (domain.and_then(|domain| domain.named(text.trim())), ty) {
        (Some(number), ValType::I32) => Ok(Value::I32(number as i32)),
        (Some(number), ValType::I64) => Ok(Value::I64(number)),
        _ => parse_value(text, ty),
    }
}

/// The values that are meant, each once.
pub(crate) fn read_values(
    values: &ValuesRef,
    domain: &Domain,
    ty: ValType,
) -> Result<Vec<Value>, ApiError> {
    let listed = |words: &mut dyn Iterator<Item = &str>| {
        let values = words.map(|word| read_value(word, Some(domain), ty));
        values.collect::<Result<Vec<_>, _>>().map_err(ApiError::notation)
    };
    let mut found = match values {
        ValuesRef::List(words) => listed(&mut words.iter().map(String::as_str))?,
        ValuesRef::Range { from, to, step } => range(*from, *to, *step, ty)?,
        ValuesRef::Text(text) if text.trim() == "all" => all(domain, ty)?,
        ValuesRef::Text(text) => match text.split_once("..") {
            Some((from, rest)) => {
                let (to, step) = match rest.split_once("step") {
                    Some((to, step)) => (to, step),
                    None => (rest, "1"),
                };
                let number = |word: &str| {
                    let number = parse_integer(word.trim());
                    number.and_then(|number| i64::try_from(number).ok()).ok_or_else(|| {
                        ApiError::notation(format!(
                            "cannot understand `{}` in `{text}`; write a range like \
                             0..4095 step 512",
                            word.trim()
                        ))
                    })
                };
                range(number(from)?, number(to)?, number(step)?, ty)?
            }
            None => {
                let words = text.split(|c: char| c == ',' || c.is_whitespace());
                listed(&mut words.filter(|word| !word.is_empty()))?
            }
        },
    };
    let mut seen = std::collections::HashSet::new();
    found.retain(|value| seen.insert(*value));
    if found.len() > LIMIT {
        return Err(too_many(found.len()));
    }
    match found.is_empty() {
        true => Err(ApiError::notation(
            "there are no values; write some (10, 90), a range (0..4095 step 512) or all",
        )),
        false => Ok(found),
    }
}

fn too_many(count: impl std::fmt::Display) -> ApiError {
    ApiError::notation(format!(
        "that would be {count} branches, and {LIMIT} at once are the most; take larger steps"
    ))
}

fn range(from: i64, to: i64, step: i64, ty: ValType) -> Result<Vec<Value>, ApiError> {
    if step <= 0 || from > to {
        return Err(ApiError::notation(
            "a range goes up, by steps greater than zero: 0..4095 step 512",
        ));
    }
    let count = i128::from(to.abs_diff(from)) / i128::from(step) + 1;
    if count > LIMIT as i128 {
        return Err(too_many(count));
    }
    let numbers = (0..count).map(|index| (i128::from(from) + index * i128::from(step)) as i64);
    let value = |number: i64| parse_value(&number.to_string(), ty).map_err(ApiError::notation);
    numbers.map(value).collect()
}

fn all(domain: &Domain, ty: ValType) -> Result<Vec<Value>, ApiError> {
    let Some(integers) = domain.integers() else {
        return Err(ApiError::notation(
            "all values of a float are too many; list those that matter",
        ));
    };
    if integers.count() > LIMIT as u128 {
        return Err(too_many(integers.count()));
    }
    let numbers = integers.values();
    let value = |number: i64| parse_value(&number.to_string(), ty).map_err(ApiError::notation);
    numbers.map(value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values() {
        let domain = Domain::range(0, 4095).unwrap();
        let read = |text: &str| {
            let values = read_values(&text.into(), &domain, ValType::I32).ok()?;
            Some(values.iter().map(|value| value.to_string()).collect::<Vec<_>>().join(" "))
        };
        assert_eq!(read("0..10 step 4"), Some("0 4 8".into()));
        assert_eq!(read("1..3"), Some("1 2 3".into()));
        assert_eq!(read("10, 90 10"), Some("10 90".into()));
        assert_eq!(read("all").map(|all| all.split(' ').count()), Some(4096));
        for text in ["", "3..1", "0..10 step 0", "a..b", "x", "0..99999999"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
