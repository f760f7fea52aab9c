//! How values, places and choices of the session are told.

use mw_session::{NodeId, Outcome, Place, Site};
use mw_vm::Value;
use mw_world::Call;

use crate::chronicle::Seen;
use crate::debugger::Debugger;
use crate::reply::{ChoiceView, OutcomeView, OutputView, PlaceView, ValueView};

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
