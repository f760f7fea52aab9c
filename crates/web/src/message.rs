//! What goes over the line between a page and the session: one JSON text per message.

use mw_api::{ApiError, Event, Reply};
use serde::{Deserialize, Serialize};

/// From a page: `{"id": 7, "request": {…}}` or `{"cancel": 7}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FromPage {
    /// What the page calls its request; the answer has the same number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<u64>,
    /// A request of the api. Read on its own, so that what is wrong with it can be answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<serde_json::Value>,
    /// What is to be given up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cancel: Option<Cancel>,
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
        reply: Reply,
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
    use mw_api::ErrorKind;

    use super::*;

    #[test]
    fn messages_of_pages() {
        let request: FromPage =
            serde_json::from_str(r#"{"id": 7, "request": {"request": "where"}}"#).unwrap();
        assert_eq!(request.id, Some(7));
        assert_eq!(request.request, Some(serde_json::json!({"request": "where"})));
        let cancel = |text| serde_json::from_str::<FromPage>(text).unwrap().cancel;
        assert_eq!(cancel(r#"{"cancel": 7}"#), Some(Cancel::Request(7)));
        assert_eq!(cancel(r#"{"cancel": "current"}"#), Some(Cancel::Current(Current::Current)));
        for wrong in ["", "7", r#"{"cancel": "all"}"#, r#"{"id": -1}"#, r#"{"other": 1}"#] {
            assert!(serde_json::from_str::<FromPage>(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn messages_to_pages() {
        let error = ApiError::new(ErrorKind::Notation, "no");
        for (message, expected) in [
            (ToPage::Reply { id: 7, reply: Reply::Done }, r#"{"id":7,"reply":{"reply":"done"}}"#),
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
