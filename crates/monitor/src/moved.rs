//! What an event has done to a monitor.

use mw_source::Number;
use smallvec::SmallVec;

use crate::automaton::{StateId, TransitionId};
use crate::instance::Instance;
use crate::state::{MonitorState, Verdict};

/// What a guard has decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// It held, or there was none.
    Success,
    /// It did not hold.
    Failure,
    /// The time of the state was over.
    Timeout,
}

/// What a slice, or any of a property's, was moved by last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Last {
    /// The transition; the state that it begins in is the former one.
    pub transition: TransitionId,
    /// What the guard has decided.
    pub outcome: Outcome,
}

/// A slice that was moved.
#[derive(Clone, Debug, PartialEq)]
pub struct Change<N = Number> {
    /// What it is about.
    pub instance: Instance,
    /// What it was copied from, if it is new.
    pub copied_from: Option<Instance>,
    /// The state that it was in.
    pub from: StateId,
    /// The state that it is in.
    pub to: StateId,
    /// The transition that it took.
    pub transition: TransitionId,
    /// What the guard has decided.
    pub outcome: Outcome,
    /// Whether it has been forgotten then.
    pub forgotten: bool,
    /// Its variables as the guard saw them, if it did not hold and they have been set since.
    pub before: Option<Box<[N]>>,
}

/// Something that could not be evaluated: the slice has not been moved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What the slice is about.
    pub instance: Instance,
    /// The transition, if it is about one.
    pub transition: Option<TransitionId>,
    /// What is wrong.
    pub message: String,
}

/// What an event has done.
#[derive(Clone, Debug, PartialEq)]
pub struct Moved<N = Number> {
    /// The slices that were moved, in the order in which that happened.
    pub changes: SmallVec<[Change<N>; 1]>,
    /// What could not be evaluated.
    pub faults: Vec<Fault>,
    /// Whether other events are needed now.
    pub needs_changed: bool,
    /// What could be said of the property before, and what can be now.
    pub verdict: (Verdict, Verdict),
}

impl<N> Moved<N> {
    pub(crate) fn nothing(state: &MonitorState<N>) -> Moved<N> {
        let verdict = (state.verdict, state.verdict);
        Moved { changes: SmallVec::new(), faults: Vec::new(), needs_changed: false, verdict }
    }

    /// Whether nothing has happened.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty() && self.faults.is_empty()
    }
}
