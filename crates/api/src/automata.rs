//! The automaton of a property for whoever draws it, and its slices.

use std::collections::BTreeMap;

use mw_monitor::{
    Automaton as Bound, Change, Instance, Last, Number, Outcome, SliceView as Slice, StateId,
};
use serde::{Deserialize, Serialize};

use crate::ask::{Answered, Ask};
use crate::debugger::Debugger;
use crate::event::Listener;
use crate::notation::PlaceRef;
use crate::properties::VerdictView;
use crate::views::PlaceView;

/// How many slices there are unless told otherwise.
const SLICES: usize = 100;
/// How many there are at most.
const MOST: usize = 10_000;

/// The automaton of a property, as it is at a place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Automaton {
    /// The property.
    pub property: u32,
    /// Where; here without.
    #[serde(default)]
    pub at: Option<PlaceRef>,
    /// Only this slice counts for where it is; all of them without.
    #[serde(default)]
    pub slice: Option<String>,
}

impl Ask for Automaton {
    type Reply = AutomatonView;
    const ONLY_LOOKS: bool = true;

    fn serve(self, debugger: &mut Debugger, listener: &mut dyn Listener) -> Answered<Self> {
        let id = debugger.property(self.property)?;
        let place = debugger.place_or_here(self.at.as_ref())?;
        let (automaton, state) = debugger.monitor_at(id, place, listener)?;
        let wanted = |slice: &Slice| {
            self.slice
                .as_ref()
                .is_none_or(|wanted| *wanted == automaton.show_instance(&slice.instance))
        };
        let mut inside = BTreeMap::<StateId, u64>::new();
        let mut last = state.last().filter(|_| self.slice.is_none());
        for slice in state.slices().iter().filter(|slice| wanted(slice)) {
            *inside.entry(slice.state).or_default() += 1;
            last = last.or(slice.last.filter(|_| self.slice.is_some()));
        }
        let mut view = AutomatonView::new(&automaton, last);
        for (id, shown) in (0..).map(StateId).zip(&mut view.states) {
            shown.slices = inside.get(&id).copied().unwrap_or(0);
        }
        view.property = self.property;
        view.place = Some(debugger.place_view(place));
        view.verdict = state.verdict().into();
        Ok(view)
    }
}

/// The automaton of a property, as it is at a place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AutomatonView {
    /// The property.
    pub property: u32,
    /// What it is called.
    pub name: String,
    /// The place; none for a property that is only shown.
    pub place: Option<PlaceView>,
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
    /// Whether something is still to come in it: if the program ends, nobody can say.
    pub pending: bool,
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

impl Ask for Slices {
    type Reply = SlicesView;
    const ONLY_LOOKS: bool = true;

    fn serve(self, debugger: &mut Debugger, listener: &mut dyn Listener) -> Answered<Self> {
        let id = debugger.property(self.property)?;
        let place = debugger.place_or_here(self.at.as_ref())?;
        let (automaton, state) = debugger.monitor_at(id, place, listener)?;
        let limit = self.limit.unwrap_or(SLICES).min(MOST);
        let (mut matching, mut slices) = (0, Vec::new());
        for slice in state.slices().iter().map(|slice| SliceView::new(&automaton, slice)) {
            if self.search.as_ref().is_none_or(|text| slice.has(text)) {
                if matching >= self.skip && slices.len() < limit {
                    slices.push(slice);
                }
                matching += 1;
            }
        }
        let (property, total) = (self.property, state.slice_count() as u64);
        Ok(SlicesView { property, place: debugger.place_view(place), total, matching, slices })
    }
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
    /// What tells it from others, in a line: `queue = 0x44c`; empty for the one that is about nothing.
    pub id: String,
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

impl AutomatonView {
    /// An automaton with nothing in it yet; the last that became of a slice, if something did.
    pub(crate) fn new(automaton: &Bound, last: Option<Last>) -> AutomatonView {
        let former = last.map(|last| automaton.transition(last.transition).from);
        let mut states = Vec::new();
        for (id, state) in (0..).map(StateId).zip(automaton.states()) {
            states.push(AutomatonState {
                name: state.name.clone(),
                accepting: !state.is_violation(),
                pending: state.accepting.is_none(),
                is_final: state.is_final,
                action: state.action.clone(),
                slices: 0,
                former: former == Some(id),
            });
        }
        AutomatonView {
            property: 0,
            name: automaton.name().to_owned(),
            place: None,
            verdict: VerdictView::Holds,
            parameters: automaton.slice_parameters().to_vec(),
            states,
            transitions: drawn(automaton, last),
        }
    }
}

/// The transitions of an automaton as they are drawn: where a condition decides, there are two.
fn drawn(automaton: &Bound, last: Option<Last>) -> Vec<AutomatonTransition> {
    let mut drawn = Vec::new();
    for (id, transition) in (0..).zip(automaton.transitions()) {
        let usual = match transition.event {
            Some(_) => (TransitionKind::Success, Outcome::Success),
            None => (TransitionKind::Timeout, Outcome::Timeout),
        };
        let blocks = [
            (usual, &transition.success),
            ((TransitionKind::Failure, Outcome::Failure), &transition.failure),
        ];
        for ((on, outcome), block) in blocks {
            let Some(block) = block else { continue };
            let is_last = |last: Last| last.transition.0 == id && last.outcome == outcome;
            drawn.push(AutomatonTransition {
                from: transition.from.0.into(),
                to: block.to.0.into(),
                event: transition.text.clone(),
                guard: transition.guard.as_deref().map(bare),
                on,
                code: Some(block.text.clone()).filter(|text| !text.is_empty()),
                action: block.action.clone(),
                last: last.is_some_and(is_last),
            });
        }
    }
    drawn
}

/// A condition without the word that begins it where it is a block.
pub(crate) fn bare(guard: &str) -> String {
    guard.trim_start_matches("return ").to_owned()
}

/// The transition that was taken, by its position among those that are drawn.
pub(crate) fn position_drawn(automaton: &Bound, change: &Change) -> Option<usize> {
    let Change { transition, outcome, .. } = *change;
    drawn(automaton, Some(Last { transition, outcome }))
        .iter()
        .position(|transition| transition.last)
}

impl SliceView {
    pub(crate) fn new(automaton: &Bound, slice: &Slice) -> SliceView {
        let state = automaton.state(slice.state);
        SliceView {
            id: automaton.show_instance(&slice.instance),
            instance: instance_view(automaton, &slice.instance),
            state: state.name.clone(),
            accepting: !state.is_violation(),
            variables: variables_view(automaton, &slice.variables),
        }
    }

    /// Whether a text is somewhere in it.
    fn has(&self, text: &str) -> bool {
        let values = self.instance.iter().chain(&self.variables);
        self.state.contains(text)
            || self.id.contains(text)
            || values
                .into_iter()
                .any(|NamedValue { name, value }| name.contains(text) || value.contains(text))
    }
}

/// What tells a slice from others.
pub(crate) fn instance_view(automaton: &Bound, instance: &Instance) -> Vec<NamedValue> {
    let shown = automaton.show_instance(instance);
    let parts = shown.split(", ").filter_map(|part| part.split_once(" = "));
    parts.map(|(name, value)| NamedValue::new(name, value)).collect()
}

/// The variables of a slice.
pub(crate) fn variables_view(automaton: &Bound, variables: &[Number]) -> Vec<NamedValue> {
    let named = automaton.variables().iter().zip(variables);
    named.map(|(name, value)| NamedValue::new(name, value)).collect()
}

impl NamedValue {
    pub(crate) fn new(name: &str, value: impl ToString) -> NamedValue {
        NamedValue { name: name.to_owned(), value: value.to_string() }
    }
}
