//! Watching for writes.

use std::fmt;

use mw_vm::{Access, Cell, Frame, Instruction, Op, Probe};
use serde::{Deserialize, Serialize};

use crate::breakpoints::BreakpointId;
use crate::drive::Watcher;

/// Something whose writes are watched for: a cell. The frame of a local is counted from the
/// outermost, which is 1, so that it stays the same one while calls come and go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Watch(Cell);

impl Watch {
    /// Watches a cell as it is called where so many calls are nested.
    pub fn new(cell: Cell, nested: usize) -> Watch {
        Watch(counted_otherwise(cell.untyped(), nested))
    }

    /// What the cell is called where so many calls are nested. It need not be there.
    pub fn cell(self, nested: usize) -> Cell {
        counted_otherwise(self.0, nested)
    }
}

impl fmt::Display for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Cell::Local { depth, local } => write!(f, "local {local} at depth {depth}"),
            cell => cell.fmt(f),
        }
    }
}

/// A cell with its frame counted from the other end. One that is not there is none then either.
fn counted_otherwise(cell: Cell, nested: usize) -> Cell {
    match cell {
        Cell::Local { depth, local } => {
            Cell::Local { depth: (nested as u32).wrapping_sub(depth), local }
        }
        other => other,
    }
}

impl Watch {
    /// Whether an instruction can write it.
    pub(crate) fn may_be_written(self, op: Op) -> bool {
        match (self.0, op.instruction()) {
            (Cell::Memory { .. }, Some(Instruction::Access(access))) => {
                !access.is_load && access.memory == 0
            }
            (
                Cell::Memory { .. },
                Some(
                    Instruction::MemoryFill { memory, .. }
                    | Instruction::MemoryInit { memory, .. }
                    | Instruction::MemoryCopy { to: memory, .. },
                ),
            ) => memory == 0,
            (Cell::Global(watched), Some(Instruction::GlobalSet { global, .. })) => {
                global == watched
            }
            // In step code, nothing but a copy writes a local.
            (Cell::Local { local, .. }, Some(Instruction::Copy { dst, .. })) => {
                u32::from(dst) == local
            }
            _ => false,
        }
    }
}

/// A probe that notices writes to what is watched. It has to be told of the instructions that can
/// write it.
pub(crate) struct WatchProbe<'a> {
    watches: &'a [(BreakpointId, Watch)],
    /// The breakpoints that were hit by the last instruction.
    pub hits: Vec<BreakpointId>,
}

impl<'a> WatchProbe<'a> {
    pub fn new(watches: &'a [(BreakpointId, Watch)]) -> Self {
        WatchProbe { watches, hits: Vec::new() }
    }

    fn notice(&mut self, is_written: impl Fn(Watch) -> bool) {
        let written = self.watches.iter().filter(|(_, watch)| is_written(*watch));
        self.hits.extend(written.map(|(id, _)| *id));
    }

    fn range_written(&mut self, memory: u16, address: u64, length: u64) {
        self.notice(|Watch(cell)| memory == 0 && cell.overlaps(address, length));
    }
}

impl Watcher for WatchProbe<'_> {}

impl Probe for WatchProbe<'_> {
    fn instruction(&mut self, _: u32, op: Op, frame: Frame<'_>) {
        self.hits.clear();
        if let Op::Copy { dst, .. } = op {
            let local = Cell::Local { depth: frame.depth as u32, local: dst.into() };
            self.notice(|Watch(cell)| cell == local);
        }
    }

    fn store(&mut self, _: u32, access: Access) {
        self.range_written(access.memory, access.address, access.size.into());
    }

    fn bulk_store(&mut self, _: u32, memory: u16, address: u64, length: u64) {
        self.range_written(memory, address, length);
    }

    fn global_set(&mut self, _: u32, global: u32, _: u64) {
        self.notice(|Watch(cell)| cell == Cell::Global(global));
    }

    fn wants_stop(&mut self) -> bool {
        !self.hits.is_empty()
    }
}
