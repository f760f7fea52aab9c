//! What the reduction leaves out: turns that could have been next and were not followed, and why.

use mw_reduction::Fate;

use crate::asked::Asked;
use crate::explore::Explorer;
use crate::path::Path;
use crate::schedules::Act;

/// A turn that could have been next and was not followed there: another order comes to the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pruned {
    /// The choices of turns before it, the last ones.
    pub after: Vec<String>,
    /// How many turns there were before.
    pub turns: usize,
    /// What could have been next.
    pub what: String,
    /// Why it was not.
    pub why: WhyPruned,
}

/// Why a turn was not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhyPruned {
    /// It was followed earlier in the same order, and nothing since has to do with it.
    Followed,
    /// It has nothing to do with what was done instead, and was followed later.
    Commutes,
}

impl std::fmt::Display for WhyPruned {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            WhyPruned::Followed => {
                f.write_str("was followed before, and no turn since has to do with it")
            }
            WhyPruned::Commutes => {
                f.write_str("has nothing to do with what is done instead, and is followed later")
            }
        }
    }
}

/// So many turns that were not followed are kept.
const PRUNED: usize = 1_000;
/// So many turns before one are said.
const BEFORE: usize = 3;

impl Explorer {
    /// Turns that were not followed as other orders come to the same: how many, and the first of
    /// them.
    pub fn pruned_turns(&self) -> (u64, &[Pruned]) {
        (self.pruned.0, &self.pruned.1)
    }

    pub(crate) fn note_pruned(&mut self, path: &Path, act: &Act, why: Fate) {
        self.pruned.0 += 1;
        let Some(ensemble) = path.now.ensemble.as_deref().filter(|_| self.pruned.1.len() < PRUNED)
        else {
            return;
        };
        let turns = path.readings.backwards().filter_map(|reading| match &reading.asked {
            Asked::Schedule(schedule) => Some(&schedule.label),
            _ => None,
        });
        let turns: Vec<&String> = turns.collect();
        let after = turns.iter().take(BEFORE).rev().map(|label| (*label).clone()).collect();
        let next = Explorer::choices_of(&path.now, ensemble, act).first().copied();
        let what = match (next, *act) {
            (Some(next), _) => ensemble.schedule(next).label,
            (None, Act::GoOn(task) | Act::Start(task) | Act::Crash(task, _)) => {
                ensemble.name(task).to_string()
            }
            (None, Act::Interrupt(task, event, _)) => format!("{}: {event}", ensemble.name(task)),
            (None, Act::Message { to, from, .. }) => {
                let (to, from) = (ensemble.name(to), ensemble.name(from));
                format!("{to}: a message from {from} that comes too late")
            }
        };
        let why = match why {
            Fate::Asleep { .. } => WhyPruned::Followed,
            _ => WhyPruned::Commutes,
        };
        self.pruned.1.push(Pruned { after, turns: turns.len(), what, why });
    }
}
