//! Several machines in one universe: tasks, their messages, and who runs next.
//!
//! A [`Moment`] is all that a place restores: the machine that runs, the world it is in, and, in
//! programs of several tasks, all the others beside it (an [`Ensemble`]). A *task* is a machine that
//! can be scheduled; a *turn* is one message handled to completion; who has the next turn is a
//! choice like the value of an input ([`Next`]), so that everything that is done with choices is done
//! with it. The semantics is that of seed 002's communicating event loops: each task has a memory of
//! its own, messages from one to another stay in order, those of different senders do not.
//!
//! **Architecture invariant:** this crate knows nothing of trees, of debugging and of exploring, does
//! no I/O, and is deterministic: after a moment, only who is said to run next and what inputs are said
//! to answer decides what comes.

mod calls;
mod ensemble;
mod footprint;
mod handler;
mod moment;
mod monitors;
mod next;
mod system;
mod system_file;
mod task;
mod turn;

pub use calls::show as show_message;
pub use ensemble::Ensemble;
pub use footprint::{Footprint, Touch};
pub use handler::size as size_in_message;
pub use moment::{AnswerError, Answered, Checkpoint, Moment, answer};
pub use monitors::{Due, DueEvent, Heed, Monitors, News};
pub use next::{Next, NoNext, Schedule};
pub use system::{Faults, Link, Member, Most, Program, System};
pub use system_file::{Loader, SystemFileError, WorldLoader};
pub use task::{FutureId, Message, Standing, Task, TaskId};
pub use turn::{AGAIN, Rest, ScheduleError};
