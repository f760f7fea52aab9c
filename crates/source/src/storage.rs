//! Where values are: the memory, and one frame of a machine.

use mw_vm::{CallFrame, Cell, Machine, Value};

/// What variables are read from.
pub trait Storage {
    /// Fills the buffer from the first memory; says whether all of it is there.
    fn read(&self, address: u64, buffer: &mut [u8]) -> bool;
    /// A cell of the machine.
    fn cell(&self, cell: Cell) -> Option<Value>;
    /// An operand of the frame as a slot, counted from the lowest.
    fn operand(&self, index: u32) -> Option<u64>;
    /// How many calls the frame is out from the innermost.
    fn depth(&self) -> u32 {
        0
    }
}

/// A frame of a machine.
#[derive(Clone, Copy, Debug)]
pub struct MachineFrame<'a> {
    machine: &'a Machine,
    depth: u32,
    frame: Option<CallFrame<'a>>,
}

impl<'a> MachineFrame<'a> {
    /// The frame `depth` calls out from the innermost. Without such a frame there is only memory.
    pub fn new(machine: &'a Machine, depth: usize) -> Self {
        let frame = machine.call_stack().get(depth).copied();
        MachineFrame { machine, depth: depth as u32, frame }
    }
}

impl Storage for MachineFrame<'_> {
    fn read(&self, address: u64, buffer: &mut [u8]) -> bool {
        let memory = self.machine.memories().first();
        memory.is_some_and(|memory| memory.read(address, buffer).is_ok())
    }

    fn cell(&self, cell: Cell) -> Option<Value> {
        self.machine.read(cell)
    }

    fn operand(&self, index: u32) -> Option<u64> {
        self.frame?.operands.get(index as usize).copied()
    }

    fn depth(&self) -> u32 {
        self.depth
    }
}

/// For what needs no values.
pub(crate) struct Nothing;

impl Storage for Nothing {
    fn read(&self, _: u64, _: &mut [u8]) -> bool {
        false
    }

    fn cell(&self, _: Cell) -> Option<Value> {
        None
    }

    fn operand(&self, _: u32) -> Option<u64> {
        None
    }
}
