//! Searching the past.
//!
//! What happened last before here is found by replaying from the last checkpoint to here and
//! noting every time that it happened; if it did not, from the checkpoint before that. The session
//! itself does not move until it is known where to.

use std::collections::BTreeSet;

use mw_ensemble::Heed;
use mw_multiverse::Place;
use mw_vm::{Breakpoints, Frame, Module, NoProbe, Op, Probe};

use crate::admit::{Judge, Passed};
use crate::breakpoints::BreakpointId;
use crate::control::{Control, Progress};
use crate::drive::{Goal, Watcher};
use crate::error::SessionError;
use crate::replayer::Replayer;
use crate::session::{Halt, Session};
use crate::step::Unit;

/// A place in the past, and the breakpoint that is there.
pub(crate) type Found = Option<(u64, Option<BreakpointId>)>;

impl Session {
    /// Steps back over calls, or back out to the caller.
    pub(crate) fn step_calls_back(
        &mut self,
        unit: Unit,
        control: &mut dyn Control,
    ) -> Result<Halt, SessionError> {
        // After the end, the last function counts as not yet left.
        let depth = self.walk.now.machine.call_depth().max(1);
        let most = if unit == Unit::Over { depth } else { depth.saturating_sub(1) };
        let calls = self.programs.calls();
        let look = |replayer: &mut Replayer<'_>,
                    _: &mut Judge<'_>,
                    until: Place,
                    control: &mut dyn Control| {
            let mut probe = DepthProbe { since: u64::MAX, depth: 0, most, last: None };
            let mut goal = Goal { breakpoints: &calls, ..Goal::default() };
            replayer.drive_to(until, &mut goal, &mut probe, control)?;
            probe.at(until.count, most);
            Ok(probe.last)
        };
        let found = self.search_back(control, look, |_, last| Some((last?, None)))?;
        self.go_back_to(found, control)
    }

    /// Runs back to the last breakpoint.
    pub(crate) fn run_back(&mut self, control: &mut dyn Control) -> Result<Halt, SessionError> {
        let here = self.walk.now.machine.count();
        let stops = self.stops([]);
        let look = |replayer: &mut Replayer<'_>,
                    judge: &mut Judge<'_>,
                    until: Place,
                    control: &mut dyn Control| {
            // The stretch may begin at a breakpoint.
            replayer.walk.now.heed(Heed::Violations);
            replayer.settle(until)?;
            let mut passed = Vec::new();
            note_violation(replayer, judge, &mut passed, here);
            let (now, machine) = (&replayer.walk.now, &replayer.walk.now.machine);
            let hits = judge.hits_here(now, &stops);
            judge.note(machine, &mut passed, machine.count(), &hits);
            loop {
                let goal = Goal { heed: Heed::Violations, ..Goal::default() };
                let (drive, met) = stops.meet(goal, |goal, probe| match probe {
                    None => replayer.drive_to(until, goal, &mut NoProbe, control),
                    Some(probe) => replayer.drive_to(until, goal, probe, control),
                })?;
                if !drive.may_go_on() {
                    note_violation(replayer, judge, &mut passed, here);
                    break;
                }
                let (now, machine) = (&replayer.walk.now, &replayer.walk.now.machine);
                let hits = judge.hits(now, &drive, met, &stops);
                let count = machine.count();
                // Back in time, one arrives before the instruction that wrote.
                judge.note(machine, &mut passed, count - 1, &hits.written);
                if count < here {
                    judge.note(machine, &mut passed, count, &hits.returned);
                }
                // The last place of a stretch is the first one of the next.
                if count < until.count {
                    judge.note(machine, &mut passed, count, &hits.before);
                }
                note_violation(replayer, judge, &mut passed, here);
            }
            Ok(passed)
        };
        let found = self.search_back(control, look, |session, passed| {
            let last = session.last_admitted(passed)?;
            Some((last.count, Some(last.id)))
        })?;
        self.go_back_to(found, control)
    }

    pub(crate) fn go_back_to(
        &mut self,
        found: Found,
        control: &mut dyn Control,
    ) -> Result<Halt, SessionError> {
        let (count, id) = found.unwrap_or((self.start().count, None));
        let node = self.multiverse().node_at(self.walk.node, count);
        self.slide(Place { node, count }, false, control)?;
        Ok(match (found, id) {
            (None, _) => Halt::Edge,
            (Some(_), None) => Halt::Reached,
            (Some(_), Some(BreakpointId::VIOLATION)) => Halt::Violated,
            (Some(_), Some(id)) => Halt::Breakpoint(id),
        })
    }

    /// Looks for something in one stretch after the other, the last one first. `look` is called
    /// with a replayer at the start of a stretch, a judge of breakpoints and the place where it ends,
    /// `admit` with what it has seen.
    pub(crate) fn search_back<T>(
        &mut self,
        control: &mut dyn Control,
        mut look: impl FnMut(
            &mut Replayer<'_>,
            &mut Judge<'_>,
            Place,
            &mut dyn Control,
        ) -> Result<T, SessionError>,
        mut admit: impl FnMut(&mut Session, T) -> Found,
    ) -> Result<Found, SessionError> {
        let start = self.start().count;
        let mut until = self.here();
        while until.count > start {
            // A stretch may be too short for whoever replays it to look up.
            control.progress(Progress { count: until.count, goal: Some(start) });
            control.meanwhile(self);
            if control.is_cancelled() {
                return Err(SessionError::Cancelled);
            }
            let count = until.count - 1;
            let node = self.multiverse().node_at(until.node, count);
            let mut replayer = self.replayer();
            replayer.begin_before(Place { node, count });
            let begins = replayer.walk.here();
            let mut judge = self.judge();
            let seen = look(&mut replayer, &mut judge, until, control);
            let (said, (_, findings)) = (judge.said, replayer.arrived());
            self.say_all(said);
            self.known.learn(findings);
            if let Some(found) = admit(self, seen?) {
                return Ok(Some(found));
            }
            until = begins;
        }
        Ok(None)
    }
}

/// Notes that a property is violated from here on, if that is before a count.
fn note_violation(
    replayer: &Replayer<'_>,
    judge: &Judge<'_>,
    passed: &mut Vec<Passed>,
    before: u64,
) {
    let machine = &replayer.walk.now.machine;
    if replayer.walk.now.has_news() && machine.count() < before {
        judge.note(machine, passed, machine.count(), &[BreakpointId::VIOLATION]);
    }
}

/// No breakpoints, but a probe that is told how deep calls are nested, wherever that changes.
pub(crate) fn calls_of(module: &Module) -> Breakpoints {
    let funcs = 0..module.funcs().len() as u32;
    let starts: BTreeSet<u32> = funcs.map(|func| module.func_code(func).start).collect();
    let is_seen = |pc, op| starts.contains(&pc) || matches!(op, Op::Return { .. });
    Breakpoints::none().within(module, is_seen)
}

/// Notes the last instruction before which calls were nested at most so deep.
struct DepthProbe {
    /// From which count on they are nested how deep.
    since: u64,
    depth: usize,
    most: usize,
    last: Option<u64>,
}

impl Watcher for DepthProbe {
    fn at(&mut self, count: u64, depth: usize) {
        if self.since < count && self.depth <= self.most {
            self.last = Some(count - 1);
        }
        (self.since, self.depth) = (count, depth);
    }
}

impl Probe for DepthProbe {
    fn instruction(&mut self, _: u32, _: Op, frame: Frame<'_>) {
        self.at(frame.count, frame.depth);
    }

    fn ret(&mut self, _: u32, _: &[u64]) {
        // The outermost function returns to nothing, or to the one that was to be called next.
        self.at(self.since + 1, self.depth.saturating_sub(1).max(1));
    }
}
