//! One function: from operators on a stack to ops on slots.
//!
//! The validator knows the height of the operand stack before every operator, which is all it
//! takes to name slots. Labels are resolved as they close; code that cannot be reached is
//! validated but gets no ops.

use alloc::vec::Vec;

use wasmparser::{
    BlockType, FuncValidator, FuncValidatorAllocations, FunctionBody, MemArg, MemArgTarget,
    Operator, ValidatorResources,
};

use super::{LoadError, Lowerer, val_type};
use crate::module::Code;
use crate::op::{MovingBranch, Op, Reg, Target, with_ops};
use crate::value::ValType;

pub(super) struct FunctionLowerer<'l, 'a> {
    lowerer: &'l mut Lowerer<'a>,
    validator: FuncValidator<ValidatorResources>,
    index: u32,
    start: usize,
    /// Slots of parameters and locals.
    locals: u32,
    /// The operand stack's height before the current operator, and the most it has been.
    height: u32,
    max_height: u32,
    labels: Vec<Label>,
}

/// An open block.
struct Label {
    /// The height of the operand stack below the block's parameters.
    height: u32,
    /// How many values a branch to this label carries.
    arity: u32,
    /// Where a branch to it goes, if that is known: the start of a loop.
    start: Option<u32>,
    /// Branches that wait to learn where the block ends.
    pending: Vec<Pending>,
    /// The `if` that waits to learn where its `else` is.
    pending_else: Option<Pending>,
}

/// A branch whose target is not known yet.
#[derive(Clone, Copy)]
struct Pending {
    /// The position of the branch.
    pc: u32,
    /// Which of the module's moving branches it is, if it is one.
    moving: Option<u32>,
}

const UNKNOWN: Target = Target { to: u32::MAX, delta: 0 };

impl<'l, 'a> FunctionLowerer<'l, 'a> {
    pub(super) fn new(
        lowerer: &'l mut Lowerer<'a>,
        validator: FuncValidator<ValidatorResources>,
        index: u32,
    ) -> Result<Self, LoadError> {
        let start = lowerer.parts.code.len();
        Ok(FunctionLowerer {
            lowerer,
            validator,
            index,
            start,
            locals: 0,
            height: 0,
            max_height: 0,
            labels: Vec::new(),
        })
    }

    pub(super) fn lower(
        mut self,
        body: &FunctionBody<'_>,
    ) -> Result<FuncValidatorAllocations, LoadError> {
        let mut reader = body.get_binary_reader();
        self.validator.read_locals(&mut reader)?;
        self.locals = self.validator.len_locals();
        let ty =
            &self.lowerer.parts.types[self.lowerer.parts.funcs[self.index as usize].ty as usize];
        let (params, results) = (ty.params.len() as u32, ty.results.len() as u32);
        let locals = body.get_locals_reader()?.into_iter();
        let locals = locals.map(|local| local.map(|(count, ty)| (count, val_type(&ty))));
        self.lowerer.parts.funcs[self.index as usize].locals = locals.collect::<Result<_, _>>()?;
        self.open(0, results, None);

        let mut ops = wasmparser::OperatorsReader::new(reader);
        while !ops.eof() {
            let offset = ops.original_position();
            let op = ops.read()?;
            let reachable = self.validator.get_control_frame(0).is_some_and(|f| !f.unreachable);
            self.height = self.validator.operand_stack_height();
            self.validator.op(offset, &op)?;
            self.max_height = self.max_height.max(self.validator.operand_stack_height());
            self.operator(&op, reachable, offset as u32)?;
        }
        ops.finish()?;

        let frame = self.locals + self.max_height;
        LoadError::check_limit("slots of one frame", frame.into(), Reg::MAX.into())?;
        let len = (self.lowerer.parts.code.len() - self.start) as u32;
        self.lowerer.parts.codes[self.index as usize] = Code {
            start: self.start as u32,
            len,
            params: params as u16,
            locals: self.locals as u16,
            frame: frame as u16,
        };
        Ok(self.validator.into_allocations())
    }

    fn pc(&self) -> u32 {
        self.lowerer.parts.code.len() as u32
    }

    /// The position after the op that comes next, counted from the function's first.
    fn next(&self) -> u32 {
        self.pc() + 1 - self.start as u32
    }

    /// The slot of the operand `depth` below the top; the top itself is 1, and 0 the next free.
    fn operand(&self, depth: u32) -> Reg {
        self.slot(self.height - depth)
    }

    /// The slot of the operand at `height`. Frames that are too large are refused at the end.
    fn slot(&self, height: u32) -> Reg {
        (self.locals + height) as Reg
    }

    fn emit(&mut self, op: Op, offset: u32) -> Result<(), LoadError> {
        let live = (self.locals + self.height) as u16;
        let parts = &mut self.lowerer.parts;
        parts.code.push(op);
        parts.live.push(live);
        parts.offsets.push(offset);
        let len = (parts.code.len() - self.start) as u64;
        LoadError::check_limit(
            "instructions of one function",
            len,
            self.lowerer.limits.function_instructions.into(),
        )
    }

    fn open(&mut self, height: u32, arity: u32, start: Option<u32>) {
        let (pending, pending_else) = (Vec::new(), None);
        self.labels.push(Label { height, arity, start, pending, pending_else });
    }

    /// Opens the label of a block, whose parameters are on top of a stack of `height`.
    fn open_block(&mut self, ty: BlockType, height: u32, is_loop: bool) {
        let (params, results) = match ty {
            BlockType::Empty => (0, 0),
            BlockType::Type(_) => (0, 1),
            BlockType::FuncType(index) => {
                let ty = &self.lowerer.parts.types[self.lowerer.types[index as usize] as usize];
                (ty.params.len() as u32, ty.results.len() as u32)
            }
        };
        // In unreachable code the stack may be lower than the block's parameters.
        let height = height.saturating_sub(params);
        match is_loop {
            true => self.open(height, params, Some(self.pc())),
            false => self.open(height, results, None),
        }
    }

    fn target_from(&self, branch: u32, to: u32) -> Target {
        Target { to, delta: branch as i32 + 1 - to as i32 }
    }

    fn resolve(&mut self, pending: Pending) {
        let target = self.target_from(pending.pc, self.pc());
        let parts = &mut self.lowerer.parts;
        match pending.moving {
            Some(index) => parts.branches[index as usize].target = target,
            None => match &mut parts.code[pending.pc as usize] {
                Op::Br { target: t }
                | Op::BrIf { target: t, .. }
                | Op::BrUnless { target: t, .. } => {
                    *t = target;
                }
                op => unreachable!("{op:?} is not a branch"),
            },
        }
    }

    /// The branch from the next op to a label, with `height` operands on the stack when it is
    /// taken: where it goes, and how values move.
    fn branch(&mut self, depth: u32, height: u32) -> MovingBranch {
        let label = &self.labels[self.labels.len() - 1 - depth as usize];
        let target = label.start.map_or(UNKNOWN, |start| self.target_from(self.pc(), start));
        let (from, to) = (self.slot(height - label.arity), self.slot(label.height));
        let count = if from == to { 0 } else { label.arity as u16 };
        MovingBranch { target, from, to, count }
    }

    /// Notes that the branch that the next op makes waits for its label's end, if it does.
    fn await_label(&mut self, depth: u32, moving: Option<u32>) {
        let pc = self.pc();
        let label = self.labels.len() - 1 - depth as usize;
        let label = &mut self.labels[label];
        if label.start.is_none() {
            label.pending.push(Pending { pc, moving });
        }
    }

    fn add_moving(&mut self, branch: MovingBranch) -> u32 {
        self.lowerer.parts.branches.push(branch);
        self.lowerer.parts.branches.len() as u32 - 1
    }

    fn operator(
        &mut self,
        op: &Operator<'_>,
        reachable: bool,
        offset: u32,
    ) -> Result<(), LoadError> {
        // Blocks open and close in unreachable code too.
        match *op {
            Operator::Block { blockty } => {
                self.open_block(blockty, self.height, false);
                return Ok(());
            }
            Operator::Loop { blockty } => {
                self.open_block(blockty, self.height, true);
                return Ok(());
            }
            Operator::If { blockty } => {
                let pc = self.pc();
                self.open_block(blockty, self.height.saturating_sub(1), false);
                if reachable {
                    let condition = self.operand(1);
                    self.emit(Op::BrUnless { condition, target: UNKNOWN }, offset)?;
                    let label = self.labels.last_mut().expect("just opened");
                    label.pending_else = Some(Pending { pc, moving: None });
                }
                return Ok(());
            }
            Operator::Else => {
                if reachable {
                    self.await_label(0, None);
                    self.emit(Op::Br { target: UNKNOWN }, offset)?;
                }
                let label = self.labels.last_mut().expect("validated");
                if let Some(pending) = label.pending_else.take() {
                    self.resolve(pending);
                }
                return Ok(());
            }
            Operator::End => {
                let label = self.labels.pop().expect("validated");
                label.pending_else.into_iter().chain(label.pending).for_each(|p| self.resolve(p));
                if self.labels.is_empty() {
                    // Branches to the end have moved their values here, wherever the stack is.
                    self.height = label.arity;
                    let (first, next) = (self.slot(0), self.next());
                    self.emit(Op::Return { first, count: label.arity as u16, next }, offset)?;
                }
                return Ok(());
            }
            _ if !reachable => return Ok(()),
            _ => {}
        }
        let op = self.plain_operator(op)?;
        self.emit(op, offset)
    }

    /// An operator that makes exactly one op.
    fn plain_operator(&mut self, op: &Operator<'_>) -> Result<Op, LoadError> {
        let dst = self.operand(0);
        let next = self.next();
        Ok(match *op {
            Operator::Unreachable => Op::Unreachable {},
            Operator::Nop | Operator::Drop => Op::Nop {},
            Operator::Select | Operator::TypedSelect { .. } => Op::Select {
                dst: self.operand(3),
                condition: self.operand(1),
                then: self.operand(3),
                otherwise: self.operand(2),
                ty: match self.validator.get_operand_type(0) {
                    Some(Some(ty)) => val_type(&ty),
                    // Of anything in code that is not reached, so that it does not matter.
                    _ => ValType::I32,
                },
            },
            Operator::LocalGet { local_index } => Op::Copy { dst, src: local_index as Reg },
            Operator::LocalSet { local_index } | Operator::LocalTee { local_index } => {
                Op::Copy { dst: local_index as Reg, src: self.operand(1) }
            }
            Operator::GlobalGet { global_index } => Op::GlobalGet { dst, global: global_index },
            Operator::GlobalSet { global_index } => {
                Op::GlobalSet { src: self.operand(1), global: global_index }
            }
            Operator::I32Const { value } => Op::Const { dst, value: u64::from(value as u32) },
            Operator::I64Const { value } => Op::Const { dst, value: value as u64 },
            Operator::F32Const { value } => Op::Const { dst, value: value.bits().into() },
            Operator::F64Const { value } => Op::Const { dst, value: value.bits() },
            Operator::RefNull { .. } => Op::Const { dst, value: 0 },
            Operator::RefFunc { function_index } => Op::RefFunc { dst, func: function_index },
            Operator::Br { relative_depth } => {
                let branch = self.branch(relative_depth, self.height);
                match branch.count {
                    0 => {
                        self.await_label(relative_depth, None);
                        Op::Br { target: branch.target }
                    }
                    _ => {
                        let branch = self.add_moving(branch);
                        self.await_label(relative_depth, Some(branch));
                        Op::BrMoving { branch }
                    }
                }
            }
            Operator::BrIf { relative_depth } => {
                let condition = self.operand(1);
                let branch = self.branch(relative_depth, self.height - 1);
                match branch.count {
                    0 => {
                        self.await_label(relative_depth, None);
                        Op::BrIf { condition, target: branch.target }
                    }
                    _ => {
                        let branch = self.add_moving(branch);
                        self.await_label(relative_depth, Some(branch));
                        Op::BrIfMoving { condition, branch }
                    }
                }
            }
            Operator::BrTable { ref targets } => {
                let first = self.lowerer.parts.branches.len() as u32;
                let default = core::iter::once(Ok(targets.default()));
                for depth in targets.targets().chain(default) {
                    let depth = depth?;
                    let branch = self.branch(depth, self.height - 1);
                    let branch = self.add_moving(branch);
                    self.await_label(depth, Some(branch));
                }
                Op::BrTable { index: self.operand(1), first, count: targets.len() + 1 }
            }
            Operator::Return => {
                let count = self.labels[0].arity;
                Op::Return { first: self.operand(count), count: count as u16, next }
            }
            Operator::Call { function_index: func } => {
                let base = self.operand(self.params_of(func));
                match self.lowerer.parts.funcs[func as usize].import {
                    Some(_) => Op::CallImport { func, base },
                    None => Op::Call { func, base, next },
                }
            }
            Operator::ReturnCall { function_index: func } => {
                let params = self.params_of(func);
                self.reserve_results(self.lowerer.parts.funcs[func as usize].ty, params);
                let base = self.operand(params);
                match self.lowerer.parts.funcs[func as usize].import {
                    Some(_) => Op::ReturnCallImport { func, base },
                    None => Op::ReturnCall { func, base, next },
                }
            }
            Operator::CallIndirect { type_index, table_index } => {
                let ty = self.lowerer.types[type_index as usize];
                let (index, base) = self.indirect_operands(ty);
                Op::CallIndirect { ty, table: table_index as u16, index, base, next }
            }
            Operator::ReturnCallIndirect { type_index, table_index } => {
                let ty = self.lowerer.types[type_index as usize];
                let (index, base) = self.indirect_operands(ty);
                let params = self.lowerer.parts.types[ty as usize].params.len() as u32;
                self.reserve_results(ty, params + 1);
                Op::ReturnCallIndirect { ty, table: table_index as u16, index, base, next }
            }
            Operator::MemorySize { mem } => Op::MemorySize { dst, memory: mem as u16 },
            Operator::MemoryGrow { mem } => {
                Op::MemoryGrow { slot: self.operand(1), memory: mem as u16 }
            }
            Operator::MemoryFill { mem } => {
                Op::MemoryFill { base: self.operand(3), memory: mem as u16 }
            }
            Operator::MemoryCopy { dst_mem, src_mem } => {
                Op::MemoryCopy { base: self.operand(3), to: dst_mem as u16, from: src_mem as u16 }
            }
            Operator::MemoryInit { data_index, mem } => {
                Op::MemoryInit { base: self.operand(3), memory: mem as u16, segment: data_index }
            }
            Operator::DataDrop { data_index } => Op::DataDrop { segment: data_index },
            Operator::TableGet { table } => {
                Op::TableGet { slot: self.operand(1), table: table as u16 }
            }
            Operator::TableSet { table } => {
                Op::TableSet { base: self.operand(2), table: table as u16 }
            }
            Operator::TableSize { table } => Op::TableSize { dst, table: table as u16 },
            Operator::TableGrow { table } => {
                Op::TableGrow { base: self.operand(2), table: table as u16 }
            }
            Operator::TableFill { table } => {
                Op::TableFill { base: self.operand(3), table: table as u16 }
            }
            Operator::TableCopy { dst_table, src_table } => Op::TableCopy {
                base: self.operand(3),
                to: dst_table as u16,
                from: src_table as u16,
            },
            Operator::TableInit { elem_index, table } => {
                Op::TableInit { base: self.operand(3), table: table as u16, segment: elem_index }
            }
            Operator::ElemDrop { elem_index } => Op::ElemDrop { segment: elem_index },
            ref op => self.family_operator(op),
        })
    }

    /// Leaves room for the results of a tail call whose first argument is `depth` below the top.
    /// Code after it cannot be reached, but an imported function's results arrive there.
    fn reserve_results(&mut self, ty: u32, depth: u32) {
        let results = self.lowerer.parts.types[ty as usize].results.len() as u32;
        self.max_height = self.max_height.max(self.height - depth + results);
    }

    fn params_of(&self, func: u32) -> u32 {
        let parts = &self.lowerer.parts;
        parts.types[parts.funcs[func as usize].ty as usize].params.len() as u32
    }

    /// The slots of the index and of the first argument of an indirect call.
    fn indirect_operands(&self, ty: u32) -> (Reg, Reg) {
        let params = self.lowerer.parts.types[ty as usize].params.len() as u32;
        (self.operand(1), self.operand(params + 1))
    }

    fn family_operator(&self, op: &Operator<'_>) -> Op {
        macro_rules! lower {
            (
                unary { $($unary:ident $_u:ident;)* }
                unary_trapping { $($unary_trapping:ident $_ut:ident;)* }
                binary { $($binary:ident $_bi:ident $_b:ident;)* }
                compare { $($compare:ident $_ci:ident $_cb:ident $_cbi:ident $_c:ident;)* }
                binary_trapping { $($binary_trapping:ident $_bti:ident $_bt:ident;)* }
                binary_float { $($binary_float:ident $_bf:ident;)* }
                load { $($load:ident $_lm:ident $_ls:ident;)* }
                store { $($store:ident $_sm:ident;)* }
                other { $($_o:tt)* } fast { $($_f:tt)* }
            ) => {
                match *op {
                    $(Operator::$unary => Op::$unary { dst: self.operand(1), src: self.operand(1) },)*
                    $(Operator::$unary_trapping => {
                        Op::$unary_trapping { dst: self.operand(1), src: self.operand(1) }
                    })*
                    $(Operator::$binary => self.binary(|dst, lhs, rhs| Op::$binary { dst, lhs, rhs }),)*
                    $(Operator::$compare => self.binary(|dst, lhs, rhs| Op::$compare { dst, lhs, rhs }),)*
                    $(Operator::$binary_trapping => {
                        self.binary(|dst, lhs, rhs| Op::$binary_trapping { dst, lhs, rhs })
                    })*
                    $(Operator::$binary_float => {
                        self.binary(|dst, lhs, rhs| Op::$binary_float { dst, lhs, rhs })
                    })*
                    $(Operator::$load { memarg } => {
                        let (memory, offset) = memory_and_offset(&memarg);
                        Op::$load { dst: self.operand(1), address: self.operand(1), memory, offset }
                    })*
                    $(Operator::$store { memarg } => {
                        let (memory, offset) = memory_and_offset(&memarg);
                        Op::$store { address: self.operand(2), value: self.operand(1), memory, offset }
                    })*
                    ref op => unreachable!("{op:?} is not among the features that were validated"),
                }
            };
        }
        with_ops!(lower)
    }

    fn binary(&self, op: impl Fn(Reg, Reg, Reg) -> Op) -> Op {
        op(self.operand(2), self.operand(2), self.operand(1))
    }
}

fn memory_and_offset(memarg: &MemArg) -> (u16, u32) {
    let MemArgTarget::Memory(memory) = memarg.target else {
        unreachable!("arrays are refused by validation")
    };
    (memory as u16, memarg.offset as u32)
}
