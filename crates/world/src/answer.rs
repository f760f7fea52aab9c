//! What an input answers: a number, and the bytes that come with it.
//!
//! The number is what the call returns, and what is chosen from a [`Domain`](crate::Domain). Some
//! calls name a buffer as well ([`Brings`]): a page, a packet, a line of text arrives there. An
//! answer without bytes leaves the buffer as it is.

use std::fmt;
use std::sync::Arc;

use mw_vm::Value;
use serde::{Deserialize, Serialize};

/// Bytes that come with an answer; whoever keeps them shares them.
pub type Bytes = Arc<[u8]>;

/// What the outside decides about a call of an input.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Answer {
    /// What the call returns.
    pub value: Value,
    /// What arrives in the program's buffer, if something does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<Bytes>,
}

impl From<Value> for Answer {
    fn from(value: Value) -> Self {
        Answer { value, bytes: None }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)?;
        self.bytes.iter().try_for_each(|bytes| write!(f, " {}", quoted(bytes)))
    }
}

/// Bytes for people: as text in quotes, what is not ASCII as `\x00`.
pub fn quoted(bytes: &[u8]) -> String {
    format!("\"{}\"", bytes.escape_ascii())
}

/// The number and the bytes of an answer as people write it: `200 "hello\n"`, `200` or `"hello"`.
/// `None` if what is in quotes is not what [`quoted`] writes.
pub fn parts(text: &str) -> Option<(Option<&str>, Option<Bytes>)> {
    let text = text.trim();
    let (number, bytes) = match text.split_once('"') {
        None => (text, None),
        Some((number, rest)) => (number.trim_end(), Some(unquoted(rest.strip_suffix('"')?)?)),
    };
    Some(((!number.is_empty()).then_some(number), bytes))
}

/// What stands between quotes, without what makes it readable.
fn unquoted(text: &str) -> Option<Bytes> {
    let (mut bytes, mut rest) = (Vec::new(), text.bytes());
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'"' => return None,
            b'\\' => match rest.next()? {
                b'n' => b'\n',
                b'r' => b'\r',
                b't' => b'\t',
                b'0' => 0,
                b'x' => {
                    let mut digit = || char::from(rest.next()?).to_digit(16);
                    (digit()? * 16 + digit()?) as u8
                }
                escaped @ (b'\\' | b'"' | b'\'') => escaped,
                _ => return None,
            },
            byte => byte,
        });
    }
    Some(bytes.into())
}

/// Where the bytes of an answer go, by arguments of the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Brings {
    /// The argument that is the address of the buffer.
    pub address: usize,
    /// The argument that is the size of the buffer.
    pub room: usize,
    /// Whether the call returns how many bytes there are.
    pub is_counted: bool,
}

impl Brings {
    fn argument(args: &[Value], index: usize) -> u32 {
        match args.get(index) {
            Some(Value::I32(number)) => *number as u32,
            _ => 0,
        }
    }

    /// Where a call wants its bytes.
    pub(crate) fn address(&self, args: &[Value]) -> u32 {
        Brings::argument(args, self.address)
    }

    /// How many bytes can come with an answer to a call.
    pub fn most(&self, args: &[Value]) -> u32 {
        Brings::argument(args, self.room).min(i32::MAX as u32)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn bytes_come_back_from_what_people_read(bytes: Vec<u8>, number: i32) {
            let answer = Answer { value: Value::I32(number), bytes: Some(bytes.into()) };
            let text = answer.to_string();
            prop_assert!(text.is_ascii() && !text.contains('\n'));
            prop_assert_eq!(parts(&text), Some((Some(&*number.to_string()), answer.bytes)));
        }

        #[test]
        fn noise_is_survived(text: String) {
            let _ = parts(&text);
        }
    }

    #[test]
    fn either_part_may_be_left_out() {
        let bytes = |text: &str| Some(Arc::from(text.as_bytes()));
        for (text, expected) in [
            ("200", Some((Some("200"), None))),
            (" 200 \"a\\x42\\\"\" ", Some((Some("200"), bytes("aB\"")))),
            ("\"\"", Some((None, bytes("")))),
            ("\"é\"", Some((None, bytes("é")))),
            ("\"", None),
            ("\"a\"b\"", None),
            ("\"\\q\"", None),
            ("\"\\x4\"", None),
        ] {
            assert_eq!(parts(text), expected, "{text}");
        }
    }
}
