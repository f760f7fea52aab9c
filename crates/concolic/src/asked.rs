//! What was decided on a path: the kinds of nondeterminism that are explored.

use std::sync::Arc;

use mw_ensemble::Schedule;
use mw_vm::Value;
use mw_world::{Event, Port};

/// What was decided, without how.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Asked {
    /// What an input returns.
    Input {
        /// The import, of the program of the task that runs.
        import: u32,
        /// The primitive, whichever program it is.
        port: Port,
        /// The arguments of the call.
        args: Arc<[Value]>,
    },
    /// A parameter of the function that is called at the start, by its number: it is an input as
    /// well if it is left open.
    Parameter(u32),
    /// Whether the outside does something by itself. There is no value: where it is on a path, it
    /// happens.
    Event(Event),
    /// Who has the next turn.
    Schedule(Arc<Schedule>),
}

impl Asked {
    /// Whether it is a choice of the multiverse. Parameters are decided before there is one.
    pub fn is_choice(&self) -> bool {
        match self {
            Asked::Input { .. } | Asked::Event(_) | Asked::Schedule(_) => true,
            Asked::Parameter(_) => false,
        }
    }

    /// Bytes that it takes beside itself.
    pub(crate) fn held(&self) -> usize {
        match self {
            Asked::Input { args, .. } => size_of_val(&**args),
            Asked::Schedule(schedule) => size_of_val(&**schedule) + schedule.label.len(),
            Asked::Parameter(_) | Asked::Event(_) => 0,
        }
    }
}
