//! Where to stop.

use mw_ensemble::TaskId;
use mw_vm::{Breakpoints, Machine, Module, Op, Value};
use mw_world::Call;
use serde::{Deserialize, Serialize};

use crate::condition::Condition;
use crate::hits::HitRule;
use crate::messages::MessagePattern;
use crate::program::{ByProgram, Programs};
use crate::watch::Watch;

/// A breakpoint, by a number that is never used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct BreakpointId(pub u32);

impl BreakpointId {
    /// What one run goes to; people's breakpoints count from one.
    pub(crate) const AIM: BreakpointId = BreakpointId(0);
    /// Where a property is violated.
    pub(crate) const VIOLATION: BreakpointId = BreakpointId(u32::MAX);
}

/// What makes a breakpoint stop the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Trigger {
    /// The program is about to execute this instruction, a position in the module's code.
    Instruction(u32),
    /// It is about to execute the first instruction of this function.
    Function(u32),
    /// It calls a primitive.
    Primitive(PrimitivePattern),
    /// It writes something.
    Watch(Watch),
    /// It comes to a line of its source.
    Line {
        /// The line as people write it: `main.ts:12`.
        name: String,
        /// Where it begins: an instruction for each function that has code of it.
        pcs: Vec<u32>,
    },
    /// A message has come to a point of its life.
    Message(MessagePattern),
}

/// Which calls of a primitive are meant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PrimitivePattern {
    /// The imported function, by its index.
    pub import: u32,
    /// Its arguments; `None` for any.
    pub args: Option<Vec<Value>>,
    /// What an input returned; the program stops after the call then, otherwise before.
    pub value: Option<Value>,
}

impl PrimitivePattern {
    pub(crate) fn matches(&self, call: Call<'_>, value: Option<Value>) -> bool {
        self.import == call.import
            && self.value == value
            && self.args.as_ref().is_none_or(|args| args == call.args)
    }
}

/// A breakpoint.
#[derive(Clone, Debug, PartialEq)]
pub struct Breakpoint {
    /// What it waits for.
    pub trigger: Trigger,
    /// The program that it is about, by its number.
    pub program: u16,
    /// Only this task is meant.
    pub task: Option<TaskId>,
    /// It only stops the program if this holds.
    pub condition: Option<Condition>,
    /// Which of its hits stop the program.
    pub hits: Option<HitRule>,
    /// What to log instead of stopping; expressions in braces are replaced by their values.
    pub log: Option<String>,
    /// Whether it is taken notice of.
    pub enabled: bool,
    /// Whether it goes once it has stopped the program.
    pub temporary: bool,
    /// How often it has been come to while its conditions held.
    pub passed: u64,
}

impl Breakpoint {
    /// One that always stops the program.
    pub fn new(trigger: Trigger) -> Breakpoint {
        Breakpoint {
            trigger,
            program: 0,
            task: None,
            condition: None,
            hits: None,
            log: None,
            enabled: true,
            temporary: false,
            passed: 0,
        }
    }
}

/// All breakpoints of a session.
#[derive(Debug, Default)]
pub struct BreakpointSet {
    breakpoints: Vec<(BreakpointId, Breakpoint)>,
    next: u32,
    /// Those in the code of each program, in the form that machines take; made when first needed.
    in_code: Option<ByProgram>,
    /// What one run goes to. It is not listed, so that it is not kept.
    aim: Option<Aim>,
}

/// What one run goes to.
#[derive(Debug)]
pub(crate) struct Aim {
    pub breakpoint: Breakpoint,
    /// Whether it goes past all breakpoints.
    pub is_alone: bool,
}

impl BreakpointSet {
    /// Adds a breakpoint.
    pub fn add(&mut self, breakpoint: Breakpoint) -> BreakpointId {
        // People count from one.
        let id = BreakpointId(self.next.max(1));
        self.restore(id, breakpoint);
        id
    }

    /// Puts a breakpoint back under the number that it had.
    pub fn restore(&mut self, id: BreakpointId, breakpoint: Breakpoint) {
        self.next = self.next.max(id.0 + 1);
        self.in_code = None;
        self.breakpoints.push((id, breakpoint));
    }

    /// Removes a breakpoint; says whether it was there.
    pub fn remove(&mut self, id: BreakpointId) -> bool {
        self.in_code = None;
        let before = self.breakpoints.len();
        self.breakpoints.retain(|(other, _)| *other != id);
        self.breakpoints.len() < before
    }

    /// Says what one run goes to, or that it is over.
    pub(crate) fn aim_at(&mut self, aim: Option<Aim>) {
        self.in_code = None;
        self.aim = aim;
    }

    /// Whether a run passes all that would stop it, but for what it goes to.
    pub(crate) fn is_passed(&self) -> bool {
        self.aim.as_ref().is_some_and(|aim| aim.is_alone)
    }

    /// Switches a breakpoint on or off; says whether it was there.
    pub fn enable(&mut self, id: BreakpointId, enabled: bool) -> bool {
        self.in_code = None;
        let found = self.breakpoints.iter_mut().find(|(other, _)| *other == id);
        found.map(|(_, breakpoint)| breakpoint.enabled = enabled).is_some()
    }

    /// All breakpoints, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = (BreakpointId, &Breakpoint)> {
        self.breakpoints.iter().map(|(id, breakpoint)| (*id, breakpoint))
    }

    /// All that can stop a run.
    fn enabled(&self) -> impl Iterator<Item = (BreakpointId, &Breakpoint)> {
        let is_alone = self.is_passed();
        let aim = self.aim.iter().map(|aim| (BreakpointId::AIM, &aim.breakpoint));
        self.iter().filter(move |(_, breakpoint)| breakpoint.enabled && !is_alone).chain(aim)
    }

    /// The breakpoints in the code, with a probe for what is watched.
    pub(crate) fn in_code(&mut self, programs: &Programs) -> ByProgram {
        if self.in_code.is_none() {
            let watches = self.watches();
            let may_write = |_, op: Op| watches.iter().any(|(_, watch)| watch.may_be_written(op));
            self.in_code = Some(programs.each(|number, module| {
                let own = self.enabled().filter(|(_, b)| b.program == number);
                let code =
                    Breakpoints::new(module, own.flat_map(|(_, b)| pcs_of(module, &b.trigger)));
                match watches.is_empty() {
                    true => code,
                    false => code.within(module, may_write),
                }
            }));
        }
        self.in_code.clone().unwrap_or_default()
    }

    /// The breakpoints before the next instruction of the task that runs.
    pub(crate) fn at(&self, program: u16, machine: &Machine) -> Vec<BreakpointId> {
        let (module, pc) = (machine.module(), machine.pc());
        let own = self.enabled().filter(|(_, b)| b.program == program);
        let here = own.filter(|(_, b)| pcs_of(module, &b.trigger).contains(&pc));
        here.map(|(id, _)| id).collect()
    }

    /// Which messages are waited for.
    pub(crate) fn messages(&self) -> Vec<(BreakpointId, MessagePattern)> {
        let messages = self.enabled().filter_map(|(id, b)| match &b.trigger {
            Trigger::Message(pattern) => Some((id, pattern.clone())),
            _ => None,
        });
        messages.collect()
    }

    /// What is watched.
    pub(crate) fn watches(&self) -> Vec<(BreakpointId, Watch)> {
        let watches = self.enabled().filter_map(|(id, b)| match &b.trigger {
            Trigger::Watch(watch) => Some((id, *watch)),
            _ => None,
        });
        watches.collect()
    }

    /// Which calls of primitives are waited for.
    pub(crate) fn primitives(&self) -> Vec<(BreakpointId, u16, PrimitivePattern)> {
        let primitives = self.enabled().filter_map(|(id, b)| match &b.trigger {
            Trigger::Primitive(pattern) => Some((id, b.program, pattern.clone())),
            _ => None,
        });
        primitives.collect()
    }

    /// A breakpoint.
    pub fn get(&self, id: BreakpointId) -> Option<&Breakpoint> {
        if id == BreakpointId::AIM {
            return self.aim.as_ref().map(|aim| &aim.breakpoint);
        }
        self.iter().find(|(other, _)| *other == id).map(|(_, breakpoint)| breakpoint)
    }

    /// Puts another breakpoint under the number of one; says whether that was there.
    pub fn replace(&mut self, id: BreakpointId, breakpoint: Breakpoint) -> bool {
        self.in_code = None;
        let found = self.breakpoints.iter_mut().find(|(other, _)| *other == id);
        found.map(|(_, known)| *known = breakpoint).is_some()
    }

    /// Counts a hit of a breakpoint.
    pub(crate) fn hit(&mut self, id: BreakpointId) -> Option<&Breakpoint> {
        if id == BreakpointId::AIM {
            return self.get(id);
        }
        let (_, breakpoint) = self.breakpoints.iter_mut().find(|(other, _)| *other == id)?;
        breakpoint.passed += 1;
        Some(breakpoint)
    }
}

/// The instructions that a trigger waits for.
fn pcs_of(module: &Module, trigger: &Trigger) -> Vec<u32> {
    match trigger {
        Trigger::Instruction(pc) => vec![*pc],
        Trigger::Function(func) if (*func as usize) < module.funcs().len() => {
            let code = module.func_code(*func);
            Vec::from_iter((code.len > 0).then_some(code.start))
        }
        Trigger::Line { pcs, .. } => pcs.clone(),
        _ => Vec::new(),
    }
}
