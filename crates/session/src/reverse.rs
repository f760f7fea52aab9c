//! Searching the past.
//!
//! What happened last before here is found by replaying from the last checkpoint to here and
//! noting every time that it happened; if it did not, from the checkpoint before that. The session
//! itself does not move until it is known where to.

use mw_multiverse::Place;
use mw_vm::{Breakpoints, NoProbe, Op, Probe, Value};
use mw_world::Call;

use crate::breakpoints::BreakpointId;
use crate::control::Control;
use crate::drive::{Drive, Goal, Mode};
use crate::error::SessionError;
use crate::session::{Halt, Session};
use crate::step::Unit;
use crate::watch::WatchProbe;

/// A place in the past, and the breakpoint that is there.
type Found = Option<(u64, Option<BreakpointId>)>;

impl Session {
    /// Steps back over calls, or back out to the caller.
    pub(crate) fn step_calls_back(
        &mut self,
        unit: Unit,
        control: &mut dyn Control,
    ) -> Result<Halt, SessionError> {
        let depth = self.machine.call_depth();
        let most = if unit == Unit::Over { depth } else { depth.saturating_sub(1) };
        let found = self.search_back(control, |session, until, control| {
            let mut probe = DepthProbe {
                count: session.machine.count(),
                depth: session.machine.call_depth(),
                most,
                last: None,
            };
            let none = Breakpoints::default();
            session.replay_to(until, &none, &mut |_, _| false, &mut probe, control)?;
            Ok(probe.last.map(|count| (count, None)))
        })?;
        self.go_back_to(found, control)
    }

    /// Runs back to the last breakpoint.
    pub(crate) fn run_back(&mut self, control: &mut dyn Control) -> Result<Halt, SessionError> {
        let breakpoints = self.breakpoints.in_code(&self.module);
        let watches = self.breakpoints.watches();
        let find = self.breakpoints.primitives();
        let found = self.search_back(control, |session, until, control| {
            let mut found = None;
            // The replay may begin at a breakpoint.
            if let Some(id) = session.breakpoint_here() {
                found = Some((session.machine.count(), Some(id)));
            }
            loop {
                let before = session.machine.count();
                let mut hit = None;
                let mut on_primitive = |call: Call<'_>, value: Option<Value>| {
                    hit = find(call, value);
                    hit.is_some()
                };
                let mut probe = WatchProbe::new(watches.clone(), session.machine.call_depth());
                let drive = match watches.is_empty() {
                    true => session.replay_to(
                        until,
                        &breakpoints,
                        &mut on_primitive,
                        &mut NoProbe,
                        control,
                    )?,
                    false => session.replay_to(
                        until,
                        &breakpoints,
                        &mut on_primitive,
                        &mut probe,
                        control,
                    )?,
                };
                let count = session.machine.count();
                let hit = match drive {
                    Drive::Breakpoint => session.breakpoint_here().map(|id| (count, id)),
                    Drive::Primitive => {
                        hit.filter(|&id| session.condition_holds(id)).map(|id| (count, id))
                    }
                    // Back in time, one arrives before the instruction that wrote.
                    Drive::Probe => {
                        let hit = probe.hit.filter(|&id| session.condition_holds(id));
                        hit.map(|id| (count.saturating_sub(1).max(before), id))
                    }
                    _ => return Ok(found),
                };
                if let Some((count, id)) = hit.filter(|(count, _)| *count < until.count) {
                    found = Some((count, Some(id)));
                }
            }
        })?;
        self.go_back_to(found, control)
    }

    fn go_back_to(
        &mut self,
        found: Found,
        control: &mut dyn Control,
    ) -> Result<Halt, SessionError> {
        let (count, id) = found.unwrap_or((0, None));
        let node = self.multiverse.node_at(self.node, count);
        self.slide(Place { node, count }, false, control)?;
        Ok(match (found, id) {
            (None, _) => Halt::Edge,
            (Some(_), None) => Halt::Reached,
            (Some(_), Some(id)) => Halt::Breakpoint(id),
        })
    }

    /// Replays on the way to `until`.
    fn replay_to<P: Probe>(
        &mut self,
        until: Place,
        breakpoints: &Breakpoints,
        on_primitive: &mut dyn FnMut(Call<'_>, Option<Value>) -> bool,
        probe: &mut P,
        control: &mut dyn Control,
    ) -> Result<Drive, SessionError> {
        let mut goal = Goal { count: until.count, node: None, breakpoints, on_primitive };
        self.drive(Mode::Replay, &mut goal, probe, control)
    }

    /// Looks for something in one stretch after the other, the last one first. `look` is called
    /// with the session at the start of a stretch and the place where it ends.
    fn search_back(
        &mut self,
        control: &mut dyn Control,
        mut look: impl FnMut(&mut Session, Place, &mut dyn Control) -> Result<Found, SessionError>,
    ) -> Result<Found, SessionError> {
        let here = self.here();
        let mut until = here;
        while until.count > 0 {
            let before = Place {
                node: self.multiverse.node_at(until.node, until.count - 1),
                count: until.count - 1,
            };
            let (start, found) = self
                .scout(here, before, |session| (session.here(), look(session, until, control)))?;
            if let Some(found) = found? {
                return Ok(Some(found));
            }
            until = start;
        }
        Ok(None)
    }
}

/// Notes the last instruction, before which calls were nested at most so deep.
struct DepthProbe {
    count: u64,
    depth: usize,
    most: usize,
    last: Option<u64>,
}

impl Probe for DepthProbe {
    fn instruction(&mut self, _: u32, _: Op, _: &[u64]) {
        if self.depth <= self.most {
            self.last = Some(self.count);
        }
        self.count += 1;
    }

    fn call(&mut self, _: u32, _: &[u64]) {
        self.depth += 1;
    }

    fn ret(&mut self, _: u32, _: &[u64]) {
        self.depth -= 1;
    }
}
