//! What a turn has touched: whoever explores knows by it which turns can be exchanged.

use mw_world::Event;

use crate::task::{FutureId, TaskId};

/// What a turn has touched beside its own task.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    /// Whether it has looked at its world, and whether it has changed it.
    pub world: Touch,
    /// The messages that it has sent: to whom, and which of its own.
    pub sent: Vec<(TaskId, u64)>,
    /// The tasks that it has made.
    pub spawned: Vec<TaskId>,
    /// The futures that it has settled, or wanted to know of.
    pub futures: Vec<FutureId>,
    /// Whether it has changed which interrupts may arrive in its world.
    pub subscribes: bool,
    /// The interrupts that its task has asked for, as it had not before.
    pub asked_for: Vec<Event>,
}

/// How something was touched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Touch {
    /// Not at all.
    #[default]
    No,
    /// It was looked at.
    Read,
    /// It was changed.
    Write,
}
