//! Concolic execution from a live state: the future universes that differ in control flow.

mod clock;
mod coverage;
mod decide;
mod distance;
pub mod evaluate;
mod explore;
pub mod expr;
mod imports;
mod leaf;
mod options;
mod path;
mod pointers;
mod rewrite;
mod shadow;
mod show;
pub mod solver;
mod statements;
mod tracer;
mod tree;

pub use coverage::Coverage;
pub use explore::{Control, Explorer, Options, Unattended, integer};
pub use leaf::{Class, Condition, Cut, End, Leaf, Step};
pub use mw_world::HeapError;
pub use options::{Bounds, Strategy};
pub use path::{Mocked, Outcome, PARAMETER};
pub use tree::{Choice, Tree};
