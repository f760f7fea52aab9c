//! Where in the multiverse properties hold, and where they do not.

use serde::{Deserialize, Serialize};

use crate::ask::{Answered, Ask};
use crate::debugger::Debugger;
use crate::event::Listener;
use crate::properties::VerdictView;
use crate::views::PlaceView;

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

impl Ask for VerdictChanges {
    type Reply = VerdictChangesView;
    const ONLY_LOOKS: bool = true;

    fn serve(self, _: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        Ok(VerdictChangesView { changes: Vec::new(), unknown: Vec::new() })
    }
}
