//! What may happen at an instruction that an input decides.

use mw_vm::NumericOp::{self, *};
use mw_vm::{Instruction, MemoryAccess, Op, Reg, TrapKind, ValType};

use crate::expr::{Expr, Exprs};
use crate::path::{Outcome, Path};

/// One of the things that may happen.
#[derive(Clone, Copy, Debug)]
pub struct Branch {
    /// When it does: not zero.
    pub condition: Expr,
    /// What it is.
    pub outcome: Outcome,
    /// Where the path goes on then.
    pub next_pc: u32,
}

/// What has to be found out before an instruction can be executed.
#[derive(Debug)]
pub enum Question {
    /// Which of these happens: exactly one does. Then the instruction is executed.
    Which(Vec<Branch>),
    /// Whether it traps or fails; there is more to be found out if it does not.
    Traps(Vec<Branch>),
    /// Whether it misuses memory that the program has allocated; there is more to be found out if
    /// it does not.
    Heap(Vec<Branch>),
    /// Which number is in a register. Then look again.
    Number(Reg, ValType),
    /// Which address is accessed: of this memory, so many bytes, from this expression on plus the
    /// offset.
    Address { memory: u16, size: u8, address: Expr, offset: u32 },
    /// Nothing: it can be executed.
    Nothing,
}

/// The question at the instruction that a path has stopped before. `stage` counts those that have
/// been answered about it.
pub fn question(path: &Path, exprs: &mut Exprs, stage: u8) -> Question {
    let module = path.now.machine.module().clone();
    let pc = path.now.machine.pc();
    let op = module.code()[pc as usize];
    let Some(instruction) = op.instruction() else { return Question::Nothing };
    let machine = &path.now.machine;
    // How large they are, and what happens outside of them.
    let memory =
        |at: u16| (machine.memories()[at as usize].byte_size(), TrapKind::MemoryOutOfBounds);
    let table = |at: u16| (machine.tables()[at as usize].size().into(), TrapKind::TableOutOfBounds);
    let bulk = match instruction {
        // It goes on at the same place either way.
        Instruction::BrIf { target, .. } | Instruction::BrUnless { target, .. }
            if target.to == pc + 1 =>
        {
            return Question::Nothing;
        }
        Instruction::BrIf { condition, target } => {
            return conditional(path, exprs, condition, (target.to, pc + 1));
        }
        Instruction::BrUnless { condition, target } => {
            return conditional(path, exprs, condition, (pc + 1, target.to));
        }
        Instruction::BrIfMoving { condition, branch } => {
            let target = module.branches()[branch as usize].target.to;
            return conditional(path, exprs, condition, (target, pc + 1));
        }
        Instruction::Select { condition, .. } => {
            return conditional(path, exprs, condition, (pc + 1, pc + 1));
        }
        Instruction::BrTable { index, first, count } => {
            let targets: Vec<u32> =
                (first..first + count).map(|b| module.branches()[b as usize].target.to).collect();
            let index = path.expr_of(exprs, index, ValType::I32);
            return Question::Which(switch(exprs, index, &targets));
        }
        Instruction::CallIndirect { table, index, ty, .. }
        | Instruction::ReturnCallIndirect { table, index, ty, .. } => {
            let index = path.expr_of(exprs, index, ValType::I32);
            return Question::Which(callees(path, exprs, (table, ty), index, pc));
        }
        Instruction::Numeric(numeric) => {
            let a = path.expr_of(exprs, numeric.lhs, numeric.op.operand());
            let b = numeric.rhs.map(|rhs| path.expr_of(exprs, rhs, numeric.op.operand()));
            return Question::Which(traps(exprs, numeric.op, a, b, pc));
        }
        Instruction::Access(access) => {
            let MemoryAccess { memory, offset, size, .. } = access;
            let address = path.expr_of(exprs, access.address, ValType::I32);
            if stage == 0 {
                let length = path.now.machine.memories()[memory as usize].byte_size();
                let last = length.checked_sub(u64::from(offset) + u64::from(size));
                let limits = [(address, last)];
                return Question::Traps(bounds(exprs, &limits, TrapKind::MemoryOutOfBounds, pc));
            }
            if stage == 1 && memory == 0 && path.has_blocks() {
                return Question::Heap(faults(path, exprs, &access, address));
            }
            return Question::Address { memory, size, address, offset };
        }
        Instruction::MemoryGrow { slot, memory } => {
            return grows(path, exprs, slot, path.now.machine.memory_room(memory), stage);
        }
        Instruction::TableGrow { base, table, .. } => {
            return grows(path, exprs, base + 1, path.now.machine.table_room(table), stage);
        }
        Instruction::MemoryFill { base, memory: to } => Bulk::fill(base, memory(to)),
        Instruction::MemoryCopy { base, to, from } => Bulk::copy(base, memory(to), memory(from).0),
        Instruction::MemoryInit { base, memory: to, segment } => {
            Bulk::copy(base, memory(to), path.now.machine.data_len(segment))
        }
        Instruction::TableGet { slot: at, table: of }
        | Instruction::TableSet { base: at, table: of } => {
            let (size, trap) = table(of);
            Bulk { numbers: vec![at], limits: vec![(at, None, size)], trap }
        }
        Instruction::TableFill { base, table: to } => Bulk::fill(base, table(to)),
        Instruction::TableCopy { base, to, from } => Bulk::copy(base, table(to), table(from).0),
        Instruction::TableInit { base, table: to, segment } => {
            Bulk::copy(base, table(to), path.now.machine.elem_len(segment))
        }
        // Whatever they are given, they do the same.
        Instruction::Unreachable {}
        | Instruction::Nop {}
        | Instruction::Copy { .. }
        | Instruction::Const { .. }
        | Instruction::GlobalGet { .. }
        | Instruction::GlobalSet { .. }
        | Instruction::Br { .. }
        | Instruction::BrMoving { .. }
        | Instruction::Return { .. }
        | Instruction::Call { .. }
        | Instruction::CallImport { .. }
        | Instruction::ReturnCall { .. }
        | Instruction::ReturnCallImport { .. }
        | Instruction::RefFunc { .. }
        | Instruction::MemorySize { .. }
        | Instruction::DataDrop { .. }
        | Instruction::TableSize { .. }
        | Instruction::ElemDrop { .. } => return Question::Nothing,
    };
    bulk.question(path, exprs, op, stage)
}

fn conditional(path: &Path, exprs: &mut Exprs, condition: Reg, to: (u32, u32)) -> Question {
    let condition = path.expr_of(exprs, condition, ValType::I32);
    let (yes, no) = (exprs.truth(condition), exprs.not(condition));
    Question::Which(vec![
        Branch { condition: yes, outcome: Outcome::Condition(true), next_pc: to.0 },
        Branch { condition: no, outcome: Outcome::Condition(false), next_pc: to.1 },
    ])
}

/// Whether something grows, and then by how much: what fails changes nothing.
fn grows(path: &Path, exprs: &mut Exprs, by: Reg, room: u32, stage: u8) -> Question {
    if stage > 0 {
        return Question::Number(by, ValType::I32);
    }
    let pc = path.now.machine.pc();
    let by = path.expr_of(exprs, by, ValType::I32);
    let fits = exprs.with_const(I32LeU, by, room.into());
    let not = exprs.not(fits);
    Question::Traps(vec![
        Branch { condition: fits, outcome: Outcome::Condition(true), next_pc: pc + 1 },
        Branch { condition: not, outcome: Outcome::Condition(false), next_pc: pc + 1 },
    ])
}

/// The different targets of a branch table, the last one for all further indices.
fn switch(exprs: &mut Exprs, index: Expr, targets: &[u32]) -> Vec<Branch> {
    let mut branches: Vec<Branch> = Vec::new();
    for (at, &target) in targets.iter().enumerate() {
        let is_last = at + 1 == targets.len();
        let op = if is_last { I32GeU } else { I32Eq };
        let condition = exprs.with_const(op, index, at as u64);
        add(exprs, &mut branches, condition, Outcome::Target(target), target);
    }
    branches
}

/// Adds a condition for something that may happen.
fn add(
    exprs: &mut Exprs,
    branches: &mut Vec<Branch>,
    condition: Expr,
    outcome: Outcome,
    next_pc: u32,
) {
    match branches.iter_mut().find(|branch| branch.outcome == outcome) {
        Some(branch) => branch.condition = exprs.or(branch.condition, condition),
        None => branches.push(Branch { condition, outcome, next_pc }),
    }
}

/// The functions that an indirect call may call, and the ways in which it may fail.
fn callees(
    path: &Path,
    exprs: &mut Exprs,
    (table, ty): (u16, u32),
    index: Expr,
    pc: u32,
) -> Vec<Branch> {
    let size = path.now.machine.tables()[table as usize].size();
    let mut branches = Vec::new();
    for at in 0..size {
        let (outcome, next_pc) = match path.now.machine.resolve_indirect(ty, table, at) {
            Ok(func) => (Outcome::Callee(func), path.now.machine.module().func_code(func).start),
            Err(kind) => (Outcome::Trap(Some(kind)), pc),
        };
        let condition = exprs.with_const(I32Eq, index, at.into());
        add(exprs, &mut branches, condition, outcome, next_pc);
    }
    let condition = exprs.with_const(I32GeU, index, size.into());
    let outside = Outcome::Trap(Some(TrapKind::UndefinedElement));
    add(exprs, &mut branches, condition, outside, pc);
    branches
}

/// The ways in which an operation may end.
fn traps(exprs: &mut Exprs, op: NumericOp, a: Expr, b: Option<Expr>, pc: u32) -> Vec<Branch> {
    let mut ways: Vec<(Expr, TrapKind)> = Vec::new();
    match b {
        Some(b) => {
            let zero = exprs.not(b);
            ways.push((zero, TrapKind::DivisionByZero));
            let (eq, least, minus_one) = match op.operand() {
                ValType::I64 => (I64Eq, 1 << 63, u64::MAX),
                _ => (I32Eq, 1 << 31, u64::from(u32::MAX)),
            };
            if matches!(op, I32DivS | I64DivS) {
                let (a, b) = (exprs.with_const(eq, a, least), exprs.with_const(eq, b, minus_one));
                ways.push((exprs.and(a, b), TrapKind::IntegerOverflow));
            }
        }
        None => {
            let (ne, le, ge) = match op.operand() {
                ValType::F32 => (F32Ne, F32Le, F32Ge),
                _ => (F64Ne, F64Le, F64Ge),
            };
            ways.push((exprs.binary(ne, a, a), TrapKind::InvalidConversion));
            // Not a number is neither below nor above.
            if let Some((low, high)) = range(op) {
                let (low, high) = (exprs.with_const(le, a, low), exprs.with_const(ge, a, high));
                ways.push((exprs.or(low, high), TrapKind::IntegerOverflow));
            }
        }
    }
    let mut fine = exprs.i32(1);
    let mut branches = Vec::new();
    for (condition, kind) in ways {
        let not = exprs.not(condition);
        fine = exprs.and(fine, not);
        branches.push(Branch { condition, outcome: Outcome::Trap(Some(kind)), next_pc: pc });
    }
    branches.push(Branch { condition: fine, outcome: Outcome::Trap(None), next_pc: pc + 1 });
    branches
}

/// The largest number that is too small for a conversion to an integer, and the smallest that is
/// too large, as slots.
fn range(op: NumericOp) -> Option<(u64, u64)> {
    let single = |low: f32, high: f32| (u64::from(low.to_bits()), u64::from(high.to_bits()));
    let double = |low: f64, high: f64| (low.to_bits(), high.to_bits());
    Some(match op {
        I32TruncF32S => single(-2147483904.0, 2147483648.0),
        I32TruncF32U => single(-1.0, 4294967296.0),
        I32TruncF64S => double(-2147483649.0, 2147483648.0),
        I32TruncF64U => double(-1.0, 4294967296.0),
        I64TruncF32S => single(-9223373136366403584.0, 9223372036854775808.0),
        I64TruncF32U => single(-1.0, 18446744073709551616.0),
        I64TruncF64S => double(-9223372036854777856.0, 9223372036854775808.0),
        I64TruncF64U => double(-1.0, 18446744073709551616.0),
        _ => return None,
    })
}

/// Whether some numbers are all within their limits (`None`: nothing is).
fn bounds(
    exprs: &mut Exprs,
    limits: &[(Expr, Option<u64>)],
    kind: TrapKind,
    pc: u32,
) -> Vec<Branch> {
    let mut fine = exprs.i32(1);
    for &(expr, last) in limits {
        let wide = exprs.ty(expr) == ValType::I64;
        let within = match last {
            None => exprs.i32(0),
            Some(last) if wide => exprs.with_const(I64LeU, expr, last),
            Some(last) if last >= u64::from(u32::MAX) => exprs.i32(1),
            Some(last) => exprs.with_const(I32LeU, expr, last),
        };
        fine = exprs.and(fine, within);
    }
    let not = exprs.not(fine);
    vec![
        Branch { condition: fine, outcome: Outcome::Trap(None), next_pc: pc + 1 },
        Branch { condition: not, outcome: Outcome::Trap(Some(kind)), next_pc: pc },
    ]
}

/// Registers of where something starts and how long it is, and what the end must not exceed.
type Limited = (Reg, Option<Reg>, u64);

/// What is asked about an instruction on a whole memory or table: first whether it stays within,
/// then on what.
struct Bulk {
    /// The registers of the numbers that it needs.
    numbers: Vec<Reg>,
    limits: Vec<Limited>,
    /// What happens outside of them.
    trap: TrapKind,
}

impl Bulk {
    /// Where it starts, something, and how long it is.
    fn fill(base: Reg, (size, trap): (u64, TrapKind)) -> Bulk {
        let limits = vec![(base, Some(base + 2), size)];
        Bulk { numbers: vec![base, base + 2], limits, trap }
    }

    /// Where it starts in what is written and in what is read, and how long it is.
    fn copy(base: Reg, (to, trap): (u64, TrapKind), from: u64) -> Bulk {
        let limits = vec![(base, Some(base + 2), to), (base + 1, Some(base + 2), from)];
        Bulk { numbers: vec![base, base + 1, base + 2], limits, trap }
    }

    fn question(self, path: &Path, exprs: &mut Exprs, op: Op, stage: u8) -> Question {
        let pc = path.now.machine.pc();
        if stage == 0 {
            let mut limits = Vec::new();
            for (start, length, size) in self.limits {
                let start = path.expr_of(exprs, start, ValType::I32);
                let start = exprs.unary(I64ExtendI32U, start);
                match length {
                    Some(length) => {
                        let length = path.expr_of(exprs, length, ValType::I32);
                        let length = exprs.unary(I64ExtendI32U, length);
                        limits.push((exprs.binary(I64Add, start, length), Some(size)));
                    }
                    None => limits.push((start, size.checked_sub(1))),
                }
            }
            return Question::Traps(bounds(exprs, &limits, self.trap, pc));
        }
        match self.numbers.iter().find(|&&reg| path.shadow_of(reg).is_some()) {
            Some(&reg) => Question::Number(reg, ValType::I32),
            None if stage == 1 && path.has_blocks() => {
                let condition = exprs.i32(1);
                let number = |reg: Reg| path.number_of(reg);
                let target = |reg: Reg| path.pointers.stack.get(path.slot_of(reg));
                let heap = path.now.world.state().heap();
                let error = op.ranges().into_iter().find_map(|(memory, start, length)| {
                    let (at, length) = (number(start), number(length));
                    let checked = path.pointers.check(heap, target(start), at, length);
                    checked.err().filter(|_| memory == 0)
                });
                Question::Heap(vec![Branch {
                    condition,
                    outcome: Outcome::Heap(error),
                    next_pc: pc,
                }])
            }
            None => Question::Nothing,
        }
    }
}

/// Whether a load or store misuses a block, in whatever way, or none.
fn faults(path: &Path, exprs: &mut Exprs, access: &MemoryAccess, address: Expr) -> Vec<Branch> {
    let pc = path.now.machine.pc();
    let (heap, offset) = (path.now.world.state().heap(), u64::from(access.offset));
    let target = path.pointers.stack.get(path.slot_of(access.address));
    let mut fine = exprs.i32(1);
    let mut branches = Vec::new();
    for fault in path.pointers.faults(heap, target, access.size.into()) {
        // In terms of the operand, which is 32 bits wide.
        let (from, to) = (fault.from.saturating_sub(offset), fault.to.checked_sub(offset));
        let (Ok(from), Some(to)) = (u32::try_from(from), to) else { continue };
        let to = to.min(u32::MAX.into());
        let above = exprs.with_const(I32GeU, address, from.into());
        let below = exprs.with_const(I32LeU, address, to);
        let within = exprs.and(above, below);
        let not = exprs.not(within);
        fine = exprs.and(fine, not);
        add(exprs, &mut branches, within, Outcome::Heap(Some(fault.error)), pc);
    }
    branches.push(Branch { condition: fine, outcome: Outcome::Heap(None), next_pc: pc + 1 });
    branches
}
