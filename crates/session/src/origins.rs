//! Who wrote this: from the numbers that an instruction cannot be executed with, back to what they
//! were taken from, and to the last write of it.
//!
//! The last stretch before the failure is replayed, and for every number on the operand stack it is
//! noted which variables it was made of. Numbers pass through calls; a variable is where they begin.

use std::collections::{BTreeMap, BTreeSet};

use mw_multiverse::Place;
use mw_vm::{
    Access, Breakpoints, Cell, Frame, Instruction, Load, Module, Op, Probe, Reg, TrapKind,
};

use crate::breakpoints::Trigger;
use crate::control::Control;
use crate::drive::{Goal, Watcher};
use crate::error::SessionError;
use crate::session::{Halt, Session};
use crate::step::Direction;
use crate::watch::Watch;

/// So many instructions before the failure are looked at.
const STRETCH: u64 = 1 << 18;

impl Session {
    /// Goes back to the last instruction that wrote a cell, past all breakpoints.
    pub fn go_to_last_write(
        &mut self,
        cell: Cell,
        control: &mut dyn Control,
    ) -> Result<Halt, SessionError> {
        let watch = Watch::new(cell, self.walk.now.machine.call_depth());
        self.run_to_aim(Trigger::Watch(watch), true, Direction::Back, control)
    }

    /// Goes back from a trap to where the number was written, or read from outside, that the
    /// instruction cannot be executed with.
    pub fn go_to_origin(
        &mut self,
        trap: TrapKind,
        control: &mut dyn Control,
    ) -> Result<Halt, SessionError> {
        let origins = self.origins(trap, control)?;
        let last = origins.iter().filter_map(|origin| origin.written).max();
        if let Some(count) = last {
            return self.go_back_to(Some((count, None)), control);
        }
        match origins.iter().find_map(|origin| origin.cell) {
            Some(cell) => self.go_to_last_write(cell, control),
            None => Err(SessionError::Unknown(
                "no variable is wrong here: the instruction fails whatever was written; `why` says \
                 which inputs decided"
                    .into(),
            )),
        }
    }

    /// What the numbers come from that the instruction here cannot be executed with.
    fn origins(
        &mut self,
        trap: TrapKind,
        control: &mut dyn Control,
    ) -> Result<BTreeSet<Origin>, SessionError> {
        let machine = &self.walk.now.machine;
        let op = self.module().code().get(machine.pc() as usize).copied();
        let registers = op.and_then(Op::instruction).map_or(vec![], |op| culprits(op, trap));
        let start = machine.frame_start();
        let (here, module) = (self.here(), self.module().clone());
        let count = here.count.saturating_sub(STRETCH).max(self.start().count);
        let from = Place { node: self.multiverse().node_at(here.node, count), count };
        let mut probe = Tracker::new(&module);
        let mut replayer = self.replayer();
        replayer.go_to(from, control)?;
        let everywhere = self.programs.each(|_, _| Breakpoints::none().everywhere());
        let mut goal = Goal { breakpoints: &everywhere, ..Goal::default() };
        replayer.drive_to(here, &mut goal, &mut probe, control)?;
        let func = module.func_at(self.walk.now.machine.pc());
        let locals = func.map_or(0, |func| module.func_code(func).locals);
        let of = registers.into_iter().flat_map(|reg| probe.origins(start, reg, locals));
        Ok(of.map(|origin| probe.resolved(origin)).collect())
    }
}

/// The registers of an instruction whose numbers are wrong when it traps.
fn culprits(instruction: Instruction, trap: TrapKind) -> Vec<Reg> {
    match instruction {
        Instruction::Numeric(numeric) => match (numeric.rhs, trap) {
            (Some(rhs), TrapKind::DivisionByZero) => vec![rhs],
            (Some(rhs), _) => vec![numeric.lhs, rhs],
            (None, _) => vec![numeric.lhs],
        },
        Instruction::Access(access) => vec![access.address],
        Instruction::CallIndirect { index, .. } | Instruction::ReturnCallIndirect { index, .. } => {
            vec![index]
        }
        Instruction::MemoryFill { base, .. }
        | Instruction::MemoryCopy { base, .. }
        | Instruction::MemoryInit { base, .. } => vec![base, base + 1, base + 2],
        _ => vec![],
    }
}

/// Where a number comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Origin {
    /// The variable, unless it came from outside.
    cell: Option<Cell>,
    /// After how many instructions the number was taken from it.
    taken: u64,
    /// After how many instructions it was written, or read from outside, if that was seen.
    written: Option<u64>,
}

/// Follows numbers over the stack.
struct Tracker<'a> {
    module: &'a Module,
    /// What is in the slots of the stack.
    slots: BTreeMap<usize, BTreeSet<Origin>>,
    /// When locals were written, by their slots.
    locals: BTreeMap<usize, u64>,
    /// What else was written, and when.
    written: Vec<(Cell, u64)>,
    count: u64,
}

impl<'a> Tracker<'a> {
    fn new(module: &'a Module) -> Self {
        let (slots, locals, written) = Default::default();
        Tracker { module, slots, locals, written, count: 0 }
    }

    /// What the number in a register of a frame comes from.
    fn origins(&self, start: usize, reg: Reg, locals: u16) -> BTreeSet<Origin> {
        let slot = start + reg as usize;
        match self.locals.get(&slot).filter(|_| reg < locals) {
            Some(&written) => {
                let cell = Some(Cell::Local { depth: 0, local: reg.into() });
                [Origin { cell, taken: self.count, written: Some(written) }].into()
            }
            // The slot of a parameter is that of the argument.
            None => self.slots.get(&slot).cloned().unwrap_or_default(),
        }
    }

    /// With when it was last written before it was taken.
    fn resolved(&self, origin: Origin) -> Origin {
        let is_it = |(cell, count): &&(Cell, u64)| {
            *count < origin.taken && origin.cell.is_some_and(|of| overlap(of, *cell))
        };
        let last = || self.written.iter().rev().find(is_it).map(|(_, count)| *count);
        Origin { written: origin.written.or_else(last), ..origin }
    }

    /// Nothing is known of a function's own slots when it is called.
    fn enter(&mut self, start: usize, params: usize) {
        self.locals.split_off(&start);
        self.slots.split_off(&(start + params));
    }
}

fn overlap(a: Cell, b: Cell) -> bool {
    match b {
        Cell::Memory { address, load } => a.overlaps(address.into(), load.size().into()),
        _ => a == b,
    }
}

impl Watcher for Tracker<'_> {}

impl Probe for Tracker<'_> {
    fn instruction(&mut self, pc: u32, op: Op, frame: Frame<'_>) {
        self.count = frame.count;
        let module = self.module;
        let Some(instruction) = op.instruction() else { return };
        let locals = module.func_at(pc).map_or(0, |func| module.func_code(func).locals);
        let slot = |reg: Reg| frame.start + reg as usize;
        let of = |reg: Reg| self.origins(frame.start, reg, locals);
        let taken = frame.count;
        let variable = |cell| [Origin { cell: Some(cell), taken, written: None }].into();
        let (dst, origins): (Reg, BTreeSet<Origin>) = match instruction {
            Instruction::Copy { dst, .. } if dst < locals => {
                self.locals.insert(slot(dst), taken);
                return;
            }
            Instruction::Copy { dst, src } => (dst, of(src)),
            Instruction::Numeric(numeric) => {
                let right = numeric.rhs.map(of).unwrap_or_default();
                (numeric.dst, &of(numeric.lhs) | &right)
            }
            Instruction::Select { dst, then, otherwise, .. } => (dst, &of(then) | &of(otherwise)),
            Instruction::GlobalGet { dst, global } => (dst, variable(Cell::Global(global))),
            Instruction::Access(access) if access.is_load && access.memory == 0 => {
                let address = frame.slots.get(access.address as usize).copied().unwrap_or(0);
                let address = (address as u32).wrapping_add(access.offset);
                let cell = Cell::Memory { address, load: Load::Bytes(access.size.into()) };
                (access.register, variable(cell))
            }
            Instruction::CallImport { base, .. } => {
                let read = Origin { cell: None, taken, written: Some(taken) };
                (base, [read].into())
            }
            Instruction::Call { base, func, .. } => {
                let params = module.func_type(&module.funcs()[func as usize]).params.len();
                self.enter(slot(base), params);
                return;
            }
            Instruction::CallIndirect { base, ty, .. } => {
                let params = module.types().get(ty as usize).map_or(0, |ty| ty.params.len());
                self.enter(slot(base), params);
                return;
            }
            Instruction::Return { first, count, .. } => {
                let results: Vec<_> = (first..first + count).map(of).collect();
                self.enter(frame.start, 0);
                self.slots.extend((frame.start..).zip(results));
                return;
            }
            Instruction::Const { dst, .. } | Instruction::MemorySize { dst, .. } => {
                (dst, BTreeSet::new())
            }
            _ => return,
        };
        self.slots.insert(slot(dst), origins);
    }

    fn store(&mut self, _: u32, access: Access) {
        if access.memory == 0 {
            let cell = Cell::bytes(access.address as u32, access.size.into());
            self.written.push((cell, self.count));
        }
    }

    fn bulk_store(&mut self, _: u32, memory: u16, address: u64, length: u64) {
        if memory == 0 {
            let cell = Cell::bytes(address as u32, length as u32);
            self.written.push((cell, self.count));
        }
    }

    fn global_set(&mut self, _: u32, global: u32, _: u64) {
        self.written.push((Cell::Global(global), self.count));
    }
}
