//! Steps from line to line, in both directions.
//!
//! Forward, a probe follows the machine and stops it where the right line begins; what is called
//! on the way is run through at full speed where it does not matter. Backward, the same is noted
//! while the past is replayed, and the last place counts. A step that begins in code of a person's
//! own does not end in code that is passed through ([`crate::skips`]).

use mw_ensemble::{Heed, Moment};
use mw_multiverse::Place;
use mw_vm::{Breakpoints, Frame, Op, Probe, Status};
use mw_world::Call;

use crate::admit::Judge;
use crate::control::Control;
use crate::drive::{Drive, Goal, Mode, Watcher};
use crate::error::SessionError;
use crate::lines::{LineMap, LineTracker, Visit};
use crate::replayer::Replayer;
use crate::reverse::Found;
use crate::session::{Halt, Session};
use crate::step::{Direction, Unit};
use crate::watch::WatchProbe;

impl Session {
    /// Steps to the beginning of a line.
    pub(crate) fn step_line(
        &mut self,
        unit: Unit,
        direction: Direction,
        control: &mut dyn Control,
    ) -> Result<Halt, SessionError> {
        let Some(map) = self.lines() else {
            let what = "no line of the program's source is known; step by instructions";
            return Err(SessionError::Unknown(what.into()));
        };
        match direction {
            Direction::Forward => self.step_line_forward(&map, unit, control),
            Direction::Back => {
                let found = self.line_before(&map, unit, self.here().count, control)?;
                self.go_back_to(found, control)
            }
        }
    }

    /// Goes to the beginning of the line that is under way at a place; to the place itself where
    /// no line is known. With `confirm`, also back over outputs that cannot be undone.
    pub fn slide_to_line(
        &mut self,
        to: Place,
        confirm: bool,
        control: &mut dyn Control,
    ) -> Result<(), SessionError> {
        self.slide(to, confirm, control)?;
        let Some(map) = self.lines() else { return Ok(()) };
        let found = self.line_before(&map, Unit::Line, to.count + 1, control)?;
        self.go_back_to(found, control).map(drop)
    }

    fn step_line_forward(
        &mut self,
        map: &LineMap,
        unit: Unit,
        control: &mut dyn Control,
    ) -> Result<Halt, SessionError> {
        let stops = self.stops([]);
        // Lines are followed through everything.
        let code = stops.code.clone().map(Breakpoints::everywhere);
        let tracker = LineTracker::new(map, &self.walk.now.machine);
        let (level, passes) = (tracker.level(), !tracker.is_skipped());
        let most = if unit == Unit::LineOut { level.saturating_sub(1) } else { level };
        let (into, stop, called) = (unit == Unit::Line, false, false);
        let lines = LineProbe { tracker, most, into, passes, stop, called };
        let mut probe = (lines, WatchProbe::new(&stops.watches));
        let mut counted = None;
        loop {
            let mut returned = Vec::new();
            let mut on_primitive =
                |now: &Moment, call: Call<'_>, value| stops.is_hit(now, call, value, &mut returned);
            // Another task may run another program, whose lines are others.
            let mut on_turn = |_: &Moment, begins| begins;
            let mut goal = Goal {
                into_end: true,
                breakpoints: &code,
                on_primitive: Some(&mut on_primitive),
                on_turn: Some(&mut on_turn),
                heed: Heed::Violations,
                ..Goal::default()
            };
            let drive = self.drive(Mode::Live, &mut goal, &mut probe, control)?;
            if self.walk.now.has_news() {
                return Ok(Halt::Violated);
            }
            let (lines, watch) = &mut probe;
            let written = std::mem::take(&mut watch.hits);
            let hits = match drive {
                Drive::Probe => written,
                Drive::Primitive => returned,
                Drive::Breakpoint => Vec::new(),
                Drive::Turn => stops.at_turn(&self.walk.now, true),
                drive => return Ok(drive.into()),
            };
            // A breakpoint and the beginning of a line are two reasons to stop at one place.
            if counted.replace(self.walk.now.machine.count()) != Some(self.walk.now.machine.count())
            {
                let hits = self.judged(|judge, now| {
                    let mut holding = judge.holding(now, hits);
                    holding.extend(judge.hits_here(now, &stops));
                    holding
                });
                if let Some(id) = self.admitted(&hits) {
                    return Ok(Halt::Breakpoint(id));
                }
            }
            if drive == Drive::Probe && lines.stop || drive == Drive::Turn {
                return Ok(Halt::Reached);
            }
            if std::mem::take(&mut lines.called) {
                let depth = self.walk.now.machine.call_depth().saturating_sub(1);
                let halt = self.run_forward(Mode::Live, depth, control)?;
                if halt != Halt::Reached {
                    return Ok(halt);
                }
                lines.tracker.at(self.walk.now.machine.call_depth());
            }
        }
    }

    /// The last beginning of a line on the way to here, before this count.
    fn line_before(
        &mut self,
        map: &LineMap,
        unit: Unit,
        before: u64,
        control: &mut dyn Control,
    ) -> Result<Found, SessionError> {
        let status = self.walk.now.machine.status();
        let is_over = status == Status::Idle;
        let tracker = LineTracker::new(map, &self.walk.now.machine);
        let level = tracker.level();
        // Nobody stepped to where a library gives up: the mistake is in the line that called it.
        let trapped = matches!(status, Status::Trapped(_)) && map.has_own_lines();
        let passes = trapped || !tracker.is_skipped();
        // After the end, the last function counts as not yet left.
        let mut most = match unit {
            Unit::LineOut => level.saturating_sub(1),
            _ if is_over => usize::MAX,
            _ => level,
        };
        let look = |replayer: &mut Replayer<'_>,
                    _: &mut Judge<'_>,
                    until: Place,
                    control: &mut dyn Control| {
            let tracker = LineTracker::new(map, &replayer.walk.now.machine);
            let into = unit == Unit::Line;
            let (found, least) = (Vec::new(), usize::MAX);
            let mut probe = PastLines { tracker, into, passes, found, least };
            replayer.drive_to(until, &mut Goal::default(), &mut probe, control)?;
            let machine = &replayer.walk.now.machine;
            if machine.status() != Status::Idle {
                // The last place of a stretch is the first one of the next, which does not know
                // how it was come to.
                probe.tracker.at(machine.call_depth());
                let visit = probe.tracker.visit(machine.pc());
                probe.note(until.count, visit, until.count < before);
            }
            let mut fitting = probe.found.iter().rev();
            let found = fitting.find(|(_, level)| into || *level <= most).map(|(count, _)| *count);
            most = most.min(probe.least);
            Ok(found)
        };
        self.search_back(control, look, |_, found| Some((found?, None)))
    }
}

/// Stops where the right line begins.
struct LineProbe<'a> {
    tracker: LineTracker<'a>,
    /// How many functions may be under way there.
    most: usize,
    /// Whether any line will do.
    into: bool,
    /// Whether those that are passed through will not.
    passes: bool,
    /// Whether it begins with the next instruction.
    stop: bool,
    /// Whether a function has been called that can be run through.
    called: bool,
}

impl Watcher for LineProbe<'_> {
    fn at(&mut self, _: u64, depth: usize) {
        self.tracker.at(depth);
    }
}

impl Probe for LineProbe<'_> {
    fn instruction(&mut self, pc: u32, op: Op, _: Frame<'_>) {
        let visit = self.tracker.visit(pc);
        self.tracker.instruction(op);
        self.most = self.most.min(visit.least);
        self.stop = visit.begins
            && (self.into || visit.level <= self.most)
            && !(self.passes && visit.skipped);
    }

    fn wants_stop_before(&mut self) -> bool {
        self.stop
    }

    fn call(&mut self, _: u32, _: &[u64]) {
        let is_deeper = self.tracker.call();
        self.called = is_deeper && !self.into && self.tracker.level() > self.most;
    }

    fn ret(&mut self, _: u32, _: &[u64]) {
        self.tracker.ret();
    }

    fn wants_stop(&mut self) -> bool {
        self.called
    }
}

/// Notes where lines begin, as far as they can be what is looked for.
struct PastLines<'a> {
    tracker: LineTracker<'a>,
    /// Whether any line will do.
    into: bool,
    /// Whether those that are passed through will not.
    passes: bool,
    /// Counts at which lines begin, with how many functions are under way, which become more: the
    /// last ones, of functions that are not left again. Only the very last if any will do.
    found: Vec<(u64, usize)>,
    /// The fewest functions that were under way.
    least: usize,
}

impl PastLines<'_> {
    fn note(&mut self, count: u64, visit: Visit, may_begin: bool) {
        self.least = self.least.min(visit.least);
        let begins = visit.begins && may_begin && !(self.passes && visit.skipped);
        while let Some((_, level)) = self.found.last()
            && (begins && (self.into || *level >= visit.level)
                || !self.into && *level > visit.least)
        {
            self.found.pop();
        }
        if begins {
            self.found.push((count, visit.level));
        }
    }
}

impl Watcher for PastLines<'_> {
    fn at(&mut self, _: u64, depth: usize) {
        self.tracker.at(depth);
    }
}

impl Probe for PastLines<'_> {
    fn instruction(&mut self, pc: u32, op: Op, frame: Frame<'_>) {
        let visit = self.tracker.visit(pc);
        self.tracker.instruction(op);
        self.note(frame.count, visit, true);
    }

    fn call(&mut self, _: u32, _: &[u64]) {
        self.tracker.call();
    }

    fn ret(&mut self, _: u32, _: &[u64]) {
        self.tracker.ret();
    }
}
