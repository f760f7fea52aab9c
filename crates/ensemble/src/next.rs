//! Who runs next: the choice that is made between two turns.

use std::fmt;
use std::str::FromStr;

use mw_world::Event;
use serde::{Deserialize, Serialize};

use crate::task::TaskId;

/// Who runs next, and with what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Next {
    /// A task begins.
    Start(TaskId),
    /// A task handles a message: the oldest one from this sender, or one that comes before so many
    /// older ones.
    Deliver {
        /// Who handles it.
        to: TaskId,
        /// Who sent it.
        from: TaskId,
        /// How many older ones have to wait for it.
        overtakes: u16,
    },
    /// The same with the oldest one, which will come a second time.
    Double {
        /// Who handles it.
        to: TaskId,
        /// Who sent it.
        from: TaskId,
    },
    /// The oldest message from this sender is lost.
    Lose {
        /// Who would have handled it.
        to: TaskId,
        /// Who sent it.
        from: TaskId,
    },
    /// A task crashes between two turns, and begins anew. What waits for it still does.
    Crash(TaskId),
    /// A task goes on in the middle of its turn.
    Resume(TaskId),
    /// An interrupt arrives that a task has asked for, between two of its turns: what it calls is a
    /// turn, too.
    Interrupt {
        /// Who has asked for it.
        task: TaskId,
        /// The interrupt.
        event: Event,
    },
}

impl Next {
    /// Who runs next, or would have.
    pub fn task(self) -> TaskId {
        match self {
            Next::Start(task) | Next::Resume(task) | Next::Crash(task) => task,
            Next::Interrupt { task, .. } => task,
            Next::Deliver { to, .. } | Next::Double { to, .. } | Next::Lose { to, .. } => to,
        }
    }

    /// Who sent the message that it is about.
    pub fn from(self) -> Option<TaskId> {
        match self {
            Next::Deliver { from, .. } | Next::Double { from, .. } | Next::Lose { from, .. } => {
                Some(from)
            }
            Next::Start(_) | Next::Resume(_) | Next::Crash(_) | Next::Interrupt { .. } => None,
        }
    }

    /// Whether something goes wrong that only an allowed fault explains.
    pub fn is_fault(self) -> bool {
        match self {
            Next::Start(_) | Next::Resume(_) | Next::Interrupt { .. } => false,
            Next::Deliver { overtakes, .. } => overtakes > 0,
            Next::Double { .. } | Next::Lose { .. } | Next::Crash(_) => true,
        }
    }

    /// Whether it is an interrupt, which nothing in the program has to wait for.
    pub fn is_interrupt(self) -> bool {
        matches!(self, Next::Interrupt { .. })
    }
}

impl fmt::Display for Next {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Next::Start(task) => write!(f, "start {task}"),
            Next::Resume(task) => write!(f, "resume {task}"),
            Next::Deliver { to, from, overtakes: 0 } => write!(f, "deliver {to} from {from}"),
            Next::Deliver { to, from, overtakes } => {
                write!(f, "deliver {to} from {from} before {overtakes}")
            }
            Next::Double { to, from } => write!(f, "double {to} from {from}"),
            Next::Lose { to, from } => write!(f, "lose {to} from {from}"),
            Next::Crash(task) => write!(f, "crash {task}"),
            Next::Interrupt { task, event: Event::Interrupt { pin, table_index } } => {
                write!(f, "interrupt {task} pin {pin} element {table_index}")
            }
        }
    }
}

/// A text that names nobody who could run next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not what somebody does next")]
pub struct NoNext;

impl FromStr for Next {
    type Err = NoNext;

    fn from_str(text: &str) -> Result<Self, NoNext> {
        let task = |text: &str| text.parse().map(TaskId).map_err(|_| NoNext);
        Ok(match text.split(' ').collect::<Vec<_>>()[..] {
            ["start", of] => Next::Start(task(of)?),
            ["resume", of] => Next::Resume(task(of)?),
            ["deliver", to, "from", from] => {
                Next::Deliver { to: task(to)?, from: task(from)?, overtakes: 0 }
            }
            ["deliver", to, "from", from, "before", overtakes] => {
                let overtakes = overtakes.parse().map_err(|_| NoNext)?;
                Next::Deliver { to: task(to)?, from: task(from)?, overtakes }
            }
            ["double", to, "from", from] => Next::Double { to: task(to)?, from: task(from)? },
            ["lose", to, "from", from] => Next::Lose { to: task(to)?, from: task(from)? },
            ["crash", of] => Next::Crash(task(of)?),
            ["interrupt", of, "pin", pin, "element", element] => {
                let pin = pin.parse().map_err(|_| NoNext)?;
                let table_index = element.parse().map_err(|_| NoNext)?;
                Next::Interrupt { task: task(of)?, event: Event::Interrupt { pin, table_index } }
            }
            _ => return Err(NoNext),
        })
    }
}

/// A choice of who runs next, with what is said of it to people: `math: double from client1`.
///
/// The words are part of it, so that a tree of choices can be read without running anything.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Schedule {
    /// Who runs next.
    pub next: Next,
    /// For people.
    pub label: String,
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.label)
    }
}
