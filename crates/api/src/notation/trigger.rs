//! Breakpoints as people write them.
//!
//! | text | stops |
//! |---|---|
//! | `main` | before the first instruction of a function |
//! | `main.ts:12` | before a line of the source, or the next one that has code |
//! | `12` | the same, of the file that the program is in |
//! | `*0x1a2` | before the instruction at this byte offset in the binary |
//! | `chip_analog_read`, `chip_analog_read(12)` | before a call of a primitive |
//! | `chip_analog_read(12) = 77` | after an input has returned this value |
//! | `watch current`, `watch local 0` | after a variable has been written |
//! | `watch i32 @ 1024`, `watch 1024..1088` | after memory has been written |
//! | `message send double from client1 to math` | before a message is sent |
//! | `message receive`, `message receive double` | where a message is about to be handled |
//! | `message answer to math` | where the answer to a message has been given |
//! | `message told to client1` | where somebody is about to be told an answer |

use serde::{Deserialize, Serialize};

use crate::error::ApiError;
use crate::notation::{CallRef, parse_integer};

/// What a breakpoint waits for, as text or by its parts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum TriggerRef {
    /// As people write it; see [`crate::notation::trigger`].
    Text(String),
    /// By its parts.
    Parts(TriggerSpec),
}

/// What a breakpoint waits for, by its parts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TriggerSpec {
    /// The first instruction of a function.
    Function(String),
    /// The instruction at a byte offset in the binary.
    Offset(u32),
    /// A line of the source.
    Line {
        /// The file: its path, or the end of it; empty for the one that the program is in.
        file: String,
        /// The line, counted from 1.
        line: u32,
    },
    /// A call of a primitive, or that an input returned a value.
    Primitive {
        /// Which calls.
        call: CallRef,
        /// What the input returned; the program stops after the call then, otherwise before.
        #[serde(default)]
        value: Option<String>,
    },
    /// A write to a variable, or to memory from an address on for so many bytes.
    Watch {
        /// A term like those of `print`.
        term: String,
        /// The bytes of memory, if other than the term has.
        #[serde(default)]
        length: Option<u32>,
    },
    /// A message has come to a point of its life.
    Message {
        /// `send`, `receive`, `answer` or `told`.
        point: String,
        /// What it is called; any without.
        #[serde(default)]
        name: Option<String>,
        /// Who sends it.
        #[serde(default)]
        from: Option<String>,
        /// Who handles it.
        #[serde(default)]
        to: Option<String>,
    },
}

impl From<&str> for TriggerRef {
    fn from(text: &str) -> Self {
        TriggerRef::Text(text.into())
    }
}

/// The parts of a trigger. Whether a name is a primitive's, `is_primitive` knows.
pub(crate) fn read_trigger(
    trigger: &TriggerRef,
    is_primitive: impl Fn(&str) -> bool,
) -> Result<TriggerSpec, ApiError> {
    let text = match trigger {
        TriggerRef::Parts(parts) => return Ok(parts.clone()),
        TriggerRef::Text(text) => text.trim(),
    };
    let wrong = |help: &str| {
        ApiError::notation(format!("cannot understand the breakpoint `{text}`; {help}"))
    };
    let number =
        |text: &str| parse_integer(text.trim()).and_then(|number| u32::try_from(number).ok());
    if text.is_empty() {
        return Err(wrong(
            "name a function, a primitive, an offset (*0x1a2) or `watch` a variable",
        ));
    }
    if let Some(offset) = text.strip_prefix('*') {
        let offset = number(offset).ok_or_else(|| wrong("write an offset like *0x1a2"))?;
        return Ok(TriggerSpec::Offset(offset));
    }
    if let Some(term) = text.strip_prefix("watch ").map(str::trim) {
        return Ok(TriggerSpec::Watch { term: term.into(), length: None });
    }
    if let Some(rest) = text.strip_prefix("message ") {
        let help = "write: message send|receive|answer|told [NAME] [from ACTOR] [to ACTOR]";
        return read_message(rest).ok_or_else(|| wrong(help));
    }
    if let Ok(line) = text.parse() {
        return Ok(TriggerSpec::Line { file: String::new(), line });
    }
    if let Some((file, line)) = text.rsplit_once(':')
        && let Ok(line) = line.trim().parse()
        && !file.trim().is_empty()
    {
        return Ok(TriggerSpec::Line { file: file.trim().into(), line });
    }
    let (call, value) = match text.split_once('=') {
        Some((call, value)) => (call.trim(), Some(value.trim_start_matches('=').trim().to_owned())),
        None => (text, None),
    };
    let name = call.split('(').next().unwrap_or_default().trim();
    if is_primitive(name) || call.contains('(') || value.is_some() {
        return Ok(TriggerSpec::Primitive { call: call.into(), value });
    }
    Ok(TriggerSpec::Function(text.into()))
}

/// A message: `receive double from client1 to math`.
fn read_message(text: &str) -> Option<TriggerSpec> {
    let mut words = text.split_whitespace();
    let point = words.next().filter(|p| ["send", "receive", "answer", "told"].contains(p))?;
    let (mut name, mut from, mut to) = (None, None, None);
    while let Some(word) = words.next() {
        match word {
            "from" => from = Some(words.next()?.to_owned()),
            "to" => to = Some(words.next()?.to_owned()),
            _ if name.is_none() => name = Some(word.to_owned()),
            _ => return None,
        }
    }
    Some(TriggerSpec::Message { point: point.to_owned(), name, from, to })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triggers() {
        let read = |text: &str| read_trigger(&text.into(), |name| name == "read").ok();
        let primitive = |call: &str, value: Option<&str>| {
            Some(TriggerSpec::Primitive { call: call.into(), value: value.map(Into::into) })
        };
        let watch = |term: &str| Some(TriggerSpec::Watch { term: term.into(), length: None });
        assert_eq!(read("main"), Some(TriggerSpec::Function("main".into())));
        let line = TriggerSpec::Line { file: "a/main.ts".into(), line: 12 };
        assert_eq!(read("a/main.ts:12"), Some(line));
        assert_eq!(read("12"), Some(TriggerSpec::Line { file: String::new(), line: 12 }));
        assert_eq!(read("*0x10"), Some(TriggerSpec::Offset(16)));
        assert_eq!(read("read"), primitive("read", None));
        assert_eq!(read("read(1)"), primitive("read(1)", None));
        assert_eq!(read("read(1) == 7"), primitive("read(1)", Some("7")));
        assert_eq!(read("watch x"), watch("x"));
        assert_eq!(read("watch 8..16"), watch("8..16"));
        let message = TriggerSpec::Message {
            point: "receive".into(),
            name: Some("double".into()),
            from: None,
            to: Some("math".into()),
        };
        assert_eq!(read("message receive double to math"), Some(message));
        for text in ["", "*", "*x", "message eat", "message send a b", "message send to"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
