//! Watching for writes.

use mw_vm::{Access, Frame, Instruction, Op, Probe};
use serde::{Deserialize, Serialize};

use crate::breakpoints::BreakpointId;
use crate::drive::Watcher;

/// Something whose writes are watched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Watch {
    /// A range of the first memory.
    Memory {
        /// The first address.
        address: u32,
        /// How many bytes.
        length: u32,
    },
    /// A global.
    Global(u32),
    /// A parameter or local of the frame at this depth, the outermost being 1.
    Local {
        /// How many calls are nested, this one included.
        depth: u32,
        /// The local's index.
        local: u16,
    },
}

impl Watch {
    /// Whether an instruction can write it.
    pub(crate) fn may_be_written(self, op: Op) -> bool {
        match (self, op.instruction()) {
            (Watch::Memory { .. }, Some(Instruction::Access(access))) => {
                !access.is_load && access.memory == 0
            }
            (
                Watch::Memory { .. },
                Some(
                    Instruction::MemoryFill { memory, .. }
                    | Instruction::MemoryInit { memory, .. }
                    | Instruction::MemoryCopy { to: memory, .. },
                ),
            ) => memory == 0,
            (Watch::Global(watched), Some(Instruction::GlobalSet { global, .. })) => {
                global == watched
            }
            // In step code, nothing but a copy writes a local.
            (Watch::Local { local, .. }, Some(Instruction::Copy { dst, .. })) => dst == local,
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
        self.notice(|watch| match watch {
            Watch::Memory { address: watched, length: watched_length } => {
                memory == 0
                    && address < u64::from(watched) + u64::from(watched_length)
                    && u64::from(watched) < address + length
            }
            _ => false,
        });
    }
}

impl Watcher for WatchProbe<'_> {}

impl Probe for WatchProbe<'_> {
    fn instruction(&mut self, _: u32, op: Op, frame: Frame<'_>) {
        self.hits.clear();
        if let Op::Copy { dst, .. } = op {
            let here = Watch::Local { depth: frame.depth as u32, local: dst };
            self.notice(|watch| watch == here);
        }
    }

    fn store(&mut self, _: u32, access: Access) {
        self.range_written(access.memory, access.address, access.size.into());
    }

    fn bulk_store(&mut self, _: u32, memory: u16, address: u64, length: u64) {
        self.range_written(memory, address, length);
    }

    fn global_set(&mut self, _: u32, global: u32, _: u64) {
        self.notice(|watch| watch == Watch::Global(global));
    }

    fn wants_stop(&mut self) -> bool {
        !self.hits.is_empty()
    }
}
