//! What a run stops at for monitors: of all points, those that the present states need.
//!
//! Stopping somewhere costs a copy of the functions that it is in, so what was made is kept: while
//! states stay what they are, all runs stop at the same, and states that come again find what was
//! made for them.

use std::sync::{Arc, Mutex, PoisonError};

use mw_monitor::EventSet;
use mw_vm::Breakpoints;

use super::Watched;
use super::access::Target;
use super::points::Told;

/// Breakpoints of whoever runs, and those of monitors beside them.
#[derive(Debug)]
pub(crate) struct Armed {
    need: Need,
    callers: Breakpoints,
    /// All of them.
    pub breakpoints: Breakpoints,
    /// The variables that are watched, of those that are always in the same place.
    pub targets: Vec<Target>,
    /// Whether any variable is watched.
    pub has_targets: bool,
}

/// What monitors need to be told of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Need {
    /// The program that runs.
    pub program: usize,
    /// Whether whoever runs it has a probe.
    pub is_probed: bool,
    /// Of each property.
    pub events: Vec<EventSet>,
    /// Where a function goes on that was interrupted.
    pub landing: Option<u32>,
    /// Whether functions are under way that others have taken the place of.
    pub tails: bool,
}

impl Armed {
    fn new(need: &Need, callers: &Breakpoints, watched: &Watched) -> Armed {
        let points = &watched.programs[need.program];
        let is_needed = |told: Told| need.events[told.which].contains(watched.event_of(told));
        let code = points.code().iter();
        let code = code.filter(|(_, concern)| concern.only_for().is_none_or(is_needed));
        let returns = points.returns.iter().filter(|_| need.tails);
        let pcs = code.map(|(pc, _)| *pc).chain(need.landing).chain(returns.copied());
        let mut breakpoints = callers.clone().and(&points.module, pcs);
        let targets = points.targets.iter().filter(|target| is_needed(target.told));
        let targets: Vec<Target> = targets.cloned().collect();
        let mut in_frames = points.in_frames.iter().filter(|(.., told)| is_needed(*told));
        let anywhere = in_frames.clone().map(|(.., told)| watched.anywhere(*told));
        let possible: Vec<Target> = anywhere.chain(targets.iter().cloned()).collect();
        let is_seen_anyway = need.is_probed && callers.looks_at_everything();
        if !possible.is_empty() && !is_seen_anyway {
            breakpoints = breakpoints.within(&points.module, |pc, op| {
                need.is_probed && callers.looks_at(pc)
                    || possible.iter().any(|target| target.may_be_touched(pc, op))
            });
        }
        let has_targets = !targets.is_empty() || in_frames.next().is_some();
        Armed { need: need.clone(), callers: callers.clone(), breakpoints, targets, has_targets }
    }

    /// Whether it is what is needed.
    fn fits(&self, need: &Need, callers: &Breakpoints) -> bool {
        self.need == *need && self.callers.is_same(callers)
    }

    /// Whether it still is, while nothing has changed for monitors.
    pub fn still_fits(&self, program: usize, is_probed: bool, callers: &Breakpoints) -> bool {
        (self.need.program, self.need.is_probed) == (program, is_probed)
            && self.callers.is_same(callers)
    }
}

/// What has been made so far, the latest last.
#[derive(Debug, Default)]
pub(crate) struct Kept(Mutex<Vec<Arc<Armed>>>);

/// More than this is not kept.
const MOST: usize = 64;

impl Kept {
    /// What is needed, made if it is not there.
    pub fn find(&self, need: &Need, callers: &Breakpoints, watched: &Watched) -> Arc<Armed> {
        // Nothing is left half done in it.
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = kept.iter().rev().find(|armed| armed.fits(need, callers)) {
            return found.clone();
        }
        let armed = Arc::new(Armed::new(need, callers, watched));
        if kept.len() == MOST {
            kept.remove(0);
        }
        kept.push(armed.clone());
        armed
    }
}
