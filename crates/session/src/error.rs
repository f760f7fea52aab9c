//! What cannot be done, and why.

use mw_ensemble::{AnswerError, ScheduleError};
use mw_multiverse::Place;
use mw_world::{BindError, CallError, EventError};

/// An operation that was refused or failed. The session is still at a place like any other.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SessionError {
    /// The world does not have what the module imports.
    #[error("{0}")]
    Bind(#[from] BindError),
    /// The module cannot be instantiated.
    #[error("the module cannot be started: {0}")]
    Instantiate(#[from] mw_vm::InstantiateError),
    /// The session cannot begin there.
    #[error("the session cannot begin in the middle of a run: {0}")]
    Start(#[from] crate::start::StartError),
    /// The entry cannot be called.
    #[error("the entry cannot be called: {0}")]
    Entry(#[from] mw_vm::CallError),
    /// The world refused an answer.
    #[error("{0}")]
    World(#[from] CallError),
    /// The place is not in this multiverse.
    #[error("there is no place {0:?} in this multiverse; `tree` shows what there is")]
    NoSuchPlace(Place),
    /// The recorded choices do not fit the program any more.
    #[error(
        "the recording does not fit: after {count} instructions it has {recorded}, \
         but the program {actual}; was it made with another program or world?"
    )]
    Diverged {
        /// When.
        count: u64,
        /// What was recorded.
        recorded: String,
        /// What the program does.
        actual: String,
    },
    /// Going back would cross an output that cannot be undone.
    #[error("going back crosses {0}, which cannot be undone; confirm to go anyway")]
    Irreversible(String),
    /// The target does not follow.
    #[error("the device does not follow: {0}; attach again to go on with it")]
    Target(String),
    /// A property makes no sense, or not for this program.
    #[error("{0}")]
    Property(#[from] mw_monitor::PropertyError),
    /// It was cancelled.
    #[error("cancelled")]
    Cancelled,
    /// What was named is not there.
    #[error("{0}")]
    Unknown(String),
}

impl From<EventError> for SessionError {
    fn from(error: EventError) -> Self {
        match error {
            EventError::Entry(error) => SessionError::Entry(error),
            other => SessionError::Unknown(other.to_string()),
        }
    }
}

impl From<ScheduleError> for SessionError {
    fn from(error: ScheduleError) -> Self {
        SessionError::Unknown(error.to_string())
    }
}

impl From<AnswerError> for SessionError {
    fn from(error: AnswerError) -> Self {
        match error {
            AnswerError::Call(error) => SessionError::World(error),
            other => SessionError::Unknown(other.to_string()),
        }
    }
}
