//! The outside of a program: inputs with domains, outputs with compensations, and its own state.
//!
//! A module's imports are the *primitives* of a world. Reading an **input** is a choice from its
//! *domain*; performing an **output** captures its *compensation*, so that a debugger can go back
//! over it. This is where the rules of seed 001 live: only reachable states are shown, because a
//! value outside the domain is refused and because going back undoes what was put out.
//!
//! 1. A [`Description`] says what a world is made of: the built-in board
//!    ([`Description::board`]), a world file ([`Description::parse`], format in [`world_file`]),
//!    or primitives written in Rust ([`InputBehaviour`], [`OutputBehaviour`]).
//! 2. [`Description::bind`] connects it with a module's imports, once.
//! 3. The [`World`] then answers every call, and its [`State`] goes into checkpoints.
//!
//! ```
//! use std::sync::Arc;
//! use mw_vm::{FuncType, ValType::I32, Value};
//! use mw_world::{Call, Description, Import, NoMemory, Outcome, Sample};
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let board = Arc::new(Description::board(Default::default()));
//! let (read, write) = (FuncType::new([I32], [I32]), FuncType::new([I32, I32], []));
//! let mut world = board.bind([
//!     Import { module: "env", name: "chip_analog_read", ty: &read },
//!     Import { module: "env", name: "chip_digital_write", ty: &write },
//! ])?;
//!
//! // An input: what it can return, what it returns by itself, and what it is told to return.
//! let sensor = Call { import: 0, args: &[Value::I32(12)] };
//! assert_eq!(world.domain(sensor)?.to_string(), "0..4095");
//! assert_eq!(world.sample(sensor)?, Sample::Answer(Value::I32(0).into()));
//! assert!(world.check(sensor, &Value::I32(5000).into()).is_err());
//! let accepted = world.accept(sensor, Value::I32(77))?;
//!
//! // An output: performed, described, and taken back exactly.
//! let before = world.state().clone();
//! let led = Call { import: 1, args: &[Value::I32(13), Value::I32(1)] };
//! let Outcome::Done { undo, effect, .. } = world.perform(led, &NoMemory)? else { unreachable!() };
//! assert_eq!(effect, "pin 13 = high");
//! world.undo(undo);
//! assert_eq!(*world.state(), before);
//! world.undo(accepted.undo);
//! # Ok(())
//! # }
//! ```
//!
//! **Architecture invariant:** this crate does no I/O and knows no clock and no randomness: the
//! time is the board's own, generators are part of the state, files come through a loader. And it
//! knows nothing of debugging: which value an input gets and when something is undone is decided
//! by whoever drives it.

mod actor;
pub mod answer;
mod behaviour;
mod bind;
pub mod board;
mod call;
mod description;
pub mod domain;
mod event;
mod heap;
mod memory;
mod perform;
mod primitive;
#[cfg(test)]
mod properties;
mod rule;
mod source;
mod state;
mod statement;
mod symbolic;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod undo;
mod view;
mod world;
pub mod world_file;

pub use answer::{Answer, Brings};
pub use behaviour::{InputBehaviour, OutputBehaviour, Performance};
pub use bind::{BindError, Import, Problem};
pub use call::{Accepted, Call, CallError, Kind, Outcome, Reply, Sample};
pub use description::Description;
pub use domain::{Domain, Floats, Integers, Range, Refusal};
pub use event::{Event, EventError};
pub use heap::{Block, Fault, Heap, HeapError};
pub use memory::{GuestMemory, NoMemory, OutOfBounds, read_bytes};
pub use primitive::{
    Answers, Bearing, Compensation, Input, Operand, Output, Port, Primitive, PrimitiveId,
    RegisterId, Role, Statement, TaskCall,
};
pub use rule::{Condition, Rule, Subject};
pub use source::Source;
pub use state::State;
pub use undo::{CompensatingCall, Undo, Undone};
pub use view::{ReadingView, View};
pub use world::World;
pub use world_file::{Loader, WorldFileError};
