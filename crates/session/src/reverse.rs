//! Searching the past.
//!
//! What happened last before here is found by replaying from the last checkpoint to here and
//! noting every time that it happened; if it did not, from the checkpoint before that. The session
//! itself does not move until it is known where to.

use mw_multiverse::Place;
use mw_vm::{Breakpoints, Frame, Op, Probe};

use crate::breakpoints::BreakpointId;
use crate::control::{Control, Progress};
use crate::drive::{Drive, Goal, Mode, Watcher};
use crate::error::SessionError;
use crate::session::{Halt, Session};
use crate::step::Unit;
use crate::watch::Depth;

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
        let depth = self.now.machine.call_depth().max(1);
        let most = if unit == Unit::Over { depth } else { depth.saturating_sub(1) };
        let found = self.search_back(control, |session, until, control| {
            let mut probe = DepthProbe { count: 0, depth: Depth::default(), most, last: None };
            let mut goal = Goal {
                count: until.count,
                node: Some(until.node),
                into_end: false,
                breakpoints: &Breakpoints::default(),
                on_primitive: &mut |_, _| false,
                is_plain: false,
            };
            session.drive(Mode::Replay, &mut goal, &mut probe, control)?;
            Ok(probe.last.map(|count| (count, None)))
        })?;
        self.go_back_to(found, control)
    }

    /// Runs back to the last breakpoint.
    pub(crate) fn run_back(&mut self, control: &mut dyn Control) -> Result<Halt, SessionError> {
        let here = self.now.machine.count();
        let stops = self.stops([]);
        let found = self.search_back(control, |session, until, control| {
            // The stretch may begin at a breakpoint.
            while session.node != until.node
                && session.make_choice_between_instructions(Mode::Replay)?.is_none()
            {}
            let mut passed = Vec::new();
            let hits = session.hits_here(&stops);
            session.note(&mut passed, session.now.machine.count(), &hits);
            loop {
                let place = (until.count, Some(until.node));
                let (drive, hits) = session.drive_to_stop(Mode::Replay, place, &stops, control)?;
                if !matches!(drive, Drive::Breakpoint | Drive::Probe | Drive::Primitive) {
                    break;
                }
                let count = session.now.machine.count();
                // Back in time, one arrives before the instruction that wrote.
                session.note(&mut passed, count - 1, &hits.written);
                if count < here {
                    session.note(&mut passed, count, &hits.returned);
                }
                // The last place of a stretch is the first one of the next.
                if count < until.count {
                    session.note(&mut passed, count, &hits.before);
                }
            }
            let found = session.last_admitted(passed);
            Ok(found.map(|passed| (passed.count, Some(passed.id))))
        })?;
        self.go_back_to(found, control)
    }

    pub(crate) fn go_back_to(
        &mut self,
        found: Found,
        control: &mut dyn Control,
    ) -> Result<Halt, SessionError> {
        let (count, id) = found.unwrap_or((self.start().count, None));
        let node = self.multiverse.node_at(self.node, count);
        self.slide(Place { node, count }, false, control)?;
        Ok(match (found, id) {
            (None, _) => Halt::Edge,
            (Some(_), None) => Halt::Reached,
            (Some(_), Some(id)) => Halt::Breakpoint(id),
        })
    }

    /// Looks for something in one stretch after the other, the last one first. `look` is called
    /// with the session at the start of a stretch and the place where it ends.
    pub(crate) fn search_back(
        &mut self,
        control: &mut dyn Control,
        mut look: impl FnMut(&mut Session, Place, &mut dyn Control) -> Result<Found, SessionError>,
    ) -> Result<Found, SessionError> {
        self.aside(|session| {
            let start = session.start().count;
            let mut until = session.here();
            while until.count > start {
                // A stretch may be too short for whoever replays it to look up.
                control.progress(Progress { count: until.count, goal: Some(start) });
                if control.is_cancelled() {
                    return Err(SessionError::Cancelled);
                }
                let count = until.count - 1;
                session.restore_before(Place {
                    node: session.multiverse.node_at(until.node, count),
                    count,
                });
                session.multiverse.prefer_path_to(until.node);
                let begins = session.here();
                if let Some(found) = look(session, until, control)? {
                    return Ok(Some(found));
                }
                until = begins;
            }
            Ok(None)
        })
    }
}

/// Notes the last instruction before which calls were nested at most so deep.
struct DepthProbe {
    count: u64,
    depth: Depth,
    most: usize,
    last: Option<u64>,
}

impl DepthProbe {
    fn note(&mut self) {
        if self.depth.now <= self.most {
            self.last = Some(self.count);
        }
    }
}

impl Watcher for DepthProbe {
    fn at(&mut self, count: u64, depth: usize) {
        self.count = count;
        self.depth.at(depth);
        self.note();
    }
}

impl Probe for DepthProbe {
    fn instruction(&mut self, _: u32, op: Op, _: Frame<'_>) {
        self.note();
        self.depth.instruction(op);
        self.count += 1;
    }

    fn call(&mut self, _: u32, _: &[u64]) {
        self.depth.call();
    }

    fn ret(&mut self, _: u32, _: &[u64]) {
        self.depth.ret();
    }
}
