//! Places as people write them.
//!
//! | text | place |
//! |---|---|
//! | `here`, `start`, `end` | where one is; before the first instruction; as far as this universe is recorded |
//! | `1.3` | right after the choice that leads to node 1.3 |
//! | `1.3+20` | 20 instructions after it |
//! | `512` | after 512 instructions in this universe |
//! | `+20`, `-20` | on or back from here in this universe |
//! | anything else | a bookmark |

use serde::{Deserialize, Serialize};

use crate::error::ApiError;
use crate::notation::parse_integer;

/// A place, as text or by its parts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum PlaceRef {
    /// As people write it; see [`crate::notation::place`].
    Text(String),
    /// By its parts.
    Parts(PlaceSpec),
}

/// A place by its parts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PlaceSpec {
    /// Where the session stands.
    Here,
    /// Before the first instruction.
    Start,
    /// As far as this universe is recorded.
    End,
    /// A place with a name.
    Bookmark(String),
    /// So many instructions after a node, such as `1.3`.
    Node {
        /// The node.
        node: String,
        /// How many instructions after it.
        after: u64,
    },
    /// After so many instructions in this universe.
    Count(u64),
    /// So many instructions on or back from here in this universe.
    Relative(i64),
}

impl From<&str> for PlaceRef {
    fn from(text: &str) -> Self {
        PlaceRef::Text(text.into())
    }
}

/// What cannot be the name of a bookmark, because it means another place.
pub(crate) fn is_reserved(name: &str) -> bool {
    !matches!(read_place(&name.into()), Ok(PlaceSpec::Bookmark(_)))
        || !name.starts_with(|c: char| c.is_alphabetic() || c == '_')
        || name.contains(char::is_whitespace)
}

/// The parts of a place.
pub(crate) fn read_place(place: &PlaceRef) -> Result<PlaceSpec, ApiError> {
    let text = match place {
        PlaceRef::Parts(parts) => return Ok(parts.clone()),
        PlaceRef::Text(text) => text.trim(),
    };
    let wrong = || {
        ApiError::notation(format!(
            "cannot understand the place `{text}`; write a bookmark, a node with instructions \
             after it (1.3+20), a count (512), a distance (+20 or -20), start, end or here"
        ))
    };
    let number = |text: &str| {
        let number = parse_integer(text).and_then(|number| u64::try_from(number).ok());
        number.ok_or_else(wrong)
    };
    Ok(match text {
        "" => return Err(wrong()),
        "here" => PlaceSpec::Here,
        "start" => PlaceSpec::Start,
        "end" => PlaceSpec::End,
        _ if text.starts_with(['+', '-']) => {
            let distance = i64::try_from(number(text[1..].trim())?).map_err(|_| wrong())?;
            PlaceSpec::Relative(if text.starts_with('-') { -distance } else { distance })
        }
        _ if text.starts_with(|c: char| c.is_ascii_digit()) => match text.contains('.') {
            false => PlaceSpec::Count(number(text)?),
            true => {
                let (node, after) = match text.split_once('+') {
                    Some((node, after)) => (node.trim(), number(after.trim())?),
                    None => (text, 0),
                };
                node_parts(node).ok_or_else(wrong)?;
                PlaceSpec::Node { node: node.to_owned(), after }
            }
        },
        name => PlaceSpec::Bookmark(name.to_owned()),
    })
}

/// The two numbers of a node.
pub(crate) fn node_parts(node: &str) -> Option<(u32, u32)> {
    let (segment, index) = node.split_once('.')?;
    Some((segment.parse().ok()?, index.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places() {
        let read = |text: &str| read_place(&text.into()).ok();
        let node = |node: &str, after| Some(PlaceSpec::Node { node: node.into(), after });
        assert_eq!(read("1.3"), node("1.3", 0));
        assert_eq!(read("1.3+20"), node("1.3", 20));
        assert_eq!(read(" 512 "), Some(PlaceSpec::Count(512)));
        assert_eq!(read("1_000"), Some(PlaceSpec::Count(1000)));
        assert_eq!(read("+ 5"), Some(PlaceSpec::Relative(5)));
        assert_eq!(read("-5"), Some(PlaceSpec::Relative(-5)));
        assert_eq!(read("start"), Some(PlaceSpec::Start));
        assert_eq!(read("too-hot"), Some(PlaceSpec::Bookmark("too-hot".into())));
        for text in ["", "1.", "1.x", "1.2.3", "12x", "+", "-x", "1.3+x", "99999999999999999999"] {
            assert_eq!(read(text), None, "{text}");
        }
        for (name, reserved) in [("here", true), ("12", true), ("a b", true), ("too-hot", false)] {
            assert_eq!(is_reserved(name), reserved, "{name}");
        }
    }
}
