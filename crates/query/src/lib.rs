//! Asking the past: what happened in a program, when, and how often.
//!
//! A [`Trace`] is what happened, in the order of time: lazy, immutable and cached, with the operations
//! of seed 004's Expositor. To make one costs nothing; a question replays the part of the past that it
//! needs, and what was found is kept. Where events come from is a [`Backend`]; an [`Execution`] is the
//! one over a session, in which events are seen while stretches of a universe are replayed, many at
//! once.
//!
//! **Architecture invariant:** asking moves nothing and makes nothing happen: it sees the past of a
//! session ([`mw_session::Past`]), never the session.

mod attend;
mod collector;
mod edit_hamt;
mod events;
mod execution;
mod failure;
mod flow;
mod forest;
mod formula;
mod lazy;
mod numbers;
mod origin;
mod source;
mod stretches;
mod time;
mod trace;
mod universe;

pub use attend::{Token, attended};
pub use edit_hamt::{EditHamt, Found};
pub use events::{Comparison, Event, Events, Kind, Number, Subject, Test};
pub use execution::{Bounds, EventStore, Execution};
pub use failure::Failure;
pub use flow::{Flow, Id, Made, Step};
pub use forest::{FirstIn, Forest, Sighting};
pub use formula::Formula;
pub use lazy::Lazy;
pub use numbers::{arguments_at, primitive_at, returned_at, slot_at, written_at};
pub use origin::{Influence, Origin, Traced};
pub use source::{Backend, Looked, Store, trace_of};
pub use time::{Direction, Item, Time};
pub use trace::{Items, Trace};
pub use universe::{Strand, Universe, time_of};
