//! Where values are: the memory, and one frame of a machine.

use mw_vm::{CallFrame, Machine};

/// What variables are read from. Values are slots, as the machine has them.
pub trait Storage {
    /// Fills the buffer from the first memory; says whether all of it is there.
    fn read(&self, address: u64, buffer: &mut [u8]) -> bool;
    /// A parameter or local of the frame.
    fn local(&self, index: u32) -> Option<u64>;
    /// A global.
    fn global(&self, index: u32) -> Option<u64>;
    /// An operand of the frame, counted from the lowest.
    fn operand(&self, index: u32) -> Option<u64>;
}

/// A frame of a machine.
#[derive(Clone, Copy, Debug)]
pub struct MachineFrame<'a> {
    machine: &'a Machine,
    frame: Option<CallFrame<'a>>,
}

impl<'a> MachineFrame<'a> {
    /// The frame `depth` calls out from the innermost. Without such a frame there is only memory.
    pub fn new(machine: &'a Machine, depth: usize) -> Self {
        MachineFrame { machine, frame: machine.call_stack().get(depth).copied() }
    }
}

impl Storage for MachineFrame<'_> {
    fn read(&self, address: u64, buffer: &mut [u8]) -> bool {
        let memory = self.machine.memories().first();
        memory.is_some_and(|memory| memory.read(address, buffer).is_ok())
    }

    fn local(&self, index: u32) -> Option<u64> {
        self.frame?.locals.get(index as usize).copied()
    }

    fn global(&self, index: u32) -> Option<u64> {
        Some(self.machine.global(index)?.to_slot())
    }

    fn operand(&self, index: u32) -> Option<u64> {
        self.frame?.operands.get(index as usize).copied()
    }
}

/// For what needs no values.
pub(crate) struct Nothing;

impl Storage for Nothing {
    fn read(&self, _: u64, _: &mut [u8]) -> bool {
        false
    }

    fn local(&self, _: u32) -> Option<u64> {
        None
    }

    fn global(&self, _: u32) -> Option<u64> {
        None
    }

    fn operand(&self, _: u32) -> Option<u64> {
        None
    }
}
