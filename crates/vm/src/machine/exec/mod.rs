//! The interpreter: what every op does, and how to get from one to the next.
//!
//! Each op has a *handler*, a function that executes it. Handlers are compiled three ways from one
//! source. *Fast*: over fast code, counting only where control jumps, leaving when the budget might
//! run out or when anything out of the ordinary happens. *Exact*: over step code, stopping wherever
//! it is told to. *Probed*: exact, with a probe, for the instructions that it looks at. What is out of the ordinary (a trap, an imported
//! call) always happens in step code, so there is one place that knows how.
//!
//! A fast handler ends by calling the handler of the next op. Where the compiler turns that into a
//! jump (`mw_tail_calls`, see `build.rs`), the state of the interpreter stays in registers
//! throughout. Everywhere else, and in exact code always, a handler returns and a loop calls the
//! next one.
//!
//! # Safety
//!
//! Registers and code are reached without bounds checks. What makes that sound:
//! * *Registers*: every register of every op is below its function's [`Code::frame`]: lowering
//!   checks the frame's size, an image is verified when it is loaded.
//! * *Stack*: a frame is entered only if the stack has room for all of it, and pointers into the
//!   stack are made anew whenever it may have moved.
//! * *Code*: every function ends in a return, and every target is the index of an op of its
//!   function, so the instruction pointer stays within the code.
//! * *Indices* of memories, tables, globals, functions and branches have been validated.
//! * *Context*: what it points to is borrowed by [`execute`] for as long as handlers run, and
//!   nobody holds a reference made from it while another one is made.

/// Defines a function that handlers can end in: with the parameters of a [`Handler`], it can be
/// jumped to. Its body has the instruction pointer and the [`Interpreter`] under the given names.
macro_rules! continuation {
    (
        $(#[$attribute:meta])*
        fn $name:ident<$($generic:ident: $bound:ident $(+ $further:path)?),*>($ip:ident, $state:ident)
        $body:block
    ) => {
        $(#[$attribute])*
        #[inline(never)]
        unsafe fn $name<$($generic: $bound $(+ $further)?,)* P: Probe, const FAST: bool>(
            $ip: *const Op,
            fp: *mut u64,
            left: i64,
            memories: *mut Memory,
            context: *mut Context,
        ) -> Flow {
            #[allow(unused_mut, reason = "not every body changes it")]
            let mut $state =
                Interpreter::<P, FAST> { ip: $ip, fp, left, memories, context, probe: PhantomData };
            $body
        }
    };
}

mod handlers;

use alloc::sync::Arc;
use core::marker::PhantomData;

use self::handlers::Handlers;
use crate::breakpoints::Breakpoints;
use crate::machine::{Frame, Machine};
use crate::memory::Memory;
use crate::module::{Code, Module};
use crate::op::{MovingBranch, Op, Reg, Target};
use crate::probe::{NoProbe, Probe};
use crate::trap::TrapKind;

/// Why the interpreter was left. The machine's `pc` says where.
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
    /// Fast only: a function returned to where it had interrupted another, in the middle of a
    /// block. `pc` is a position in the step code.
    Landed,
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
    /// Exact: pause before these. Fast: what it makes of the code.
    pub breakpoints: &'a Breakpoints,
    /// Exact: pause before any start of a block that can be run fast while more than this remains.
    pub exact_below: u64,
}

impl Budget<'_> {
    #[inline]
    fn pauses(&self, module: &Module, func: u32, pc: u32) -> bool {
        let is_fast = |entry: u32| {
            self.breakpoints.codes(module)[func as usize][entry as usize] != Op::Leave {}
        };
        self.breakpoints.contains(pc)
            || self.remaining > self.exact_below && module.fast.entry(pc).is_some_and(is_fast)
    }
}

/// What a handler tells the loop.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum Flow {
    /// Go on with the op that the context points to.
    Next,
    Pause,
    Bail,
    Import,
    Trap,
    Landed,
    Finished,
}

/// What handlers share but do not need in registers.
struct Context {
    machine: *mut Machine,
    /// Of the type that the handlers are made for, if they look at it.
    probe: *mut (),
    /// The code being executed and its branches. Fast: that of the current function.
    code: *const Op,
    branches: *const MovingBranch,
    /// The fast code of each function.
    fast: *const Arc<[Op]>,
    /// For each step op, the fast op that its block starts with.
    entry: *const u32,
    codes: *const Code,
    globals: *mut u64,
    stack: *mut u64,
    stack_len: usize,
    /// The current function and where its step code starts.
    func: u32,
    start: u32,
    /// Where to go on after a handler has returned.
    ip: *const Op,
    fp: *mut u64,
    left: i64,
    /// What [`Flow::Import`] and [`Flow::Trap`] are about.
    import: u32,
    trap: TrapKind,
    /// Where [`Flow::Landed`] leads.
    landing: u32,
}

/// The state that handlers pass on, in registers.
struct Interpreter<P, const FAST: bool> {
    ip: *const Op,
    fp: *mut u64,
    left: i64,
    memories: *mut Memory,
    context: *mut Context,
    probe: PhantomData<P>,
}

type Handler = unsafe fn(*const Op, *mut u64, i64, *mut Memory, *mut Context) -> Flow;

/// Runs the machine from its `pc`: an index into the step code, or into its function's fast code.
pub(super) fn execute<P: Probe, const FAST: bool>(
    machine: &mut Machine,
    module: &Module,
    budget: &mut Budget<'_>,
    probe: &mut P,
) -> Exit {
    let (parts, codes) = (&module.parts, budget.breakpoints.codes(module));
    let (code, branches): (&[Op], &[MovingBranch]) = match FAST {
        true => (&codes[machine.core.func as usize], &module.fast.branches),
        false => (&parts.code, &parts.branches),
    };
    let stack = machine.core.stack.as_mut_ptr();
    let memories = machine.memories.as_mut_ptr();
    let end = machine.count + budget.remaining;
    let mut context = Context {
        probe: (&raw mut *probe).cast(),
        code: code.as_ptr(),
        branches: branches.as_ptr(),
        fast: codes.as_ptr(),
        entry: module.fast.entry.as_ptr(),
        codes: parts.codes.as_ptr(),
        globals: machine.core.globals.as_mut_ptr(),
        stack,
        stack_len: machine.core.stack.len(),
        func: machine.core.func,
        start: parts.codes[machine.core.func as usize].start,
        // SAFETY: code: it is where the machine stopped.
        ip: unsafe { code.as_ptr().add(machine.core.pc as usize) },
        // SAFETY: stack: its frame was entered.
        fp: unsafe { stack.add(machine.core.fp as usize) },
        left: budget.left,
        import: 0,
        trap: TrapKind::Unreachable,
        landing: 0,
        machine,
    };
    let mut started = false;
    let exit = loop {
        // SAFETY: code: both point into it.
        let pc = unsafe { context.ip.offset_from(context.code) } as u32;
        let mut is_seen = false;
        if !FAST {
            if budget.remaining == 0 || started && budget.pauses(module, context.func, pc) {
                break Exit::Pause;
            }
            started = true;
            is_seen = P::ACTIVE && budget.breakpoints.looks_at(pc);
            if is_seen {
                let frame = parts.codes[context.func as usize].frame as usize;
                // SAFETY: stack: all of the frame is there.
                let slots = unsafe { core::slice::from_raw_parts(context.fp, frame) };
                // SAFETY: stack: both point into it.
                let start = unsafe { context.fp.offset_from(context.stack) } as usize;
                // SAFETY: context.
                let depth = unsafe { &*context.machine }.core.frames.len() + 1;
                let count = end - budget.remaining;
                // SAFETY: code, context.
                let (op, probe) = unsafe { (*context.ip, &mut *context.probe.cast::<P>()) };
                probe.instruction(pc, op, crate::probe::Frame { start, slots, depth, count });
                if probe.wants_stop_before() {
                    break Exit::Probe;
                }
            }
        }
        // SAFETY: code.
        let number = unsafe { &*context.ip }.number() as usize;
        let handler = match is_seen {
            true => Handlers::<P, FAST>::TABLE[number],
            false => Handlers::<NoProbe, FAST>::TABLE[number],
        };
        // SAFETY: it is the handler of the op at `ip`, and gets the state as it is.
        let flow =
            unsafe { handler(context.ip, context.fp, context.left, memories, &raw mut context) };
        match flow {
            Flow::Next => {}
            Flow::Pause => break Exit::Pause,
            Flow::Bail => break Exit::Bail,
            Flow::Import => break Exit::Import(context.import),
            Flow::Trap => break Exit::Trap(context.trap),
            Flow::Landed => break Exit::Landed,
            Flow::Finished => {
                budget.remaining = budget.remaining.wrapping_sub(1);
                break Exit::Finished;
            }
        }
        if !FAST {
            budget.remaining -= 1;
            // SAFETY: context.
            if is_seen && unsafe { &mut *context.probe.cast::<P>() }.wants_stop() {
                break Exit::Probe;
            }
        }
    };
    budget.left = context.left;
    // SAFETY: context.
    let machine = unsafe { &mut *context.machine };
    machine.core.pc = match exit {
        Exit::Landed => context.landing,
        // SAFETY: code: both point into it.
        _ => unsafe { context.ip.offset_from(context.code) as u32 },
    };
    // SAFETY: stack: both point into it.
    machine.core.fp = unsafe { context.fp.offset_from(context.stack) } as u32;
    machine.core.func = context.func;
    exit
}

// Every method is always inlined: were the state's address to escape into a function, it would have
// to live in memory, and the call of the next handler could not become a jump.
impl<P: Probe, const FAST: bool> Interpreter<P, FAST> {
    #[inline(always)]
    fn get(&self, reg: Reg) -> u64 {
        // SAFETY: registers.
        unsafe { *self.fp.add(reg as usize) }
    }

    #[inline(always)]
    fn set(&mut self, reg: Reg, slot: u64) {
        // SAFETY: registers.
        unsafe { *self.fp.add(reg as usize) = slot }
    }

    #[inline(always)]
    fn memory(&mut self, index: u16) -> &mut Memory {
        // SAFETY: indices.
        unsafe { &mut *self.memories.add(index as usize) }
    }

    #[inline(always)]
    fn context(&mut self) -> &mut Context {
        // SAFETY: context.
        unsafe { &mut *self.context }
    }

    #[inline(always)]
    fn code_of(&mut self, func: u32) -> Code {
        // SAFETY: indices.
        unsafe { *self.context().codes.add(func as usize) }
    }

    /// The index of the current op.
    #[inline(always)]
    fn pc(&mut self) -> u32 {
        // SAFETY: code: both point into it.
        unsafe { self.ip.offset_from(self.context().code) as u32 }
    }

    #[inline(always)]
    fn save(&mut self) {
        let (ip, fp, left) = (self.ip, self.fp, self.left);
        let context = self.context();
        (context.ip, context.fp, context.left) = (ip, fp, left);
    }

    /// Leaves the interpreter.
    #[inline(always)]
    fn leave(mut self, flow: Flow) -> Flow {
        self.save();
        flow
    }

    /// Goes on with the op at `ip`.
    #[inline(always)]
    fn dispatch(self) -> Flow {
        if FAST && cfg!(mw_tail_calls) {
            // SAFETY: code; there is a handler for every op, which gets the state as it is.
            unsafe {
                let handler =
                    Handlers::<P, FAST>::TABLE.get_unchecked((*self.ip).number() as usize);
                handler(self.ip, self.fp, self.left, self.memories, self.context)
            }
        } else {
            self.leave(Flow::Next)
        }
    }

    /// Leaves the rest of the current op to a function that works it out from the op again.
    ///
    /// What is rare, or needs calls of its own, is kept out of handlers this way: a function with
    /// the same parameters can be jumped to, and costs the handler no registers.
    #[inline(always)]
    fn continue_with(self, rest: Handler) -> Flow {
        // SAFETY: it gets the state as it is.
        unsafe { rest(self.ip, self.fp, self.left, self.memories, self.context) }
    }

    /// Goes on with the op that follows.
    #[inline(always)]
    fn next(mut self) -> Flow {
        // SAFETY: code: a function does not end in this op.
        self.ip = unsafe { self.ip.add(1) };
        self.dispatch()
    }

    /// Goes on with the op that follows, by way of the loop. For functions that call others: the
    /// compiler may not be able to make a jump of what they end with, and a call would take some
    /// of the host's stack each time.
    #[inline(always)]
    fn next_in_loop(mut self) -> Flow {
        // SAFETY: code: a function does not end in this op.
        self.ip = unsafe { self.ip.add(1) };
        self.leave(Flow::Next)
    }

    /// Goes to an index of the code at which a block starts, if the budget allows.
    #[inline(always)]
    fn go(mut self, to: u32, delta: i64) -> Flow {
        // SAFETY: code.
        self.ip = unsafe { self.context().code.add(to as usize) };
        if FAST {
            self.left -= delta;
            if self.left < 0 {
                return self.leave(Flow::Pause);
            }
        }
        self.dispatch()
    }

    #[inline(always)]
    fn branch(mut self, target: Target) -> Flow {
        if P::ACTIVE {
            let pc = self.pc();
            self.probe().branch(pc, target.to);
        }
        self.go(target.to, target.delta.into())
    }

    #[inline(always)]
    fn branch_if(mut self, condition: bool, target: Target) -> Flow {
        if condition {
            return self.branch(target);
        }
        if P::ACTIVE {
            let pc = self.pc();
            self.probe().branch(pc, pc + 1);
        }
        self.next()
    }

    #[inline(always)]
    fn moving_branch(mut self, index: u32) -> Flow {
        // SAFETY: indices.
        let branch = unsafe { *self.context().branches.add(index as usize) };
        // Slots move down, so that going upwards overwrites nothing that is still to be read.
        for i in 0..branch.count {
            self.set(branch.to + i, self.get(branch.from + i));
        }
        self.branch(branch.target)
    }

    /// The instruction cannot be executed.
    #[inline(always)]
    fn trap(mut self, kind: TrapKind) -> Flow {
        if FAST {
            return self.leave(Flow::Bail);
        }
        self.context().trap = kind;
        self.leave(Flow::Trap)
    }

    #[inline(always)]
    fn import(mut self, func: u32) -> Flow {
        self.context().import = func;
        self.leave(Flow::Import)
    }

    #[inline(always)]
    fn probe(&mut self) -> &mut P {
        // SAFETY: context; handlers that look at a probe are made for its type.
        unsafe { &mut *self.context().probe.cast() }
    }

    /// The slots of the current frame.
    #[inline(always)]
    fn frame(&mut self) -> &mut [u64] {
        let func = self.context().func;
        let len = self.code_of(func).frame as usize;
        // SAFETY: stack: all of the frame is there.
        unsafe { core::slice::from_raw_parts_mut(self.fp, len) }
    }

    /// Where in the stack the current frame starts.
    #[inline(always)]
    fn frame_start(&mut self) -> usize {
        // SAFETY: stack: both point into it.
        unsafe { self.fp.offset_from(self.context().stack) as usize }
    }

    /// The index of the op that the block at a position of the step code starts with.
    #[inline(always)]
    fn code_at(&mut self, pc: u32) -> u32 {
        // SAFETY: code: there is an entry for each of its ops.
        if FAST { unsafe { *self.context().entry.add(pc as usize) } } else { pc }
    }

    /// Makes a function the current one.
    #[inline(always)]
    fn switch_to(&mut self, func: u32, start: u32) {
        let context = self.context();
        (context.func, context.start) = (func, start);
        if FAST {
            // SAFETY: indices.
            context.code = unsafe { &*context.fast.add(func as usize) }.as_ptr();
        }
    }

    /// Calls a function whose arguments start at `base`.
    #[inline(always)]
    fn call(mut self, callee: u32, base: Reg, next: u32) -> Flow {
        let code = self.code_of(callee);
        let at = self.frame_start();
        let context = self.context();
        // SAFETY: context.
        let machine = unsafe { &mut *context.machine };
        let room = at + base as usize + code.frame as usize <= context.stack_len
            && machine.core.frames.len() < machine.core.frames.capacity();
        if !room {
            return self.continue_with(make_room_for_call::<P, FAST>);
        }
        if machine.core.frames.len() >= machine.core.limits.call_depth as usize {
            return self.trap(TrapKind::CallStackExhausted);
        }
        let (func, pc) = (context.func, context.start + next);
        let caller = Frame { func, pc, fp: at as u32, interrupted: false };
        // SAFETY: there is room, as was seen above. `push` would keep code that allocates.
        unsafe {
            machine.core.frames.as_mut_ptr().add(machine.core.frames.len()).write(caller);
            machine.core.frames.set_len(machine.core.frames.len() + 1);
        }
        // SAFETY: stack: there is room for the frame.
        self.fp = unsafe { self.fp.add(base as usize) };
        self.enter(callee, code, next)
    }

    /// Makes the stack at least `end` slots long.
    #[inline(always)]
    fn make_room(&mut self, end: usize) -> bool {
        let at = self.frame_start();
        let context = self.context();
        // SAFETY: context.
        let machine = unsafe { &mut *context.machine };
        let room = machine.grow_stack(end);
        (context.stack, context.stack_len) =
            (machine.core.stack.as_mut_ptr(), machine.core.stack.len());
        let stack = context.stack;
        // SAFETY: stack: it has not become shorter.
        self.fp = unsafe { stack.add(at) };
        room
    }

    /// Calls a function in place of the current one.
    #[inline(always)]
    fn tail_call(mut self, callee: u32, base: Reg, next: u32) -> Flow {
        let code = self.code_of(callee);
        let end = self.frame_start() + code.frame as usize;
        if !self.make_room(end) {
            return self.trap(TrapKind::ValueStackExhausted);
        }
        for i in 0..code.params {
            self.set(i, self.get(base + i));
        }
        self.enter(callee, code, next)
    }

    /// Starts a function whose arguments are in place.
    #[inline(always)]
    fn enter(mut self, callee: u32, code: Code, next: u32) -> Flow {
        self.switch_to(callee, code.start);
        if code.params != code.locals {
            return self.continue_with(clear_locals::<P, FAST>);
        }
        self.start(code, next)
    }

    #[inline(always)]
    fn start(mut self, code: Code, next: u32) -> Flow {
        if P::ACTIVE {
            let (func, frame) = (self.context().func, self.frame() as *const [u64]);
            // SAFETY: stack: the probe is no part of it.
            self.probe().call(func, unsafe { &*frame });
        }
        let entry = if FAST { 0 } else { code.start };
        self.go(entry, next.into())
    }
}

continuation! {
    /// Makes room for the call at `ip` and tries again.
    #[cold]
    fn make_room_for_call<>(ip, state) {
        // SAFETY: code.
        let callee = match unsafe { *ip } {
            Op::Call { func, base, .. } => Ok((func, base)),
            Op::CallIndirect { table, index, base, ty, .. } => {
                state.resolve(table, index, ty).map(|(func, _)| (func, base))
            }
            _ => Err(TrapKind::CallStackExhausted),
        };
        let (func, base) = match callee {
            Ok(callee) => callee,
            Err(kind) => return state.trap(kind),
        };
        // SAFETY: context.
        let machine = unsafe { &mut *state.context().machine };
        if machine.core.frames.len() >= machine.core.limits.call_depth as usize {
            return state.trap(TrapKind::CallStackExhausted);
        }
        machine.core.frames.reserve(1);
        let end = state.frame_start() + base as usize + state.code_of(func).frame as usize;
        match state.make_room(end) {
            // Not `dispatch`, which counts as the next op.
            true => {
                // SAFETY: code.
                let handler = Handlers::<P, FAST>::TABLE[unsafe { &*ip }.number() as usize];
                state.continue_with(handler)
            }
            false => state.trap(TrapKind::ValueStackExhausted),
        }
    }
}

continuation! {
    /// Clears the locals of the function that the op at `ip` just entered, and starts it.
    fn clear_locals<>(ip, state) {
        let func = state.context().func;
        let code = state.code_of(func);
        for local in code.params..code.locals {
            state.set(local, 0);
        }
        // SAFETY: code.
        match unsafe { *ip } {
            Op::Call { next, .. }
            | Op::CallIndirect { next, .. }
            | Op::ReturnCall { next, .. }
            | Op::ReturnCallIndirect { next, .. } => state.start(code, next),
            _ => state.trap(TrapKind::CallStackExhausted),
        }
    }
}
