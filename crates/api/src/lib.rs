//! The one command set of the debugger.
//!
//! A front end holds a [`Debugger`] and asks it; each [`request`] knows the type of its answer, or
//! there is an [`ApiError`], and on the way [`Event`]s tell a [`Listener`] what happens. All of them
//! are plain data that serde can write, so that a page, an editor and a terminal say the same
//! things; over a line, they are a [`Request`] and a [`Reply`].
//!
//! What people write (`chip_analog_read(12)`, `0..4095 step 512`, `1.3+20`, `global 2 > 5`) is
//! read here as well, in [`notation`], so that it means the same everywhere.
//!
//! **Architecture invariant:** front ends know of a session what this crate says of it; what one
//! front end can do, all can. What they need of the crates below is exported here.
//!
//! ```
//! use mw_api::request::{Mock, Run};
//! use mw_api::{Debugger, Direction, Setup, Unattended};
//!
//! let binary = wat::parse_str(
//!     r#"(module
//!          (import "env" "color_sensor" (func $sensor (param i32) (result i32)))
//!          (func (export "main") (drop (call $sensor (i32.const 0)))))"#,
//! )?;
//! let mut debugger = Debugger::new(Setup::new(&binary)?.entry("main", &[])?)?;
//! debugger.ask(Mock::new("color_sensor(0)", "77"), &mut Unattended)?;
//! let stopped = debugger.ask(Run { direction: Direction::Forward }, &mut Unattended)?;
//! assert_eq!(stopped.position.place.text, "0.1+2");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod actors;
mod adopt;
mod ask;
mod automata;
mod bookmarks;
mod branch;
mod breakpoints;
mod checked;
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
mod graph;
mod growth;
mod hits;
mod info;
mod inputs;
mod inspect;
mod interference;
mod keeping;
mod known_inputs;
mod listing;
mod log;
mod looked;
mod memory;
mod merged;
mod mocks;
mod movement;
pub mod notation;
mod origin;
mod own_code;
mod paths;
mod patience;
mod places;
mod play;
mod position;
mod program_code;
mod program_text;
mod properties;
mod property_events;
mod pruned;
mod query;
mod reacting;
mod reasons;
mod reply;
pub mod request;
mod scenarios;
mod service;
mod setup;
mod skips;
mod slide;
mod source_code;
mod source_lines;
mod source_views;
mod step_message;
mod suggest;
mod suggested;
mod terms;
mod trace;
mod tree;
mod type_of;
mod universe;
mod variables;
mod verdicts;
mod views;
mod who;
mod why;
mod world_changes;
mod write_memory;

pub use actors::{
    ActorView, ActorsView, MessageRef, MessageView, NextTurn, RunningActor, TurnView, TurnsView,
};
pub use adopt::Removed;
pub use ask::{Answered, Ask, Envelope};
pub use automata::{
    AutomatonState, AutomatonTransition, AutomatonView, NamedValue, SliceView, SlicesView,
    TransitionKind,
};
pub use bookmarks::BookmarkView;
pub use branch::Branched;
pub use breakpoints::BreakpointView;
pub use code::CodeLine;
pub use compare::{DifferenceView, MemoryDifferenceView, VariableDifference};
pub use coverage::{
    BranchCoverage, CoverageView, FileCoverage, FunctionCoverage, LineCoverage, WayCoverage,
};
pub use debugger::Debugger;
pub use detours::without_detours;
pub use device::{DeviceView, LinkState, LinkView, RunOn, SideView, follower};
pub use entry::Entry;
pub use error::{ApiError, ErrorKind};
pub use event::{Changed, EffectView, Event, Listener, ReadView, Unattended};
pub use exploration::{Exploration, MANY};
pub use findings::{Finding, InevitableView, ViolationView};
pub use graph::{
    EdgeView, EndView, FoundState, FoundStates, GraphSummary, GraphView, LivelockView, OpenView,
    PartingView, StateView, VariableIn,
};
pub use growth::{HitView, TreeChangesView, TreeNode};
pub use hits::{HitsView, PastHit};
pub use info::{InfoView, NamesView};
pub use inspect::Frame;
pub use interference::InterruptView;
pub use keeping::Keeper;
pub use known_inputs::KnownInput;
pub use log::{LogLine, LogView};
pub use memory::MemoryView;
pub use merged::MergedView;
pub use mocks::MockView;
pub use movement::{HaltView, Stopped};
pub use mw_concolic::Coverage;
pub use mw_remote::host::{Address, Key};
pub use mw_session::{Direction, Options, Session, Unit};
pub use mw_session_file::{SystemFiles, WorldSource};
pub use mw_source::{DEBUG_FILE, Format, Sources, is_library};
pub use mw_vm::{Limits, LoadError, Module, ValType, Value};
pub use mw_world::board::{BoardView, Level};
pub use mw_world::{Description, Loader, View as WorldView};
pub use notation::{
    CallRef, CallSpec, PlaceRef, PlaceSpec, TriggerRef, TriggerSpec, ValuesRef, Which,
};
pub use origin::{OriginRow, OriginView};
pub use position::{PendingCall, Position};
pub use properties::{PropertyVerdict, PropertyView, VerdictView, VerdictsView};
pub use property_events::{GuardView, PropertyEvent, PropertyEventsView, SliceMove};
pub use pruned::{PrunedTurn, PrunedView};
pub use query::{QueryRow, QueryView};
pub use reacting::CarryOut;
pub use reply::Reply;
pub use request::Request;
pub use scenarios::ScenarioView;
pub use service::{Client, Service, Subscription, Ticket};
pub use setup::Setup;
pub use skips::SkipView;
pub use slide::JourneyView;
pub use source_code::ScopeRef;
pub use source_lines::FileText;
pub use source_views::{
    ContentView, ExcerptLine, SourceExcerpt, SourceFileView, SourceFrame, SourceLine,
    SourceVariable,
};
pub use suggested::{
    CheckedView, ConditionView, FoundView, InputView, LeafView, OptionView, QueriesView,
    SourceView, Suggested,
};
pub use trace::TraceText;
pub use tree::{TreeRow, TreeView};
pub use type_of::TypeView;
pub use universe::{MomentView, UniverseView};
pub use variables::{Printed, Variable};
pub use verdicts::{VerdictChange, VerdictChangesView};
pub use views::{ChoiceView, OutcomeView, OutputView, PlaceView, ValueView};
pub use why::{DecidingInput, WhyView};
