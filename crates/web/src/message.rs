//! What goes over the line between a page and the session: one JSON text per message.

use mw_api::{ApiError, Envelope, Event, Reply};
use serde::{Deserialize, Serialize};

/// From a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum FromPage {
    /// Something is asked for.
    Request {
        /// What the page calls its request; the answer has the same number.
        id: u64,
        /// What is asked for.
        request: Box<Envelope>,
    },
    /// A line is to be carried out, as in a terminal.
    Line {
        /// What the page calls it, as for requests.
        id: u64,
        /// The line.
        line: String,
    },
    /// Something is to be given up.
    Cancel {
        /// What.
        cancel: Cancel,
    },
}

impl FromPage {
    /// Reads a message. An error is told with the number of the request, if there is one.
    pub fn read(text: &str) -> Result<FromPage, (Option<u64>, String)> {
        let parts: Parts = serde_json::from_str(text)
            .map_err(|error| (None, format!("{EXPECTED}, this is something else: {error}")))?;
        match parts {
            Parts { cancel: Some(cancel), .. } => Ok(FromPage::Cancel { cancel }),
            Parts { id: Some(id), request: Some(request), .. } => {
                let request = serde_json::from_value(request)
                    .map_err(|error| (Some(id), format!("there is no such request: {error}")))?;
                Ok(FromPage::Request { id, request })
            }
            Parts { id: Some(id), line: Some(line), .. } => Ok(FromPage::Line { id, line }),
            Parts { id, .. } => Err((id, EXPECTED.into())),
        }
    }
}

const EXPECTED: &str =
    r#"a message is {"id": 7, "request": {…}}, {"id": 7, "line": "next"} or {"cancel": 7}"#;

/// A message, as far as it can be read whatever is wrong with the request in it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Parts {
    id: Option<u64>,
    request: Option<serde_json::Value>,
    line: Option<String>,
    cancel: Option<Cancel>,
}

/// What is to be given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Cancel {
    /// A request of this page, by its number.
    Request(u64),
    /// Whatever is being served, whoever asked for it.
    Current(Current),
}

/// The word for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs, reason = "the name says it")]
pub enum Current {
    Current,
}

/// To a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ToPage {
    /// The first message: what this is.
    Hello {
        /// What this is.
        hello: Hello,
    },
    /// A request was granted.
    Reply {
        /// The number that the page gave to the request.
        id: u64,
        /// The answer.
        reply: Box<Reply>,
    },
    /// A line was carried out.
    Said {
        /// The number that the page gave to it.
        id: u64,
        /// What a terminal would have shown.
        said: String,
    },
    /// A request was refused, or a message made no sense.
    Error {
        /// The number that the page gave to the request, if it could be read.
        id: Option<u64>,
        /// What was wrong, and what to do about it.
        error: ApiError,
    },
    /// Something happened, on behalf of whichever front end.
    Event {
        /// What.
        event: Event,
    },
}

/// What a page is told first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    /// The version of `mw`.
    pub version: String,
    /// What this page is called when others are told what it did: `page 2`.
    pub page: String,
    /// What the program is called: the path that it came from.
    pub name: String,
    /// The world's name.
    pub world: String,
    /// Whether the world has a board to show.
    pub has_board: bool,
    /// Whether the source of the program is known.
    pub has_sources: bool,
    /// The front end whose request is being served, if one is.
    pub busy: Option<String>,
}

impl ToPage {
    /// As JSON.
    pub fn text(&self) -> String {
        // Nothing in it has a key that is not text, which is all that could go wrong.
        serde_json::to_string(self).unwrap_or_else(|error| {
            format!(
                r#"{{"id":null,"error":{{"kind":"unusable","message":{:?}}}}}"#,
                error.to_string()
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use mw_api::{ErrorKind, request};

    use super::*;

    #[test]
    fn messages_of_pages() {
        let envelope = Envelope { request: request::Where {}.into(), confirm: true };
        for (text, expected) in [
            (
                r#"{"id":7,"request":{"request":"where","confirm":true}}"#,
                FromPage::Request { id: 7, request: Box::new(envelope) },
            ),
            (r#"{"id":8,"line":"next"}"#, FromPage::Line { id: 8, line: "next".into() }),
            (r#"{"cancel":7}"#, FromPage::Cancel { cancel: Cancel::Request(7) }),
            (
                r#"{"cancel":"current"}"#,
                FromPage::Cancel { cancel: Cancel::Current(Current::Current) },
            ),
        ] {
            assert_eq!(FromPage::read(text).as_ref(), Ok(&expected));
            assert_eq!(serde_json::to_string(&expected).unwrap(), text);
        }
        for (wrong, id) in [
            ("", None),
            ("7", None),
            ("{}", None),
            (r#"{"cancel":"all"}"#, None),
            (r#"{"id":-1}"#, None),
            (r#"{"other":1}"#, None),
            (r#"{"id":3}"#, Some(3)),
            (r#"{"id":3,"request":{"request":"fly"}}"#, Some(3)),
        ] {
            assert_eq!(FromPage::read(wrong).map_err(|(id, _)| id), Err(id), "{wrong}");
        }
    }

    #[test]
    fn messages_to_pages() {
        let error = ApiError::new(ErrorKind::Notation, "no");
        for (message, expected) in [
            (
                ToPage::Reply { id: 7, reply: Box::new(Reply::Done) },
                r#"{"id":7,"reply":{"reply":"done"}}"#,
            ),
            (ToPage::Said { id: 8, said: "0.0+1".into() }, r#"{"id":8,"said":"0.0+1"}"#),
            (
                ToPage::Error { id: None, error },
                r#"{"id":null,"error":{"message":"no","kind":"notation"}}"#,
            ),
            (
                ToPage::Event { event: Event::Warning { message: "disk full".into() } },
                r#"{"event":{"event":"warning","message":"disk full"}}"#,
            ),
        ] {
            assert_eq!(message.text(), expected);
            assert_eq!(serde_json::from_str::<ToPage>(expected).unwrap(), message);
        }
    }
}
