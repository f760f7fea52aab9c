//! Where numbers come from: while a part of the past is replayed, for every number it is noted what it
//! was made of.
//!
//! Numbers live in slots of the stack, in globals and in bytes of memory. Each has a [`Made`]: the
//! operation and the numbers that it was made of, the input that was read, the constant of the program;
//! and each time that one is put into a variable or into memory, that is noted as well, so that the way
//! of a number can be told as a row of places. What is older than the replay has no past here, and that
//! is said.
//!
//! **Invariant:** what is noted follows from the instructions alone. Which way the program took is not
//! part of it: that is what `why` tells.

use std::cell::RefCell;
use std::collections::HashMap;

use mw_session::{Onlooker, Watcher};
use mw_vm::{Cell, Frame, Instruction, Module, NumericOp, Op, Probe, ValType};

/// A number that was made, by its place in the [`Flow`].
pub type Id = u32;

/// How a number came to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Made {
    /// A constant of the program.
    Constant(ValType, u64),
    /// A call of a primitive: which import. Whether it is an input, the world knows.
    Primitive(u32),
    /// An operation.
    Numeric(NumericOp, Id, Option<Id>),
    /// One of two numbers of a type: by this condition, the first or the second.
    Chosen(ValType, Id, Id, Id),
    /// Some bytes of a number, from the lowest on, with or without a sign, as a type.
    Loaded(Id, u8, bool, ValType),
    /// Put together from bytes of several numbers: of two, of which each may be put together in turn.
    Joined(Id, Id),
    /// Put into a variable.
    Moved(Id, Cell),
    /// It depends on a number in another way: the size of a memory, an element of a table.
    Of(Id),
    /// It was there before, or nobody made it.
    Before,
    /// No number, but something that depends on one: which way the program goes.
    Decided(Id),
    /// The same: an argument of a call of a primitive, which is an import.
    Passed(Id, u32),
}

impl Made {
    /// The numbers that it is made of.
    pub fn operands(self) -> impl Iterator<Item = Id> {
        let operands = match self {
            Made::Constant(..) | Made::Primitive(_) | Made::Before => [None; 3],
            Made::Numeric(_, left, right) => [Some(left), right, None],
            Made::Chosen(_, condition, then, otherwise) => [condition, then, otherwise].map(Some),
            Made::Joined(first, second) => [Some(first), Some(second), None],
            Made::Loaded(of, ..)
            | Made::Moved(of, _)
            | Made::Of(of)
            | Made::Decided(of)
            | Made::Passed(of, _) => [Some(of), None, None],
        };
        operands.into_iter().flatten()
    }
}

/// A number that was made.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// How.
    pub made: Made,
    /// After how many instructions.
    pub count: u64,
    /// The instruction.
    pub pc: u32,
    /// What it was, as a slot, where nothing else says so: what was moved, loaded, or there before.
    pub value: u64,
}

/// Bytes of memory that are kept together.
const CHUNK: u64 = 64;

type Chunk = Box<[Option<(Id, u8)>; CHUNK as usize]>;

/// What a call of a primitive has brought into memory: the count of the call, the address, how much.
pub(crate) type Arrived = RefCell<Vec<(u64, u64, u64)>>;

/// Notes what numbers are made of. See the [module](self).
pub struct Flow<'a> {
    module: &'a Module,
    steps: Vec<Step>,
    most: usize,
    /// Whether there was too much to be noted.
    is_full: bool,
    /// What is in the slots of the stack.
    slots: Vec<Option<Id>>,
    globals: HashMap<u32, Id>,
    memory: HashMap<u64, Chunk>,
    constants: HashMap<u32, Id>,
    arrived: &'a Arrived,
    depth: usize,
    is_fresh: bool,
    /// The last call that may have been one of a primitive: its count, its slot, and what it made.
    called: Option<(u64, usize, Option<Id>)>,
    count: u64,
    pc: u32,
}

impl<'a> Flow<'a> {
    pub(crate) fn new(module: &'a Module, arrived: &'a Arrived, most: usize) -> Flow<'a> {
        Flow {
            module,
            steps: Vec::new(),
            most,
            is_full: false,
            slots: Vec::new(),
            globals: HashMap::new(),
            memory: HashMap::new(),
            constants: HashMap::new(),
            arrived,
            depth: usize::MAX,
            is_fresh: false,
            called: None,
            count: 0,
            pc: 0,
        }
    }

    /// All that was noted: what something is made of comes before it.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Whether there was more than could be noted.
    pub fn is_full(&self) -> bool {
        self.is_full
    }

    fn note(&mut self, made: Made) -> Id {
        if self.steps.len() >= self.most {
            self.is_full = true;
            return 0;
        }
        self.steps.push(Step { made, count: self.count, pc: self.pc, value: 0 });
        self.steps.len() as Id - 1
    }

    /// What the last number that was noted is.
    fn is(&mut self, value: u64) {
        if let Some(last) = self.steps.last_mut() {
            last.value = value;
        }
    }

    fn slot(&self, index: usize) -> Option<Id> {
        self.slots.get(index).copied().flatten()
    }

    /// What is in a slot; what was there before is noted when it is first used.
    fn get(&mut self, index: usize, value: u64) -> Id {
        match self.slot(index) {
            Some(id) => id,
            None => {
                let id = self.note(Made::Before);
                self.is(value);
                self.set(index, Some(id));
                id
            }
        }
    }

    fn set(&mut self, index: usize, id: Option<Id>) {
        if index >= self.slots.len() {
            self.slots.resize(index + 1, None);
        }
        self.slots[index] = id;
    }

    /// A function's own slots are new when it is called: its locals are zero.
    fn enter(&mut self, start: usize, params: usize) {
        self.slots.truncate(start + params);
    }

    fn byte(&self, address: u64) -> Option<(Id, u8)> {
        self.memory.get(&(address / CHUNK))?[(address % CHUNK) as usize]
    }

    fn set_byte(&mut self, address: u64, byte: Option<(Id, u8)>) {
        let chunk = self.memory.entry(address / CHUNK);
        let chunk = chunk.or_insert_with(|| Box::new([None; CHUNK as usize]));
        chunk[(address % CHUNK) as usize] = byte;
    }

    /// What lies in bytes of memory, if something is known of any of them.
    fn load(&mut self, address: u64, size: u8, signed: bool, ty: ValType) -> Id {
        let bytes: Vec<_> = (0..u64::from(size)).map(|at| self.byte(address + at)).collect();
        let first = bytes[0];
        let is_whole = first.is_some_and(|(id, _)| {
            (0..).zip(&bytes).all(|(index, byte)| *byte == Some((id, index)))
        });
        if let (true, Some((id, _))) = (is_whole, first) {
            return self.note(Made::Loaded(id, size, signed, ty));
        }
        let mut ids: Vec<Id> = bytes.iter().flatten().map(|(id, _)| *id).collect();
        ids.dedup();
        let is_partly_old = bytes.iter().any(Option::is_none);
        let mut joined = ids.into_iter();
        let Some(mut all) = joined.next() else { return self.note(Made::Before) };
        if is_partly_old {
            let old = self.note(Made::Before);
            all = self.note(Made::Joined(all, old));
        }
        for id in joined {
            all = self.note(Made::Joined(all, id));
        }
        self.note(Made::Of(all))
    }

    /// What a cell is made of, where calls are nested so that the innermost frame begins there.
    pub fn origin(&mut self, cell: Cell, frame_start: usize) -> Option<Id> {
        match cell {
            Cell::Global(global) => self.globals.get(&global).copied(),
            Cell::Local { depth: 0, local } => self.slot(frame_start + local as usize),
            Cell::Local { .. } => None,
            Cell::Memory { address, load } => {
                let size = load.size();
                let known =
                    (0..u64::from(size)).any(|at| self.byte(u64::from(address) + at).is_some());
                let ty = if size > 4 { ValType::I64 } else { ValType::I32 };
                known.then(|| self.load(address.into(), size.min(8) as u8, false, ty))
            }
        }
    }

    /// Values that a branch carries down the operand stack.
    fn branch(&mut self, start: usize, branch: u32) {
        let Some(branch) = self.module.branches().get(branch as usize).copied() else { return };
        let carried: Vec<_> = (0..usize::from(branch.count))
            .map(|at| self.slot(start + usize::from(branch.from) + at))
            .collect();
        for (at, id) in carried.into_iter().enumerate() {
            self.set(start + usize::from(branch.to) + at, id);
        }
    }

    /// Takes over what primitives have brought into memory since.
    fn take_arrived(&mut self) {
        for (count, address, length) in self.arrived.borrow_mut().drain(..).collect::<Vec<_>>() {
            let known = self.called.filter(|(called, ..)| *called == count);
            let Some((_, slot, made)) = known else { continue };
            let id = match made {
                Some(id) => id,
                None => {
                    let id = self.note(Made::Primitive(u32::MAX));
                    self.set(slot, Some(id));
                    id
                }
            };
            (address..address.saturating_add(length))
                .for_each(|at| self.set_byte(at, Some((id, 0))));
        }
    }
}

impl Watcher for Flow<'_> {
    fn at(&mut self, _: u64, depth: usize) {
        self.is_fresh |= self.depth != usize::MAX && depth > self.depth;
        self.depth = depth;
    }
}

impl Onlooker for Flow<'_> {
    type Probe = Self;

    fn probe(&mut self) -> &mut Self {
        self
    }
}

impl Probe for Flow<'_> {
    fn instruction(&mut self, pc: u32, op: Op, frame: Frame<'_>) {
        if !self.arrived.borrow().is_empty() {
            self.take_arrived();
        }
        (self.count, self.pc, self.depth) = (frame.count, pc, frame.depth);
        // What a primitive has returned is there now.
        if let Some((_, slot, Some(id))) = self.called.take()
            && let Some(value) = slot.checked_sub(frame.start).and_then(|at| frame.slots.get(at))
            && let Some(step) = self.steps.get_mut(id as usize)
        {
            step.value = *value;
        }
        let (module, start) = (self.module, frame.start);
        let Some(instruction) = op.instruction() else { return };
        let Some(func) = module.func_at(pc) else { return };
        let code = module.func_code(func);
        if std::mem::take(&mut self.is_fresh) && code.start == pc {
            let params = module.func_type(&module.funcs()[func as usize]).params.len();
            self.enter(start, params);
        }
        let value = |reg: u16| frame.slots.get(usize::from(reg)).copied().unwrap_or(0);
        let slot = |reg: u16| start + usize::from(reg);
        match instruction {
            Instruction::Copy { dst, src } => {
                let from = self.get(slot(src), value(src));
                match dst < code.locals {
                    true => {
                        let cell = Cell::Local { depth: 0, local: dst.into() };
                        let id = self.note(Made::Moved(from, cell));
                        self.is(value(src));
                        self.set(slot(dst), Some(id));
                    }
                    false => self.set(slot(dst), Some(from)),
                }
            }
            Instruction::Const { dst, value } => {
                let known = self.constants.get(&pc).copied();
                let id = known.unwrap_or_else(|| {
                    let id = self.note(Made::Constant(ValType::I64, value));
                    self.constants.insert(pc, id);
                    id
                });
                self.set(slot(dst), Some(id));
            }
            Instruction::Numeric(numeric) => {
                let left = self.get(slot(numeric.lhs), value(numeric.lhs));
                let right = numeric.rhs.map(|rhs| self.get(slot(rhs), value(rhs)));
                let id = self.note(Made::Numeric(numeric.op, left, right));
                self.set(slot(numeric.dst), Some(id));
            }
            Instruction::Select { dst, condition, then, otherwise, ty } => {
                let condition = self.get(slot(condition), value(condition));
                let then = self.get(slot(then), value(then));
                let otherwise = self.get(slot(otherwise), value(otherwise));
                let id = self.note(Made::Chosen(ty, condition, then, otherwise));
                self.set(slot(dst), Some(id));
            }
            Instruction::GlobalGet { dst, global } => {
                let id = match self.globals.get(&global).copied() {
                    Some(id) => id,
                    None => self.note(Made::Before),
                };
                self.set(slot(dst), Some(id));
            }
            Instruction::GlobalSet { src, global } => {
                let from = self.get(slot(src), value(src));
                let id = self.note(Made::Moved(from, Cell::Global(global)));
                self.is(value(src));
                self.globals.insert(global, id);
            }
            Instruction::Access(access) if access.is_load => {
                let address = u64::from(value(access.address) as u32) + u64::from(access.offset);
                let id = match access.memory {
                    0 => self.load(address, access.size, access.is_signed, access.ty),
                    _ => self.note(Made::Before),
                };
                self.set(slot(access.register), Some(id));
            }
            Instruction::Access(access) => {
                let address = u64::from(value(access.address) as u32) + u64::from(access.offset);
                let from = self.get(slot(access.register), value(access.register));
                if access.memory == 0 {
                    let cell = Cell::bytes(address as u32, access.size.into());
                    let id = self.note(Made::Moved(from, cell));
                    self.is(value(access.register));
                    (0..access.size)
                        .for_each(|at| self.set_byte(address + u64::from(at), Some((id, at))));
                }
            }
            Instruction::MemoryFill { base, memory: 0 } => {
                let (to, length) = (value(base) as u32, value(base + 2) as u32);
                let from = self.get(slot(base + 1), value(base + 1));
                let id = self.note(Made::Moved(from, Cell::bytes(to, length)));
                let to = u64::from(to);
                (to..to + u64::from(length)).for_each(|at| self.set_byte(at, Some((id, 0))));
            }
            Instruction::MemoryCopy { base, to: 0, from: 0 } => {
                let (to, from) = (u64::from(value(base) as u32), u64::from(value(base + 1) as u32));
                let length = u64::from(value(base + 2) as u32);
                let bytes: Vec<_> = (0..length).map(|at| self.byte(from + at)).collect();
                bytes.into_iter().zip(to..).for_each(|(byte, at)| self.set_byte(at, byte));
            }
            Instruction::MemoryInit { base, memory: 0, .. } => {
                let (to, length) =
                    (u64::from(value(base) as u32), u64::from(value(base + 2) as u32));
                (to..to + length).for_each(|at| self.set_byte(at, None));
            }
            Instruction::CallImport { base, func }
            | Instruction::ReturnCallImport { base, func } => {
                let ty = module.func_type(&module.funcs()[func as usize]);
                for argument in 0..ty.params.len() as u16 {
                    let passed = self.get(slot(base + argument), value(base + argument));
                    self.note(Made::Passed(passed, func));
                }
                let id = self.note(Made::Primitive(func));
                if !ty.results.is_empty() {
                    self.set(slot(base), Some(id));
                }
                self.called = Some((frame.count, slot(base), Some(id)));
            }
            Instruction::Call { base, func, .. } => {
                let params = module.func_type(&module.funcs()[func as usize]).params.len();
                self.enter(slot(base), params);
            }
            Instruction::CallIndirect { base, ty, .. } => {
                let params = module.types().get(ty as usize).map_or(0, |ty| ty.params.len());
                self.enter(slot(base), params);
                self.called = Some((frame.count, slot(base), None));
            }
            Instruction::ReturnCall { base, func, .. } => {
                let params = module.func_type(&module.funcs()[func as usize]).params.len();
                let carried: Vec<_> = (0..params).map(|at| self.slot(slot(base) + at)).collect();
                carried.into_iter().enumerate().for_each(|(at, id)| self.set(start + at, id));
                self.enter(start, params);
            }
            Instruction::ReturnCallIndirect { base, ty, .. } => {
                let params = module.types().get(ty as usize).map_or(0, |ty| ty.params.len());
                let carried: Vec<_> = (0..params).map(|at| self.slot(slot(base) + at)).collect();
                carried.into_iter().enumerate().for_each(|(at, id)| self.set(start + at, id));
                self.enter(start, params);
            }
            Instruction::Return { first, count, .. } => {
                let results: Vec<_> =
                    (first..first + count).map(|reg| self.slot(slot(reg))).collect();
                self.enter(start, 0);
                results.into_iter().enumerate().for_each(|(at, id)| self.set(start + at, id));
            }
            Instruction::BrMoving { branch } => self.branch(start, branch),
            Instruction::BrIf { condition, .. } | Instruction::BrUnless { condition, .. } => {
                let condition = self.get(slot(condition), value(condition));
                self.note(Made::Decided(condition));
            }
            Instruction::BrIfMoving { condition, branch } => {
                let decides = self.get(slot(condition), value(condition));
                self.note(Made::Decided(decides));
                if value(condition) as u32 != 0 {
                    self.branch(start, branch);
                }
            }
            Instruction::BrTable { index, first, count } => {
                let decides = self.get(slot(index), value(index));
                self.note(Made::Decided(decides));
                let index = (value(index) as u32).min(count.saturating_sub(1));
                self.branch(start, first + index);
            }
            Instruction::MemoryGrow { slot: reg, .. } | Instruction::TableGet { slot: reg, .. } => {
                let from = self.get(slot(reg), value(reg));
                let id = self.note(Made::Of(from));
                self.set(slot(reg), Some(id));
            }
            Instruction::TableGrow { base, .. } => {
                let from = self.get(slot(base + 1), value(base + 1));
                let id = self.note(Made::Of(from));
                self.set(slot(base), Some(id));
            }
            Instruction::MemorySize { dst, .. }
            | Instruction::TableSize { dst, .. }
            | Instruction::RefFunc { dst, .. } => {
                let id = self.note(Made::Before);
                self.set(slot(dst), Some(id));
            }
            Instruction::MemoryFill { .. }
            | Instruction::MemoryCopy { .. }
            | Instruction::MemoryInit { .. }
            | Instruction::Unreachable {}
            | Instruction::Nop {}
            | Instruction::Br { .. }
            | Instruction::DataDrop { .. }
            | Instruction::TableSet { .. }
            | Instruction::TableFill { .. }
            | Instruction::TableCopy { .. }
            | Instruction::TableInit { .. }
            | Instruction::ElemDrop { .. } => {}
        }
    }

    fn load(&mut self, _: u32, access: mw_vm::Access) {
        self.is(access.slot);
    }

    fn global_get(&mut self, _: u32, _: u32, slot: u64) {
        // A number that was made has its own.
        if self.steps.last().is_some_and(|last| last.count == self.count) {
            self.is(slot);
        }
    }
}
