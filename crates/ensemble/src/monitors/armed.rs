//! What a run stops at for monitors: of all points, those that the present states need.
//!
//! Stopping somewhere costs a copy of the functions that it is in, so what was made is kept: while
//! states stay what they are, all runs stop at the same, and states that come again find what was
//! made for them.

use std::sync::{Arc, Mutex, PoisonError};

use mw_monitor::{Automaton, EventSet};
use mw_vm::Breakpoints;

use super::points::{Concern, ProgramPoints};

/// Breakpoints of whoever runs, and those of monitors beside them.
#[derive(Debug)]
pub(crate) struct Armed {
    need: Need,
    callers: Breakpoints,
    /// All of them.
    pub breakpoints: Breakpoints,
}

/// What monitors need to be told of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Need {
    /// The program that runs.
    pub program: usize,
    /// Of each property.
    pub events: Vec<EventSet>,
    /// Where a function goes on that was interrupted.
    pub landing: Option<u32>,
    /// Whether functions are under way that others have taken the place of.
    pub tails: bool,
}

impl Armed {
    fn new(
        need: &Need,
        callers: &Breakpoints,
        points: &ProgramPoints,
        automata: &[Arc<Automaton>],
    ) -> Armed {
        let is_needed = |concern: Concern| match concern.only_for() {
            Some(told) => {
                need.events[told.which].contains(automata[told.which].watches()[told.watch].event)
            }
            None => true,
        };
        let code = points.code().iter().filter(|(_, concern)| is_needed(*concern));
        let returns = points.returns.iter().filter(|_| need.tails);
        let pcs = code.map(|(pc, _)| *pc).chain(need.landing).chain(returns.copied());
        let breakpoints = callers.clone().and(&points.module, pcs);
        Armed { need: need.clone(), callers: callers.clone(), breakpoints }
    }

    /// Whether it is what is needed.
    fn fits(&self, need: &Need, callers: &Breakpoints) -> bool {
        self.need == *need && self.callers.is_same(callers)
    }

    /// Whether it still is, while nothing has changed for monitors.
    pub fn still_fits(&self, program: usize, callers: &Breakpoints) -> bool {
        self.need.program == program && self.callers.is_same(callers)
    }
}

/// What has been made so far, the latest last.
#[derive(Debug, Default)]
pub(crate) struct Kept(Mutex<Vec<Arc<Armed>>>);

/// More than this is not kept.
const MOST: usize = 64;

impl Kept {
    /// What is needed, made if it is not there.
    pub fn find(
        &self,
        need: &Need,
        callers: &Breakpoints,
        points: &ProgramPoints,
        automata: &[Arc<Automaton>],
    ) -> Arc<Armed> {
        // Nothing is left half done in it.
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = kept.iter().rev().find(|armed| armed.fits(need, callers)) {
            return found.clone();
        }
        let armed = Arc::new(Armed::new(need, callers, points, automata));
        if kept.len() == MOST {
            kept.remove(0);
        }
        kept.push(armed.clone());
        armed
    }
}
