//! Running under monitors: the machine stops where they have to be told something, and goes on.

use std::sync::Arc;

use mw_vm::{Breakpoints, Probe, Status, Stop};

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
            let left = self.limit(count, end) - count;
            let armed = self.arm(now, breakpoints);
            let stops = armed.as_deref().map_or(breakpoints, |armed| &armed.breakpoints);
            let stop = now.machine.run(left, stops, probe);
            let has_trapped = matches!(stop, Stop::Trap(_)) && status == Status::Running;
            if now.machine.count() != count || has_trapped {
                self.arrive(now);
            }
            match stop {
                Stop::Budget if now.machine.count() >= end => return stop,
                Stop::Breakpoint if breakpoints.contains(now.machine.pc()) => return stop,
                Stop::Budget | Stop::Breakpoint if !self.news.is_empty() => return Stop::Budget,
                Stop::Budget | Stop::Breakpoint => {}
                Stop::Probe | Stop::Import(_) | Stop::Trap(_) | Stop::Finished => return stop,
            }
        }
    }

    /// How far to go at once: time may run out for a property.
    fn limit(&self, count: u64, end: u64) -> u64 {
        let deadlines = self.states.iter().filter_map(|state| state.deadline().count);
        let first = deadlines.min().map_or(end, |last| last.saturating_add(1));
        first.clamp(count, end)
    }

    /// What to stop at; none if that is what whoever runs stops at.
    fn arm(&mut self, now: &Moment, callers: &Breakpoints) -> Option<Arc<Armed>> {
        let program = self.program_of(&now.machine)?;
        if let Some(armed) = &self.armed
            && armed.still_fits(program, callers)
        {
            return self.armed.clone();
        }
        let task = now.current();
        let landing = self.interrupted.iter().rfind(|under| under.task == task);
        let need = Need {
            program,
            events: self.states.iter().map(|state| state.needed().clone()).collect(),
            landing: landing.map(|Under { number, .. }| *number),
            tails: self.tails.iter().any(|tail| tail.of.by.task == task),
        };
        let watched = &self.watched;
        let armed =
            watched.kept.find(&need, callers, &watched.programs[program], &watched.automata);
        self.armed = Some(armed);
        self.armed.clone()
    }
}
