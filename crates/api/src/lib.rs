//! The one command set of the debugger.
//!
//! A front end holds a [`Debugger`] and hands it [`Request`]s; each is answered with a [`Reply`]
//! or an [`ApiError`], and on the way [`Event`]s tell a [`Listener`] what happens. All of them are
//! plain data that serde can write, so that a page, an editor and a terminal say the same things.
//!
//! What people write (`chip_analog_read(12)`, `0..4095 step 512`, `1.3+20`, `global 2 > 5`) is
//! read here as well, in [`notation`], so that it means the same everywhere.
//!
//! **Architecture invariant:** front ends know of a session what this crate says of it; what one
//! front end can do, all can. What they need of the crates below is exported here.
//!
//! ```
//! use mw_api::{Debugger, Direction, Reply, Request, Setup, Unattended};
//!
//! let binary = wat::parse_str(
//!     r#"(module
//!          (import "env" "color_sensor" (func $sensor (param i32) (result i32)))
//!          (func (export "main") (drop (call $sensor (i32.const 0)))))"#,
//! )?;
//! let mut debugger = Debugger::new(Setup::new(&binary)?.entry("main", &[])?)?;
//! debugger.handle(Request::mock("color_sensor(0)", "77"), &mut Unattended)?;
//! let run = Request::Run { direction: Direction::Forward, confirm: false };
//! let Reply::Stopped(stopped) = debugger.handle(run, &mut Unattended)? else { unreachable!() };
//! assert_eq!(stopped.position.place.text, "0.1+2");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod branch;
mod breakpoints;
mod chronicle;
mod code;
mod compare;
mod coverage;
mod debugger;
mod detours;
mod device;
mod entry;
mod error;
mod event;
mod exploration;
mod findings;
mod functions;
mod growth;
mod inputs;
mod inspect;
mod keeping;
mod known_inputs;
mod listing;
mod log;
mod memory;
mod merged;
mod movement;
pub mod notation;
mod own_code;
mod paths;
mod places;
mod reply;
mod request;
mod service;
mod setup;
mod source_code;
mod source_lines;
mod source_views;
mod suggest;
mod suggested;
mod terms;
mod trace;
mod tree;
mod universe;
mod views;
mod world_changes;
mod write_memory;

pub use coverage::{
    BranchCoverage, CoverageView, FileCoverage, FunctionCoverage, LineCoverage, WayCoverage,
};
pub use debugger::Debugger;
pub use detours::without_detours;
pub use device::{DeviceView, LinkState, LinkView, RunOn, SideView, follower};
pub use entry::Entry;
pub use error::{ApiError, ErrorKind};
pub use event::{Changed, EffectView, Event, Listener, Unattended};
pub use exploration::Exploration;
pub use findings::Finding;
pub use keeping::Keeper;
pub use mw_concolic::Coverage;
pub use mw_remote::host::{Address, Key};
pub use mw_session::{Direction, Options, Session, Unit};
pub use mw_source::{DEBUG_FILE, Sources};
pub use mw_vm::{Limits, LoadError, Module, ValType, Value};
pub use mw_world::board::{BoardView, Level};
pub use mw_world::{Description, Loader, View as WorldView};
pub use reply::*;
pub use request::{
    CallRef, CallSpec, PlaceRef, PlaceSpec, Request, ScopeRef, TriggerRef, TriggerSpec, ValuesRef,
    Which,
};
pub use service::{Client, Service, Subscription, Ticket};
pub use setup::Setup;
pub use source_views::{
    ExcerptLine, SourceExcerpt, SourceFileView, SourceFrame, SourceLine, SourceVariable,
};
pub use suggested::{
    ConditionView, FoundView, InputView, LeafView, OptionView, QueriesView, SourceView, Suggested,
};
