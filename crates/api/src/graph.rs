//! The graph of all universes, with states that are equal as one: drawing it, looking for states in it,
//! and going to them.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use mw_session::{
    Control, FindError, Graph as Drawn, GraphOptions, GraphState, Halting, Halts, Livelock, Place,
    Progress, Query, Site, StateId, StateKind, Unexplored,
};
use serde::{Deserialize, Serialize};

use crate::ask::{Answered, Ask};
use crate::debugger::{Bridge, Debugger};
use crate::error::ApiError;
use crate::event::Listener;
use crate::movement::Stopped;
use crate::notation::{PlaceRef, did_you_mean};
use crate::terms::unreadable;
use crate::views::{OutcomeView, PlaceView};

/// How long it may take unless told otherwise.
const MILLISECONDS: u64 = 10_000;
/// The most states that may be asked for: as many as there is room for.
const MOST_STATES: usize = 1_000_000;
/// The most milliseconds: a year.
const MOST_TIME: u64 = 365 * 24 * 60 * 60 * 1000;
/// So many variables are told of each end.
const TOLD: usize = 6;
/// So many states are told of what was found, unless told otherwise.
const FOUND: usize = 20;

/// Draws the graph of all universes. No order of turns stands for another one, as it does for
/// [`Exploration`](crate::Exploration); states that are equal are one. It is kept for
/// [`FindStates`], [`WhatParts`] and [`GoToState`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Graph {
    /// From where; from here without.
    pub from: Option<PlaceRef>,
    /// How many states, about.
    pub limit: Option<usize>,
    /// How many choices from there on; all without.
    pub depth: Option<u32>,
    /// Milliseconds in all.
    pub milliseconds: Option<u64>,
    /// Whether breakpoints stop universes, each by itself.
    pub breakpoints: bool,
    /// Stop universes where the next turn of this actor begins.
    pub turn_of: Option<String>,
    /// Whether what stops universes is only noted, and what lies beyond it is drawn as well.
    pub resume: bool,
}

impl Ask for Graph {
    type Reply = GraphView;
    const ONLY_LOOKS: bool = true;
    const IN_PASSING: bool = false;

    fn serve(self, debugger: &mut Debugger, listener: &mut dyn Listener) -> Answered<Self> {
        debugger.draw(&self, listener)?;
        let view = debugger.graph.as_ref().map(|graph| debugger.graph_view(graph));
        view.ok_or_else(none_yet)
    }
}

/// Shows more of the graph that was drawn last: what comes after a state that was not explored
/// further, also where a breakpoint has stopped universes. States that are no farther from the start
/// keep their numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExpandState {
    /// Its number.
    pub state: u32,
    /// How many choices from there on; one without.
    #[serde(default)]
    pub depth: Option<u32>,
}

impl Ask for ExpandState {
    type Reply = GraphView;
    const ONLY_LOOKS: bool = true;
    const IN_PASSING: bool = false;

    fn serve(self, debugger: &mut Debugger, listener: &mut dyn Listener) -> Answered<Self> {
        let id = debugger.known_state(self.state)?;
        let kept = debugger.graph.as_ref().ok_or_else(none_yet)?;
        let state = kept.graph.state(id).ok_or_else(none_yet)?;
        match (&state.kind, &state.open) {
            (StateKind::Ended(_), _) => {
                return Err(ApiError::not_here(format!("universes end in state {id}")));
            }
            (_, Some(_)) => {}
            (_, None) if self.depth.is_none() => {
                return Err(ApiError::not_here(format!(
                    "what comes after state {id} is shown already; `expand {id} 2` shows more"
                )));
            }
            (_, None) => {}
        }
        let (mut asked, from) = (kept.asked.clone(), kept.graph.from);
        asked.expanded.push((state.hash, self.depth.unwrap_or(1)));
        debugger.draw_from(from, asked, listener)?;
        let view = debugger.graph.as_ref().map(|graph| debugger.graph_view(graph));
        view.ok_or_else(none_yet)
    }
}

/// How universes end in the graph that was drawn last, or else in one that is drawn from here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ends {}

impl Ask for Ends {
    type Reply = GraphSummary;
    const ONLY_LOOKS: bool = true;
    const IN_PASSING: bool = false;

    fn serve(self, debugger: &mut Debugger, listener: &mut dyn Listener) -> Answered<Self> {
        if debugger.graph.is_none() {
            debugger.draw(&Graph::default(), listener)?;
        }
        let summary = debugger.graph.as_ref().map(|kept| debugger.graph_summary(kept));
        summary.ok_or_else(none_yet)
    }
}

/// Looks for states in the graph that was drawn last, or else in one that is drawn from here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FindStates {
    /// What has to hold: `math: result == 66`, `door: open == 1 and controller: moving == 1`. Without
    /// an actor's name it may hold for any.
    pub query: String,
    /// How many states to tell of at most, the nearest first.
    #[serde(default)]
    pub limit: Option<usize>,
}

impl Ask for FindStates {
    type Reply = FoundStates;
    const ONLY_LOOKS: bool = true;
    const IN_PASSING: bool = false;

    fn serve(self, debugger: &mut Debugger, listener: &mut dyn Listener) -> Answered<Self> {
        let query = Query::parse(&self.query).map_err(not_found)?;
        if debugger.graph.is_none() {
            debugger.draw(&Graph::default(), listener)?;
        }
        let graph = &debugger.graph.as_ref().ok_or_else(none_yet)?.graph;
        let found = debugger.session.find_states(graph, &query).map_err(not_found)?;
        let shown = found.states.iter().take(self.limit.unwrap_or(FOUND));
        Ok(FoundStates {
            from: debugger.place_view(graph.from),
            number: found.states.len() as u64,
            states: shown.filter_map(|id| debugger.found_state(graph, *id)).collect(),
            of: graph.states.len() as u64,
            unclear: found.unclear as u64,
            complete: graph.is_complete(),
        })
    }
}

/// Goes to a state of the graph that was drawn last: the way to it with the fewest choices becomes
/// part of the multiverse.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GoToState {
    /// Its number.
    pub state: u32,
}

impl Ask for GoToState {
    type Reply = Stopped;

    fn serve(self, debugger: &mut Debugger, listener: &mut dyn Listener) -> Answered<Self> {
        let state = debugger.known_state(self.state)?;
        let Debugger { graph, session, .. } = debugger;
        let place = session.adopt_state(&graph.as_ref().ok_or_else(none_yet)?.graph, state)?;
        debugger.slide_to(place, listener)
    }
}

/// What parts two states of the graph that was drawn last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WhatParts {
    /// One of them.
    pub first: u32,
    /// The other one.
    pub second: u32,
}

impl Ask for WhatParts {
    type Reply = PartingView;
    const ONLY_LOOKS: bool = true;

    fn serve(self, debugger: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        let (first, second) =
            (debugger.known_state(self.first)?, debugger.known_state(self.second)?);
        let graph = &debugger.graph.as_ref().ok_or_else(none_yet)?.graph;
        let parting = graph.parting(first, second).ok_or_else(|| {
            ApiError::unknown(format!("both are state {first}: nothing parts a state from itself"))
        })?;
        let at = graph.state(parting.at).map(|state| state_view(debugger, parting.at, state));
        let told = debugger.session.telling(graph, &[first, second]);
        let told: Vec<Vec<VariableIn>> = told.into_iter().map(variables).collect();
        let [first_has, second_has] = <[_; 2]>::try_from(told).unwrap_or_default();
        Ok(PartingView {
            at: at.ok_or_else(none_yet)?,
            first: parting.first.map(|choice| choice.label.clone()),
            second: parting.second.map(|choice| choice.label.clone()),
            first_has,
            second_has,
        })
    }
}

/// The graph of all universes from a place on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GraphView {
    /// What there is to say of it.
    pub summary: GraphSummary,
    /// The states; each has the index that is its number.
    pub states: Vec<StateView>,
    /// The steps from one state to another.
    pub edges: Vec<EdgeView>,
}

/// What there is to say of a graph.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GraphSummary {
    /// Where it begins.
    pub from: PlaceView,
    /// How many states there are.
    pub states: u64,
    /// How many steps from one state to another.
    pub edges: u64,
    /// How universes end.
    pub ends: Vec<EndView>,
    /// Where they go on for ever: states that lead to each other and to nothing else.
    pub livelocks: Vec<LivelockView>,
    /// How many states there are at which something has stopped a universe.
    pub halted: u64,
    /// Why states were not explored further, and how many: what comes after them is not known.
    pub open: Vec<OpenView>,
    /// The turn that was waited for, if one was; it does not come in universes that end.
    pub turn_of: Option<String>,
    /// Whether these are all universes: nothing was cut off, and nothing left out.
    pub complete: bool,
    /// What could happen and was not explored.
    pub left_out: Vec<String>,
    /// How many instructions were executed.
    pub instructions: u64,
}

/// States that were not explored further.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenView {
    /// Why not.
    pub why: String,
    /// How many.
    pub states: u64,
}

/// A state of the graph.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateView {
    /// Its number.
    pub id: u32,
    /// `running`, `halted`, `ended` or `open`.
    pub kind: String,
    /// What comes next, for people.
    pub text: String,
    /// How universes end here, if they do.
    pub outcome: Option<OutcomeView>,
    /// Why it was not explored further, if it was not.
    pub open: Option<String>,
    /// The breakpoints that have stopped a universe here; 0 for the turn that was waited for.
    pub halted: Vec<u32>,
    /// The state before it on the way with the fewest choices.
    pub parent: Option<u32>,
    /// How many choices there are on that way.
    pub depth: u32,
    /// How many instructions have been executed at its end.
    pub count: u64,
    /// How many edges lead here.
    pub merged: u32,
}

/// A step from one state of the graph to another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EdgeView {
    /// From where.
    pub from: u32,
    /// Where to.
    pub to: u32,
    /// What is decided, for people; `goes on` where the program goes on by itself.
    pub label: String,
    /// `turn`, `input` or `step`.
    pub kind: String,
    /// Whether something goes wrong that only an allowed fault explains.
    pub fault: bool,
    /// How many instructions are executed.
    pub length: u64,
}

/// A state at which universes end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EndView {
    /// The state.
    pub state: u32,
    /// How they end.
    pub outcome: OutcomeView,
    /// How many ways lead there, as text: there may be many. Nothing, if it can be any number.
    pub ways: Option<String>,
    /// The way with the fewest choices.
    pub way: Vec<String>,
    /// Variables that are not the same at all ends: the first of them.
    pub variables: Vec<VariableIn>,
}

/// A variable of an actor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VariableIn {
    /// The actor; nothing, if there is one program alone.
    pub actor: Option<String>,
    /// The variable.
    pub name: String,
    /// Its value.
    pub value: String,
}

/// States that lead to each other and to nothing else.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LivelockView {
    /// These.
    pub states: Vec<u32>,
    /// The way with the fewest choices to the first of them.
    pub way: Vec<String>,
}

/// The states that were looked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundStates {
    /// Where the graph begins.
    pub from: PlaceView,
    /// How many there are.
    pub number: u64,
    /// The first of them, the nearest first.
    pub states: Vec<FoundState>,
    /// How many states were looked at.
    pub of: u64,
    /// In how many of them something was not available, so that it cannot be said.
    pub unclear: u64,
    /// Whether these are all states that there are.
    pub complete: bool,
}

/// A state that was looked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundState {
    /// The state.
    pub state: StateView,
    /// The way with the fewest choices.
    pub way: Vec<String>,
}

/// What parts two states.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartingView {
    /// The last state that their ways have in common.
    pub at: StateView,
    /// What is decided there on the way to the first; nothing if it is that one, or goes on by itself.
    pub first: Option<String>,
    /// The same for the second.
    pub second: Option<String>,
    /// Variables that are different: in the first.
    pub first_has: Vec<VariableIn>,
    /// The same in the second.
    pub second_has: Vec<VariableIn>,
}

/// A graph that was drawn.
pub(crate) struct KeptGraph {
    graph: Drawn,
    asked: Wanted,
}

/// How a graph is drawn.
#[derive(Clone)]
struct Wanted {
    states: usize,
    milliseconds: u64,
    depth: Option<u32>,
    halts: Halts,
    expanded: Vec<((u128, u128), u32)>,
}

/// Stops what takes too long.
struct Within<'a> {
    bridge: Bridge<'a>,
    until: Instant,
    is_over: bool,
}

impl Control for Within<'_> {
    fn is_cancelled(&mut self) -> bool {
        self.is_over |= Instant::now() >= self.until;
        self.is_over || self.bridge.is_cancelled()
    }

    fn progress(&mut self, progress: Progress) {
        self.bridge.progress(progress);
    }
}

fn none_yet() -> ApiError {
    ApiError::not_here("no graph has been drawn yet; `graph` draws one")
}

fn not_found(error: FindError) -> ApiError {
    match error {
        FindError::Nothing => ApiError::notation(error.to_string()),
        FindError::Nobody { .. } => ApiError::unknown(error.to_string()),
        FindError::Condition { text, error } => unreadable(&text, error),
    }
}

fn variables(remembered: Vec<mw_session::Remembered>) -> Vec<VariableIn> {
    let view = |one: mw_session::Remembered| VariableIn {
        actor: one.actor,
        name: one.name,
        value: one.value,
    };
    remembered.into_iter().take(TOLD).map(view).collect()
}

impl Debugger {
    /// Draws a graph and keeps it.
    fn draw(&mut self, asked: &Graph, listener: &mut dyn Listener) -> Result<(), ApiError> {
        let from = match &asked.from {
            Some(from) => self.resolve(from)?,
            None => self.session.here(),
        };
        let milliseconds = asked.milliseconds.unwrap_or(MILLISECONDS);
        let states = asked.limit.unwrap_or(GraphOptions::default().states);
        for (what, number, most) in [
            ("states", states as u64, MOST_STATES as u64),
            ("milliseconds", milliseconds, MOST_TIME),
        ] {
            if number > most {
                let problem = format!("{number} {what} are too many; {most} are the most");
                return Err(ApiError::notation(problem));
            }
        }
        let halts = Halts {
            breakpoints: asked.breakpoints,
            turn_of: asked.turn_of.clone(),
            stay: !asked.resume,
        };
        let (depth, expanded) = (asked.depth, Vec::new());
        let wanted = Wanted { states, milliseconds, depth, halts, expanded };
        self.draw_from(from, wanted, listener)
    }

    fn draw_from(
        &mut self,
        from: Place,
        asked: Wanted,
        listener: &mut dyn Listener,
    ) -> Result<(), ApiError> {
        let options = GraphOptions {
            states: asked.states,
            depth: asked.depth,
            halts: asked.halts.clone(),
            expanded: asked.expanded.clone(),
            ..GraphOptions::default()
        };
        let until = Instant::now() + Duration::from_millis(asked.milliseconds);
        let mut within = Within { bridge: Bridge { listener }, until, is_over: false };
        let mut graph = self.session.graph(from, &options, &mut within)?;
        if within.is_over {
            graph.rename_stop(Unexplored::Time);
        }
        if let Some(actor) = &asked.halts.turn_of
            && !graph.tasks().contains(actor.as_str())
        {
            let known = graph.tasks();
            let hint = did_you_mean(actor, known.iter().copied());
            return Err(ApiError::unknown(match known.is_empty() {
                true => "this program is one task: it has no turns".into(),
                false => {
                    let known = Vec::from_iter(known).join(", ");
                    format!("nobody is called {actor}{hint}; there are: {known}")
                }
            }));
        }
        self.graph = Some(KeptGraph { graph, asked });
        Ok(())
    }

    /// A state of the graph that was drawn last.
    fn known_state(&self, number: u32) -> Result<StateId, ApiError> {
        let graph = &self.graph.as_ref().ok_or_else(none_yet)?.graph;
        let state = StateId(number);
        match graph.state(state) {
            Some(_) => Ok(state),
            None => Err(ApiError::unknown(format!(
                "there is no state {number}; the graph that was drawn last has 0 to {}",
                graph.states.len().saturating_sub(1)
            ))),
        }
    }

    fn graph_view(&self, kept: &KeptGraph) -> GraphView {
        let graph = &kept.graph;
        let mut states: Vec<StateView> =
            graph.iter().map(|(id, state)| state_view(self, id, state)).collect();
        let edges: Vec<EdgeView> = graph.iter().flat_map(|(id, s)| edge_views(id, s)).collect();
        edges.iter().for_each(|edge| states[edge.to as usize].merged += 1);
        GraphView { summary: self.graph_summary(kept), states, edges }
    }

    fn graph_summary(&self, KeptGraph { graph, asked }: &KeptGraph) -> GraphSummary {
        let ends = graph.ends();
        let ended: Vec<StateId> = ends.ended.iter().map(|(id, _)| *id).collect();
        let told = self.session.telling(graph, &ended);
        let end = |((id, ways), told): ((StateId, Option<u64>), Vec<_>)| {
            let outcome = graph.outcome(id)?;
            Some(EndView {
                state: id.0,
                outcome: self.outcome_view(graph.state(id)?.count, outcome),
                ways: ways.map(|ways| match ways {
                    u64::MAX => format!("more than {ways}"),
                    ways => ways.to_string(),
                }),
                way: labels(graph, id),
                variables: variables(told),
            })
        };
        let livelock = |Livelock { states }: Livelock| LivelockView {
            way: states.first().map(|id| labels(graph, *id)).unwrap_or_default(),
            states: states.into_iter().map(|id| id.0).collect(),
        };
        let mut open: BTreeMap<&Unexplored, u64> = BTreeMap::new();
        graph.open().for_each(|(_, why)| *open.entry(why).or_default() += 1);
        let open = open.into_iter().map(|(why, states)| OpenView { why: why.to_string(), states });
        GraphSummary {
            from: self.place_view(graph.from),
            states: graph.states.len() as u64,
            edges: graph.edges() as u64,
            ends: ends.ended.into_iter().zip(told).filter_map(end).collect(),
            livelocks: ends.livelocks.into_iter().map(livelock).collect(),
            halted: graph.halted().count() as u64,
            open: open.collect(),
            turn_of: asked.halts.turn_of.clone(),
            complete: graph.is_complete(),
            left_out: graph.left_out.iter().cloned().collect(),
            instructions: graph.executed,
        }
    }

    fn found_state(&self, graph: &Drawn, id: StateId) -> Option<FoundState> {
        let state = state_view(self, id, graph.state(id)?);
        Some(FoundState { state, way: labels(graph, id) })
    }
}

/// The choices on the way to a state.
fn labels(graph: &Drawn, id: StateId) -> Vec<String> {
    graph.way(id).into_iter().map(|(_, choice)| choice.label.clone()).collect()
}

fn state_view(debugger: &Debugger, id: StateId, state: &GraphState) -> StateView {
    let outcome = match &state.kind {
        StateKind::Ended(outcome) => Some(debugger.outcome_view(state.count, outcome)),
        _ => None,
    };
    let kind = match (&state.kind, &state.open) {
        (StateKind::Ended(_), _) => "ended",
        _ if !state.halted.is_empty() => "halted",
        (_, Some(_)) => "open",
        (_, None) => "running",
    };
    let text = match (&state.kind, &outcome) {
        (_, Some(outcome)) => outcome.text.clone(),
        (StateKind::Input(call), _) => format!("reads {call}"),
        (StateKind::Turn, _) => "somebody's turn".into(),
        _ => "runs".into(),
    };
    StateView {
        id: id.0,
        kind: kind.into(),
        text,
        outcome,
        open: state.open.as_ref().map(ToString::to_string),
        halted: (state.halted.iter())
            .map(|halting| match halting {
                Halting::Turn => 0,
                Halting::Breakpoint(id) => id.0,
            })
            .collect(),
        parent: state.parent.map(|(parent, _)| parent.0),
        depth: state.depth,
        count: state.count,
        merged: 0,
    }
}

fn edge_views(id: StateId, state: &GraphState) -> impl Iterator<Item = EdgeView> {
    state.edges.iter().map(move |edge| {
        let site = edge.choice.as_ref().map(|choice| &choice.site);
        let (kind, fault) = match site {
            Some(Site::Schedule(schedule)) => ("turn", schedule.next.is_fault()),
            Some(_) => ("input", false),
            None => ("step", false),
        };
        let (label, kind) = (edge.label().to_owned(), kind.to_owned());
        EdgeView { from: id.0, to: edge.to.0, label, kind, fault, length: edge.length }
    })
}
