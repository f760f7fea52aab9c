//! Variables that are read and written: which instruction touches what is watched.
//!
//! Nothing is stepped through: a probe is told of the instructions that could touch a variable, by
//! what they are, and stops the machine before one that does, by its address. What it is about to
//! touch is all that has to be known, so nothing of it is kept.

use std::ops::Range;

use mw_monitor::{Point, Variable};
use mw_vm::{Breakpoints, Cell, Frame, Instruction, Machine, Module, Op, Probe};

use super::points::Told;

/// Something that is watched for being read or written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Target {
    pub told: Told,
    pub what: What,
    pub reads: bool,
    pub writes: bool,
    /// Whether that is told before it happens.
    pub before: bool,
    /// The function whose variable it is, counted from the outermost; none if it is nobody's.
    pub frame: Option<usize>,
}

/// Where a variable is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// In the first memory.
    Memory(Range<u64>),
    Global(u32),
    /// In a local, in whatever frame of the function with this code.
    Local(Range<u32>, u32),
}

impl Target {
    /// What a point of a program is about, if it is a variable that is always in the same place.
    pub fn of(told: Told, point: &Point, module: &Module) -> Option<Target> {
        let &Point::Access { ref variable, reads, writes, before, .. } = point else { return None };
        let what = match *variable {
            Variable::Static(Cell::Memory { address, load }) => {
                let start = u64::from(address);
                What::Memory(start..start + u64::from(load.size()))
            }
            Variable::Static(Cell::Global(global)) => What::Global(global),
            Variable::Local { func, local } => {
                let code = module.func_code(func);
                What::Local(code.start..code.start + code.len, local)
            }
            Variable::Static(Cell::Local { .. }) | Variable::InFrame { .. } => return None,
        };
        Some(Target { told, what, reads, writes, before, frame: None })
    }

    /// Whether an instruction could touch it, whatever its operands.
    pub fn may_be_touched(&self, pc: u32, op: Op) -> bool {
        touches(op).into_iter().flatten().any(|(place, is_write)| {
            let is_there = match (&self.what, place) {
                (What::Memory(_), Place::Memory { .. }) => true,
                (What::Global(own), Place::Global(global)) => *own == global,
                (What::Local(code, own), Place::Local(local)) => {
                    *own == local && code.contains(&pc)
                }
                _ => false,
            };
            is_there && self.is_about(is_write)
        })
    }

    /// Whether an instruction touches it, with these slots of its frame.
    fn is_touched(&self, pc: u32, op: Op, slot: impl Fn(u16) -> Option<u64>) -> bool {
        touches(op).into_iter().flatten().any(|(place, is_write)| {
            let is_there = match (&self.what, place) {
                (What::Memory(range), Place::Memory { address, offset, length }) => {
                    let length = match length {
                        Length::Bytes(length) => Some(length.into()),
                        Length::In(register) => slot(register).map(|length| length as u32 as u64),
                    };
                    let start = slot(address).map(|start| start as u32 as u64 + u64::from(offset));
                    start.zip(length).is_some_and(|(start, length)| {
                        start < range.end && range.start < start.saturating_add(length)
                    })
                }
                (What::Global(own), Place::Global(global)) => *own == global,
                (What::Local(code, own), Place::Local(local)) => {
                    *own == local && code.contains(&pc)
                }
                _ => false,
            };
            is_there && self.is_about(is_write)
        })
    }

    fn is_about(&self, is_write: bool) -> bool {
        if is_write { self.writes } else { self.reads }
    }
}

/// Something that an instruction touches.
#[derive(Clone, Copy)]
enum Place {
    /// Bytes of the first memory, from a register's address on.
    Memory {
        address: u16,
        offset: u32,
        length: Length,
    },
    Global(u32),
    Local(u32),
}

/// How many bytes.
#[derive(Clone, Copy)]
enum Length {
    Bytes(u8),
    In(u16),
}

/// What an instruction touches, and whether it writes that.
fn touches(op: Op) -> [Option<(Place, bool)>; 2] {
    let bytes = |base: u16, length: u16, is_write| {
        let place = Place::Memory { address: base, offset: 0, length: Length::In(length) };
        Some((place, is_write))
    };
    match op.instruction() {
        Some(Instruction::Access(access)) if access.memory == 0 => {
            let (address, length) = (access.address, Length::Bytes(access.size));
            let place = Place::Memory { address, offset: access.offset, length };
            [Some((place, !access.is_load)), None]
        }
        Some(
            Instruction::MemoryFill { base, memory: 0 }
            | Instruction::MemoryInit { base, memory: 0, .. },
        ) => [bytes(base, base + 2, true), None],
        Some(Instruction::MemoryCopy { base, to, from }) => [
            bytes(base + 1, base + 2, false).filter(|_| from == 0),
            bytes(base, base + 2, true).filter(|_| to == 0),
        ],
        Some(Instruction::GlobalGet { global, .. }) => [Some((Place::Global(global), false)), None],
        Some(Instruction::GlobalSet { global, .. }) => [Some((Place::Global(global), true)), None],
        // In step code, nothing but a copy reads or writes a local.
        Some(Instruction::Copy { dst, src }) => {
            [Some((Place::Local(src.into()), false)), Some((Place::Local(dst.into()), true))]
        }
        _ => [None, None],
    }
}

/// Which of what is watched the next instruction of a machine touches.
pub(crate) fn touched<'a>(
    machine: &Machine,
    targets: impl Iterator<Item = &'a Target>,
) -> Vec<Target> {
    let pc = machine.pc();
    let Some(op) = machine.module().code().get(pc as usize).copied() else { return Vec::new() };
    if touches(op).iter().all(Option::is_none) {
        return Vec::new();
    }
    let slot = |register: u16| machine.stack_slot(machine.frame_start() + usize::from(register));
    targets.filter(|target| target.is_touched(pc, op, slot)).cloned().collect()
}

/// A probe of whoever runs, whatever it is.
pub(crate) trait AnyProbe {
    fn instruction(&mut self, pc: u32, op: Op, frame: Frame<'_>);
    fn wants_stop_before(&mut self) -> bool;
    fn call(&mut self, func: u32, frame: &[u64]);
    fn ret(&mut self, func: u32, results: &[u64]);
    fn branch(&mut self, from: u32, to: u32);
    fn load(&mut self, pc: u32, access: mw_vm::Access);
    fn store(&mut self, pc: u32, access: mw_vm::Access);
    fn bulk_store(&mut self, pc: u32, memory: u16, address: u64, length: u64);
    fn global_get(&mut self, pc: u32, global: u32, slot: u64);
    fn global_set(&mut self, pc: u32, global: u32, slot: u64);
    fn wants_stop(&mut self) -> bool;
}

/// Hooks that are passed on as they are.
macro_rules! passed_on {
    ($($hook:ident($($argument:ident: $ty:ty),*) $(-> $result:ty)?;)*) => {
        impl<P: Probe> AnyProbe for P {
            $(fn $hook(&mut self, $($argument: $ty),*) $(-> $result)? {
                Probe::$hook(self, $($argument),*)
            })*
        }
    };
}

passed_on! {
    instruction(pc: u32, op: Op, frame: Frame<'_>);
    wants_stop_before() -> bool;
    call(func: u32, frame: &[u64]);
    ret(func: u32, results: &[u64]);
    branch(from: u32, to: u32);
    load(pc: u32, access: mw_vm::Access);
    store(pc: u32, access: mw_vm::Access);
    bulk_store(pc: u32, memory: u16, address: u64, length: u64);
    global_get(pc: u32, global: u32, slot: u64);
    global_set(pc: u32, global: u32, slot: u64);
    wants_stop() -> bool;
}

/// Stops before an instruction that touches what is watched, beside a probe of whoever runs.
pub(crate) struct Watcher<'a> {
    /// That probe, and what it is told of.
    pub callers: Option<(&'a mut dyn AnyProbe, &'a Breakpoints)>,
    /// Whether it is told of the present instruction.
    pub is_told: bool,
    pub targets: [&'a [Target]; 2],
    /// The count at which monitors have been told already.
    pub told_at: u64,
    /// Whether the next instruction touches what is watched.
    pub stops: bool,
}

impl Watcher<'_> {
    fn caller(&mut self) -> Option<&mut (dyn AnyProbe + '_)> {
        match &mut self.callers {
            Some((probe, _)) if self.is_told => Some(&mut **probe),
            _ => None,
        }
    }
}

/// Hooks that only the other probe is interested in.
macro_rules! of_callers {
    ($($hook:ident($($argument:ident: $ty:ty),*);)*) => {
        $(fn $hook(&mut self, $($argument: $ty),*) {
            if let Some(probe) = self.caller() {
                probe.$hook($($argument),*);
            }
        })*
    };
}

impl Probe for Watcher<'_> {
    fn instruction(&mut self, pc: u32, op: Op, frame: Frame<'_>) {
        let slot = |register: u16| frame.slots.get(usize::from(register)).copied();
        let mut targets = self.targets.into_iter().flatten();
        self.stops =
            frame.count != self.told_at && targets.any(|target| target.is_touched(pc, op, slot));
        // When the machine goes on from here, it comes to this instruction once more.
        let is_looked_at = |(_, scope): &(_, &Breakpoints)| scope.looks_at(pc);
        self.is_told = !self.stops && self.callers.as_ref().is_some_and(is_looked_at);
        if let Some(probe) = self.caller() {
            probe.instruction(pc, op, frame);
        }
    }

    fn wants_stop_before(&mut self) -> bool {
        self.stops || self.caller().is_some_and(|probe| probe.wants_stop_before())
    }

    of_callers! {
        call(func: u32, frame: &[u64]);
        ret(func: u32, results: &[u64]);
        branch(from: u32, to: u32);
        load(pc: u32, access: mw_vm::Access);
        store(pc: u32, access: mw_vm::Access);
        bulk_store(pc: u32, memory: u16, address: u64, length: u64);
        global_get(pc: u32, global: u32, slot: u64);
        global_set(pc: u32, global: u32, slot: u64);
    }

    fn wants_stop(&mut self) -> bool {
        self.caller().is_some_and(|probe| probe.wants_stop())
    }
}
