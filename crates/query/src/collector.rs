//! Sees events while a part of the past is replayed.
//!
//! Everything that is asked for is in the instruction that is about to be executed and in the frame of
//! its function, so that one hook suffices. What only an expression of the program can say is asked
//! after stopping right there.

use std::collections::BTreeSet;

use mw_ensemble::Moment;
use mw_multiverse::Place;
use mw_session::{Onlooker, Past, Scope, Watch, Watcher};
use mw_source::Sources;
use mw_vm::{Cell, Frame, Instruction, Machine, Module, Op, Probe, ValType, Value};
use mw_world::{Call, Kind as PrimitiveKind, TaskCall};

use crate::events::{Event, Events, Kind, Subject, Test};
use crate::failure::Failure;

/// What has been seen: after how many instructions, and what.
pub(crate) type Seen = Vec<(u64, Event)>;

/// Events with what is worked out about them once.
#[derive(Debug)]
pub(crate) struct Plan<'a> {
    pub events: &'a Events,
    pub scope: Scope,
    modules: Vec<(&'a Module, &'a Sources)>,
    /// Functions whose first instruction can be come to without a call, by program.
    loops: Vec<BTreeSet<u32>>,
}

impl<'a> Plan<'a> {
    pub fn new(past: Past<'a>, events: &'a Events) -> Plan<'a> {
        let modules: Vec<_> =
            past.programs().map(|(module, sources)| (&**module, sources)).collect();
        let loops = modules.iter().map(|(module, _)| match events.kind {
            Kind::Calls(_) => loops_at_start(module),
            _ => BTreeSet::new(),
        });
        let loops: Vec<_> = loops.collect();
        let is_meant = |program| events.program.is_none_or(|only| only == program);
        let scope = past.scope(|program, module, pc, op| {
            is_meant(program) && is_seen(&events.kind, module, &loops[usize::from(program)], pc, op)
        });
        Plan { events, scope, modules, loops }
    }

    /// Whether a replay can begin with a machine: one that is where a loop begins may have just been
    /// called, or not.
    pub fn can_begin(&self, program: u16, machine: &Machine) -> bool {
        let loops = &self.loops[usize::from(program)];
        let is_unclear = |func: u32, pc: u32| {
            loops.contains(&func) && machine.module().func_code(func).start == pc
        };
        loops.is_empty()
            || !machine.call_stack().iter().any(|frame| is_unclear(frame.func, frame.pc))
    }

    /// Whether calls of primitives have to be seen.
    pub fn is_about_primitives(&self) -> bool {
        matches!(self.events.kind, Kind::Primitives(_) | Kind::Outputs | Kind::Sends)
    }

    /// Whether a call of a primitive is an event: before it, or with what it has returned.
    pub fn is_call(
        &self,
        program: u16,
        now: &Moment,
        call: Call<'_>,
        value: Option<Value>,
    ) -> Result<bool, Failure> {
        if self.events.program.is_some_and(|only| only != program) {
            return Ok(false);
        }
        let is_input = matches!(now.world.kind(call.import), Ok(PrimitiveKind::Input));
        let is_meant = match &self.events.kind {
            Kind::Primitives(None) => true,
            Kind::Primitives(Some(imports)) => imports.contains(&call.import),
            Kind::Outputs => !is_input,
            Kind::Sends => {
                matches!(now.world.task_call(call.import), Some(TaskCall::Tell | TaskCall::Send))
            }
            _ => false,
        };
        // What an input returns may be asked for, so it counts once that is known.
        if !is_meant || is_input != value.is_some() {
            return Ok(false);
        }
        let part = |subject| match subject {
            Subject::Argument(index) => call.args.get(index).copied(),
            Subject::Value => value,
        };
        Ok(self.compares(part) && self.holds(program, &now.machine)?)
    }

    /// Whether the numbers of an event are as they have to be.
    fn compares(&self, part: impl Fn(Subject) -> Option<Value>) -> bool {
        self.events.tests.iter().all(|test| match test {
            Test::Compares(subject, comparison, number) => {
                part(*subject).is_some_and(|value| comparison.holds(value, *number))
            }
            Test::Holds(_) => true,
        })
    }

    fn asks_machine(&self) -> bool {
        self.events.tests.iter().any(|test| matches!(test, Test::Holds(_)))
    }

    /// Whether what is asked of the program holds.
    fn holds(&self, program: u16, machine: &Machine) -> Result<bool, Failure> {
        let (_, sources) = self.modules[usize::from(program)];
        for test in &self.events.tests {
            let Test::Holds(condition) = test else { continue };
            let holds = condition.holds(sources, machine).map_err(|error| {
                let count = machine.count();
                Failure::Function(format!("`{condition}`, after {count} instructions: {error}"))
            })?;
            if !holds {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Whether an instruction may be an event.
fn is_seen(kind: &Kind, module: &Module, loops: &BTreeSet<u32>, pc: u32, op: Op) -> bool {
    let is_one_of = |functions: &Option<Vec<u32>>, func: u32| {
        functions.as_ref().is_none_or(|functions| functions.contains(&func))
    };
    let func = module.func_at(pc).unwrap_or(u32::MAX);
    let instruction = op.instruction();
    match kind {
        Kind::Calls(functions) => {
            let begins = is_one_of(functions, func) && module.func_code(func).start == pc;
            let calls = matches!(
                instruction,
                Some(
                    Instruction::Call { .. }
                        | Instruction::CallIndirect { .. }
                        | Instruction::ReturnCall { .. }
                        | Instruction::ReturnCallIndirect { .. }
                        | Instruction::Return { .. }
                )
            );
            begins || calls && !loops.is_empty()
        }
        Kind::Returns(functions) => {
            matches!(instruction, Some(Instruction::Return { .. })) && is_one_of(functions, func)
        }
        Kind::Instructions(pcs) => pcs.contains(&pc),
        Kind::Writes(_) => match instruction {
            Some(Instruction::Access(access)) => !access.is_load,
            Some(
                Instruction::MemoryFill { .. }
                | Instruction::MemoryCopy { .. }
                | Instruction::MemoryInit { .. }
                | Instruction::GlobalSet { .. }
                | Instruction::Copy { .. },
            ) => true,
            _ => false,
        },
        Kind::Reads(_) => match instruction {
            Some(Instruction::Access(access)) => access.is_load,
            Some(
                Instruction::MemoryCopy { .. }
                | Instruction::GlobalGet { .. }
                | Instruction::Copy { .. },
            ) => true,
            _ => false,
        },
        Kind::Growth => matches!(instruction, Some(Instruction::MemoryGrow { .. })),
        _ => false,
    }
}

/// Functions that branch to their first instruction.
fn loops_at_start(module: &Module) -> BTreeSet<u32> {
    let mut loops = BTreeSet::new();
    for (pc, op) in (0..).zip(module.code()) {
        let Some(func) = module.func_at(pc) else { continue };
        let start = module.func_code(func).start;
        let moving = |branch: u32| module.branches().get(branch as usize).map(|b| b.target.to);
        let is_to_start = match op.instruction() {
            Some(
                Instruction::Br { target }
                | Instruction::BrIf { target, .. }
                | Instruction::BrUnless { target, .. },
            ) => target.to == start,
            Some(Instruction::BrMoving { branch } | Instruction::BrIfMoving { branch, .. }) => {
                moving(branch) == Some(start)
            }
            Some(Instruction::BrTable { first, count, .. }) => {
                (first..first + count).any(|branch| moving(branch) == Some(start))
            }
            _ => false,
        };
        if is_to_start {
            loops.insert(func);
        }
    }
    loops
}

/// Sees events. See the [module](self).
pub(crate) struct Collector<'a> {
    past: Past<'a>,
    plan: &'a Plan<'a>,
    module: &'a Module,
    pub seen: Seen,
    pub failure: Option<Failure>,
    /// From which count on events are wanted.
    from: u64,
    most: usize,
    /// An event, if what is asked of the program holds.
    candidate: Option<(u64, Event)>,
    /// The count at which that was asked last.
    asked: Option<u64>,
    /// How deep calls are nested in functions that have been called and have executed nothing.
    entering: BTreeSet<usize>,
    depth: usize,
}

impl<'a> Collector<'a> {
    /// Begins with a machine at a place, and is interested in what happens from a count on.
    pub fn new(
        past: Past<'a>,
        plan: &'a Plan<'a>,
        (begins, from): (Place, u64),
        most: usize,
    ) -> Collector<'a> {
        let is_at_start = begins == past.multiverse().beginning();
        let program = plan.events.program.unwrap_or(0);
        Collector {
            past,
            plan,
            module: plan.modules[usize::from(program)].0,
            seen: Vec::new(),
            failure: None,
            from,
            most,
            candidate: None,
            asked: None,
            entering: BTreeSet::new(),
            depth: if is_at_start { 0 } else { usize::MAX },
        }
    }

    pub fn note(&mut self, count: u64, event: Event) {
        if count < self.from {
            return;
        }
        match self.seen.len() < self.most {
            true => self.seen.push((count, event)),
            false => self.failure = Some(Failure::TooMany { most: self.most }),
        }
    }

    /// The event that an instruction is, and its numbers.
    fn event(&mut self, pc: u32, op: Op, frame: Frame<'_>) -> Option<Event> {
        let instruction = op.instruction()?;
        let slot = |reg: u16| frame.slots.get(usize::from(reg)).copied().unwrap_or(0);
        let kind = &self.plan.events.kind;
        match kind {
            Kind::Calls(_) => {
                let func = self.module.func_at(pc)?;
                let is_start = self.module.func_code(func).start == pc;
                let is_called = self.entering.remove(&frame.depth);
                match instruction {
                    Instruction::Call { .. } | Instruction::CallIndirect { .. } => {
                        self.entering.insert(frame.depth + 1);
                    }
                    Instruction::ReturnCall { .. } | Instruction::ReturnCallIndirect { .. } => {
                        self.entering.insert(frame.depth);
                    }
                    Instruction::Return { .. } => {
                        self.depth = frame.depth - 1;
                        // After the outermost function comes the one that was to be called next.
                        if self.depth == 0 {
                            self.entering.insert(1);
                        }
                    }
                    _ => {}
                }
                let is_unclear = self.plan.loops.iter().any(|loops| loops.contains(&func));
                if !is_start || is_unclear && !is_called || !self.is_meant(func) {
                    return None;
                }
                let ty = self.module.func_type(&self.module.funcs()[func as usize]);
                self.passes(func, |subject| match subject {
                    Subject::Argument(index) => {
                        Some(Value::from_slot(*ty.params.get(index)?, slot(index as u16)))
                    }
                    Subject::Value => None,
                })
            }
            Kind::Returns(_) => {
                let Instruction::Return { first, .. } = instruction else { return None };
                let func = self.module.func_at(pc)?;
                let ty = self.module.func_type(&self.module.funcs()[func as usize]);
                self.passes(func, |subject| match subject {
                    Subject::Value => Some(Value::from_slot(*ty.results.first()?, slot(first))),
                    Subject::Argument(_) => None,
                })
            }
            Kind::Writes(watch) => {
                let value = written(*watch, instruction, frame)?;
                self.passes(pc, |subject| self.value(subject, *watch, value))
            }
            Kind::Reads(watch) => {
                let value = read(*watch, instruction, frame)?;
                self.passes(pc, |subject| self.value(subject, *watch, value))
            }
            Kind::Growth => {
                let Instruction::MemoryGrow { slot: reg, memory } = instruction else {
                    return None;
                };
                self.passes(memory.into(), |subject| {
                    (subject == Subject::Value).then_some(Value::I32(slot(reg) as i32))
                })
            }
            Kind::Instructions(_) => self.passes(pc, |_| None),
            _ => None,
        }
    }

    fn is_meant(&self, func: u32) -> bool {
        match &self.plan.events.kind {
            Kind::Calls(Some(functions)) => functions.contains(&func),
            _ => true,
        }
    }

    fn passes(&self, event: Event, part: impl Fn(Subject) -> Option<Value>) -> Option<Event> {
        self.plan.compares(part).then_some(event)
    }

    fn value(&self, subject: Subject, watch: Watch, moved: Moved) -> Option<Value> {
        let Moved::Number(ty, slot) = moved else { return None };
        let ty = match watch.cell(0) {
            Cell::Global(global) => self.module.globals().get(global as usize)?.ty,
            _ => ty,
        };
        (subject == Subject::Value).then(|| Value::from_slot(ty, slot))
    }
}

/// What is written or read.
#[derive(Clone, Copy, Debug)]
enum Moved {
    Number(ValType, u64),
    /// Bytes that are no number by themselves.
    Bytes,
}

fn slot_of(frame: &Frame<'_>, reg: u16) -> u64 {
    frame.slots.get(usize::from(reg)).copied().unwrap_or(0)
}

/// What an instruction writes to what is watched, if it does.
fn written(watch: Watch, instruction: Instruction, frame: Frame<'_>) -> Option<Moved> {
    let cell = watch.cell(frame.depth);
    let slot = |reg: u16| slot_of(&frame, reg);
    match instruction {
        Instruction::Access(access) if !access.is_load && access.memory == 0 => {
            let address = u64::from(slot(access.address) as u32) + u64::from(access.offset);
            let value = Moved::Number(access.ty, narrowed(slot(access.register), access.size));
            cell.overlaps(address, access.size.into()).then_some(value)
        }
        Instruction::MemoryFill { base, memory }
        | Instruction::MemoryCopy { base, to: memory, .. }
        | Instruction::MemoryInit { base, memory, .. }
            if memory == 0 =>
        {
            let (address, length) = (slot(base) as u32, slot(base + 2) as u32);
            let is_written = length > 0 && cell.overlaps(address.into(), length.into());
            is_written.then_some(Moved::Bytes)
        }
        Instruction::GlobalSet { src, global } => {
            (cell == Cell::Global(global)).then_some(Moved::Number(ValType::I64, slot(src)))
        }
        Instruction::Copy { dst, src } => {
            let local = Cell::Local { depth: 0, local: dst.into() };
            (cell == local).then_some(Moved::Number(ValType::I32, slot(src)))
        }
        _ => None,
    }
}

/// What an instruction reads of what is watched, if it does. A number that is loaded is not known
/// before the instruction.
fn read(watch: Watch, instruction: Instruction, frame: Frame<'_>) -> Option<Moved> {
    let cell = watch.cell(frame.depth);
    let slot = |reg: u16| slot_of(&frame, reg);
    match instruction {
        Instruction::Access(access) if access.is_load && access.memory == 0 => {
            let address = u64::from(slot(access.address) as u32) + u64::from(access.offset);
            cell.overlaps(address, access.size.into()).then_some(Moved::Bytes)
        }
        Instruction::MemoryCopy { base, from: 0, .. } => {
            let (address, length) = (slot(base + 1) as u32, slot(base + 2) as u32);
            let is_read = length > 0 && cell.overlaps(address.into(), length.into());
            is_read.then_some(Moved::Bytes)
        }
        Instruction::GlobalGet { global, .. } => {
            (cell == Cell::Global(global)).then_some(Moved::Bytes)
        }
        Instruction::Copy { src, .. } => {
            let local = Cell::Local { depth: 0, local: src.into() };
            (cell == local).then_some(Moved::Number(ValType::I32, slot(src)))
        }
        _ => None,
    }
}

/// A number as it is stored in so many bytes, with its sign.
fn narrowed(slot: u64, size: u8) -> u64 {
    match size {
        1 => i64::from(slot as i8) as u64,
        2 => i64::from(slot as i16) as u64,
        _ => slot,
    }
}

impl Watcher for Collector<'_> {
    fn at(&mut self, _: u64, depth: usize) {
        // Whoever was called from outside has executed nothing yet.
        if depth > self.depth {
            self.entering.insert(depth);
        }
        self.depth = depth;
    }
}

impl Probe for Collector<'_> {
    fn instruction(&mut self, pc: u32, op: Op, frame: Frame<'_>) {
        self.depth = frame.depth;
        if self.asked == Some(frame.count) {
            return;
        }
        let Some(event) = self.event(pc, op, frame) else { return };
        match self.plan.asks_machine() {
            true => self.candidate = Some((frame.count, event)),
            false => self.note(frame.count, event),
        }
    }

    fn wants_stop_before(&mut self) -> bool {
        self.candidate.is_some()
    }

    fn wants_stop(&mut self) -> bool {
        self.failure.is_some()
    }
}

impl Onlooker for Collector<'_> {
    type Probe = Self;

    fn probe(&mut self) -> &mut Self {
        self
    }

    fn stopped(&mut self, now: &Moment) {
        let Some((count, event)) = self.candidate.take() else { return };
        self.asked = Some(count);
        match self.plan.holds(self.past.program_of(&now.machine), &now.machine) {
            Ok(true) => self.note(count, event),
            Ok(false) => {}
            Err(failure) => self.failure = Some(failure),
        }
    }

    fn goes_on(&self) -> bool {
        self.failure.is_none()
    }
}
