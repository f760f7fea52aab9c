//! One handler per op, most of them generated from the table of ops.

use core::marker::PhantomData;

use super::{Context, Flow, Handler, Interpreter};
use crate::fuse::NO_ENTRY;
use crate::instruction::MemoryAccess;
use crate::memory::{Memory, Number};
use crate::numeric::{self, Immediate, Slot};
use crate::op::{Op, Reg, with_fields, with_ops};
use crate::probe::{Access, Probe};
use crate::trap::TrapKind;

/// The handlers, by the number of their op.
pub(super) struct Handlers<P, const FAST: bool>(PhantomData<P>);

macro_rules! define_table {
    ($($(#[$_doc:meta])* $op:ident { $($_fields:tt)* };)*) => {
        impl<P: Probe, const FAST: bool> Handlers<P, FAST> {
            pub const TABLE: &'static [Handler] = &[$($op::<P, FAST>,)*];
        }
    };
}
with_fields!(define_table);

/// Defines handlers: an op with its fields, the state, and what happens.
macro_rules! handlers {
    ($($name:ident { $($field:ident),* } |$state:ident| $body:expr;)*) => {
        $(continuation! {
            #[allow(non_snake_case, reason = "named like its op")]
            fn $name<>(ip, $state) {
                // SAFETY: code.
                let Op::$name { $($field),* } = (unsafe { *ip }) else {
                    debug_assert!(false, "a handler of another op");
                    // SAFETY: the table has this handler for this op alone.
                    unsafe { core::hint::unreachable_unchecked() }
                };
                $body
            }
        })*
    };
}

macro_rules! define_families {
    (
        unary { $($unary:ident $unary_fn:ident;)* }
        unary_trapping { $($unary_trapping:ident $unary_trapping_fn:ident;)* }
        binary { $($binary:ident $binary_imm:ident $binary_fn:ident;)* }
        compare {
            $($compare:ident $compare_imm:ident $br_if:ident $br_if_imm:ident $compare_fn:ident;)*
        }
        binary_trapping {
            $($binary_trapping:ident $binary_trapping_imm:ident $binary_trapping_fn:ident;)*
        }
        binary_float { $($binary_float:ident $binary_float_fn:ident;)* }
        load { $($load:ident $load_ty:ident $load_slot:ident;)* }
        store { $($store:ident $store_ty:ident;)* }
        other { $($_o:tt)* }
        fast { $($_f:tt)* }
    ) => { handlers! {
        $($unary { dst, src } |state| {
            let result = numeric::$unary_fn(state.operand(src));
            state.result(dst, result)
        };)*
        $($unary_trapping { dst, src } |state| {
            let result = numeric::$unary_trapping_fn(state.operand(src));
            state.result_or_trap(dst, result)
        };)*
        $($binary { dst, lhs, rhs } |state| {
            let result = numeric::$binary_fn(state.operand(lhs), state.operand(rhs));
            state.result(dst, result)
        };
        $binary_imm { dst, lhs, imm } |state| {
            let result = numeric::$binary_fn(state.operand(lhs), Immediate::from_immediate(imm));
            state.result(dst, result)
        };)*
        $($compare { dst, lhs, rhs } |state| {
            let result = numeric::$compare_fn(state.operand(lhs), state.operand(rhs));
            state.result(dst, result)
        };
        $compare_imm { dst, lhs, imm } |state| {
            let result = numeric::$compare_fn(state.operand(lhs), Immediate::from_immediate(imm));
            state.result(dst, result)
        };
        $br_if { lhs, rhs, target } |state| {
            let taken = numeric::$compare_fn(state.operand(lhs), state.operand(rhs));
            state.branch_if(taken, target)
        };
        $br_if_imm { lhs, imm, target } |state| {
            let taken = numeric::$compare_fn(state.operand(lhs), Immediate::from_immediate(imm));
            state.branch_if(taken, target)
        };)*
        $($binary_trapping { dst, lhs, rhs } |state| {
            let result = numeric::$binary_trapping_fn(state.operand(lhs), state.operand(rhs));
            state.result_or_trap(dst, result)
        };
        $binary_trapping_imm { dst, lhs, imm } |state| {
            let rhs = Immediate::from_immediate(imm);
            let result = numeric::$binary_trapping_fn(state.operand(lhs), rhs);
            state.result_or_trap(dst, result)
        };)*
        $($binary_float { dst, lhs, rhs } |state| {
            let result = numeric::$binary_float_fn(state.operand(lhs), state.operand(rhs));
            state.result(dst, result)
        };)*
        $($load { dst, address, memory, offset } |state| {
            let address = state.address(address, offset);
            match state.memory(memory).load::<$load_ty>(address) {
                Some(value) => {
                    let size = size_of::<$load_ty>();
                    state.loaded(dst, memory, address, size, $load_slot::from(value).to_slot());
                    state.next()
                }
                None => state.continue_with(load_slow::<$load_ty, $load_slot, P, FAST>),
            }
        };)*
        $($store { address, value, memory, offset } |state| {
            let address = state.address(address, offset);
            let value = state.get(value) as $store_ty;
            if P::ACTIVE {
                let (pc, size, slot) = (state.pc(), size_of::<$store_ty>() as u8, u64::from(value));
                state.probe().store(pc, Access { memory, address, size, slot });
            }
            match state.memory(memory).store::<$store_ty>(address, value) {
                true => state.next(),
                false => state.continue_with(store_slow::<$store_ty, P, FAST>),
            }
        };)*
    }};
}
with_ops!(define_families);

handlers! {
    Unreachable {} |state| state.trap(TrapKind::Unreachable);
    Nop {} |state| state.next();
    Copy { dst, src } |state| {
        state.set(dst, state.get(src));
        state.next()
    };
    Const { dst, value } |state| {
        state.set(dst, value);
        state.next()
    };
    Select { dst, condition, then, otherwise, ty } |state| {
        let _ = ty;
        let src = if bool::from_slot(state.get(condition)) { then } else { otherwise };
        state.set(dst, state.get(src));
        state.next()
    };
    GlobalGet { dst, global } |state| {
        // SAFETY: indices.
        let slot = unsafe { *state.context().globals.add(global as usize) };
        if P::ACTIVE {
            let pc = state.pc();
            state.probe().global_get(pc, global, slot);
        }
        state.set(dst, slot);
        state.next()
    };
    GlobalSet { src, global } |state| {
        let slot = state.get(src);
        if P::ACTIVE {
            let pc = state.pc();
            state.probe().global_set(pc, global, slot);
        }
        // SAFETY: indices.
        unsafe { *state.context().globals.add(global as usize) = slot };
        state.next()
    };
    Br { target } |state| state.branch(target);
    BrIf { condition, target } |state| {
        let taken = bool::from_slot(state.get(condition));
        state.branch_if(taken, target)
    };
    BrUnless { condition, target } |state| {
        let taken = !bool::from_slot(state.get(condition));
        state.branch_if(taken, target)
    };
    BrMoving { branch } |state| state.moving_branch(branch);
    BrIfMoving { condition, branch } |state| {
        if bool::from_slot(state.get(condition)) {
            return state.moving_branch(branch);
        }
        if P::ACTIVE {
            let pc = state.pc();
            state.probe().branch(pc, pc + 1);
        }
        state.next()
    };
    BrTable { index, first, count } |state| {
        let index = (state.get(index) as u32).min(count - 1);
        state.moving_branch(first + index)
    };
    Return { first, count, next } |state| {
        for i in 0..count {
            state.set(i, state.get(first + i));
        }
        if P::ACTIVE {
            let (func, frame) = (state.context().func, state.frame() as *const [u64]);
            // SAFETY: stack: the probe is no part of it.
            state.probe().ret(func, unsafe { &(&*frame)[..count as usize] });
        }
        // SAFETY: context.
        let machine = unsafe { &mut *state.context().machine };
        let Some(caller) = machine.core.frames.pop() else {
            state.left -= i64::from(next);
            return state.leave(Flow::Finished);
        };
        let start = state.code_of(caller.func).start;
        state.switch_to(caller.func, start);
        let stack = state.context().stack;
        // SAFETY: stack: the caller's frame is still there.
        state.fp = unsafe { stack.add(caller.fp as usize) };
        let to = state.code_at(caller.pc);
        let delta = i64::from(next) - i64::from(caller.pc - start);
        if FAST && to == NO_ENTRY {
            state.left -= delta;
            state.context().landing = caller.pc;
            return state.leave(Flow::Landed);
        }
        state.go(to, delta)
    };
    Call { base, func, next } |state| state.call(func, base, next);
    CallIndirect { table, index, base, ty, next } |state| {
        match state.resolve(table, index, ty) {
            Ok((func, false)) => state.call(func, base, next),
            Ok((func, true)) => state.import(func),
            Err(kind) => state.trap(kind),
        }
    };
    ReturnCall { base, func, next } |state| state.tail_call(func, base, next);
    ReturnCallIndirect { table, index, base, ty, next } |state| {
        match state.resolve(table, index, ty) {
            Ok((func, false)) => state.tail_call(func, base, next),
            Ok((func, true)) => state.import(func),
            Err(kind) => state.trap(kind),
        }
    };
    Leave {} |state| state.leave(Flow::Pause);
}

/// Handlers of ops that only differ in their name here.
macro_rules! alike {
    ($($name:ident)* => |$state:ident| $body:expr) => {
        $(continuation! {
            #[allow(non_snake_case, reason = "named like its op")]
            fn $name<>(_ip, $state) { $body }
        })*
    };
}

alike! { CallImport ReturnCallImport => |state| {
    // SAFETY: code.
    match unsafe { *state.ip } {
        Op::CallImport { func, .. } | Op::ReturnCallImport { func, .. } => state.import(func),
        _ => state.leave(Flow::Bail),
    }
}}

alike! {
    RefFunc MemorySize MemoryGrow MemoryFill MemoryCopy MemoryInit DataDrop TableGet TableSet
    TableSize TableGrow TableFill TableCopy TableInit ElemDrop => |state| state.continue_with(bulk::<P, FAST>)
}

impl<P: Probe, const FAST: bool> Interpreter<P, FAST> {
    /// The function that an indirect call means, and whether it is imported.
    #[inline(always)]
    pub(super) fn resolve(
        &mut self,
        table: u16,
        index: Reg,
        ty: u32,
    ) -> Result<(u32, bool), TrapKind> {
        let index = self.get(index) as u32;
        // SAFETY: context.
        let machine = unsafe { &*self.context().machine };
        let func = machine.resolve_indirect(ty, table, index)?;
        // Only imports have no code.
        Ok((func, self.code_of(func).len == 0))
    }

    #[inline(always)]
    fn operand<T: Slot>(&self, reg: Reg) -> T {
        T::from_slot(self.get(reg))
    }

    /// Writes a result and goes on.
    #[inline(always)]
    fn result<T: Slot>(mut self, dst: Reg, result: T) -> Flow {
        self.set(dst, result.to_slot());
        self.next()
    }

    #[inline(always)]
    fn result_or_trap<T: Slot>(self, dst: Reg, result: Result<T, TrapKind>) -> Flow {
        match result {
            Ok(result) => self.result(dst, result),
            Err(kind) => self.trap(kind),
        }
    }

    #[inline(always)]
    fn address(&self, base: Reg, offset: u32) -> u64 {
        u64::from(self.get(base) as u32) + u64::from(offset)
    }

    /// Writes what was loaded.
    #[inline(always)]
    fn loaded(&mut self, dst: Reg, memory: u16, address: u64, size: usize, slot: u64) {
        if P::ACTIVE {
            let pc = self.pc();
            self.probe().load(pc, Access { memory, address, size: size as u8, slot });
        }
        self.set(dst, slot);
    }
}

continuation! {
    /// A load that the tables of the memory do not lead to yet.
    #[cold]
    fn load_slow<T: Number, S: Slot + From<T>>(ip, state) {
        // SAFETY: code.
        let Some(MemoryAccess { register: dst, address, memory, offset, .. }) = unsafe { *ip }.access()
        else {
            return state.trap(TrapKind::MemoryOutOfBounds);
        };
        let address = state.address(address, offset);
        match state.memory(memory).load_slow::<T>(address) {
            Some(value) => {
                state.loaded(dst, memory, address, size_of::<T>(), S::from(value).to_slot());
                state.next_in_loop()
            }
            None => state.trap(TrapKind::MemoryOutOfBounds),
        }
    }
}

continuation! {
    /// A store that the tables of the memory do not lead to yet.
    #[cold]
    fn store_slow<T: Number + Slot>(ip, state) {
        // SAFETY: code.
        let Some(MemoryAccess { register: value, address, memory, offset, .. }) = unsafe { *ip }.access()
        else {
            return state.trap(TrapKind::MemoryOutOfBounds);
        };
        let (address, value) = (state.address(address, offset), state.operand::<T>(value));
        match state.memory(memory).store_slow(address, value) {
            Ok(()) => state.next_in_loop(),
            Err(error) => state.trap(error.trap()),
        }
    }
}

continuation! {
    /// An instruction on a whole memory or table.
    fn bulk<>(ip, state) {
        // SAFETY: code.
        let op = unsafe { *ip };
        if P::ACTIVE && let Some((memory, address, length)) = bulk_range(op, state.frame()) {
            let pc = state.pc();
            state.probe().bulk_store(pc, memory, address, length);
        }
        let frame = state.frame() as *mut [u64];
        // SAFETY: context.
        let machine = unsafe { &mut *state.context().machine };
        // SAFETY: the frame lies within the stack, which `bulk` only reaches through this slice.
        match machine.bulk(op, unsafe { &mut *frame }) {
            Ok(()) => state.next_in_loop(),
            Err(kind) => state.trap(kind),
        }
    }
}

/// The memory that a bulk instruction writes: which, from where, how much.
fn bulk_range(op: Op, frame: &[u64]) -> Option<(u16, u64, u64)> {
    let at = |reg: Reg| u64::from(frame[reg as usize] as u32);
    match op {
        Op::MemoryFill { base, memory } | Op::MemoryInit { base, memory, .. } => {
            Some((memory, at(base), at(base + 2)))
        }
        Op::MemoryCopy { base, to, .. } => Some((to, at(base), at(base + 2))),
        _ => None,
    }
}
