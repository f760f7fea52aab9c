//! How values, places and choices of the session are told.

use mw_session::{NodeId, Outcome, Place};
use mw_vm::Value;

use crate::debugger::Debugger;
use crate::reply::{ChoiceView, OutcomeView, PlaceView, ValueView};

impl From<Value> for ValueView {
    fn from(value: Value) -> Self {
        ValueView { ty: value.ty().to_string(), text: value.to_string() }
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
        self.session.show_choice(choice.site, choice.slot)
    }

    pub(crate) fn outcome_view(&self, count: u64, outcome: &Outcome) -> OutcomeView {
        let (kind, text) = match outcome {
            Outcome::Finished => ("finished", "the program finished".to_owned()),
            Outcome::Trapped(kind) => ("trapped", format!("trap: {kind}")),
            Outcome::Aborted(message) => ("aborted", format!("abort: {message}")),
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
