//! Telling a long operation to stop, and hearing how far it is.

use crate::session::Session;

/// How far an operation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Instructions executed since the start of the program.
    pub count: u64,
    /// Where the operation ends, if that is known.
    pub goal: Option<u64>,
}

/// Whoever asked for an operation.
pub trait Control {
    /// Whether to give up; asked every few milliseconds.
    fn is_cancelled(&mut self) -> bool;
    /// How far it is; told every few milliseconds.
    fn progress(&mut self, progress: Progress);
    /// The session in the middle of a long operation, to look at it, to save what it has found so
    /// far, to decide what inputs return from here on. It is called every few milliseconds, and
    /// whenever the clock of the world has moved on; only where the session stands at a place like
    /// any other.
    fn meanwhile(&mut self, session: &mut Session) {
        let _ = session;
    }
}

/// Nobody watches, nobody cancels.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unattended;

impl Control for Unattended {
    fn is_cancelled(&mut self) -> bool {
        false
    }

    fn progress(&mut self, _: Progress) {}
}
