//! What every run of a function keeps to, found out without running it.
//!
//! ```
//! use mw_summary::Summaries;
//! use mw_vm::{Limits, Module, ValType};
//!
//! let wasm = wat::parse_str(
//!     r#"(module (func (param i32) (result i32) (i32.rem_u (local.get 0) (i32.const 10))))"#,
//! )?;
//! let module = Module::from_binary(&wasm, &Limits::default())?;
//! let summaries = Summaries::of(&module);
//! let summary = summaries.get(0).unwrap();
//! assert_eq!(summary.results.as_ref().unwrap()[0].signed(ValType::I32), (0, 9));
//! assert!(summary.effects.terminates && summary.effects.traps.kinds().next().is_none());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A **summary** says what a function may return, do to globals, tables and memories, call of the
//! outside, and how it may trap. It is *sound*: no run leaves it, whatever the arguments and the
//! answers of the outside. It is not exact: much of what it allows never happens. Memory is not
//! followed, so that anything may be loaded; a loop is not known to end.
//!
//! It is about runs of the program alone. Whoever alters a variable of a paused program may leave
//! it, and so may a primitive that sets a global.

mod arithmetic;
mod blocks;
mod calls;
mod effects;
mod function;
mod numbers;
mod outside;
mod range;
#[cfg(test)]
mod samples;
mod summary;
mod walk;

pub use effects::{Effects, Extent, Extents, Traps};
pub use range::Range;
pub use summary::{Alarm, Summaries, Summary};
