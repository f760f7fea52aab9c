//! The multiverse: the tree of choices, where one can be in it, and checkpoints over it.
//!
//! A *universe* is a path from the root: a sequence of [`Choice`]s with the instruction counts at
//! which they were made. That is the trace; the program replays deterministically from it. The
//! tree holds nothing else: checkpoints ([`Checkpoints`]) are a cache that may vanish at any time.
//!
//! **Architecture invariant:** nothing is ever removed from the tree, and moving about in it
//! changes nothing but which branch is preferred.

mod checkpoints;
mod choice;
pub mod leb128;
mod packed;
mod tree;

pub use checkpoints::Checkpoints;
pub use choice::{Choice, Payload, Site};
pub use packed::Record;
pub use tree::{Addition, Multiverse, NodeId, Outcome, Place, Route, Step};
