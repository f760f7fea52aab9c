//! Watching for writes.

use mw_vm::{Access, Frame, Op, Probe};
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

/// How deep calls are nested, as a probe sees it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Depth {
    pub now: usize,
    /// Whether the instruction is a call that takes the place of its caller.
    is_tail_call: bool,
}

impl Depth {
    pub fn at(&mut self, depth: usize) {
        self.now = depth;
    }

    pub fn instruction(&mut self, op: Op) {
        self.is_tail_call = matches!(op, Op::ReturnCall { .. } | Op::ReturnCallIndirect { .. });
    }

    pub fn call(&mut self) {
        self.now += usize::from(!self.is_tail_call);
    }

    pub fn ret(&mut self) {
        // The outermost function returns to nothing, or to the one that was to be called next.
        self.now = self.now.saturating_sub(1).max(1);
    }
}

/// A probe that notices writes to what is watched, and how deep calls are nested.
pub(crate) struct WatchProbe<'a> {
    watches: &'a [(BreakpointId, Watch)],
    depth: Depth,
    /// The breakpoints that were hit by the last instruction.
    pub hits: Vec<BreakpointId>,
}

impl<'a> WatchProbe<'a> {
    pub fn new(watches: &'a [(BreakpointId, Watch)]) -> Self {
        WatchProbe { watches, depth: Depth::default(), hits: Vec::new() }
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

impl Watcher for WatchProbe<'_> {
    fn at(&mut self, _: u64, depth: usize) {
        self.depth.at(depth);
    }
}

impl Probe for WatchProbe<'_> {
    fn instruction(&mut self, _: u32, op: Op, _: Frame<'_>) {
        self.hits.clear();
        self.depth.instruction(op);
        // In step code, nothing but a copy writes a local.
        if let Op::Copy { dst, .. } = op {
            let here = self.depth.now as u32;
            self.notice(|watch| watch == Watch::Local { depth: here, local: dst });
        }
    }

    fn call(&mut self, _: u32, _: &[u64]) {
        self.depth.call();
    }

    fn ret(&mut self, _: u32, _: &[u64]) {
        self.depth.ret();
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
