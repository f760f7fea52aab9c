//! Concolic execution from a live state: the future universes that differ in control flow.
//!
//! An [`Explorer`] begins where a machine and its world are. What has been read stays what it was;
//! whatever the program reads from there on is open. It ends with a [`Leaf`] for each path: how it
//! ended, an example value for each input, and the whole class of values that take it; a [`Tree`]
//! shows them as choices. [`Bounds`] say how far to go, and what was cut off is said.
//!
//! ```
//! use std::sync::Arc;
//! use mw_concolic::{Explorer, Options, Stop};
//! use mw_vm::{ImportValues, Limits, Machine, Module};
//! use mw_ensemble::Moment;
//! use mw_world::{Description, Import};
//!
//! let binary = wat::parse_str(
//!     r#"(module
//!          (import "env" "chip_analog_read" (func $read (param i32) (result i32)))
//!          (func (export "main")
//!            (if (i32.lt_s (call $read (i32.const 0)) (i32.const 224)) (then (nop)))))"#,
//! )?;
//! let module = Arc::new(Module::from_binary(&binary, &Limits::default())?);
//! let board = Arc::new(Description::board(Default::default()));
//! let imports = module.imports();
//! let world = board.bind(imports.map(|(name, ty)| Import {
//!     module: &name.module,
//!     name: &name.field,
//!     ty,
//! }))?;
//! let mut machine = Machine::new(module.clone(), Limits::default(), ImportValues::default())?;
//! machine.call(module.exported_func("main").unwrap(), &[])?;
//!
//! let mut explorer = Explorer::new(Moment::new(machine, world), Options::default());
//! explorer.run(&Stop::default(), &mut |_| {});
//! assert!(explorer.is_complete());
//! let leaves = explorer.all_leaves();
//! let classes = leaves.iter().map(|leaf| leaf.steps[0].class.show().unwrap());
//! assert_eq!(classes.collect::<Vec<_>>(), ["0..223", "224..4095"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Architecture invariant:** no I/O but for an SMT solver that the user names; whoever asks
//! is told of what is found, and stops it by a [`Stop`].

mod arrivals;
mod asked;
mod chain;
mod clock;
mod coverage;
mod decide;
mod distance;
pub mod evaluate;
mod explore;
pub mod expr;
mod finish;
mod follow;
mod footprint;
mod given;
mod goal;
mod imports;
mod leaf;
mod ledger;
mod monitors;
mod omitted;
mod options;
mod parallel;
mod parameters;
mod path;
mod pointers;
mod pruned;
mod rewrite;
mod schedules;
mod shadow;
mod show;
mod slots;
pub mod solver;
mod statements;
mod stop;
mod tasks;
mod tracer;
mod tree;

pub use asked::Asked;
pub use coverage::Coverage;
pub use explore::{Explorer, Options, PathId};
pub use goal::{Goal, Predicate, SymbolicState};
pub use leaf::{Class, Condition, Cut, End, Leaf, Step, integer};
pub use monitors::{Guard, Inevitable, Judged, PropertyGoal, Violation};
pub use mw_world::HeapError;
pub use omitted::Omitted;
pub use options::{Bounds, Strategy};
pub use path::{Mocked, Outcome};
pub use pruned::{Pruned, WhyPruned};
pub use show::formula;
pub use stop::Stop;
pub use tree::{Possibility, Tree};
