//! Steps, and running to breakpoints, in both directions.

use mw_multiverse::Place;
use mw_vm::{Breakpoints, NoProbe, Value};
use mw_world::Call;
use serde::{Deserialize, Serialize};

use crate::breakpoints::BreakpointId;
use crate::control::Control;
use crate::drive::{Drive, Goal, Mode};
use crate::error::SessionError;
use crate::session::{Halt, Session};
use crate::watch::WatchProbe;

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
        if unit == Unit::Instruction {
            return self.step_instructions(direction, count, control);
        }
        for _ in 0..count {
            let halt = match direction {
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
            Direction::Forward => {
                self.run_to(here.saturating_add(count), &Breakpoints::default(), control)
            }
            Direction::Back => {
                let count = here.saturating_sub(count);
                let node = self.multiverse.node_at(self.node, count);
                self.slide(Place { node, count }, false, control)?;
                Ok(if count == 0 { Halt::Edge } else { Halt::Reached })
            }
        }
    }

    /// Runs to a count, stopping for nothing but `breakpoints` and the end of the program.
    fn run_to(
        &mut self,
        count: u64,
        breakpoints: &Breakpoints,
        control: &mut dyn Control,
    ) -> Result<Halt, SessionError> {
        let mut goal = Goal { count, node: None, breakpoints, on_primitive: &mut |_, _| false };
        self.drive(Mode::Live, &mut goal, &mut NoProbe, control).map(Halt::from)
    }

    /// Steps over or out, forward; stops at breakpoints on the way.
    fn step_calls(&mut self, unit: Unit, control: &mut dyn Control) -> Result<Halt, SessionError> {
        let depth = self.machine.call_depth();
        if unit == Unit::Over {
            let here = self.here().count;
            let halt = self.run_to(here + 1, &Breakpoints::default(), control)?;
            if halt != Halt::Reached || self.machine.call_depth() <= depth {
                return Ok(halt);
            }
            if let Some(id) = self.breakpoint_here() {
                return Ok(Halt::Breakpoint(id));
            }
        }
        let least = if unit == Unit::Over { depth } else { depth.saturating_sub(1) };
        // Where the function returns to; the outermost one returns to nowhere.
        let stack = self.machine.call_stack();
        let caller = stack.len().checked_sub(least).and_then(|depth| stack.get(depth));
        let return_pc = caller.map(|frame| frame.pc + 1).filter(|_| least > 0);
        let user: Vec<u32> = self.breakpoints.in_code(&self.module).iter().collect();
        let breakpoints = Breakpoints::new(&self.module, user.into_iter().chain(return_pc));
        loop {
            let mut goal = Goal {
                count: u64::MAX,
                node: None,
                breakpoints: &breakpoints,
                on_primitive: &mut |_, _| false,
            };
            match self.drive(Mode::Live, &mut goal, &mut NoProbe, control)? {
                Drive::Breakpoint => {
                    if let Some(id) = self.breakpoint_here() {
                        return Ok(Halt::Breakpoint(id));
                    }
                    // Recursion passes the same instruction at other depths.
                    if self.machine.call_depth() <= least {
                        return Ok(Halt::Reached);
                    }
                }
                drive => return Ok(drive.into()),
            }
        }
    }

    /// Runs forward to the next breakpoint or the end, or back to the last one or the start.
    pub fn run(
        &mut self,
        direction: Direction,
        control: &mut dyn Control,
    ) -> Result<Halt, SessionError> {
        match direction {
            Direction::Forward => self.run_forward(control),
            Direction::Back => self.run_back(control),
        }
    }

    fn run_forward(&mut self, control: &mut dyn Control) -> Result<Halt, SessionError> {
        let breakpoints = self.breakpoints.in_code(&self.module);
        let watches = self.breakpoints.watches();
        let find = self.breakpoints.primitives();
        loop {
            let mut hit = None;
            let mut on_primitive = |call: Call<'_>, value: Option<Value>| {
                hit = find(call, value);
                hit.is_some()
            };
            let mut goal = Goal {
                count: u64::MAX,
                node: None,
                breakpoints: &breakpoints,
                on_primitive: &mut on_primitive,
            };
            let drive = if watches.is_empty() {
                self.drive(Mode::Live, &mut goal, &mut NoProbe, control)?
            } else {
                let mut probe = WatchProbe::new(watches.clone(), self.machine.call_depth());
                let drive = self.drive(Mode::Live, &mut goal, &mut probe, control)?;
                hit = probe.hit.filter(|_| drive == Drive::Probe).or(hit);
                drive
            };
            let hit = match drive {
                Drive::Breakpoint => self.breakpoint_here(),
                Drive::Probe | Drive::Primitive => hit.filter(|&id| self.condition_holds(id)),
                drive => return Ok(drive.into()),
            };
            if let Some(id) = hit {
                return Ok(Halt::Breakpoint(id));
            }
        }
    }

    /// The breakpoint before the next instruction whose condition holds.
    pub(crate) fn breakpoint_here(&self) -> Option<BreakpointId> {
        let here = self.breakpoints.at(&self.module, self.machine.pc());
        let hit = here.into_iter().find(|(_, condition)| {
            condition.as_ref().is_none_or(|condition| condition.holds(&self.machine))
        });
        hit.map(|(id, _)| id)
    }

    pub(crate) fn condition_holds(&self, id: BreakpointId) -> bool {
        let condition = self.breakpoints.condition(id);
        condition.is_none_or(|condition| condition.holds(&self.machine))
    }
}
