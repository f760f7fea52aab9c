//! The graph of all universes from a place on, with states that are equal as one: seed 002's.
//!
//! Its states are those at which something is decided (somebody is to have the next turn, an input is
//! about to be read), those right after an input has been read, where breakpoints stop, and the ends. A
//! turn is run to completion: nobody can meet what is in the middle of it. Edges are choices, and
//! stretches on which the program goes on by itself.
//!
//! Nothing is left out for being like something else; what is left out for other reasons is said
//! ([`Graph::open`], [`Graph::left_out`]). No session is moved.
//!
//! **Invariant:** a graph has no two equal states, and does not depend on the order in which it was
//! explored: states are numbered as they are met going breadth first, choices in their own order.

mod canonical;
mod ends;
mod explore;
mod query;
mod telling;
mod way;

use std::collections::BTreeSet;

use mw_ensemble::{Checkpoint, TaskId};
use mw_multiverse::{Outcome, Payload, Place, Site};

use crate::breakpoints::BreakpointId;

pub use ends::{Ends, Livelock};
pub use query::{FindError, Found, Query};
pub use telling::Remembered;
pub use way::Parting;

/// How far to explore, and where to stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphOptions {
    /// States: from there on nothing is explored further. The last one that was may lead to a few
    /// more.
    pub states: usize,
    /// Choices from the first state on: what comes after so many is not explored.
    pub depth: Option<u32>,
    /// States that somebody wants to see more of, by their [hashes](GraphState::hash): so many
    /// choices from there on, also where something stops universes.
    pub expanded: Vec<((u128, u128), u32)>,
    /// Instructions from one state to the next.
    pub instructions: u64,
    /// Which state is explored next. What comes of it is the same, unless it is stopped before the
    /// end.
    pub order: Order,
    /// What stops universes.
    pub halts: Halts,
}

/// Which state is explored next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// The one that was met first.
    #[default]
    First,
    /// The one that was met last.
    Last,
    /// Any, by this number.
    Any(u64),
}

/// What stops universes, each by itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Halts {
    /// Whether the breakpoints of the session do.
    pub breakpoints: bool,
    /// Where a turn of the actor of this name begins.
    pub turn_of: Option<String>,
    /// Whether nothing is explored beyond where they stop; otherwise it is only noted.
    pub stay: bool,
}

impl Default for GraphOptions {
    fn default() -> Self {
        GraphOptions {
            states: 10_000,
            depth: None,
            expanded: Vec::new(),
            instructions: 10_000_000,
            order: Order::First,
            halts: Halts::default(),
        }
    }
}

/// More values than these are not tried for one input.
pub const VALUES: u128 = 16;

/// A state, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateId(pub u32);

impl StateId {
    /// Where everything begins.
    pub const FIRST: StateId = StateId(0);

    fn index(self) -> usize {
        self.0 as usize
    }
}

impl std::fmt::Display for StateId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// The graph. See the [module](self).
#[derive(Debug)]
pub struct Graph {
    /// Where it begins.
    pub from: Place,
    /// The states, by their numbers.
    pub states: Vec<GraphState>,
    /// What could happen and was not explored, for people.
    pub left_out: BTreeSet<String>,
    /// Why it was stopped with states waiting, if it was.
    pub stopped: Option<Unexplored>,
    /// How many instructions were executed.
    pub executed: u64,
    /// The program at each state, for whoever asks about it.
    moments: Vec<Checkpoint>,
}

/// A state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphState {
    /// What comes next.
    pub kind: StateKind,
    /// The breakpoints that have stopped a universe here, or the turn that was waited for.
    pub halted: Vec<Halting>,
    /// Why it was not explored further, if it was not.
    pub open: Option<Unexplored>,
    /// The ways on, in their own order.
    pub edges: Vec<GraphEdge>,
    /// The way here with the fewest choices: the state before, and which of its edges.
    pub parent: Option<(StateId, usize)>,
    /// How many choices there are on that way.
    pub depth: u32,
    /// How many instructions have been executed at its end.
    pub count: u64,
    /// Who runs, or ran last, on that way; nobody, if there is one task.
    pub runs: Option<TaskId>,
    /// What the state is, as a hash: of machines and worlds.
    pub hash: (u128, u128),
}

/// What comes next in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StateKind {
    /// The next instruction.
    Going,
    /// Somebody's turn.
    Turn,
    /// This input is read.
    Input(String),
    /// Nothing.
    Ended(Outcome),
}

/// What has stopped a universe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Halting {
    /// The turn that was waited for begins.
    Turn,
    /// A breakpoint.
    Breakpoint(BreakpointId),
}

/// Why a state was not explored further.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unexplored {
    /// There were as many states as allowed.
    States,
    /// As many instructions as allowed had been executed since the last one.
    Instructions,
    /// Somebody stopped it.
    Cancelled,
    /// The time was over.
    Time,
    /// A breakpoint has stopped it.
    Halted,
    /// It lies as deep as was asked for.
    Depth,
    /// The world does not know what this input returns.
    Asks(String),
    /// The world cannot answer, for this reason.
    Failed(String),
}

impl std::fmt::Display for Unexplored {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Unexplored::States => f.write_str("state bound"),
            Unexplored::Instructions => f.write_str("instruction bound"),
            Unexplored::Cancelled => f.write_str("cancelled"),
            Unexplored::Time => f.write_str("time bound"),
            Unexplored::Halted => f.write_str("halted"),
            Unexplored::Depth => f.write_str("depth bound"),
            Unexplored::Asks(call) => write!(f, "nobody knows what {call} returns"),
            Unexplored::Failed(why) => f.write_str(why),
        }
    }
}

/// A way on from a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphEdge {
    /// What is decided; nothing where the program goes on by itself.
    pub choice: Option<GraphChoice>,
    /// How many instructions are executed on it.
    pub length: u64,
    /// Where it leads.
    pub to: StateId,
}

/// What is decided on an edge, when the state has been come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphChoice {
    /// What about.
    pub site: Site,
    /// How.
    pub payload: Payload,
    /// For people: `math: double from client1`.
    pub label: String,
}

impl GraphEdge {
    /// What it is for people.
    pub fn label(&self) -> &str {
        self.choice.as_ref().map_or("goes on", |choice| &choice.label)
    }
}

impl Graph {
    /// A state.
    pub fn state(&self, id: StateId) -> Option<&GraphState> {
        self.states.get(id.index())
    }

    /// All states with their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (StateId, &GraphState)> {
        (0..).map(StateId).zip(&self.states)
    }

    /// How many edges there are.
    pub fn edges(&self) -> usize {
        self.states.iter().map(|state| state.edges.len()).sum()
    }

    /// The states that were not explored further: what comes after them is not known.
    pub fn open(&self) -> impl Iterator<Item = (StateId, &Unexplored)> {
        self.iter().filter_map(|(id, state)| Some((id, state.open.as_ref()?)))
    }

    /// The states at which something has stopped a universe.
    pub fn halted(&self) -> impl Iterator<Item = StateId> {
        self.iter().filter(|(_, state)| !state.halted.is_empty()).map(|(id, _)| id)
    }

    /// Whether these are all universes: nothing was cut off, and nothing left out.
    pub fn is_complete(&self) -> bool {
        self.left_out.is_empty() && self.open().next().is_none()
    }

    /// Says better why it was cancelled.
    pub fn rename_stop(&mut self, why: Unexplored) {
        let open = self.states.iter_mut().map(|state| &mut state.open);
        for stop in open.chain([&mut self.stopped]) {
            if *stop == Some(Unexplored::Cancelled) {
                *stop = Some(why.clone());
            }
        }
    }

    /// The program at a state, on the way to it with the fewest choices.
    pub fn moment(&self, id: StateId) -> Option<&Checkpoint> {
        self.moments.get(id.index())
    }

    /// The tasks that there are in any of the states, by name.
    pub fn tasks(&self) -> BTreeSet<&str> {
        let ensembles = self.moments.iter().filter_map(|moment| moment.ensemble.as_deref());
        ensembles.flat_map(|ensemble| ensemble.tasks().map(|(_, task)| &*task.name)).collect()
    }
}
