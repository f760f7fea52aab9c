//! Why a request was not granted.

use mw_session::{SessionError, TraceError};
use serde::{Deserialize, Serialize};

/// A request that was refused or failed, worded for the person who made it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
pub struct ApiError {
    /// What happened and what to do about it.
    pub message: String,
    /// What kind of failure it is, for front ends that act on it.
    pub kind: ErrorKind,
}

/// The kinds of failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ErrorKind {
    /// What was written cannot be understood.
    Notation,
    /// What was named is not there.
    Unknown,
    /// The world does not allow it: the value is not possible.
    Refused,
    /// It cannot be done at this place.
    NotHere,
    /// It would go back over an output that cannot be undone: ask, then repeat it with `confirm`.
    Irreversible,
    /// A recording does not fit the program or the world.
    Diverged,
    /// Somebody stopped it.
    Cancelled,
    /// The program or its world cannot be used.
    Unusable,
}

impl ApiError {
    /// An error of some kind.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> ApiError {
        ApiError { message: message.into(), kind }
    }

    pub(crate) fn notation(message: impl Into<String>) -> ApiError {
        ApiError::new(ErrorKind::Notation, message)
    }

    pub(crate) fn unknown(message: impl Into<String>) -> ApiError {
        ApiError::new(ErrorKind::Unknown, message)
    }

    pub(crate) fn not_here(message: impl Into<String>) -> ApiError {
        ApiError::new(ErrorKind::NotHere, message)
    }
}

impl From<SessionError> for ApiError {
    fn from(error: SessionError) -> Self {
        let kind = match &error {
            SessionError::Bind(_) | SessionError::Instantiate(_) | SessionError::Start(_) => {
                ErrorKind::Unusable
            }
            SessionError::World(_) => ErrorKind::Refused,
            SessionError::Property(_) => ErrorKind::Notation,
            SessionError::Irreversible(_) => ErrorKind::Irreversible,
            SessionError::Diverged { .. } => ErrorKind::Diverged,
            SessionError::Cancelled => ErrorKind::Cancelled,
            SessionError::Entry(_) => ErrorKind::NotHere,
            _ => ErrorKind::Unknown,
        };
        ApiError::new(kind, error.to_string())
    }
}

impl From<mw_world::CallError> for ApiError {
    fn from(error: mw_world::CallError) -> Self {
        ApiError::new(ErrorKind::Refused, error.to_string())
    }
}

impl From<TraceError> for ApiError {
    fn from(error: TraceError) -> Self {
        let kind = match error {
            TraceError::OtherProgram { .. } | TraceError::OtherWorld => ErrorKind::Diverged,
            TraceError::NoWholePast => ErrorKind::NotHere,
            TraceError::NotATrace | TraceError::Line { .. } => ErrorKind::Notation,
        };
        ApiError::new(kind, error.to_string())
    }
}
