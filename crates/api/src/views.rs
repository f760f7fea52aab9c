//! How values, places and choices of the session are told.

use mw_session::{NodeId, Outcome, Place, Site};
use mw_vm::Value;
use mw_world::Call;
use serde::{Deserialize, Serialize};

use crate::chronicle::Seen;
use crate::debugger::Debugger;

/// A value with its type, as text: so no number is too large for whoever reads it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ValueView {
    /// The type, such as `i32`.
    #[serde(rename = "type")]
    pub ty: String,
    /// The value.
    pub text: String,
}

/// A place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlaceView {
    /// The node, such as `1.3`.
    pub node: String,
    /// Instructions executed since the start of the program.
    pub count: u64,
    /// The place as text, such as `1.3+20`, which can be given back as a place.
    pub text: String,
}

/// A choice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChoiceView {
    /// The node that it leads to.
    pub node: String,
    /// The count at which it was made.
    pub count: u64,
    /// What was decided, and how.
    pub text: String,
    /// How many other ways there are to decide it in this multiverse.
    pub others: u64,
    /// Whether it is the one that going on follows.
    pub preferred: bool,
}

/// How a program ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutcomeView {
    /// `finished`, `trapped` or `aborted`.
    pub kind: String,
    /// What happened, for people.
    pub text: String,
    /// After how many instructions.
    pub count: u64,
    /// What the program returned, if it finished and the session is there.
    pub results: Vec<ValueView>,
}

/// What an output did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutputView {
    /// How many instructions had been executed before.
    pub count: u64,
    /// The call, such as `chip_digital_write(13, 1)`.
    pub call: String,
    /// What it did, such as `pin 13 = high`.
    pub effect: String,
    /// What it printed, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub printed: Option<String>,
}

impl From<Value> for ValueView {
    fn from(value: Value) -> Self {
        ValueView { ty: value.ty().to_string(), text: value.to_string() }
    }
}

impl From<&Seen> for OutputView {
    fn from(seen: &Seen) -> Self {
        let printed = seen.printed.as_deref().map(|text| String::from_utf8_lossy(text).into());
        OutputView {
            count: seen.count,
            call: seen.call.clone(),
            effect: seen.effect.clone(),
            printed,
        }
    }
}

impl Debugger {
    pub(crate) fn place_view(&self, place: Place) -> PlaceView {
        let after = place.count.saturating_sub(self.session.multiverse().start(place.node));
        let node = place.node.to_string();
        let text = match after {
            0 => node.clone(),
            _ => format!("{node}+{after}"),
        };
        PlaceView { node, count: place.count, text }
    }

    /// The choice that leads to a node; `None` for the root.
    pub(crate) fn choice_view(&self, node: NodeId) -> Option<ChoiceView> {
        let multiverse = self.session.multiverse();
        let choice = multiverse.choice(node)?;
        let parent = multiverse.parent(node)?;
        Some(ChoiceView {
            node: node.to_string(),
            count: choice.count,
            text: self.choice_text(node),
            others: multiverse.steps(parent).count().saturating_sub(1) as u64,
            preferred: multiverse.preferred(parent).is_some_and(|step| step.node == node),
        })
    }

    /// The choice that leads to a node as text, with the names that its domain gives to values.
    pub(crate) fn choice_text(&self, node: NodeId) -> String {
        let Some(choice) = self.session.multiverse().choice(node) else { return "start".into() };
        let world = self.session.world();
        if let Site::Schedule(schedule) = choice.site {
            return schedule.label.clone();
        }
        let Site::Input { port, args } = choice.site else {
            return self.session.show_choice(choice.site, &choice.payload());
        };
        let Some(import) = world.import_of(*port) else {
            return self.session.show_choice(choice.site, &choice.payload());
        };
        let args = self.arguments(import, args);
        let call = world.show(Call { import, args: &args });
        format!("{call} = {}", self.answer_text(import, &choice.answer(self.input_type(import))))
    }

    /// The arguments of a call by their slots.
    pub(crate) fn arguments(&self, import: u32, slots: &[u64]) -> Vec<Value> {
        let types = self.import_type(import).params;
        types.iter().zip(slots).map(|(ty, slot)| Value::from_slot(*ty, *slot)).collect()
    }

    pub(crate) fn outcome_view(&self, count: u64, outcome: &Outcome) -> OutcomeView {
        let (kind, text) = match outcome {
            Outcome::Finished => ("finished", "the program finished".to_owned()),
            Outcome::Trapped(kind) => ("trapped", format!("trap: {kind}")),
            Outcome::Aborted(message) => ("aborted", format!("abort: {message}")),
            Outcome::Deadlocked(who) => ("deadlocked", format!("deadlock: {who}")),
            Outcome::Unanswered(who) => ("unanswered", format!("never answered: {who}")),
            Outcome::Unhandled(what) => ("unhandled", format!("never handled: {what}")),
        };
        let machine = self.session.machine();
        let is_here = machine.count() == count && *outcome == Outcome::Finished;
        let results = if is_here { machine.results() } else { Vec::new() };
        OutcomeView {
            kind: kind.into(),
            text,
            count,
            results: results.into_iter().map(ValueView::from).collect(),
        }
    }
}
