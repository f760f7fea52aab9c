//! Properties: automata over what a program does, whose running state belongs to every place.
//!
//! A property is loaded as a text and from then on holds, or not, wherever one is or looks: what
//! comes before here is replayed for it. Everything here is said of a place, here without one.

use serde::{Deserialize, Serialize};

use crate::ask::{Answered, Ask};
use crate::debugger::Debugger;
use crate::error::ApiError;
use crate::event::Listener;
use crate::notation::PlaceRef;
use crate::trace::TraceText;
use crate::views::PlaceView;

/// Loads a property, or another text for one that is loaded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoadProperty {
    /// What it is called: the stem of its file.
    pub name: String,
    /// Its text.
    pub text: String,
    /// The file that it was read from, if it was.
    #[serde(default)]
    pub path: Option<String>,
    /// The property that it takes the place of.
    #[serde(default)]
    pub replaces: Option<u32>,
}

/// Unloads a property.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemoveProperty {
    /// Its number.
    pub property: u32,
}

/// All properties, with their verdicts here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Properties {}

/// A property.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PropertyView {
    /// Its number.
    pub id: u32,
    /// What it is called.
    pub name: String,
    /// Its text.
    pub text: String,
    /// The file that it was read from, if it was.
    pub path: Option<String>,
    /// Whether it holds here.
    pub verdict: VerdictView,
    /// How many slices there are here.
    pub slices: u64,
}

/// Whether a property holds at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum VerdictView {
    /// It holds so far.
    Holds,
    /// It is violated.
    Violated,
    /// The program has ended, and something that was to happen has not.
    Inconclusive,
}

/// The automaton of a property, as it is at a place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Automaton {
    /// The property.
    pub property: u32,
    /// Where; here without.
    #[serde(default)]
    pub at: Option<PlaceRef>,
    /// Only this slice counts for where it is and was; all of them without.
    #[serde(default)]
    pub slice: Option<u64>,
}

/// The automaton of a property, as it is at a place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AutomatonView {
    /// The property.
    pub property: u32,
    /// What it is called.
    pub name: String,
    /// The place.
    pub place: PlaceView,
    /// Whether it holds there.
    pub verdict: VerdictView,
    /// By what slices are told apart; empty if there is only one.
    pub parameters: Vec<String>,
    /// Its states; the first one is where everything begins.
    pub states: Vec<AutomatonState>,
    /// Its transitions.
    pub transitions: Vec<AutomatonTransition>,
}

/// A state of an automaton.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AutomatonState {
    /// What it is called.
    pub name: String,
    /// Whether the property holds in it.
    pub accepting: bool,
    /// Whether a slice that comes to it is forgotten.
    pub is_final: bool,
    /// The action that it names, if it does.
    pub action: Option<String>,
    /// How many slices are in it.
    pub slices: u64,
    /// Whether the last transition that was taken led out of it.
    pub former: bool,
}

/// A transition of an automaton.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AutomatonTransition {
    /// The state that it leads out of, by its position.
    pub from: usize,
    /// The state that it leads to.
    pub to: usize,
    /// The event, as it is written.
    pub event: String,
    /// The condition, as it is written, if there is one.
    pub guard: Option<String>,
    /// What has to come of the condition: it holds, or it does not.
    pub on: TransitionKind,
    /// What is done to the slice's variables, as it is written.
    pub code: Option<String>,
    /// The action that it names, if it does.
    pub action: Option<String>,
    /// Whether it is the last one that was taken.
    pub last: bool,
}

/// When a transition is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TransitionKind {
    /// When its condition holds, or if it has none.
    Success,
    /// When its condition does not hold.
    Failure,
    /// When time has run out.
    Timeout,
}

/// The slices of a property at a place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Slices {
    /// The property.
    pub property: u32,
    /// Where; here without.
    #[serde(default)]
    pub at: Option<PlaceRef>,
    /// Only those that have this in what tells them apart, their state or their variables.
    #[serde(default)]
    pub search: Option<String>,
    /// How many of these are left out first.
    #[serde(default)]
    pub skip: u64,
    /// How many at most; never more than 10,000.
    #[serde(default)]
    pub limit: Option<usize>,
}

/// The slices of a property at a place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SlicesView {
    /// The property.
    pub property: u32,
    /// The place.
    pub place: PlaceView,
    /// How many there are.
    pub total: u64,
    /// How many were searched for.
    pub matching: u64,
    /// Some of these.
    pub slices: Vec<SliceView>,
}

/// A slice: what a property knows of one object, or of one combination of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SliceView {
    /// Its number, in the order in which they came up.
    pub id: u64,
    /// What tells it from others: each parameter with its value, those that are bound.
    pub instance: Vec<NamedValue>,
    /// The state that it is in.
    pub state: String,
    /// Whether the property holds in that.
    pub accepting: bool,
    /// Its variables.
    pub variables: Vec<NamedValue>,
}

/// A name with its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedValue {
    /// The name, as it is written.
    pub name: String,
    /// The value.
    pub value: String,
}

/// What happened that properties know of, in this universe: the event log, and with a slice the
/// explanation of what became of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PropertyEvents {
    /// Of this property; of all without.
    #[serde(default)]
    pub property: Option<u32>,
    /// Only what moved this slice, or what it was copied from.
    #[serde(default)]
    pub slice: Option<u64>,
    /// Up to there; here without.
    #[serde(default)]
    pub until: Option<PlaceRef>,
    /// How many at most, the last ones; never more than 100,000.
    #[serde(default)]
    pub limit: Option<usize>,
}

/// What happened that properties know of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PropertyEventsView {
    /// How many events there are.
    pub total: u64,
    /// Earlier ones that are not listed.
    pub omitted: u64,
    /// The others, oldest first.
    pub events: Vec<PropertyEvent>,
    /// How far was looked, if not all the way: it took too long, or somebody stopped it.
    pub until: Option<PlaceView>,
}

/// An event that a property knows of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PropertyEvent {
    /// Where it was: one can slide there.
    pub place: PlaceView,
    /// The property.
    pub property: u32,
    /// What the property is called.
    pub name: String,
    /// The event, as it is written: `before event queue_push`.
    pub event: String,
    /// Its parameters.
    pub values: Vec<NamedValue>,
    /// What became of slices.
    pub moves: Vec<SliceMove>,
    /// What could not be computed, and why.
    pub faults: Vec<String>,
}

impl PropertyEvent {
    /// Why a property is violated after this, in a line.
    pub fn violation(&self) -> String {
        let PropertyEvent { name, event, .. } = self;
        let because = self.moves.iter().find(|moved| !moved.accepting).map(|moved| {
            let instance = named(&moved.instance);
            let guard = moved.guard.as_ref().filter(|guard| !guard.holds);
            let guard = guard.map(|guard| {
                let values = match guard.values.is_empty() {
                    true => String::new(),
                    false => format!(" with {}", named(&guard.values)),
                };
                format!(", as {} does not hold{values}", guard.text)
            });
            let (from, to) = (&moved.from, &moved.to);
            format!(": {from} → {to} <{instance}>{}", guard.unwrap_or_default())
        });
        format!("{name} is violated by {event}{}", because.unwrap_or_default())
    }
}

/// Names with their values in a line.
fn named(values: &[NamedValue]) -> String {
    let text = |NamedValue { name, value }: &NamedValue| format!("{name} = {value}");
    values.iter().map(text).collect::<Vec<_>>().join(", ")
}

/// What became of a slice by an event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SliceMove {
    /// The slice.
    pub slice: u64,
    /// What tells it from others.
    pub instance: Vec<NamedValue>,
    /// The state that it was in.
    pub from: String,
    /// The state that it is in.
    pub to: String,
    /// Whether the property holds in that.
    pub accepting: bool,
    /// The transition that was taken, by its position in the automaton.
    pub transition: Option<usize>,
    /// The condition as it is written, and whether it held.
    pub guard: Option<GuardView>,
    /// Its variables afterwards.
    pub variables: Vec<NamedValue>,
    /// Whether it came up with this event.
    pub created: bool,
    /// Whether it is forgotten after it.
    pub forgotten: bool,
}

/// A condition that was looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GuardView {
    /// As it is written.
    pub text: String,
    /// Whether it held.
    pub holds: bool,
    /// The values of what it is made of.
    pub values: Vec<NamedValue>,
}

/// Whether properties hold at a place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// Where; here without.
    #[serde(default)]
    pub at: Option<PlaceRef>,
}

/// Whether properties hold at a place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VerdictsView {
    /// The place.
    pub place: PlaceView,
    /// One for each property.
    pub verdicts: Vec<PropertyVerdict>,
}

/// Whether a property holds at a place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PropertyVerdict {
    /// The property.
    pub property: u32,
    /// What it is called.
    pub name: String,
    /// Whether it holds.
    pub verdict: VerdictView,
    /// The slices that violate it, the first few.
    pub violating: Vec<SliceView>,
}

/// Where in the multiverse verdicts change, to colour it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VerdictChanges {
    /// Of this property; of all without.
    #[serde(default)]
    pub property: Option<u32>,
    /// Whether to find out what is not known yet, which may take long: nothing moves by it.
    #[serde(default)]
    pub all: bool,
}

/// Where in the multiverse verdicts change. A place has the verdict of the last change on the way to
/// it; before any, the property holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VerdictChangesView {
    /// The changes.
    pub changes: Vec<VerdictChange>,
    /// Nodes that nobody has come to since the property was loaded: nothing is known from them on.
    pub unknown: Vec<String>,
}

/// A verdict changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VerdictChange {
    /// The property.
    pub property: u32,
    /// Where.
    pub place: PlaceView,
    /// What it is from there on.
    pub verdict: VerdictView,
}

/// The choices from the start to where a property was first violated in this universe, as text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Witness {
    /// The property.
    pub property: u32,
}

/// Loads a scenario: what is done when a property changes its state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoadScenario {
    /// What it is called: the stem of its file.
    pub name: String,
    /// Its text.
    pub text: String,
    /// The file that it was read from, if it was.
    #[serde(default)]
    pub path: Option<String>,
    /// The property that it is about; all without.
    #[serde(default)]
    pub property: Option<u32>,
}

/// Unloads a scenario.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemoveScenario {
    /// Its number.
    pub scenario: u32,
}

/// All scenarios.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scenarios {}

/// A scenario.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScenarioView {
    /// Its number.
    pub id: u32,
    /// What it is called.
    pub name: String,
    /// Its text.
    pub text: String,
    /// The file that it was read from, if it was.
    pub path: Option<String>,
    /// The property that it is about, if it is about one.
    pub property: Option<u32>,
}

impl Ask for LoadProperty {
    type Reply = PropertyView;

    fn serve(self, _: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        Err(pending())
    }
}

impl Ask for RemoveProperty {
    type Reply = ();

    fn serve(self, _: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        Err(pending())
    }
}

impl Ask for Properties {
    type Reply = Vec<PropertyView>;
    const ONLY_LOOKS: bool = true;

    fn serve(self, _: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        Err(pending())
    }
}

impl Ask for Automaton {
    type Reply = AutomatonView;
    const ONLY_LOOKS: bool = true;

    fn serve(self, _: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        Err(pending())
    }
}

impl Ask for Slices {
    type Reply = SlicesView;
    const ONLY_LOOKS: bool = true;

    fn serve(self, _: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        Err(pending())
    }
}

impl Ask for PropertyEvents {
    type Reply = PropertyEventsView;
    const ONLY_LOOKS: bool = true;

    fn serve(self, _: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        Err(pending())
    }
}

impl Ask for Verdict {
    type Reply = VerdictsView;
    const ONLY_LOOKS: bool = true;

    fn serve(self, _: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        Err(pending())
    }
}

impl Ask for VerdictChanges {
    type Reply = VerdictChangesView;
    const ONLY_LOOKS: bool = true;

    fn serve(self, _: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        Err(pending())
    }
}

impl Ask for Witness {
    type Reply = TraceText;
    const ONLY_LOOKS: bool = true;

    fn serve(self, _: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        Err(pending())
    }
}

impl Ask for LoadScenario {
    type Reply = ScenarioView;

    fn serve(self, _: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        Err(pending())
    }
}

impl Ask for RemoveScenario {
    type Reply = ();

    fn serve(self, _: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        Err(pending())
    }
}

impl Ask for Scenarios {
    type Reply = Vec<ScenarioView>;
    const ONLY_LOOKS: bool = true;

    fn serve(self, _: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        Err(pending())
    }
}

fn pending() -> ApiError {
    ApiError::not_here("no property can be loaded yet")
}
