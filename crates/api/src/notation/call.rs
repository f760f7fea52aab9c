//! Calls of primitives: `chip_analog_read(12)`.

use serde::{Deserialize, Serialize};

use crate::error::ApiError;

/// Calls of a primitive, as text or by their parts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum CallRef {
    /// As people write it: `chip_analog_read(12)`, or `chip_analog_read` for any arguments.
    Text(String),
    /// By its parts.
    Parts(CallSpec),
}

/// Calls of a primitive by their parts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallSpec {
    /// The primitive's name.
    pub primitive: String,
    /// Its arguments; any without.
    #[serde(default)]
    pub args: Option<Vec<String>>,
}

impl From<&str> for CallRef {
    fn from(text: &str) -> Self {
        CallRef::Text(text.into())
    }
}

/// The parts of a call. Without parentheses, any arguments are meant.
pub(crate) fn read_call(call: &CallRef) -> Result<CallSpec, ApiError> {
    let text = match call {
        CallRef::Parts(parts) => return Ok(parts.clone()),
        CallRef::Text(text) => text.trim(),
    };
    let wrong = || {
        ApiError::notation(format!(
            "cannot understand the call `{text}`; write its name, and its arguments if they \
             matter: chip_analog_read(12)"
        ))
    };
    let (name, args) = match text.split_once('(') {
        None => (text, None),
        Some((name, rest)) => {
            let args = rest.trim_end().strip_suffix(')').ok_or_else(wrong)?.trim();
            let args = match args.is_empty() {
                true => Vec::new(),
                false => args.split(',').map(|arg| arg.trim().to_owned()).collect(),
            };
            (name.trim(), Some(args))
        }
    };
    if name.is_empty() || name.contains(char::is_whitespace) {
        return Err(wrong());
    }
    Ok(CallSpec { primitive: name.to_owned(), args })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls() {
        let read = |text: &str| {
            let spec = read_call(&text.into()).ok()?;
            Some((spec.primitive, spec.args.map(|args| args.join("|"))))
        };
        let known = |name: &str, args: Option<&str>| Some((name.into(), args.map(String::from)));
        assert_eq!(read("a"), known("a", None));
        assert_eq!(read("a()"), known("a", Some("")));
        assert_eq!(read(" env.a ( 1 , 0x2 ) "), known("env.a", Some("1|0x2")));
        for text in ["", "(1)", "a(1", "a b", "a b(1)"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
