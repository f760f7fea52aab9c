//! Walking beside the session: to any place, along an explicit way, without moving anything.
//!
//! A replayer sees the multiverse and the checkpoints, and changes neither. So there can be any
//! number of them, on any thread, and what is looked at leaves no trace in what would happen next.
//! What it finds out on the way that is worth knowing later it hands back ([`Findings`]).

use mw_ensemble::{Moment, Next, Schedule};
use mw_monitor::Verdict;
use mw_multiverse::{Choice, Multiverse, NodeId, Outcome, Place, Route};
use mw_world::{Answer, Call};

use crate::control::Control;
use crate::drive::{
    Between, Drive, Goal, Watcher, Way, arrive, drive, make_choice_between_instructions,
};
use crate::error::SessionError;
use crate::known::{Findings, Known};
use crate::session::Session;
use crate::trace::show_choice;
use crate::walk::{Read, Walk};

/// Walks the multiverse of a session. See the [module](self).
#[derive(Debug)]
pub struct Replayer<'a> {
    known: &'a Known,
    /// How many instructions may lie between checkpoints.
    interval: u64,
    route: Route,
    pub(crate) walk: Walk,
    findings: Findings,
}

/// More moments than this are not kept: then every other one goes.
const KEPT: usize = 64;

impl AsMut<Moment> for Replayer<'_> {
    fn as_mut(&mut self) -> &mut Moment {
        &mut self.walk.now
    }
}

impl Way for Replayer<'_> {
    fn walk(&mut self) -> &mut Walk {
        &mut self.walk
    }

    fn multiverse(&self) -> &Multiverse {
        self.known.multiverse()
    }

    fn next(&self) -> Option<(Choice<'_>, NodeId)> {
        self.multiverse().next_on(&self.route, self.walk.node)
    }

    fn rest(&mut self) -> u64 {
        if let Some(kept) = self.walk.keep_if_due(self.interval) {
            if self.findings.kept.len() == KEPT {
                let mut is_odd = false;
                self.findings.kept.retain(|_| {
                    is_odd = !is_odd;
                    !is_odd
                });
                self.interval = self.interval.saturating_mul(2);
            }
            self.findings.kept.push(kept);
        }
        self.walk.due(self.interval)
    }

    fn choose(
        &mut self,
        call: Call<'_>,
        _: &mut dyn Control,
    ) -> Result<Option<Answer>, SessionError> {
        if let Some(answer) = self.recorded(call) {
            return Ok(Some(answer));
        }
        let count = self.walk.here().count;
        let recorded = match self.next() {
            Some((choice, _)) => {
                let shown = show_choice(&self.walk.now, choice.site, &choice.payload());
                format!("{shown} after {} instructions", choice.count)
            }
            None => "no further choice".into(),
        };
        let actual = format!("calls {}", self.walk.now.world.show(call));
        Err(SessionError::Diverged { count, recorded, actual })
    }

    fn has_read(&mut self, read: Read<'_>) -> Result<(), SessionError> {
        let node = self.next().map_or(self.walk.node, |(_, node)| node);
        self.walk.has_read(read, node);
        Ok(())
    }

    fn choose_next(&mut self, _: &[Next]) -> Result<Option<Next>, SessionError> {
        let (count, actual) = (self.walk.here().count, "has come to the end of a turn".into());
        Err(SessionError::Diverged { count, recorded: "no further choice".into(), actual })
    }

    fn has_taken(&mut self, _: u64, _: Schedule) {}

    fn ended(&mut self, outcome: &Outcome) {
        self.findings.ended.push((self.walk.here(), outcome.clone()));
    }

    fn verdict_changes(&mut self, place: Place, which: usize, verdict: Verdict) {
        self.findings.verdicts.push((place, which, verdict));
    }

    fn has_come(&mut self) {
        let here = self.walk.here();
        let last = self.findings.walked.last();
        // Whoever stops often on one way has come to the last of these places.
        if last.is_some_and(|last| self.multiverse().common_place(*last, here) == *last) {
            self.findings.walked.pop();
        }
        self.findings.walked.push(here);
    }
}

impl<'a> Replayer<'a> {
    /// One that stands at the start, and keeps moments so far apart.
    pub(crate) fn new(known: &'a Known, interval: u64) -> Replayer<'a> {
        Replayer::with(known, interval, known.at_root())
    }

    fn with(known: &'a Known, interval: u64, walk: Walk) -> Replayer<'a> {
        let (route, findings) = (known.multiverse().route(walk.node), Findings::default());
        Replayer { known, interval, route, walk, findings }
    }

    /// The program in its world, where it stands.
    pub fn now(&mut self) -> &mut Moment {
        &mut self.walk.now
    }

    /// Goes to the last checkpoint on the way to a place, or to the start. Returns who it was.
    pub(crate) fn begin_before(&mut self, place: Place) -> Walk {
        std::mem::replace(&mut self.walk, self.known.before(place))
    }

    /// Goes to a place, wherever it stands; to how the program ended, if that was there.
    pub fn go_to(&mut self, place: Place, control: &mut dyn Control) -> Result<(), SessionError> {
        let here = self.walk.here();
        let saved = self.known.checkpoint_before(place).map_or(0, |at| at.count);
        let is_on_the_way =
            self.multiverse().common_place(here, place) == here && self.walk.is_alive();
        if !is_on_the_way || here.count < saved {
            self.begin_before(place);
        }
        self.follow_to(place, true, control)
    }

    /// Goes on to a place that comes after here.
    pub(crate) fn follow_to(
        &mut self,
        place: Place,
        into_end: bool,
        control: &mut dyn Control,
    ) -> Result<(), SessionError> {
        self.set_out_for(place.node);
        arrive(self, place, into_end, control)
    }

    /// Goes on towards a place that comes after here, or to where a goal stops it.
    pub(crate) fn drive_to<P: Watcher>(
        &mut self,
        place: Place,
        goal: &mut Goal<'_>,
        probe: &mut P,
        control: &mut dyn Control,
    ) -> Result<Drive, SessionError> {
        self.set_out_for(place.node);
        (goal.count, goal.node) = (place.count, Some(place.node));
        drive(self, goal, probe, control)
    }

    /// Sets out for a place that comes after here, and makes the choices before the next instruction.
    pub(crate) fn settle(&mut self, place: Place) -> Result<(), SessionError> {
        self.set_out_for(place.node);
        while self.walk.node != place.node
            && !matches!(make_choice_between_instructions(self)?, Between::None(_))
        {}
        Ok(())
    }

    /// Says which node it goes to.
    pub(crate) fn set_out_for(&mut self, node: NodeId) {
        if self.route.to() != node {
            self.route = self.multiverse().route(node);
        }
    }

    /// Who has arrived, and what has been found out on the way.
    pub(crate) fn arrived(self) -> (Walk, Findings) {
        (self.walk, self.findings)
    }
}

impl Session {
    /// One that stands at the start, and walks beside the session.
    pub fn replayer(&self) -> Replayer<'_> {
        Replayer::new(&self.known, self.options().interval())
    }

    pub(crate) fn replayer_with(&self, walk: Walk) -> Replayer<'_> {
        Replayer::with(&self.known, self.options().interval(), walk)
    }

    /// Looks at the program as it is at a place, without going there.
    pub fn look_at<R>(
        &mut self,
        place: Place,
        control: &mut dyn Control,
        look: impl FnOnce(&mut Moment) -> R,
    ) -> Result<R, SessionError> {
        self.known.check(place)?;
        let mut replayer = self.replayer();
        let arrived = replayer.go_to(place, control);
        let seen = arrived.map(|()| look(replayer.now()));
        let (_, findings) = replayer.arrived();
        self.known.learn(findings);
        seen
    }
}
