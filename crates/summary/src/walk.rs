//! What one block does: from what may be in the frame before it to what may be after it, and what
//! it may do to everything else.
//!
//! Every instruction of step code is looked at here, without a wildcard.

use mw_vm::{Instruction, MemoryAccess, Module, MovingBranch, Reg, TrapKind, ValType};

use crate::arithmetic;
use crate::effects::{Effects, Extent, Traps, extend};
use crate::numbers::Numbers;
use crate::outside::Outside;
use crate::range::Range;
use crate::summary::Alarm;

/// Bytes of a page.
const PAGE: u64 = mw_vm::WASM_PAGE_SIZE as u64;
/// The pages that a memory may have at most.
const PAGES: u64 = 1 << 16;

/// What functions return, by their index, and then what indirect calls do, by their type: `None`
/// if that has not been seen yet, or cannot be.
pub(crate) type Returns = Vec<Option<Vec<Range>>>;

/// What is known of a module while its functions are looked at.
pub(crate) struct Context<'m> {
    pub module: &'m Module,
    pub outside: Outside,
    pub returns: Returns,
}

impl Context<'_> {
    /// Where an indirect call of a type is among what is called.
    pub fn indirect(&self, ty: u32) -> usize {
        self.module.funcs().len() + ty as usize
    }
}

/// What is found out on the way through a block.
pub(crate) struct Found {
    /// Where control may go on, by the op, and what is in the frame then.
    pub edges: Vec<(u32, Vec<Range>)>,
    /// What may be returned.
    pub returned: Option<Vec<Range>>,
    /// What it does and how it may trap, if that is asked for.
    pub report: Option<Report>,
}

/// What a function's own instructions do.
#[derive(Default)]
pub(crate) struct Report {
    pub effects: Effects,
    pub alarms: Vec<Alarm>,
    /// What it calls, as [`Context::returns`] numbers it.
    pub calls: Vec<usize>,
}

struct Walk<'c, 'm> {
    context: &'c Context<'m>,
    pc: u32,
    numbers: Numbers,
    frame: u16,
    found: Found,
}

/// Whether control goes on with the next instruction.
type GoesOn = bool;

/// Goes through the ops of a block.
pub(crate) fn walk(
    context: &Context<'_>,
    frame: u16,
    (first, end): (u32, u32),
    state: &[Range],
    report: Option<Report>,
) -> Found {
    let numbers = Numbers::new(state, frame as usize);
    let found = Found { edges: Vec::new(), returned: None, report };
    let mut walk = Walk { context, pc: first, numbers, frame, found };
    while walk.pc < end {
        let instruction = context.module.code()[walk.pc as usize].instruction();
        if !instruction.is_some_and(|instruction| walk.instruction(instruction)) {
            return walk.found;
        }
        walk.pc += 1;
    }
    walk.edge(end, 0, 0, 0);
    walk.found
}

impl Walk<'_, '_> {
    fn instruction(&mut self, instruction: Instruction) -> GoesOn {
        let module = self.context.module;
        match instruction {
            Instruction::Numeric(numeric) => {
                let (a, b) = (self.get(numeric.lhs), numeric.rhs.map(|rhs| self.get(rhs)));
                let outcome = arithmetic::compute(numeric.op, a, b);
                self.traps(outcome.traps);
                let Some(result) = outcome.result else { return false };
                self.numbers.compute(numeric.op, numeric.dst, numeric.lhs, numeric.rhs, result);
                true
            }
            Instruction::Access(access) => self.access(access),
            Instruction::Unreachable {} => {
                self.trap(TrapKind::Unreachable);
                false
            }
            Instruction::Nop {} => true,
            Instruction::Copy { dst, src } => {
                self.numbers.copy(dst, src, 1);
                true
            }
            Instruction::Const { dst, value } => self.set(dst, Range::exact(value)),
            Instruction::Select { dst, condition, then, otherwise, ty: _ } => {
                let if_true = self.under(condition, true, then);
                let if_false = self.under(condition, false, otherwise);
                match (if_true, if_false) {
                    (Some(a), Some(b)) => self.set(dst, a.join(b)),
                    (Some(only), None) | (None, Some(only)) => self.set(dst, only),
                    (None, None) => false,
                }
            }
            Instruction::GlobalGet { dst, global } => {
                let range = self.context.outside.global(module, global);
                self.set(dst, range)
            }
            Instruction::GlobalSet { src: _, global } => {
                self.effects(|effects| _ = effects.globals_written.insert(global));
                true
            }
            Instruction::Br { target } => {
                self.edge(target.to, 0, 0, 0);
                false
            }
            Instruction::BrIf { condition, target } => {
                self.decide(condition, true, (target.to, 0, 0, 0))
            }
            Instruction::BrUnless { condition, target } => {
                self.decide(condition, false, (target.to, 0, 0, 0))
            }
            Instruction::BrMoving { branch } => {
                let MovingBranch { target, from, to, count } = module.branches()[branch as usize];
                self.edge(target.to, to, from, count);
                false
            }
            Instruction::BrIfMoving { condition, branch } => {
                let MovingBranch { target, from, to, count } = module.branches()[branch as usize];
                self.decide(condition, true, (target.to, to, from, count))
            }
            Instruction::BrTable { index, first, count } => {
                self.br_table(index, first, count);
                false
            }
            Instruction::Return { first, count, next: _ } => {
                let values = (first..first + count).map(|slot| self.get(slot)).collect();
                self.returns(Some(values));
                false
            }
            Instruction::Call { base, func, next: _ } => self.call(base, func as usize),
            Instruction::CallImport { base, func } => self.call(base, func as usize),
            Instruction::CallIndirect { table: _, index: _, base, ty, next: _ } => {
                self.indirect_traps();
                self.call(base, self.context.indirect(ty))
            }
            Instruction::ReturnCall { base: _, func, next: _ }
            | Instruction::ReturnCallImport { base: _, func } => self.last_call(func as usize),
            Instruction::ReturnCallIndirect { table: _, index: _, base: _, ty, next: _ } => {
                self.indirect_traps();
                self.last_call(self.context.indirect(ty))
            }
            Instruction::RefFunc { dst, func } => self.set(dst, Range::exact(u64::from(func) + 1)),
            Instruction::MemorySize { dst, memory } => {
                let size = module.memories()[memory as usize].size;
                let least = Range::below(PAGES).meet(Range::at_least(size.minimum.into()));
                self.set(dst, least.unwrap_or(Range::below(PAGES)))
            }
            Instruction::MemoryGrow { slot, memory } => {
                self.effects(|effects| _ = effects.memories_grown.insert(memory));
                self.set(slot, Range::below(PAGES).join(Range::exact(u32::MAX.into())))
            }
            Instruction::MemoryFill { base, memory } => {
                self.bulk(base, None, Some(memory));
                true
            }
            Instruction::MemoryCopy { base, to, from } => {
                self.bulk(base, Some(from), Some(to));
                true
            }
            Instruction::MemoryInit { base, memory, segment: _ } => {
                // The segment may have been dropped, and is then too short for anything.
                self.trap(TrapKind::MemoryOutOfBounds);
                self.bulk(base, None, Some(memory));
                true
            }
            Instruction::DataDrop { segment: _ } | Instruction::ElemDrop { segment: _ } => {
                self.effects(|effects| effects.drops_segments = true);
                true
            }
            Instruction::TableGet { slot, table } => {
                self.trap(TrapKind::TableOutOfBounds);
                self.set(slot, Range::of_type(module.tables()[table as usize].ty))
            }
            Instruction::TableSize { dst, table: _ } => self.set(dst, Range::of_type(ValType::I32)),
            Instruction::TableGrow { base, table } => {
                self.writes_table(table);
                self.set(base, Range::of_type(ValType::I32))
            }
            Instruction::TableSet { base: _, table }
            | Instruction::TableFill { base: _, table }
            | Instruction::TableCopy { base: _, to: table, from: _ }
            | Instruction::TableInit { base: _, table, segment: _ } => {
                self.trap(TrapKind::TableOutOfBounds);
                self.writes_table(table);
                true
            }
        }
    }

    fn get(&self, slot: Reg) -> Range {
        self.numbers.get(slot)
    }

    fn set(&mut self, slot: Reg, range: Range) -> GoesOn {
        self.numbers.set(slot, range);
        true
    }

    fn effects(&mut self, change: impl FnOnce(&mut Effects)) {
        if let Some(report) = &mut self.found.report {
            change(&mut report.effects);
        }
    }

    fn trap(&mut self, kind: TrapKind) {
        self.traps(Traps::of(kind));
    }

    fn traps(&mut self, traps: Traps) {
        let pc = self.pc;
        if let Some(report) = &mut self.found.report
            && traps != Traps::NONE
        {
            report.effects.traps = report.effects.traps.union(traps);
            report.alarms.push(Alarm { pc, traps });
        }
    }

    fn writes_table(&mut self, table: u16) {
        self.effects(|effects| _ = effects.tables_written.insert(table));
    }

    fn indirect_traps(&mut self) {
        let traps = Traps::of(TrapKind::UndefinedElement)
            .with(TrapKind::UninitializedElement)
            .with(TrapKind::IndirectCallTypeMismatch);
        self.traps(traps);
    }

    /// What a slot holds where a condition holds, or does not.
    fn under(&mut self, condition: Reg, truth: bool, slot: Reg) -> Option<Range> {
        let possible = self.numbers.assume_truth(condition, truth);
        let range = possible.then(|| self.get(slot));
        self.numbers.forget();
        range
    }

    /// Control may go on at an op, with values carried there.
    fn edge(&mut self, pc: u32, to: Reg, from: Reg, count: u16) {
        let live = self.context.module.live_at(pc).unwrap_or(0).min(self.frame);
        let state = self.numbers.carried(live, to, from, count);
        self.found.edges.push((pc, state));
    }

    /// A branch that is taken if the condition is `truth`; else control goes on, and that is known.
    fn decide(
        &mut self,
        condition: Reg,
        truth: bool,
        (pc, to, from, count): (u32, Reg, Reg, u16),
    ) -> GoesOn {
        if self.numbers.assume_truth(condition, truth) {
            self.edge(pc, to, from, count);
        }
        self.numbers.forget();
        let goes_on = self.numbers.assume_truth(condition, !truth);
        self.numbers.keep();
        goes_on
    }

    fn br_table(&mut self, index: Reg, first: u32, count: u32) {
        let last = count - 1;
        for position in 0..count {
            let range = match position == last {
                true => Range::at_least(last.into()),
                false => Range::exact(position.into()),
            };
            if self.numbers.assume(index, range) {
                let branch = self.context.module.branches()[(first + position) as usize];
                self.edge(branch.target.to, branch.to, branch.from, branch.count);
            }
            self.numbers.forget();
        }
    }

    fn returns(&mut self, values: Option<Vec<Range>>) {
        let Some(values) = values else { return };
        match &mut self.found.returned {
            None => self.found.returned = Some(values),
            Some(known) => known.iter_mut().zip(values).for_each(|(a, b)| *a = a.join(b)),
        }
    }

    fn called(&mut self, callee: usize) {
        // Imported functions need no frame; whether an indirect call means one is not known.
        let funcs = self.context.module.funcs();
        if funcs.get(callee).is_none_or(|func| func.import.is_none()) {
            let exhausted = Traps::of(TrapKind::CallStackExhausted);
            self.traps(exhausted.with(TrapKind::ValueStackExhausted));
        }
        if let Some(report) = &mut self.found.report {
            report.calls.push(callee);
        }
    }

    fn call(&mut self, base: Reg, callee: usize) -> GoesOn {
        self.called(callee);
        let context = self.context;
        let Some(results) = &context.returns[callee] else { return false };
        // The frame of what is called lies over everything from its arguments on.
        (base..self.frame).for_each(|slot| self.numbers.set(slot, Range::ANY));
        (base..).zip(results).for_each(|(slot, &result)| self.numbers.set(slot, result));
        true
    }

    fn last_call(&mut self, callee: usize) -> GoesOn {
        self.called(callee);
        self.returns(self.context.returns[callee].clone());
        false
    }

    fn access(&mut self, access: MemoryAccess) -> GoesOn {
        let (low, high) = self.get(access.address).integer(32).unsigned;
        let (low, high) = (low as u64, high as u64);
        let offset = u64::from(access.offset);
        let end = high + offset + u64::from(access.size);
        let extent = Extent { start: low + offset, end };
        self.reaches(access.memory, end);
        if access.is_load {
            self.effects(|effects| extend(&mut effects.read, access.memory, extent));
            return self.set(access.register, loaded(access));
        }
        self.trap(TrapKind::MemoryExhausted);
        self.effects(|effects| extend(&mut effects.written, access.memory, extent));
        true
    }

    /// A trap, unless a memory always has everything before `end`.
    fn reaches(&mut self, memory: u16, end: u64) {
        let pages = self.context.module.memories()[memory as usize].size.minimum;
        if end > u64::from(pages) * PAGE {
            self.trap(TrapKind::MemoryOutOfBounds);
        }
    }

    /// An instruction on ranges of memory: to the first operand, from the second one, as many bytes
    /// as the third one says.
    fn bulk(&mut self, base: Reg, from: Option<u16>, to: Option<u16>) {
        let at = |slot: Reg| {
            let (low, high) = self.get(slot).integer(32).unsigned;
            (low as u64, high as u64)
        };
        let (target, source, (_, length)) = (at(base), at(base + 1), at(base + 2));
        if let Some(memory) = from {
            let extent = Extent { start: source.0, end: source.1 + length };
            self.reaches(memory, extent.end);
            self.effects(|effects| extend(&mut effects.read, memory, extent));
        }
        if let Some(memory) = to {
            let extent = Extent { start: target.0, end: target.1 + length };
            self.reaches(memory, extent.end);
            self.trap(TrapKind::MemoryExhausted);
            self.effects(|effects| extend(&mut effects.written, memory, extent));
        }
    }
}

/// What a load may bring: memory is not followed.
fn loaded(access: MemoryAccess) -> Range {
    let bits = u32::from(access.size) * 8;
    let any = Range::of_type(access.ty);
    let known = match (access.is_signed, bits) {
        (_, 64) => return any,
        (true, bits) => {
            let half = 1i128 << (bits - 1);
            Range::of_signed(arithmetic::bits_of(access.ty), (-half, half - 1))
        }
        (false, bits) => Some(Range::below((1u64 << bits) - 1)),
    };
    known.and_then(|known| known.meet(any)).unwrap_or(any)
}
