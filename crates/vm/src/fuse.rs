//! The fast code: the step code with operands taken from where they lie.
//!
//! `local.get` and constants are not executed where they stand. The fuser remembers which stack
//! slots *would* hold them (they are *deferred*) and lets the instruction that consumes them read
//! the local, or carry the constant, itself; likewise a result that goes straight into a local is
//! written there, and a comparison that only decides a branch becomes one with it.
//!
//! Invariants:
//! * At the start of every block (a branch target, a function's start, the return from a call)
//!   nothing is deferred: the frame is exactly as the step code would have it. So execution can
//!   change between the two codes there.
//! * Anywhere else in a block, what is deferred follows from the step code between the block's
//!   start and there, so [`FastCode::deferred_at`] can make the frame whole when an instruction
//!   traps.

use alloc::{sync::Arc, vec, vec::Vec};

use crate::module::{Code, Parts};
use crate::op::{Binary, MovingBranch, Op, Reg};
use crate::operand::Operand;

/// Fast code of all functions of a module.
#[derive(Clone, Debug)]
pub(crate) struct FastCode {
    /// By function. Positions in it are counted from the function's first op.
    pub codes: Codes,
    pub branches: Vec<MovingBranch>,
    /// For each fast op of all functions, the step op that it stands for (the one that may trap),
    /// and where those of each function start.
    origin: Vec<u32>,
    starts: Vec<u32>,
    /// For each step op, where its fast code is, if a block starts with it.
    pub entry: Vec<u32>,
    /// The step ops that blocks start with, in order; so are the entries of a function.
    blocks: Vec<u32>,
    /// The number of instructions of the longest function.
    pub longest: u32,
}

/// The fast code of each function. Copies share it, but for functions in which some blocks are left.
pub(crate) type Codes = Vec<Arc<[Op]>>;

/// No block starts here.
pub(crate) const NO_ENTRY: u32 = u32::MAX;

/// What a stack slot holds that has not been written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Deferred {
    Local(Reg),
    Const(u64),
}

impl FastCode {
    /// Fuses all functions.
    pub fn new(parts: &Parts) -> FastCode {
        let starts_block = block_starts(parts);
        let mut fuser = Fuser { entry: &starts_block, ..Fuser::new(parts) };
        let mut entry = vec![NO_ENTRY; starts_block.len()];
        let (mut codes, mut starts) = (Codes::new(), Vec::new());
        for func in &parts.codes {
            starts.push(fuser.origin.len() as u32);
            let mut code = fuser.function(func, &mut entry);
            for op in &mut code {
                op.operands(|operand| {
                    if let Operand::Target(target) = operand {
                        target.to = entry[target.to as usize];
                    }
                });
            }
            codes.push(code.into());
        }
        let origin = fuser.origin;
        let mut branches = parts.branches.clone();
        branches.iter_mut().for_each(|b| b.target.to = entry[b.target.to as usize]);
        let is_start = |pc: &u32| entry[*pc as usize] != NO_ENTRY;
        let blocks = (0..entry.len() as u32).filter(is_start).collect();
        let longest = parts.codes.iter().map(|code| code.len).max().unwrap_or(0);
        FastCode { codes, branches, origin, starts, entry, blocks, longest }
    }

    /// No fast code, so that everything is executed step by step: slower, in half the memory.
    pub fn none(parts: &Parts) -> FastCode {
        let longest = parts.codes.iter().map(|code| code.len).max().unwrap_or(0);
        let (codes, branches, origin) = Default::default();
        let (starts, entry, blocks) = Default::default();
        FastCode { codes, branches, origin, starts, entry, blocks, longest }
    }

    /// Whether there is none.
    pub fn is_none(&self) -> bool {
        self.entry.is_empty()
    }

    /// Where the fast code of the block that starts at `pc` is.
    #[inline]
    pub fn entry(&self, pc: u32) -> Option<u32> {
        self.entry.get(pc as usize).copied().filter(|&entry| entry != NO_ENTRY)
    }

    /// The code with further blocks that it is left at, those that have the given step ops; `None`
    /// if there are none.
    pub fn leaving_at(
        &self,
        parts: &Parts,
        codes: &Codes,
        pcs: impl Iterator<Item = u32>,
    ) -> Option<Codes> {
        let mut pcs = pcs.filter(|_| !self.is_none()).peekable();
        let mut codes = pcs.peek().map(|_| codes.clone())?;
        for pc in pcs {
            let entry = self.entry[self.block_of(pc) as usize] as usize;
            let code = &mut codes[parts.func_at(pc)];
            if code[entry] != (Op::Leave {}) {
                Arc::make_mut(code)[entry] = Op::Leave {};
            }
        }
        Some(codes)
    }

    /// The start of the block that a step op is in.
    fn block_of(&self, pc: u32) -> u32 {
        self.blocks[self.blocks.partition_point(|&start| start <= pc) - 1]
    }

    /// The start of the block whose fast code starts at `entry` of a function.
    pub fn block_at(&self, func: Code, entry: u32) -> u32 {
        let blocks = &self.blocks[self.blocks.partition_point(|&pc| pc < func.start)..];
        let is_before = |&pc: &u32| pc - func.start < func.len && self.entry[pc as usize] < entry;
        blocks[blocks.partition_point(is_before)]
    }

    /// The step op that a fast op of a function stands for.
    pub fn origin(&self, func: u32, at: u32) -> u32 {
        self.origin[(self.starts[func as usize] + at) as usize]
    }

    /// Bytes of memory that it takes.
    pub fn footprint(&self) -> usize {
        let codes = self.codes.iter().map(|code| size_of_val(&code[..]) + size_of::<Arc<[Op]>>());
        let numbers = self.origin.len() + self.starts.len() + self.entry.len() + self.blocks.len();
        codes.sum::<usize>() + size_of_val(&self.branches[..]) + 4 * numbers
    }

    /// The slots that the fast code has not written when it stands before the step op at `pc`.
    pub fn deferred_at(&self, parts: &Parts, pc: u32) -> Vec<(Reg, Deferred)> {
        let mut at = self.block_of(pc);
        let locals = parts.codes[parts.func_at(pc)].locals;
        let mut fuser = Fuser { entry: &self.entry, locals, ..Fuser::new(parts) };
        while at < pc {
            at = fuser.advance(at);
        }
        let live = parts.live[pc as usize];
        fuser.deferred.retain(|&(slot, _)| slot < live);
        fuser.deferred
    }
}

/// Marks the step ops that blocks start with.
fn block_starts(parts: &Parts) -> Vec<u32> {
    let mut starts = vec![NO_ENTRY; parts.code.len()];
    let mut mark = |pc: usize| {
        if let Some(start) = starts.get_mut(pc) {
            *start = 0;
        }
    };
    parts.codes.iter().for_each(|code| mark(code.start as usize));
    parts.branches.iter().for_each(|branch| mark(branch.target.to as usize));
    for (pc, mut op) in parts.code.iter().copied().enumerate() {
        op.operands(|operand| match operand {
            Operand::Target(target) => mark(target.to as usize),
            Operand::Call { .. } | Operand::CallIndirect { .. } => mark(pc + 1),
            _ => {}
        });
    }
    starts
}

struct Fuser<'a> {
    parts: &'a Parts,
    /// Anything but `NO_ENTRY` marks the start of a block.
    entry: &'a [u32],
    code: Vec<Op>,
    origin: Vec<u32>,
    /// Slots of the current function's parameters and locals.
    locals: Reg,
    /// Stack slots that have not been written, lowest first.
    deferred: Vec<(Reg, Deferred)>,
    /// The step op being looked at.
    pc: u32,
    /// Where the last block begins.
    last_entry: Option<usize>,
}

impl<'a> Fuser<'a> {
    fn new(parts: &'a Parts) -> Self {
        Fuser {
            parts,
            entry: &[],
            code: Vec::new(),
            origin: Vec::new(),
            locals: 0,
            deferred: Vec::new(),
            pc: 0,
            last_entry: None,
        }
    }

    fn function(&mut self, func: &Code, entries: &mut [u32]) -> Vec<Op> {
        (self.locals, self.last_entry) = (func.locals, None);
        let mut pc = func.start;
        while pc < func.start + func.len {
            if self.entry[pc as usize] != NO_ENTRY {
                self.pc = pc;
                self.flush(self.parts.live[pc as usize]);
                self.deferred.clear();
                if self.last_entry == Some(self.code.len()) {
                    self.emit(Op::Nop {}); // Two blocks must not share an entry.
                }
                entries[pc as usize] = self.code.len() as u32;
                self.last_entry = Some(self.code.len());
            }
            pc = self.advance(pc);
        }
        self.deferred.clear();
        core::mem::take(&mut self.code)
    }

    fn emit(&mut self, op: Op) {
        self.code.push(op);
        self.origin.push(self.pc);
    }

    fn step_op(&self, pc: u32) -> Option<Op> {
        self.parts.code.get(pc as usize).copied()
    }

    /// Whether the op after the current one belongs to the same block.
    fn next_in_block(&self) -> Option<Op> {
        let next = self.pc + 1;
        if *self.entry.get(next as usize)? != NO_ENTRY { None } else { self.step_op(next) }
    }

    fn defer(&mut self, slot: Reg, value: Deferred) {
        self.forget(slot);
        self.deferred.push((slot, value));
    }

    /// The slot is about to be written: what was deferred for it and above is gone.
    fn forget(&mut self, slot: Reg) {
        while self.deferred.last().is_some_and(|&(s, _)| s >= slot) {
            self.deferred.pop();
        }
    }

    fn find(&self, slot: Reg) -> Option<Deferred> {
        self.deferred.iter().rev().find(|(s, _)| *s == slot).map(|&(_, value)| value)
    }

    fn materialise(&mut self, slot: Reg, value: Deferred) {
        self.emit(match value {
            Deferred::Local(src) => Op::Copy { dst: slot, src },
            Deferred::Const(value) => Op::Const { dst: slot, value },
        });
    }

    /// Writes everything that is deferred for slots below `live`.
    fn flush(&mut self, live: Reg) {
        for (slot, value) in core::mem::take(&mut self.deferred) {
            if slot < live {
                self.materialise(slot, value);
            }
        }
    }

    /// Writes what is deferred and reads `local`, which is about to change.
    fn flush_readers(&mut self, local: Reg) {
        for (slot, value) in core::mem::take(&mut self.deferred) {
            match value == Deferred::Local(local) {
                true => self.materialise(slot, value),
                false => self.deferred.push((slot, value)),
            }
        }
    }

    /// A register that holds the operand.
    fn operand(&mut self, slot: Reg) -> Reg {
        match self.find(slot) {
            None => slot,
            Some(Deferred::Local(local)) => local,
            Some(value) => {
                self.materialise(slot, value);
                slot
            }
        }
    }

    /// Emits an op that writes `dst`, which is the first slot of its operands or above: straight
    /// into a local if that is where the result goes. Returns the next step op to look at.
    fn emit_result(&mut self, dst: Reg, make: impl FnOnce(Reg) -> Op) -> u32 {
        self.forget(dst);
        match self.next_in_block() {
            Some(Op::Copy { dst: local, src }) if src == dst && local < self.locals => {
                self.flush_readers(local);
                self.emit(make(local));
                if self.is_tee(self.pc + 1) {
                    self.defer(dst, Deferred::Local(local));
                }
                self.pc + 2
            }
            _ => {
                self.emit(make(dst));
                self.pc + 1
            }
        }
    }

    /// Whether the copy to a local at `pc` leaves its operand on the stack.
    fn is_tee(&self, pc: u32) -> bool {
        let live = &self.parts.live;
        live.get(pc as usize + 1).is_some_and(|&after| after == live[pc as usize])
    }

    /// Emits what the step op at `pc` does and returns the next one to look at.
    fn advance(&mut self, pc: u32) -> u32 {
        self.pc = pc;
        let op = self.parts.code[pc as usize];
        match op {
            Op::Nop {} => pc + 1,
            Op::Const { dst, value } => {
                self.defer(dst, Deferred::Const(value));
                pc + 1
            }
            Op::Copy { dst, src } => {
                self.copy(dst, src);
                pc + 1
            }
            Op::Return { first, count: count @ (0 | 1), next } => {
                let first = if count == 1 { self.operand(first) } else { first };
                self.deferred.clear();
                self.emit(Op::Return { first, count, next });
                pc + 1
            }
            _ => {
                let fused = self.fused_zero_test(op).or_else(|| self.fused_binary(op));
                fused.unwrap_or_else(|| self.redirect(op))
            }
        }
    }

    /// Writes a local, or defers what would be on the stack.
    fn copy(&mut self, dst: Reg, src: Reg) {
        if dst >= self.locals {
            return self.defer(dst, Deferred::Local(src));
        }
        let value = self.find(src);
        if !self.is_tee(self.pc) {
            self.forget(src);
        }
        if value == Some(Deferred::Local(dst)) {
            return; // It is there already.
        }
        self.flush_readers(dst);
        match value {
            Some(value) => self.materialise(dst, value),
            None => self.emit(Op::Copy { dst, src }),
        }
    }

    /// Emits an op that reads registers where their numbers lie, and writes its result where that
    /// goes. What takes several that follow one another takes them from the stack as it is.
    fn redirect(&mut self, mut op: Op) -> u32 {
        let next = self.pc + 1;
        let live = self.parts.live[self.pc as usize];
        let mut is_fixed = false;
        op.operands(|operand| {
            is_fixed |= matches!(
                operand,
                Operand::Consecutive { .. }
                    | Operand::Results { .. }
                    | Operand::Call { .. }
                    | Operand::CallIndirect { .. }
            );
        });
        if is_fixed {
            self.flush(live);
            self.emit(op);
            return next;
        }
        // What it reads is on top of the stack, and gone after it.
        let (mut consumed, mut result, mut jumps) = (live, None, false);
        op.operands(|operand| match operand {
            Operand::Read(reg) => {
                consumed = consumed.min(*reg);
                *reg = self.operand(*reg);
            }
            Operand::Write(reg) => result = Some(*reg),
            Operand::Target(_) | Operand::Branches { .. } => jumps = true,
            _ => {}
        });
        if let Some(dst) = result {
            return self.emit_result(dst, |dst| op.writing_to(dst));
        }
        match jumps {
            true => self.flush(consumed),
            false => self.forget(consumed),
        }
        self.emit(op);
        next
    }

    /// `eqz` that decides a branch is that branch the other way round.
    fn fused_zero_test(&mut self, op: Op) -> Option<u32> {
        let (dst, src, wide) = match op {
            Op::I32Eqz { dst, src } => (dst, src, false),
            Op::I64Eqz { dst, src } => (dst, src, true),
            _ => return None,
        };
        let (target, when_zero) = match self.next_in_block()? {
            Op::BrIf { condition, target } if condition == dst => (target, true),
            Op::BrUnless { condition, target } if condition == dst => (target, false),
            _ => return None,
        };
        let src = self.operand(src);
        self.flush(dst);
        self.emit(match (wide, when_zero) {
            (false, true) => Op::BrUnless { condition: src, target },
            (false, false) => Op::BrIf { condition: src, target },
            (true, true) => Op::BrIfI64EqImm { lhs: src, imm: 0, target },
            (true, false) => Op::BrIfI64NeImm { lhs: src, imm: 0, target },
        });
        Some(self.pc + 2)
    }

    /// An op with two operands as one with a constant, or with the branch that it decides, if it
    /// can be.
    fn fused_binary(&mut self, op: Op) -> Option<u32> {
        let is_const = |slot| matches!(self.find(slot), Some(Deferred::Const(_)));
        let Binary { lhs, rhs, .. } = op.binary()?;
        let op = match op.swapped() {
            Some(swapped) if is_const(lhs) && !is_const(rhs) => swapped,
            _ => op,
        };
        let Binary { dst, lhs, rhs, immediate, branch } = op.binary()?;
        let immediate = immediate.and_then(|immediate| match self.find(rhs) {
            Some(Deferred::Const(value)) => Some((immediate.make, immediate.fit(value)?)),
            _ => None,
        });
        // A comparison that decides a branch: one op does both.
        let fused = branch.and(self.next_in_block()).and_then(|next| match next {
            Op::BrIf { condition, target } if condition == dst => Some((branch?, target)),
            Op::BrUnless { condition, target } if condition == dst => {
                Some((op.negated()?.binary()?.branch?, target))
            }
            _ => None,
        });
        let lhs = if fused.is_some() || immediate.is_some() { self.operand(lhs) } else { lhs };
        match (fused, immediate) {
            (Some(((registers, with_immediate), target)), immediate) => {
                let branch = match immediate {
                    Some((_, imm)) => with_immediate(lhs, imm, target),
                    None => registers(lhs, self.operand(rhs), target),
                };
                self.flush(dst);
                self.emit(branch);
                Some(self.pc + 2)
            }
            (None, Some((make, imm))) => Some(self.emit_result(dst, |dst| make(dst, lhs, imm))),
            (None, None) => None,
        }
    }
}
