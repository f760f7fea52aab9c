//! Properties of programs: automata over what happens in them, and what state they are in.
//!
//! A [`Property`] is a text; bound to programs it is an [`Automaton`], which says what has to be
//! watched; its running state is a [`MonitorState`], and [`step()`] moves that on when something has
//! happened. It is plain data: shared until written, compared, hashed, forked with a universe.
//!
//! **Architecture invariant:** no I/O, no clock, no randomness, no machine of its own. The same
//! events lead to the same state.
//!
//! **Architecture invariant:** an event that [`MonitorState::needed`] does not name changes nothing.

mod arithmetic;
mod automaton;
mod bind;
mod deadline;
mod draw;
mod error;
mod event;
mod explain;
mod instance;
mod moved;
mod property;
mod read;
pub mod scenario;
mod slices;
mod state;
mod step;
mod syntax;
mod table;
mod term;

pub use arithmetic::{Arithmetic, Concrete, Interrupted, Never, Unary};
pub use automaton::{Automaton, Block, Read, StateId, StateInfo, Transition, TransitionId};
pub use bind::Bindings;
pub use deadline::{Deadline, Span, When};
pub use draw::{Marks, TooLarge};
pub use error::PropertyError;
pub use event::{Event, EventId, EventSet, MessageKind, Parameter, Point, Variable, Watch};
pub use explain::explanation;
pub use instance::Instance;
pub use moved::{Change, Fault, Last, Moved, Outcome};
pub use mw_source::{Language, Number, NumberType, Operator};
pub use property::Property;
pub use read::{Occasion, Values};
pub use state::{MonitorState, SliceView, Verdict};
pub use step::{expire, step};
