//! Steps, and running to breakpoints, in both directions.

use std::sync::Arc;

use mw_ensemble::{Heed, Moment};
use mw_multiverse::Place;
use mw_vm::{Module, NoProbe, Value};
use mw_world::Call;
use serde::{Deserialize, Serialize};

use crate::breakpoints::{Aim, Breakpoint, BreakpointId, BreakpointSet, PrimitivePattern, Trigger};
use crate::control::Control;
use crate::drive::{Drive, Goal, Mode};
use crate::error::SessionError;
use crate::messages::MessagePattern;
use crate::program::{ByProgram, Programs};
use crate::session::{Halt, Session};
use crate::watch::{Watch, WatchProbe};

/// What a step is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// One instruction.
    Instruction,
    /// One instruction of this function or its callers; what it calls is run through.
    Over,
    /// To the end of this function; backwards, to its call.
    Out,
    /// To the beginning of a line, in whatever function.
    Line,
    /// To the beginning of a line of this function or its callers.
    LineOver,
    /// To the beginning of a line of this function's callers.
    LineOut,
}

impl Unit {
    /// Whether it is about lines of the source.
    pub fn is_line(self) -> bool {
        matches!(self, Unit::Line | Unit::LineOver | Unit::LineOut)
    }
}

/// Which way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// On in time.
    Forward,
    /// Back in time.
    Back,
}

impl Session {
    /// Makes `count` steps.
    pub fn step(
        &mut self,
        unit: Unit,
        direction: Direction,
        count: u64,
        control: &mut dyn Control,
    ) -> Result<Halt, SessionError> {
        if count == 0 {
            return Ok(Halt::Reached);
        }
        if unit == Unit::Instruction {
            return self.step_instructions(direction, count, control);
        }
        for _ in 0..count {
            let halt = match direction {
                _ if unit.is_line() => self.step_line(unit, direction, control)?,
                Direction::Forward => self.step_calls(unit, control)?,
                Direction::Back => self.step_calls_back(unit, control)?,
            };
            if halt != Halt::Reached {
                return Ok(halt);
            }
        }
        Ok(Halt::Reached)
    }

    fn step_instructions(
        &mut self,
        direction: Direction,
        count: u64,
        control: &mut dyn Control,
    ) -> Result<Halt, SessionError> {
        let here = self.here().count;
        match direction {
            Direction::Forward => self.run_to(here.saturating_add(count), control),
            Direction::Back => {
                let start = self.start().count;
                let count = here.saturating_sub(count).max(start);
                let node = self.multiverse().node_at(self.walk.node, count);
                self.slide(Place { node, count }, false, control)?;
                Ok(if count == start { Halt::Edge } else { Halt::Reached })
            }
        }
    }

    /// Runs to a count, stopping for nothing but the end of the program.
    fn run_to(&mut self, count: u64, control: &mut dyn Control) -> Result<Halt, SessionError> {
        let (into_end, is_plain, heed) = (true, true, Heed::Violations);
        let mut goal = Goal { count, into_end, is_plain, heed, ..Goal::default() };
        let drive = self.drive(Mode::Live, &mut goal, &mut NoProbe, control)?;
        Ok(self.halt_for(drive))
    }

    /// Steps over or out, forward; stops at breakpoints on the way.
    fn step_calls(&mut self, unit: Unit, control: &mut dyn Control) -> Result<Halt, SessionError> {
        let depth = self.walk.now.machine.call_depth();
        if unit == Unit::Over {
            let here = self.here().count;
            let halt = self.run_to(here + 1, control)?;
            if halt != Halt::Reached || self.walk.now.machine.call_depth() <= depth {
                return Ok(halt);
            }
            let stops = self.stops([]);
            let hits = self.judged(|judge, now| judge.hits_here(now, &stops));
            if let Some(id) = self.admitted(&hits) {
                return Ok(Halt::Breakpoint(id));
            }
        }
        let least = if unit == Unit::Over { depth } else { depth.saturating_sub(1) };
        self.run_forward(Mode::Live, least, control)
    }

    /// Runs forward to the next breakpoint or the end, or back to the last one or the start.
    pub fn run(
        &mut self,
        direction: Direction,
        control: &mut dyn Control,
    ) -> Result<Halt, SessionError> {
        match direction {
            Direction::Forward => self.run_forward(Mode::Live, 0, control),
            Direction::Back => self.run_back(control),
        }
    }

    /// Runs to what a breakpoint could wait for, or to a breakpoint before that.
    pub fn run_until(
        &mut self,
        trigger: Trigger,
        direction: Direction,
        control: &mut dyn Control,
    ) -> Result<Halt, SessionError> {
        self.run_to_aim(trigger, false, direction, control)
    }

    /// The same of a breakpoint that is not kept, which may be in another program.
    pub fn run_to_breakpoint(
        &mut self,
        breakpoint: Breakpoint,
        direction: Direction,
        control: &mut dyn Control,
    ) -> Result<Halt, SessionError> {
        self.run_aiming_at(Aim { breakpoint, is_alone: false }, direction, control)
    }

    /// The same, past all breakpoints if it is alone.
    pub(crate) fn run_to_aim(
        &mut self,
        trigger: Trigger,
        is_alone: bool,
        direction: Direction,
        control: &mut dyn Control,
    ) -> Result<Halt, SessionError> {
        let program = self.program_number();
        let breakpoint = Breakpoint { program, ..Breakpoint::new(trigger) };
        self.run_aiming_at(Aim { breakpoint, is_alone }, direction, control)
    }

    fn run_aiming_at(
        &mut self,
        aim: Aim,
        direction: Direction,
        control: &mut dyn Control,
    ) -> Result<Halt, SessionError> {
        self.breakpoints_mut().aim_at(Some(aim));
        let halt = self.run(direction, control);
        self.breakpoints_mut().aim_at(None);
        halt.map(|halt| match halt {
            Halt::Breakpoint(BreakpointId::AIM) => Halt::Reached,
            halt => halt,
        })
    }

    /// Runs forward to the next breakpoint or the end. Where nothing is recorded, inputs return what
    /// was suggested first, as long as something was; each is logged.
    pub fn run_as_suggested(&mut self, control: &mut dyn Control) -> Result<Halt, SessionError> {
        self.run_forward(Mode::AsSuggested, 0, control)
    }

    /// Runs to the next breakpoint, or to where calls are nested only so deep (unless that is 0).
    pub(crate) fn run_forward(
        &mut self,
        mode: Mode,
        depth: usize,
        control: &mut dyn Control,
    ) -> Result<Halt, SessionError> {
        // Where that function goes on: after its call, or where it was interrupted.
        let stack = self.walk.now.machine.call_stack();
        let caller = stack.len().checked_sub(depth).and_then(|depth| stack.get(depth));
        let returns = caller.map(|frame| [frame.pc, frame.pc + 1]).filter(|_| depth > 0);
        let stops = self.stops(returns.into_iter().flatten());
        loop {
            let (drive, met) = self.drive_to_stop(mode, &stops, control)?;
            let may_go_on = drive.may_go_on();
            let hits = self.judged(|judge, now| judge.hits(now, &drive, met, &stops));
            let hits = [hits.written, hits.before, hits.returned].concat();
            let id = self.admitted(&hits);
            match (self.halt_for(drive), id) {
                (Halt::Violated, _) => return Ok(Halt::Violated),
                (_, Some(id)) => return Ok(Halt::Breakpoint(id)),
                (halt, None) if !may_go_on => return Ok(halt),
                (_, None) => {}
            }
            // Recursion passes the same instruction at other depths.
            if depth > 0 && self.walk.now.machine.call_depth() <= depth {
                return Ok(Halt::Reached);
            }
        }
    }

    /// Why driving ended. That a property is violated goes before all else.
    pub(crate) fn halt_for(&self, drive: Drive) -> Halt {
        match self.walk.now.has_news() {
            true => Halt::Violated,
            false => drive.into(),
        }
    }

    /// What stops a run: the breakpoints, and the instructions given.
    pub(crate) fn stops(&mut self, others: impl IntoIterator<Item = u32>) -> Stops {
        let module = self.module().clone();
        let (breakpoints, programs) = (self.settings.breakpoints_mut(), &self.programs);
        Stops::of(breakpoints, programs).and(&module, others)
    }

    /// Goes on until there may be a reason to stop.
    fn drive_to_stop(
        &mut self,
        mode: Mode,
        stops: &Stops,
        control: &mut dyn Control,
    ) -> Result<(Drive, Met), SessionError> {
        let heed = match self.breakpoints().is_passed() {
            true => Heed::Nothing,
            false => Heed::Violations,
        };
        stops.meet(Goal { into_end: true, heed, ..Goal::default() }, |goal, probe| match probe {
            None => self.drive(mode, goal, &mut NoProbe, control),
            Some(probe) => self.drive(mode, goal, probe, control),
        })
    }
}

/// What stops a run.
pub(crate) struct Stops {
    pub code: ByProgram,
    pub watches: Vec<(BreakpointId, Watch)>,
    primitives: Vec<(BreakpointId, Arc<Module>, PrimitivePattern)>,
    messages: Vec<(BreakpointId, MessagePattern)>,
}

impl Stops {
    /// Breakpoints of programs.
    pub fn of(breakpoints: &mut BreakpointSet, programs: &Programs) -> Stops {
        let primitives =
            breakpoints.primitives().into_iter().filter_map(|(id, number, pattern)| {
                let program = programs.iter().nth(usize::from(number))?;
                Some((id, program.module.clone(), pattern))
            });
        Stops {
            primitives: primitives.collect(),
            code: breakpoints.in_code(programs),
            watches: breakpoints.watches(),
            messages: breakpoints.messages(),
        }
    }

    /// Nothing.
    pub fn none() -> Stops {
        Stops {
            code: ByProgram::none(),
            watches: Vec::new(),
            primitives: Vec::new(),
            messages: Vec::new(),
        }
    }

    /// The same with further instructions of a program.
    fn and(mut self, module: &Arc<Module>, others: impl IntoIterator<Item = u32>) -> Stops {
        self.code = self.code.and(module, others);
        self
    }

    /// Drives until there may be a reason to stop, with a probe if something is watched.
    pub fn meet(
        &self,
        goal: Goal<'_>,
        drive: impl FnOnce(&mut Goal<'_>, Option<&mut WatchProbe<'_>>) -> Result<Drive, SessionError>,
    ) -> Result<(Drive, Met), SessionError> {
        let (mut returned, mut turned) = (Vec::new(), Vec::new());
        let mut on_primitive =
            |now: &Moment, call: Call<'_>, value| self.is_hit(now, call, value, &mut returned);
        let mut on_turn = |now: &Moment, begins| {
            turned = self.at_turn(now, begins);
            !turned.is_empty()
        };
        let mut goal = Goal {
            breakpoints: &self.code,
            on_primitive: Some(&mut on_primitive),
            on_turn: Some(&mut on_turn),
            is_plain: self.watches.is_empty()
                && self.primitives.is_empty()
                && self.messages.is_empty(),
            ..goal
        };
        let mut probe = WatchProbe::new(&self.watches);
        let drive = drive(&mut goal, (!self.watches.is_empty()).then_some(&mut probe))?;
        if drive == Drive::Turn {
            returned = turned;
        }
        Ok((drive, Met { written: probe.hits, returned }))
    }

    /// The breakpoints that a call of a primitive hits: before it, or with a value after it.
    pub fn matching(
        &self,
        now: &Moment,
        call: Call<'_>,
        value: Option<Value>,
    ) -> Vec<BreakpointId> {
        let own = self.primitives.iter().filter(|(_, m, _)| Arc::ptr_eq(m, now.machine.module()));
        let matching = own.filter(|(.., pattern)| pattern.matches(call, value));
        let sent = self.messages.iter().filter(|(_, pattern)| pattern.is_sent(now, call));
        let sent = sent.filter(|_| value.is_none()).map(|(id, _)| *id);
        matching.map(|(id, ..)| *id).chain(sent).collect()
    }

    /// The breakpoints that a turn hits which has just begun, or ended.
    pub fn at_turn(&self, now: &Moment, begins: bool) -> Vec<BreakpointId> {
        let hit = self.messages.iter().filter(|(_, pattern)| pattern.is_at_turn(now, begins));
        hit.map(|(id, _)| *id).collect()
    }

    /// Whether to stop at a call of a primitive; notes what is hit by a value that it returned.
    pub fn is_hit(
        &self,
        now: &Moment,
        call: Call<'_>,
        value: Option<Value>,
        returned: &mut Vec<BreakpointId>,
    ) -> bool {
        let hits = self.matching(now, call, value);
        let stop = !hits.is_empty();
        if value.is_some() {
            *returned = hits;
        }
        stop
    }
}

/// The breakpoints that driving has come to, whatever their conditions.
#[derive(Debug, Default)]
pub(crate) struct Met {
    /// The last instruction wrote what is watched.
    pub written: Vec<BreakpointId>,
    /// The last instruction was a call that returned what was waited for; or a turn has come that was.
    pub returned: Vec<BreakpointId>,
}

/// The breakpoints at a place whose conditions hold.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hits {
    /// The last instruction wrote what is watched.
    pub written: Vec<BreakpointId>,
    /// The last instruction was a call that returned what was waited for.
    pub returned: Vec<BreakpointId>,
    /// The next instruction is waited for.
    pub before: Vec<BreakpointId>,
}
