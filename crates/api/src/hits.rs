//! Every time that the program comes to something in this universe, with values there: a log point
//! that is asked afterwards.

use std::time::Duration;

use mw_session::Place;
use serde::{Deserialize, Serialize};

use crate::ask::{Answered, Ask};
use crate::debugger::Debugger;
use crate::event::Listener;
use crate::notation::TriggerRef;
use crate::patience::Patience;
use crate::views::PlaceView;

/// How many there are unless told otherwise.
const HITS: usize = 1000;
/// How many there are at most.
const MOST: usize = 100_000;
/// How long they are looked for.
const TIME: Duration = Duration::from_secs(10);

/// Every time that the program comes to something in this universe, what lies ahead included.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hits {
    /// What it comes to, as a breakpoint waits for it.
    pub at: TriggerRef,
    /// Only those times count at which this holds.
    #[serde(default)]
    pub condition: Option<String>,
    /// What to say of each; expressions in braces are replaced by their values there.
    #[serde(default)]
    pub log: Option<String>,
    /// How many at most, the last ones; never more than 100,000.
    #[serde(default)]
    pub limit: Option<usize>,
}

impl Ask for Hits {
    type Reply = HitsView;
    const ONLY_LOOKS: bool = true;

    fn serve(self, debugger: &mut Debugger, listener: &mut dyn Listener) -> Answered<Self> {
        let mut breakpoint = debugger.new_breakpoint(&self.at)?;
        debugger.refine(&mut breakpoint, [&self.condition, &None, &self.log])?;
        let trigger = debugger.trigger_text(&breakpoint);
        let (here, end) = (debugger.session.here(), debugger.session.recorded_end());
        let most = self.limit.unwrap_or(HITS).clamp(1, MOST);
        let mut control = Patience::new(listener, TIME);
        let tally = debugger.session.tally(breakpoint, end, most, &mut control)?;
        debugger.note_effects();
        let is_ahead = |place: Place| place.count > here.count;
        let omitted = tally.total - tally.hits.len() as u64;
        let hits = tally.hits.into_iter().map(|hit| PastHit {
            place: debugger.place_view(hit.place),
            text: hit.log,
            ahead: is_ahead(hit.place),
        });
        Ok(HitsView {
            trigger,
            total: tally.total,
            omitted,
            hits: hits.collect(),
            until: (tally.until != end).then(|| debugger.place_view(tally.until)),
        })
    }
}

/// Every time that the program comes to something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HitsView {
    /// What it comes to, as it could have been written.
    pub trigger: String,
    /// How many times.
    pub total: u64,
    /// Earlier ones that are not listed.
    pub omitted: u64,
    /// The others, oldest first.
    pub hits: Vec<PastHit>,
    /// How far was looked, if not to the end of what is recorded: it took too long, or somebody
    /// stopped it.
    pub until: Option<PlaceView>,
}

/// A time that the program comes to something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PastHit {
    /// Where that is.
    pub place: PlaceView,
    /// What is said of it.
    pub text: Option<String>,
    /// Whether that is still to come.
    pub ahead: bool,
}
