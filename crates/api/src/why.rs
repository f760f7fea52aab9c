//! Why the program came to a place: what it decided, and which inputs had a say in that.

use mw_concolic::Class;
use serde::{Deserialize, Serialize};

use crate::ask::{Answered, Ask};
use crate::debugger::{Bridge, Debugger};
use crate::event::Listener;
use crate::notation::PlaceRef;
use crate::paths::Places;
use crate::suggested::{ConditionView, InputView};
use crate::views::PlaceView;

/// Why the program came to a place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Why {
    /// The place; here without. Of a node, it is what was decided by its choice.
    #[serde(default)]
    pub place: Option<PlaceRef>,
}

impl Ask for Why {
    type Reply = WhyView;
    const ONLY_LOOKS: bool = true;

    fn serve(self, debugger: &mut Debugger, listener: &mut dyn Listener) -> Answered<Self> {
        let place = match &self.place {
            Some(place) => debugger.resolve(place)?,
            None => debugger.session.here(),
        };
        let mut bridge = Bridge { listener };
        let retraced = debugger.session.retrace(place, &mut bridge)?;
        let start = debugger.session.multiverse().start(place.node);
        let until = if place.count > start { place.count } else { u64::MAX };
        let decided = |count: u64| (start..=until).contains(&count);
        let conditions = retraced.leaf.conditions.iter().filter(|at| decided(at.count)).cloned();
        let conditions: Vec<_> = conditions.collect();
        let steps = retraced.leaf.steps.iter().zip(&retraced.nodes);
        let mattered = steps.filter(|(step, _)| !matches!(step.class, Class::Any(_)));
        let inputs = mattered.map(|(step, node)| DecidingInput {
            node: node.to_string(),
            input: debugger.input_view(step),
        });
        Ok(WhyView {
            place: debugger.place_view(place),
            conditions: debugger.condition_views(&conditions, &mut Places::new()),
            inputs: inputs.collect(),
            complete: retraced.is_whole,
        })
    }
}

/// Why the program came to a place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WhyView {
    /// The place.
    pub place: PlaceView,
    /// What was decided since the last choice before it.
    pub conditions: Vec<ConditionView>,
    /// The inputs that had a say in how the program came there, in the order of reading.
    pub inputs: Vec<DecidingInput>,
    /// Whether that is all: what was long ago, or before something came from outside by itself, is
    /// taken as it was, and time is bounded.
    pub complete: bool,
}

/// An input that had a say.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecidingInput {
    /// The node that it leads to.
    pub node: String,
    /// What it returned, and what would have led to the same.
    #[serde(flatten)]
    pub input: InputView,
}
