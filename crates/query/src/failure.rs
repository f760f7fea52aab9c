//! Why a question has no answer.

use mw_session::SessionError;

/// A question that was not answered. Nothing was learnt that is not so: what was found until then
/// is kept, and the question can be asked again.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Failure {
    /// Somebody stopped it.
    #[error("cancelled")]
    Cancelled,
    /// There are more events than may be kept.
    #[error("more than {most} events; ask for a part of them: `between A and B`, or with `where`")]
    TooMany {
        /// How many may be kept.
        most: usize,
    },
    /// Each item needs the one before it, further back than can be nested.
    #[error("an item needs more items before it than can be computed one within the other")]
    TooDeep,
    /// What would have to be computed belongs to a trace that nobody has any more.
    #[error("the trace that this comes from is gone; keep it as long as its values are needed")]
    Gone,
    /// A replay failed.
    #[error(transparent)]
    Session(SessionError),
    /// A function of whoever asks failed.
    #[error("{0}")]
    Function(String),
}

impl From<SessionError> for Failure {
    fn from(error: SessionError) -> Self {
        match error {
            SessionError::Cancelled => Failure::Cancelled,
            error => Failure::Session(error),
        }
    }
}
