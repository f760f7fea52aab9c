//! What exploring has not followed, as other orders of turns come to the same: what, and why.

use serde::{Deserialize, Serialize};

use crate::ask::{Answered, Ask};
use crate::debugger::Debugger;
use crate::error::ApiError;
use crate::event::Listener;

/// The turns that were not followed by what was explored last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PrunedTurns {
    /// How many to tell of at most.
    #[serde(default)]
    pub limit: Option<usize>,
}

/// So many are told of unless told otherwise.
const TOLD: usize = 20;

impl Ask for PrunedTurns {
    type Reply = PrunedView;
    const ONLY_LOOKS: bool = true;

    fn serve(self, debugger: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        let Some(exploring) = &debugger.exploring else {
            return Err(ApiError::not_here("nothing has been explored yet; `suggest` first"));
        };
        let (number, turns) = exploring.explorer.pruned_turns();
        let turn = |pruned: &mw_concolic::Pruned| PrunedTurn {
            turns: pruned.turns as u64,
            after: pruned.after.clone(),
            what: pruned.what.clone(),
            why: pruned.why.to_string(),
        };
        let turns = turns.iter().take(self.limit.unwrap_or(TOLD)).map(turn).collect();
        Ok(PrunedView { number, turns })
    }
}

/// Turns that were not followed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PrunedView {
    /// How many.
    pub number: u64,
    /// The first of them.
    pub turns: Vec<PrunedTurn>,
}

/// A turn that could have been next and was not followed there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PrunedTurn {
    /// How many choices of turns there were before.
    pub turns: u64,
    /// The last of them.
    pub after: Vec<String>,
    /// What could have been next.
    pub what: String,
    /// Why it was not followed.
    pub why: String,
}
