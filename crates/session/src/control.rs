//! Telling a long operation to stop, and hearing how far it is.

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
