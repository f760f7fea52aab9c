//! Running under monitors: the machine stops where they have to be told something, and goes on.

use std::sync::Arc;

use mw_vm::{Breakpoints, Probe, Status, Stop};

use super::access::{AnyProbe, Watcher};
use super::armed::{Armed, Need};
use super::{Monitors, Under};
use crate::moment::Moment;

impl Monitors {
    /// Executes at most so many instructions. Whoever asked for it is told of their own reasons to
    /// stop, and that the budget is used up where there is news that they heed.
    pub(crate) fn run<P: Probe>(
        &mut self,
        now: &mut Moment,
        budget: u64,
        breakpoints: &Breakpoints,
        probe: &mut P,
    ) -> Stop {
        let end = now.machine.count().saturating_add(budget);
        loop {
            let (count, status) = (now.machine.count(), now.machine.status());
            let armed = self.arm(now, P::ACTIVE, breakpoints);
            let has_targets = armed.as_deref().is_some_and(|armed| armed.has_targets);
            let program = self.program_of(&now.machine).filter(|_| has_targets);
            let touched = program.map(|program| self.touched(now, program, false));
            let touched = touched.unwrap_or_default();
            let mut left = self.limit(count, end) - count;
            if !touched.is_empty() {
                // What is touched is told right after.
                left = left.min(1);
            }
            let stops = armed.as_deref().map_or(breakpoints, |armed| &armed.breakpoints);
            let (stop, is_own) = match &armed {
                Some(armed) if has_targets => {
                    let mut watcher = Watcher {
                        callers: P::ACTIVE.then_some((&mut *probe, breakpoints)).map(erased),
                        is_told: false,
                        targets: [&armed.targets, &self.in_frames],
                        told_at: count,
                        stops: false,
                    };
                    let stop = now.machine.run(left, stops, &mut watcher);
                    (stop, watcher.stops)
                }
                _ => (now.machine.run(left, stops, probe), false),
            };
            let has_moved = now.machine.count() != count;
            if has_moved {
                self.tell_access(now, &touched);
            }
            if has_moved || matches!(stop, Stop::Trap(_)) && status == Status::Running {
                self.arrive(now);
            }
            match stop {
                Stop::Budget if now.machine.count() >= end => return stop,
                Stop::Breakpoint if breakpoints.contains(now.machine.pc()) => return stop,
                Stop::Probe if !is_own => return stop,
                Stop::Budget | Stop::Breakpoint | Stop::Probe if self.has_news() => {
                    return Stop::Budget;
                }
                Stop::Budget | Stop::Breakpoint | Stop::Probe => {}
                Stop::Import(_) | Stop::Trap(_) | Stop::Finished => return stop,
            }
        }
    }

    fn has_news(&self) -> bool {
        !self.news.is_empty() || self.is_due()
    }

    /// How far to go at once: time may run out for a property.
    fn limit(&self, count: u64, end: u64) -> u64 {
        let deadlines = (0..self.states.len()).filter_map(|which| self.deadline(which).count);
        let first = deadlines.min().map_or(end, |last| last.saturating_add(1));
        first.clamp(count, end)
    }

    /// What to stop at; none if that is what whoever runs stops at.
    fn arm(&mut self, now: &Moment, is_probed: bool, callers: &Breakpoints) -> Option<Arc<Armed>> {
        let program = self.program_of(&now.machine)?;
        if let Some(armed) = &self.armed
            && armed.still_fits(program, is_probed, callers)
        {
            return self.armed.clone();
        }
        let task = now.current();
        let landing = self.interrupted.iter().rfind(|under| under.task == task);
        let need = Need {
            program,
            is_probed,
            events: match self.held_back {
                Some(_) => self.watched.automata.iter().map(|a| a.every_event()).collect(),
                None => self.states.iter().map(|state| state.needed().clone()).collect(),
            },
            landing: landing.map(|Under { number, .. }| *number),
            tails: self.tails.iter().any(|tail| tail.of.by.task == task),
        };
        let watched = &self.watched;
        let armed = watched.kept.find(&need, callers, watched);
        self.in_frames = self.variables_in_frames(now, program);
        self.armed = Some(armed);
        self.armed.clone()
    }
}

/// A probe of whoever runs, whatever it is.
fn erased<'a, P: Probe>(
    (probe, scope): (&'a mut P, &'a Breakpoints),
) -> (&'a mut dyn AnyProbe, &'a Breakpoints) {
    (probe, scope)
}
