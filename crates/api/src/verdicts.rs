//! Where in the multiverse properties hold, and where they do not.

use std::collections::BTreeSet;
use std::time::Duration;

use mw_session::PropertyId;
use serde::{Deserialize, Serialize};

use crate::ask::{Answered, Ask};
use crate::debugger::Debugger;
use crate::event::Listener;
use crate::patience::Patience;
use crate::properties::VerdictView;
use crate::views::PlaceView;

/// How long is looked for what is not known yet.
const TIME: Duration = Duration::from_secs(10);

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

    fn serve(self, debugger: &mut Debugger, listener: &mut dyn Listener) -> Answered<Self> {
        if self.all {
            debugger.session.find_verdicts(&mut Patience::new(listener, TIME))?;
            debugger.note_effects();
        }
        let all = debugger.session.properties().iter().map(|(id, ..)| id);
        let wanted = |id: &PropertyId| self.property.is_none_or(|number| number == id.0);
        let (mut changes, mut unknown) = (Vec::new(), BTreeSet::new());
        for id in all.filter(wanted) {
            let own = debugger.session.verdict_changes(id).map(|change| VerdictChange {
                property: id.0,
                place: debugger.place_view(change.place),
                verdict: change.verdict.into(),
            });
            changes.extend(own);
            unknown.extend(debugger.session.unknown_verdicts(id));
        }
        let unknown = unknown.iter().map(ToString::to_string).collect();
        Ok(VerdictChangesView { changes, unknown })
    }
}
