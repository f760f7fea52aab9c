//! The interpreter: the one loop that gives ops their effect.
//!
//! It is compiled three ways from one source. *Fast*: over fast code, counting only where control
//! jumps, leaving when the budget might run out or when anything out of the ordinary happens.
//! *Exact*: over step code, stopping wherever it is told to. *Probed*: exact, with a probe. What
//! is out of the ordinary (a trap, an imported call) always happens in step code, so there is one
//! place that knows how.
//!
//! # Safety
//!
//! Registers and code are reached without bounds checks. What makes that sound:
//! * Every register of every op is below its function's [`Code::frame`]: lowering checks the
//!   frame's size, an image is verified when it is loaded.
//! * A frame is entered only if the stack has room for all of it, and pointers into the stack are
//!   made anew whenever it may have moved.
//! * Every function ends in a return, and every target is the index of an op of its function, so
//!   the instruction pointer stays within the code.
//! * Memory, table, global, function and branch indices have been validated.

use crate::breakpoints::Breakpoints;
use crate::fuse::FastCode;
use crate::machine::{Frame, Machine};
use crate::memory::Memory;
use crate::module::Code;
use crate::numeric::{self, Immediate, Slot};
use crate::op::{MovingBranch, Op, Reg, with_op_families};
use crate::probe::{Access, Probe};
use crate::trap::TrapKind;

/// Why the loop was left. The machine's `pc` says where.
pub(super) enum Exit {
    /// Exact: an op was executed and the driver has to decide. Fast: `pc` is the fast index of the
    /// start of a block, and the budget may end soon or there is a breakpoint.
    Pause,
    /// Fast only: `pc` is the fast index of an op that the step code has to execute.
    Bail,
    /// Before the call of an imported function. Fast: `pc` is the fast index of the call.
    Import(u32),
    /// Exact only.
    Trap(TrapKind),
    /// Exact only: the probe asked to stop.
    Probe,
    /// The outermost function returned.
    Finished,
}

/// How far to go.
pub(super) struct Budget<'a> {
    /// Fast: the budget in the form that needs no counting in straight code: what remains, plus
    /// the position in the function, minus a margin that keeps it from running out within one
    /// stretch of straight code. Leave when it becomes negative.
    pub left: i64,
    /// Exact: how many instructions to execute at most.
    pub remaining: u64,
    /// Exact: pause before these.
    pub breakpoints: &'a Breakpoints,
    /// Exact: pause before any start of a block while more than this remains.
    pub exact_below: u64,
}

impl Budget<'_> {
    fn pauses(&self, fast: &FastCode, pc: u32, remaining: u64) -> bool {
        self.breakpoints.contains(pc)
            || remaining > self.exact_below && fast.entry(pc).is_some()
    }
}

/// Runs the machine from its `pc` (an index into `code`).
#[allow(clippy::too_many_lines, reason = "a match with an arm per op, most of them generated")]
pub(super) fn execute<P: Probe, const FAST: bool>(
    machine: &mut Machine,
    fast: &FastCode,
    budget: &mut Budget<'_>,
    probe: &mut P,
) -> Exit {
    let module = machine.module.clone();
    let parts = &module.parts;
    let (code, branches): (&[Op], &[MovingBranch]) =
        if FAST { (&fast.code, &fast.branches) } else { (&parts.code, &parts.branches) };
    let code_base = code.as_ptr();
    let codes: &[Code] = &parts.codes;

    let mut func = machine.func;
    let mut start = codes[func as usize].start;
    let mut stack_base = machine.stack.as_mut_ptr();
    let mut stack_len = machine.stack.len();
    let mut left = budget.left;
    let mut remaining = budget.remaining;
    let memories: *mut Memory = machine.memories.as_mut_ptr();
    let globals: *mut u64 = machine.globals.as_mut_ptr();
    let call_depth = machine.limits.call_depth as usize;
    // SAFETY: the machine's own frame lies within its stack.
    let mut fp = unsafe { stack_base.add(machine.fp as usize) };
    // SAFETY: the driver only enters at an index of `code`.
    let mut ip = unsafe { code_base.add(machine.pc as usize) };

    // SAFETY (of all blocks in these macros): see the head of the module.
    macro_rules! get {
        ($reg:expr) => {
            unsafe { *fp.add($reg as usize) }
        };
    }
    macro_rules! set {
        ($reg:expr, $slot:expr) => {{
            let slot = $slot;
            unsafe { *fp.add($reg as usize) = slot }
        }};
    }
    macro_rules! frame {
        () => {
            unsafe { core::slice::from_raw_parts(fp, codes[func as usize].frame as usize) }
        };
    }
    macro_rules! here {
        () => {
            unsafe { ip.offset_from(code_base) as u32 }
        };
    }
    macro_rules! exit {
        ($exit:expr) => {{
            machine.pc = here!();
            machine.func = func;
            machine.fp = unsafe { fp.offset_from(stack_base) as u32 };
            budget.left = left;
            budget.remaining = remaining;
            return $exit;
        }};
    }
    macro_rules! trap {
        ($kind:expr) => {
            if FAST { exit!(Exit::Bail) } else { exit!(Exit::Trap($kind)) }
        };
    }
    macro_rules! next {
        () => {
            ip = unsafe { ip.add(1) }
        };
    }
    // Goes to an index of `code` at which a block starts.
    macro_rules! go {
        ($to:expr, $delta:expr) => {{
            let to = $to;
            if P::ACTIVE {
                probe.branch(here!(), to);
            }
            ip = unsafe { code_base.add(to as usize) };
            if FAST {
                left -= i64::from($delta);
                if left < 0 {
                    exit!(Exit::Pause);
                }
            }
        }};
    }
    macro_rules! branch {
        ($target:expr) => {{
            let target = $target;
            go!(target.to, target.delta)
        }};
    }
    macro_rules! branch_if {
        ($condition:expr, $target:expr) => {
            if $condition {
                branch!($target)
            } else {
                if P::ACTIVE {
                    probe.branch(here!(), here!() + 1);
                }
                next!()
            }
        };
    }
    macro_rules! moving_branch {
        ($index:expr) => {{
            let branch = unsafe { *branches.get_unchecked($index as usize) };
            let (from, to) = (branch.from as usize, branch.to as usize);
            // Slots move down, so that going upwards overwrites nothing that is still to be read.
            for i in 0..branch.count as usize {
                set!(to + i, get!(from + i));
            }
            branch!(branch.target)
        }};
    }
    // Where the code of the function at a step position is: an entry of a block.
    macro_rules! code_at {
        ($pc:expr) => {
            if FAST { unsafe { *fast.entry.get_unchecked($pc as usize) } } else { $pc }
        };
    }
    // Leaves room on the stack for a frame of `callee` at `$at`, or traps.
    macro_rules! make_room {
        ($at:expr, $callee:expr) => {{
            let end = $at + $callee.frame as usize;
            if end > stack_len {
                let at = unsafe { fp.offset_from(stack_base) };
                if !machine.grow_stack(end) {
                    trap!(TrapKind::ValueStackExhausted);
                }
                stack_base = machine.stack.as_mut_ptr();
                stack_len = machine.stack.len();
                fp = unsafe { stack_base.offset(at) };
            }
        }};
    }
    macro_rules! enter {
        ($callee_index:expr, $callee:expr, $next:expr) => {{
            let callee: Code = $callee;
            func = $callee_index;
            start = callee.start;
            for local in callee.params..callee.locals {
                set!(local, 0);
            }
            if P::ACTIVE {
                probe.call(func, frame!());
            }
            let entry = code_at!(callee.start);
            ip = unsafe { code_base.add(entry as usize) };
            if FAST {
                left -= i64::from($next);
                if left < 0 {
                    exit!(Exit::Pause);
                }
            }
        }};
    }
    macro_rules! call {
        ($callee:expr, $base:expr, $next:expr) => {{
            let callee_index: u32 = $callee;
            let callee = unsafe { *codes.get_unchecked(callee_index as usize) };
            if machine.frames.len() >= call_depth {
                trap!(TrapKind::CallStackExhausted);
            }
            let at = unsafe { fp.offset_from(stack_base) } as usize;
            make_room!(at + $base as usize, callee);
            machine.frames.push(Frame { func, pc: start + $next, fp: at as u32 });
            fp = unsafe { fp.add($base as usize) };
            enter!(callee_index, callee, $next)
        }};
    }
    macro_rules! tail_call {
        ($callee:expr, $base:expr, $next:expr) => {{
            let callee_index: u32 = $callee;
            let callee = unsafe { *codes.get_unchecked(callee_index as usize) };
            let at = unsafe { fp.offset_from(stack_base) } as usize;
            make_room!(at, callee);
            for i in 0..callee.params {
                set!(i, get!($base + i));
            }
            enter!(callee_index, callee, $next)
        }};
    }
    macro_rules! resolve_indirect {
        ($ty:expr, $table:expr, $index:expr) => {
            match machine.resolve_indirect($ty, $table, get!($index) as u32) {
                Ok(func) => func,
                Err(kind) => trap!(kind),
            }
        };
    }
    macro_rules! memory {
        ($memory:expr) => {
            unsafe { &mut *memories.add($memory as usize) }
        };
    }

    loop {
        if !FAST {
            let started = remaining != budget.remaining;
            if remaining == 0 || started && budget.pauses(fast, here!(), remaining) {
                exit!(Exit::Pause);
            }
            if P::ACTIVE {
                probe.instruction(here!(), unsafe { *ip }, frame!());
            }
        }
        macro_rules! run {
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
            ) => {
                match *unsafe { &*ip } {
                    $(Op::$unary { dst, src } => {
                        set!(dst, numeric::$unary_fn(Slot::from_slot(get!(src))).to_slot());
                        next!();
                    })*
                    $(Op::$unary_trapping { dst, src } => {
                        match numeric::$unary_trapping_fn(Slot::from_slot(get!(src))) {
                            Ok(value) => set!(dst, value.to_slot()),
                            Err(kind) => trap!(kind),
                        }
                        next!();
                    })*
                    $(Op::$binary { dst, lhs, rhs } => {
                        let (lhs, rhs) = (Slot::from_slot(get!(lhs)), Slot::from_slot(get!(rhs)));
                        set!(dst, numeric::$binary_fn(lhs, rhs).to_slot());
                        next!();
                    }
                    Op::$binary_imm { dst, lhs, imm } => {
                        let (lhs, rhs) = (Slot::from_slot(get!(lhs)), Immediate::from_immediate(imm));
                        set!(dst, numeric::$binary_fn(lhs, rhs).to_slot());
                        next!();
                    })*
                    $(Op::$compare { dst, lhs, rhs } => {
                        let (lhs, rhs) = (Slot::from_slot(get!(lhs)), Slot::from_slot(get!(rhs)));
                        set!(dst, numeric::$compare_fn(lhs, rhs).to_slot());
                        next!();
                    }
                    Op::$compare_imm { dst, lhs, imm } => {
                        let (lhs, rhs) = (Slot::from_slot(get!(lhs)), Immediate::from_immediate(imm));
                        set!(dst, numeric::$compare_fn(lhs, rhs).to_slot());
                        next!();
                    }
                    Op::$br_if { lhs, rhs, target } => {
                        let (lhs, rhs) = (Slot::from_slot(get!(lhs)), Slot::from_slot(get!(rhs)));
                        branch_if!(numeric::$compare_fn(lhs, rhs), target)
                    }
                    Op::$br_if_imm { lhs, imm, target } => {
                        let (lhs, rhs) = (Slot::from_slot(get!(lhs)), Immediate::from_immediate(imm));
                        branch_if!(numeric::$compare_fn(lhs, rhs), target)
                    })*
                    $(Op::$binary_trapping { dst, lhs, rhs } => {
                        let (lhs, rhs) = (Slot::from_slot(get!(lhs)), Slot::from_slot(get!(rhs)));
                        match numeric::$binary_trapping_fn(lhs, rhs) {
                            Ok(value) => set!(dst, value.to_slot()),
                            Err(kind) => trap!(kind),
                        }
                        next!();
                    }
                    Op::$binary_trapping_imm { dst, lhs, imm } => {
                        let (lhs, rhs) = (Slot::from_slot(get!(lhs)), Immediate::from_immediate(imm));
                        match numeric::$binary_trapping_fn(lhs, rhs) {
                            Ok(value) => set!(dst, value.to_slot()),
                            Err(kind) => trap!(kind),
                        }
                        next!();
                    })*
                    $(Op::$binary_float { dst, lhs, rhs } => {
                        let (lhs, rhs) = (Slot::from_slot(get!(lhs)), Slot::from_slot(get!(rhs)));
                        set!(dst, numeric::$binary_float_fn(lhs, rhs).to_slot());
                        next!();
                    })*
                    $(Op::$load { dst, address, memory, offset } => {
                        let address = u64::from(get!(address) as u32) + u64::from(offset);
                        let Some(value) = memory!(memory).load::<$load_ty>(address) else {
                            trap!(TrapKind::MemoryOutOfBounds)
                        };
                        let slot = $load_slot::from(value).to_slot();
                        if P::ACTIVE {
                            let size = size_of::<$load_ty>() as u8;
                            probe.load(here!(), Access { memory, address, size, slot });
                        }
                        set!(dst, slot);
                        next!();
                    })*
                    $(Op::$store { address, value, memory, offset } => {
                        let address = u64::from(get!(address) as u32) + u64::from(offset);
                        let value = get!(value) as $store_ty;
                        if P::ACTIVE {
                            let (size, slot) = (size_of::<$store_ty>() as u8, u64::from(value));
                            probe.store(here!(), Access { memory, address, size, slot });
                        }
                        if memory!(memory).store::<$store_ty>(address, value).is_none() {
                            trap!(TrapKind::MemoryOutOfBounds)
                        }
                        next!();
                    })*
                    Op::Unreachable => trap!(TrapKind::Unreachable),
                    Op::Nop => next!(),
                    Op::Copy { dst, src } => {
                        set!(dst, get!(src));
                        next!();
                    }
                    Op::Const { dst, value } => {
                        set!(dst, value);
                        next!();
                    }
                    Op::Select { dst, condition, then, otherwise } => {
                        let src = if bool::from_slot(get!(condition)) { then } else { otherwise };
                        set!(dst, get!(src));
                        next!();
                    }
                    Op::GlobalGet { dst, global } => {
                        let slot = unsafe { *globals.add(global as usize) };
                        if P::ACTIVE {
                            probe.global_get(here!(), global, slot);
                        }
                        set!(dst, slot);
                        next!();
                    }
                    Op::GlobalSet { src, global } => {
                        let slot = get!(src);
                        if P::ACTIVE {
                            probe.global_set(here!(), global, slot);
                        }
                        unsafe { *globals.add(global as usize) = slot };
                        next!();
                    }
                    Op::Br { target } => branch!(target),
                    Op::BrIf { condition, target } => {
                        branch_if!(bool::from_slot(get!(condition)), target)
                    }
                    Op::BrUnless { condition, target } => {
                        branch_if!(!bool::from_slot(get!(condition)), target)
                    }
                    Op::BrMoving { branch } => moving_branch!(branch),
                    Op::BrIfMoving { condition, branch } => {
                        if bool::from_slot(get!(condition)) {
                            moving_branch!(branch)
                        } else {
                            if P::ACTIVE {
                                probe.branch(here!(), here!() + 1);
                            }
                            next!()
                        }
                    }
                    Op::BrTable { index, first, count } => {
                        let index = (get!(index) as u32).min(count - 1);
                        moving_branch!(first + index)
                    }
                    Op::Return { first, count, next } => {
                        for i in 0..count {
                            set!(i, get!(first + i));
                        }
                        if P::ACTIVE {
                            probe.ret(func, &frame!()[..count as usize]);
                        }
                        let Some(caller) = machine.frames.pop() else {
                            left -= i64::from(next);
                            remaining = remaining.wrapping_sub(1);
                            exit!(Exit::Finished)
                        };
                        func = caller.func;
                        start = unsafe { codes.get_unchecked(func as usize) }.start;
                        fp = unsafe { stack_base.add(caller.fp as usize) };
                        let entry = code_at!(caller.pc);
                        ip = unsafe { code_base.add(entry as usize) };
                        if FAST {
                            left += i64::from(caller.pc - start) - i64::from(next);
                            if left < 0 {
                                exit!(Exit::Pause);
                            }
                        }
                    }
                    Op::Call { func: callee, base, next } => call!(callee, base, next),
                    Op::CallIndirect { ty, table, index, base, next } => {
                        let callee = resolve_indirect!(ty, table, index);
                        if parts.funcs[callee as usize].import.is_some() {
                            exit!(Exit::Import(callee));
                        }
                        call!(callee, base, next)
                    }
                    Op::CallImport { func, .. } | Op::ReturnCallImport { func, .. } => {
                        exit!(Exit::Import(func))
                    }
                    Op::ReturnCall { func: callee, base, next } => tail_call!(callee, base, next),
                    Op::ReturnCallIndirect { ty, table, index, base, next } => {
                        let callee = resolve_indirect!(ty, table, index);
                        if parts.funcs[callee as usize].import.is_some() {
                            exit!(Exit::Import(callee));
                        }
                        tail_call!(callee, base, next)
                    }
                    Op::Leave => exit!(Exit::Pause),
                    op => {
                        let frame_len = codes[func as usize].frame as usize;
                        // SAFETY: the frame lies within the stack, which `bulk` does not touch
                        // but through this slice.
                        let frame = unsafe { core::slice::from_raw_parts_mut(fp, frame_len) };
                        if P::ACTIVE && let Some((memory, address, length)) = bulk_range(op, frame) {
                            probe.bulk_store(here!(), memory, address, length);
                        }
                        if let Err(kind) = machine.bulk(op, frame) {
                            trap!(kind);
                        }
                        next!();
                    }
                }
            };
        }
        with_op_families!(run);
        if !FAST {
            remaining -= 1;
            if P::ACTIVE && probe.wants_stop() {
                exit!(Exit::Probe);
            }
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
