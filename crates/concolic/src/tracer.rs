//! The probe: follows the inputs' values through the machine.
//!
//! It sees every instruction before it is executed and notes what its result is in terms of the
//! inputs. Where an input decides what happens (a branch, a trap, an address), it stops the
//! machine before the instruction, so that whoever explores can fork there.

use mw_vm::NumericOp::{self, *};
use mw_vm::{
    Access, Cell, Frame, Instruction, MemoryAccess, Module, Numeric, Op, Probe, Reg, ValType,
};
use mw_world::Heap;

use crate::arrivals::Watch;
use crate::coverage::Coverage;
use crate::expr::{Expr, Exprs};
use crate::pointers::{Pointers, Target, computed};
use crate::shadow::Shadow;

/// What to do at the instruction that the machine was stopped at last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ready {
    /// Nothing has been decided about it.
    #[default]
    No,
    /// It is decided.
    Yes,
    /// It is decided, and loads this.
    Loads(Expr),
    /// It is decided, and what it stores has been noted.
    Stored,
}

/// The probe. See the [module](self).
pub struct Tracer<'a> {
    pub module: &'a Module,
    pub exprs: &'a mut Exprs,
    pub shadow: &'a mut Shadow,
    /// What has been decided about the first instruction.
    pub ready: Ready,
    /// Whether a `select` is decided like a branch.
    pub forks_at_select: bool,
    pub coverage: Option<&'a mut Coverage>,
    /// What to stop after a write to.
    pub watched: &'a [Cell],
    /// Whether such a write has been made.
    pub wrote: bool,
    /// The blocks of memory that the program has announced and the pointers into them, if any.
    pub blocks: Option<(&'a Heap, &'a mut Pointers)>,
    /// So many bytes of memory an instruction may make dependent on inputs, and whether it was
    /// stopped because they would be more.
    pub most_bytes: u64,
    pub is_too_much: bool,
    /// Who wants to know what is touched, if interrupts may arrive.
    pub watch: Option<Watch<'a>>,
    /// The frame and the op being executed, and what it loads or stores.
    start: usize,
    op: Op,
    access: Option<MemoryAccess>,
    /// What has been decided about it.
    now: Ready,
    stops: bool,
}

impl<'a> Tracer<'a> {
    pub fn new(module: &'a Module, exprs: &'a mut Exprs, shadow: &'a mut Shadow) -> Tracer<'a> {
        Tracer {
            module,
            exprs,
            shadow,
            ready: Ready::No,
            forks_at_select: false,
            coverage: None,
            watched: &[],
            wrote: false,
            blocks: None,
            most_bytes: u64::MAX,
            is_too_much: false,
            watch: None,
            start: 0,
            op: Op::Nop {},
            access: None,
            now: Ready::No,
            stops: false,
        }
    }

    fn get(&self, reg: Reg) -> Option<Expr> {
        self.shadow.stack.get(self.start + reg as usize)
    }

    #[inline]
    fn set(&mut self, reg: Reg, expr: Option<Expr>) {
        self.shadow.stack.set(self.start + reg as usize, expr);
        self.set_target(reg, None);
    }

    /// What the number in a register points into, if into a block.
    fn target(&self, reg: Reg) -> Option<Target> {
        let (_, pointers) = self.blocks.as_ref()?;
        pointers.stack.get(self.start + reg as usize)
    }

    #[inline]
    fn set_target(&mut self, reg: Reg, target: Option<Target>) {
        if let Some((_, pointers)) = &mut self.blocks {
            pointers.stack.set(self.start + reg as usize, target);
        }
    }

    fn copy(&mut self, dst: Reg, src: Reg) {
        let (expr, target) = (self.get(src), self.target(src));
        self.set(dst, expr);
        self.set_target(dst, target);
    }

    /// Stops before an instruction that misuses a block. Whoever explores finds out how.
    fn checks(&mut self, reg: Reg, address: u64, size: u64) -> bool {
        if let (Some((heap, pointers)), Ready::No) = (&self.blocks, self.now) {
            let target = pointers.stack.get(self.start + reg as usize);
            self.stops |= pointers.check(heap, target, address, size).is_err();
        }
        self.stops
    }

    /// The expression in a slot: its shadow, or the number that it is.
    fn expr(&mut self, reg: Reg, ty: ValType, frame: Frame<'_>) -> Expr {
        match self.get(reg) {
            Some(expr) => expr,
            None => self.exprs.constant(ty, frame.slots[reg as usize]),
        }
    }

    /// Stops before the instruction if one of these registers has a shadow and nothing is decided.
    fn decides(&mut self, regs: &[Reg]) -> bool {
        self.stops = self.now == Ready::No && regs.iter().any(|&reg| self.get(reg).is_some());
        self.stops
    }

    #[inline(always)]
    fn numeric(&mut self, op: NumericOp, dst: Reg, lhs: Reg, rhs: Option<Reg>, frame: Frame<'_>) {
        let (a, b) = (self.get(lhs), rhs.and_then(|rhs| self.get(rhs)));
        if a.is_none() && b.is_none() {
            return self.set(dst, None);
        }
        if op.may_trap() && self.now == Ready::No {
            // A known divisor decides by itself, unless it is -1 and may overflow.
            let decided = match rhs {
                Some(rhs) if b.is_none() => {
                    let minus_one =
                        if op.operand() == ValType::I64 { u64::MAX } else { u32::MAX.into() };
                    let divisor = frame.slots[rhs as usize];
                    !(divisor == minus_one && matches!(op, I32DivS | I64DivS))
                }
                _ => false,
            };
            if !decided {
                self.stops = true;
                return;
            }
        }
        let a = self.expr(lhs, op.operand(), frame);
        let result = match rhs {
            Some(rhs) => {
                let b = self.expr(rhs, op.operand(), frame);
                self.exprs.binary(op, a, b)
            }
            None => self.exprs.unary(op, a),
        };
        self.set_result(dst, result);
    }

    /// A result that turned out to be a number needs no shadow: the machine has it.
    fn set_result(&mut self, dst: Reg, result: Expr) {
        let is_number = self.exprs.as_const(result).is_some();
        self.set(dst, (!is_number).then_some(result));
    }

    fn select(
        &mut self,
        dst: Reg,
        condition: Reg,
        (then, otherwise): (Reg, Reg),
        ty: ValType,
        frame: Frame<'_>,
    ) {
        let is_reference = matches!(ty, ValType::FuncRef | ValType::ExternRef);
        if (self.forks_at_select || is_reference) && self.decides(&[condition]) {
            return;
        }
        // Which block a pointer points into has to be known.
        let target = self.target(then);
        if target != self.target(otherwise) && self.decides(&[condition]) {
            return;
        }
        let Some(decider) = self.get(condition).filter(|_| self.now == Ready::No) else {
            let taken = if frame.slots[condition as usize] as u32 != 0 { then } else { otherwise };
            return self.copy(dst, taken);
        };
        let (then, otherwise) = (self.expr(then, ty, frame), self.expr(otherwise, ty, frame));
        let result = self.exprs.ite(decider, then, otherwise);
        self.set_result(dst, result);
        self.set_target(dst, target);
    }

    /// What a branch carries down the stack.
    fn carry(&mut self, branch: u32) {
        let branch = self.module.branches()[branch as usize];
        for i in 0..branch.count {
            self.copy(branch.to + i, branch.from + i);
        }
    }

    fn fill(&mut self, memory: u16, address: u64, length: u64, value: Option<Expr>) {
        self.shadow.fill(memory, address, length, value);
        if let Some((_, pointers)) = &mut self.blocks {
            pointers.forget(memory, address, length);
        }
    }

    /// Whether there is nothing to note of an instruction that makes so many bytes of memory
    /// dependent on inputs: it has been noted, or it is too much and the machine stops.
    fn is_noted(&mut self, bytes: u64) -> bool {
        if self.now == Ready::Stored {
            return true;
        }
        self.is_too_much = bytes > self.most_bytes;
        self.stops |= self.is_too_much;
        self.is_too_much
    }

    /// Whether nothing is left to be found out before an instruction on a range of memory: what
    /// these registers have is known, and it misuses no block.
    fn may_access(&mut self, regs: &[Reg], frame: Frame<'_>) -> bool {
        let at = |reg: Reg| u64::from(frame.slots[reg as usize] as u32);
        !self.decides(regs)
            && !self.op.ranges().into_iter().any(|(memory, start, length)| {
                memory == 0 && self.checks(start, at(start), at(length))
            })
    }

    /// What the instruction writes into registers does not come from inputs.
    fn forget_written(&mut self) {
        self.op.writes().for_each(|reg| self.set(reg, None));
    }

    /// Whether a range of memory has something to stop after a write to.
    fn is_watched(&self, memory: u16, address: u64, length: u64) -> bool {
        memory == 0 && self.watched.iter().any(|cell| cell.overlaps(address, length))
    }

    /// Notes what an instruction does, or that it has to be decided about first.
    #[inline(always)]
    fn trace(&mut self, instruction: Instruction, frame: Frame<'_>) {
        let at = |reg: Reg| u64::from(frame.slots[reg as usize] as u32);
        match instruction {
            Instruction::Numeric(Numeric { op, dst, lhs, rhs }) => {
                let target = computed(op, self.target(lhs), rhs.and_then(|rhs| self.target(rhs)));
                self.numeric(op, dst, lhs, rhs, frame);
                self.set_target(dst, target);
            }
            Instruction::Access(access) => {
                self.access = Some(access);
                let MemoryAccess { address, memory, offset, size, .. } = access;
                if !self.decides(&[address]) && memory == 0 {
                    self.checks(address, at(address) + u64::from(offset), size.into());
                }
            }
            Instruction::Copy { dst, src } => self.copy(dst, src),
            Instruction::Nop {}
            | Instruction::Br { .. }
            | Instruction::Unreachable {}
            | Instruction::DataDrop { .. }
            | Instruction::ElemDrop { .. } => {}
            // What is entered: see `call`. What an import returns is up to whoever explores.
            Instruction::Call { .. }
            | Instruction::ReturnCall { .. }
            | Instruction::CallImport { .. }
            | Instruction::ReturnCallImport { .. } => {}
            Instruction::Const { dst, .. } => self.set(dst, None),
            Instruction::RefFunc { .. }
            | Instruction::MemorySize { .. }
            | Instruction::TableSize { .. } => self.forget_written(),
            Instruction::GlobalGet { dst, global } => {
                self.set(dst, self.shadow.globals.get(global as usize));
                let target = self.blocks.as_ref().and_then(|(_, p)| p.globals.get(global as usize));
                self.set_target(dst, target);
            }
            Instruction::GlobalSet { src, global } => {
                self.shadow.globals.set(global as usize, self.get(src));
                let target = self.target(src);
                if let Some((_, pointers)) = &mut self.blocks {
                    pointers.globals.set(global as usize, target);
                }
            }
            Instruction::Select { dst, condition, then, otherwise, ty } => {
                self.select(dst, condition, (then, otherwise), ty, frame);
            }
            Instruction::BrIf { condition, .. } | Instruction::BrUnless { condition, .. } => {
                self.decides(&[condition]);
            }
            Instruction::BrMoving { branch } => self.carry(branch),
            Instruction::BrIfMoving { condition, branch } => {
                if !self.decides(&[condition]) && at(condition) != 0 {
                    self.carry(branch);
                }
            }
            Instruction::BrTable { index, first, count } => {
                if !self.decides(&[index]) {
                    let index = (frame.slots[index as usize] as u32).min(count - 1);
                    self.carry(first + index);
                }
            }
            Instruction::Return { first, count, .. } => {
                for i in 0..count {
                    self.copy(i, first + i);
                }
            }
            Instruction::CallIndirect { index, .. }
            | Instruction::ReturnCallIndirect { index, .. } => {
                self.decides(&[index]);
            }
            Instruction::MemoryFill { base, memory } => {
                if !self.may_access(&[base, base + 2], frame) {
                    return;
                }
                let value = self.get(base + 1);
                let depends = value.map_or(0, |_| at(base + 2));
                if !self.is_noted(depends) {
                    self.fill(memory, at(base), at(base + 2), value);
                }
            }
            Instruction::MemoryCopy { base, to, from } => {
                if !self.may_access(&[base, base + 1, base + 2], frame) {
                    return;
                }
                let length = at(base + 2);
                let depends = self.shadow.touches(from, at(base + 1), length);
                if self.is_noted(if depends { length } else { 0 }) {
                    return;
                }
                self.shadow.copy((to, at(base)), (from, at(base + 1)), length);
                if let Some((_, pointers)) = &mut self.blocks {
                    pointers.copy((to, at(base)), (from, at(base + 1)), length);
                }
            }
            Instruction::MemoryInit { base, memory, .. } => {
                if self.may_access(&[base, base + 1, base + 2], frame) {
                    self.fill(memory, at(base), at(base + 2), None);
                }
            }
            Instruction::MemoryGrow { slot, .. } | Instruction::TableGet { slot, .. } => {
                if !self.decides(&[slot]) {
                    self.forget_written();
                }
            }
            Instruction::TableGrow { base, .. } => {
                if !self.decides(&[base + 1]) {
                    self.forget_written();
                }
            }
            Instruction::TableSet { base, .. } => {
                self.decides(&[base]);
            }
            Instruction::TableFill { base, .. } => {
                self.decides(&[base, base + 2]);
            }
            Instruction::TableCopy { base, .. } | Instruction::TableInit { base, .. } => {
                self.decides(&[base, base + 1, base + 2]);
            }
        }
    }
}

impl Probe for Tracer<'_> {
    fn instruction(&mut self, pc: u32, op: Op, frame: Frame<'_>) {
        self.start = frame.start;
        self.op = op;
        self.now = std::mem::take(&mut self.ready);
        self.stops = false;
        self.wrote = self.watched.iter().any(|watched| match (op, watched) {
            (Op::GlobalSet { global, .. }, Cell::Global(other)) => global == *other,
            (Op::Copy { dst, .. }, Cell::Local { local, .. }) => u32::from(dst) == *local,
            _ => false,
        });
        if let Some(coverage) = &mut self.coverage {
            coverage.reached(pc);
        }
        if let Some(instruction) = op.instruction() {
            self.trace(instruction, frame);
            let Tracer { shadow, watched, watch, .. } = self;
            if let Some(watch) = watch {
                let is_open = |reg: Reg| shadow.stack.get(frame.start + reg as usize).is_some();
                match self.stops {
                    true => watch.stops = false,
                    false => watch.instruction(instruction, &frame, watched, is_open),
                }
            }
        }
    }

    fn wants_stop_before(&mut self) -> bool {
        self.stops
    }

    fn wants_stop(&mut self) -> bool {
        self.wrote || self.watch.as_ref().is_some_and(|watch| watch.stops)
    }

    fn call(&mut self, func: u32, _: &[u64]) {
        let code = self.module.func_code(func);
        let (params, locals) = (code.params as usize, code.locals as usize);
        let start = match self.op {
            Op::Call { base, .. } | Op::CallIndirect { base, .. } => self.start + base as usize,
            Op::ReturnCall { base, .. } | Op::ReturnCallIndirect { base, .. } => {
                (0..code.params).for_each(|param| self.copy(param, base + param));
                self.start
            }
            _ => return,
        };
        self.shadow.stack.clear(start + params..start + locals);
        if let Some((_, pointers)) = &mut self.blocks {
            pointers.stack.clear(start + params..start + locals);
        }
    }

    fn branch(&mut self, from: u32, to: u32) {
        if let Some(coverage) = &mut self.coverage {
            coverage.branched(from, to);
        }
    }

    fn load(&mut self, _: u32, access: Access) {
        let Some(instruction) = self.access else { return };
        let dst = instruction.register;
        let Access { memory, address, size, slot } = access;
        let expr = match self.now {
            Ready::Loads(expr) => Some(expr),
            _ => self.shadow.load(self.exprs, memory, address, size, slot),
        };
        match expr {
            Some(bits) => {
                let result = loaded(self.exprs, instruction, bits);
                self.set_result(dst, result);
            }
            None => self.set(dst, None),
        }
        let blocks = self.blocks.as_ref();
        let target = blocks.and_then(|(_, p)| p.load(memory, address, size.into()));
        self.set_target(dst, target);
    }

    fn bulk_store(&mut self, _: u32, memory: u16, address: u64, length: u64) {
        self.wrote |= self.is_watched(memory, address, length);
    }

    fn store(&mut self, _: u32, access: Access) {
        self.wrote |= self.is_watched(access.memory, access.address, access.size.into());
        if self.now == Ready::Stored {
            return;
        }
        let Some(MemoryAccess { register: value, .. }) = self.access else { return };
        let Access { memory, address, size, .. } = access;
        let target = self.target(value);
        if let Some((_, pointers)) = &mut self.blocks {
            pointers.store(memory, address, size.into(), target);
        }
        let value = self.get(value);
        self.shadow.store(self.exprs, memory, address, size, value);
    }
}

/// What a load makes of the unsigned integer that it finds.
pub fn loaded(exprs: &mut Exprs, access: MemoryAccess, bits: Expr) -> Expr {
    let MemoryAccess { size, ty, is_signed, .. } = access;
    let number = match (is_signed, size) {
        (true, 1) => exprs.unary(I32Extend8S, bits),
        (true, 2) => exprs.unary(I32Extend16S, bits),
        _ => bits,
    };
    match ty {
        ValType::F32 => exprs.unary(F32ReinterpretI32, bits),
        ValType::F64 => exprs.unary(F64ReinterpretI64, bits),
        ValType::I64 if size < 8 => {
            exprs.unary(if is_signed { I64ExtendI32S } else { I64ExtendI32U }, number)
        }
        _ => number,
    }
}
