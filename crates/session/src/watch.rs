//! Watching for writes.

use mw_vm::{Access, Op, Probe};
use serde::{Deserialize, Serialize};

use crate::breakpoints::BreakpointId;

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

/// A probe that notices writes to what is watched, and how deep calls are nested.
pub(crate) struct WatchProbe {
    watches: Vec<(BreakpointId, Watch)>,
    depth: u32,
    /// The breakpoint that was hit by the last instruction.
    pub hit: Option<BreakpointId>,
}

impl WatchProbe {
    pub fn new(watches: Vec<(BreakpointId, Watch)>, depth: usize) -> Self {
        WatchProbe { watches, depth: depth as u32, hit: None }
    }

    fn notice(&mut self, is_written: impl Fn(Watch) -> bool) {
        if let Some((id, _)) = self.watches.iter().find(|(_, watch)| is_written(*watch)) {
            self.hit = Some(*id);
        }
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

impl Probe for WatchProbe {
    fn instruction(&mut self, _: u32, op: Op, _: &[u64]) {
        self.hit = None;
        // In step code, nothing but a copy writes a local.
        if let Op::Copy { dst, .. } = op {
            let here = self.depth;
            self.notice(|watch| watch == Watch::Local { depth: here, local: dst });
        }
    }

    fn call(&mut self, _: u32, _: &[u64]) {
        self.depth += 1;
    }

    fn ret(&mut self, _: u32, _: &[u64]) {
        self.depth = self.depth.saturating_sub(1);
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
        self.hit.is_some()
    }
}
