//! Every time that the program comes to something on the way to a place, asked for afterwards.
//!
//! A replayer walks the way with a breakpoint of its own, and writes down what that would have said:
//! nothing moves, and no breakpoint of the session is come to.

use std::collections::VecDeque;

use mw_multiverse::Place;
use mw_vm::NoProbe;

use crate::admit::Judge;
use crate::breakpoints::{Breakpoint, BreakpointId, BreakpointSet};
use crate::control::Control;
use crate::drive::Goal;
use crate::error::SessionError;
use crate::replayer::Replayer;
use crate::session::Session;
use crate::step::Stops;

/// A time that the program came to something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Where that was.
    pub place: Place,
    /// What the breakpoint logs there, if it logs something.
    pub log: Option<String>,
}

/// All those times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    /// The last ones.
    pub hits: VecDeque<Hit>,
    /// How many there are altogether.
    pub total: u64,
    /// How far was looked: not to the end, if that was cancelled.
    pub until: Place,
}

impl Session {
    /// Every time that the program comes to a breakpoint before it is at a place; the last `most` of
    /// them are kept. Whoever cancels it gets what was found so far.
    pub fn tally(
        &mut self,
        breakpoint: Breakpoint,
        until: Place,
        most: usize,
        control: &mut dyn Control,
    ) -> Result<Tally, SessionError> {
        self.known.check(until)?;
        let mut breakpoints = BreakpointSet::default();
        let id = breakpoints.add(breakpoint);
        let stops = Stops::of(&mut breakpoints, &self.programs);
        let judge = self.judge_of(&breakpoints);
        let tally = Tally { hits: VecDeque::new(), total: 0, until };
        let mut taker = Taker { id, stops, judge, most, tally };
        let mut replayer = self.replayer();
        let taken = taker.walk(&mut replayer, until, control);
        let Taker { mut tally, .. } = taker;
        tally.until = replayer.walk.here();
        let (_, findings) = replayer.arrived();
        self.known.learn(findings);
        match taken {
            Ok(()) | Err(SessionError::Cancelled) => Ok(tally),
            Err(error) => Err(error),
        }
    }
}

/// Whoever writes down.
struct Taker<'a> {
    id: BreakpointId,
    stops: Stops,
    judge: Judge<'a>,
    most: usize,
    tally: Tally,
}

impl Taker<'_> {
    fn walk(
        &mut self,
        replayer: &mut Replayer<'_>,
        until: Place,
        control: &mut dyn Control,
    ) -> Result<(), SessionError> {
        replayer.settle(until)?;
        self.look(replayer);
        loop {
            let (drive, met) = self.stops.meet(Goal::default(), |goal, probe| match probe {
                None => replayer.drive_to(until, goal, &mut NoProbe, control),
                Some(probe) => replayer.drive_to(until, goal, probe, control),
            })?;
            if !drive.may_go_on() {
                self.look(replayer);
                return Ok(());
            }
            let now = &replayer.walk.now;
            let hits = self.judge.hits(now, &drive, met, &self.stops);
            if [hits.written, hits.returned, hits.before].concat().contains(&self.id) {
                self.note(replayer);
            }
            if control.is_cancelled() {
                return Err(SessionError::Cancelled);
            }
        }
    }

    /// Looks at the place where the replayer stands, to which no step has led.
    fn look(&mut self, replayer: &Replayer<'_>) {
        let hits = self.judge.hits_here(&replayer.walk.now, &self.stops);
        if hits.contains(&self.id) {
            self.note(replayer);
        }
    }

    fn note(&mut self, replayer: &Replayer<'_>) {
        let place = replayer.walk.here();
        if self.tally.hits.back().is_some_and(|last| last.place == place) {
            return;
        }
        self.tally.total += 1;
        if self.tally.hits.len() == self.most {
            self.tally.hits.pop_front();
        }
        let log = self.judge.log_of(self.id, &replayer.walk.now.machine);
        self.tally.hits.push_back(Hit { place, log });
    }
}
