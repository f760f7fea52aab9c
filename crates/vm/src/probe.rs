//! Watching a machine at work.
//!
//! A probe sees what every instruction does, or those that it looks at (see
//! [`Breakpoints::within`](crate::Breakpoints::within)). The interpreter is generic over it: with
//! [`NoProbe`] all of this compiles to nothing and the fast code runs; with any other probe the
//! step code runs, one op per source instruction, where there is something to look at.

use crate::op::Op;

/// A load or store of one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// The memory, by its index.
    pub memory: u16,
    /// The first address.
    pub address: u64,
    /// How many bytes.
    pub size: u8,
    /// The value as it lies in a slot.
    pub slot: u64,
}

/// The frame of the function being executed.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// Where it starts in the stack.
    pub start: usize,
    /// Its slots: parameters and locals, then the operand stack.
    pub slots: &'a [u64],
    /// How many calls are nested, this one included.
    pub depth: usize,
    /// How many instructions the machine has executed.
    pub count: u64,
}

/// Hooks that the interpreter calls. Every one has a default that does nothing.
#[allow(unused_variables)]
pub trait Probe {
    /// Whether there is anything to call. Only [`NoProbe`] says no.
    const ACTIVE: bool = true;

    /// Before each instruction: where it is, what it is and its function's frame.
    fn instruction(&mut self, pc: u32, op: Op, frame: Frame<'_>) {}
    /// Asked after [`instruction`](Self::instruction): whether to stop before it with
    /// [`Stop::Probe`](crate::Stop::Probe).
    fn wants_stop_before(&mut self) -> bool {
        false
    }
    /// A function is entered; its arguments are the first slots of its frame.
    fn call(&mut self, func: u32, frame: &[u64]) {}
    /// A function is left, with these results.
    fn ret(&mut self, func: u32, results: &[u64]) {}
    /// A branch was decided: where control goes on.
    fn branch(&mut self, from: u32, to: u32) {}
    /// A number was loaded.
    fn load(&mut self, pc: u32, access: Access) {}
    /// A number is about to be stored.
    fn store(&mut self, pc: u32, access: Access) {}
    /// A range of memory is about to be written by a bulk instruction.
    fn bulk_store(&mut self, pc: u32, memory: u16, address: u64, length: u64) {}
    /// A global was read.
    fn global_get(&mut self, pc: u32, global: u32, slot: u64) {}
    /// A global is about to be written.
    fn global_set(&mut self, pc: u32, global: u32, slot: u64) {}
    /// Asked after each instruction: whether to stop with
    /// [`Stop::Probe`](crate::Stop::Probe).
    fn wants_stop(&mut self) -> bool {
        false
    }
}

/// The probe that watches nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoProbe;

impl Probe for NoProbe {
    const ACTIVE: bool = false;
}

/// Hooks of which both probes of a pair are called.
macro_rules! both {
    ($($hook:ident($($argument:ident: $ty:ty),*);)*) => {
        $(fn $hook(&mut self, $($argument: $ty),*) {
            self.0.$hook($($argument),*);
            self.1.$hook($($argument),*);
        })*
    };
}

/// Two probes that watch the same machine: either can stop it.
impl<A: Probe, B: Probe> Probe for (A, B) {
    const ACTIVE: bool = A::ACTIVE || B::ACTIVE;

    both! {
        instruction(pc: u32, op: Op, frame: Frame<'_>);
        call(func: u32, frame: &[u64]);
        ret(func: u32, results: &[u64]);
        branch(from: u32, to: u32);
        load(pc: u32, access: Access);
        store(pc: u32, access: Access);
        bulk_store(pc: u32, memory: u16, address: u64, length: u64);
        global_get(pc: u32, global: u32, slot: u64);
        global_set(pc: u32, global: u32, slot: u64);
    }

    fn wants_stop_before(&mut self) -> bool {
        // Both are asked, whatever the first one says.
        self.0.wants_stop_before() | self.1.wants_stop_before()
    }

    fn wants_stop(&mut self) -> bool {
        self.0.wants_stop() | self.1.wants_stop()
    }
}
