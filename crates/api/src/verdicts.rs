//! Where in the multiverse properties hold, and where they do not.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::ask::{Answered, Ask};
use crate::debugger::Debugger;
use crate::event::Listener;
use crate::patience::Patience;
use crate::properties::VerdictView;
use crate::views::PlaceView;

/// How long is looked for what nobody waits for; the next time it goes on from there.
const QUICK: Duration = Duration::from_millis(100);
/// How long is looked for all of it.
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
    /// Nodes that have not been looked at, as nobody has been there or there was no time: nothing is
    /// known from them on.
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
        let of = self.property.map(|number| debugger.property(number)).transpose()?;
        let time = if self.all { TIME } else { QUICK };
        let mut control = Patience::new(listener, time);
        let found = debugger.session.verdict_turns(self.all, &mut control);
        debugger.note_effects();
        let wanted = found.turns.into_iter().filter(|turn| of.is_none_or(|of| of == turn.property));
        let changes = wanted.map(|turn| VerdictChange {
            property: turn.property.0,
            place: debugger.place_view(turn.place),
            verdict: turn.verdict.into(),
        });
        let unknown = found.unknown.iter().map(ToString::to_string).collect();
        Ok(VerdictChangesView { changes: changes.collect(), unknown })
    }
}
