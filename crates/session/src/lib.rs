//! The debugger: one program, its world, and everywhere one can go with them.
//!
//! A [`Session`] stands at a [`Place`] of a [`Multiverse`]. Moving forward executes the program,
//! follows choices that have been made and makes those that have not; moving back undoes what the
//! program did to the world and replays the rest. Whatever the way, the machine and the world at a
//! place are those of a plain run with the same choices (seed 000's soundness, seed 001's
//! compensation soundness).
//!
//! Every operation that may take long takes a [`Control`]: it reports progress and can be
//! cancelled, and a cancelled operation leaves the session at a place like any other.

mod admit;
mod ahead;
mod alter;
mod bookmarks;
mod branch;
mod breakpoints;
mod condition;
mod control;
mod diff;
mod drive;
mod error;
mod explain;
mod graph;
mod hits;
mod inspect;
mod known;
mod line_step;
mod lines;
mod merged;
mod messages;
mod misuse;
mod mocks;
mod origins;
mod past;
mod program;
mod properties;
mod replayer;
mod restart;
mod retrace;
mod reverse;
mod scenarios;
mod session;
mod settings;
mod skips;
mod start;
mod step;
mod suggest;
mod symbolic;
mod tally;
mod target;
mod trace;
mod travel;
mod turn_step;
mod turns;
mod verdicts;
mod walk;
mod watch;

pub use admit::Logged;
pub use ahead::{Halted, Horizon};
pub use bookmarks::Bookmarks;
pub use breakpoints::{Breakpoint, BreakpointId, BreakpointSet, PrimitivePattern, Trigger};
pub use condition::Condition;
pub use control::{Control, Progress, Unattended};
pub use diff::{Difference, MemoryDifference};
pub use drive::Watcher;
pub use error::SessionError;
pub use explain::{Happening, Happenings};
pub use graph::{
    Ends, FindError, Found, Graph, GraphChoice, GraphEdge, GraphOptions, GraphState, Halting,
    Halts, Livelock, Order, Parting, Query, Remembered, StateId, StateKind, Unexplored, VALUES,
};
pub use hits::{HitRule, HitRuleError};
pub use inspect::{FrameView, VariableView, frames_of, globals_of};
pub use merged::Merged;
pub use messages::{MessagePattern, OneMessage, Point};
pub use mocks::{Mock, MockId, Mocks};
pub use mw_ensemble::News;
pub use mw_multiverse::{Choice, Multiverse, NodeId, Outcome, Payload, Place, Site};
pub use mw_source::Names;
pub use past::{Learnt, OnCall, Onlooker, Past, Scope};
pub use properties::{PropertyId, PropertySet, PropertyText, monitor_of};
pub use replayer::Replayer;
pub use retrace::Retraced;
pub use scenarios::{ScenarioId, ScenarioSet, ScenarioText};
pub use session::{Halt, Session};
pub use settings::Options;
pub use skips::{Skip, SkipSet, fits_end};
pub use start::{Start, StartError};
pub use step::{Direction, Unit};
pub use tally::{Hit, Tally};
pub use target::{Answer, IsCancelled, Leg, Target};
pub use trace::{Trace, TraceError};
pub use travel::Journey;
pub use turn_step::TurnRecord;
pub use turns::Turns;
pub use verdicts::VerdictChange;
pub use walk::Effect;
pub use watch::Watch;
