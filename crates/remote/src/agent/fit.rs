//! Whether a program fits a device.

use alloc::collections::BTreeSet;

use mw_vm::{ConstOp, Limits, Module, PAGE_SIZE};

use super::Config;

/// What allocating a page costs beyond the page.
const PAGE_COST: usize = PAGE_SIZE + 16;
/// The rest of a machine and of a module: lists, tables of memories, what allocating costs.
const OVERHEAD: usize = 2 << 10;

/// What a program needs of a device's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needs {
    /// Bytes, with no page of memory written but those that it starts with.
    pub bytes: usize,
    /// The limits that the program runs within, if it fits.
    pub limits: Option<Limits>,
}

impl Needs {
    /// What a program needs of a device with this configuration.
    pub fn of(module: &Module, config: &Config) -> Needs {
        let tables = module.tables().iter().map(|table| table.size.minimum as usize * 8);
        let chunks = module.memories().iter().map(|memory| memory.size.minimum as usize * 160);
        let fixed = module.footprint()
            + OVERHEAD
            // A stack that grows is there twice for a moment.
            + config.stack_slots as usize * 12
            + config.call_depth as usize * 16
            + module.globals().len() * 8
            + tables.sum::<usize>()
            + chunks.sum::<usize>();
        let pages = first_pages(module);
        let bytes = fixed + pages * PAGE_COST;
        let limits = (bytes <= config.memory).then(|| Limits {
            resident_pages: ((config.memory - fixed) / PAGE_COST) as u32,
            stack_slots: config.stack_slots,
            call_depth: config.call_depth,
            ..Limits::default()
        });
        Needs { bytes, limits }
    }
}

/// How many pages the segments of a module write.
fn first_pages(module: &Module) -> usize {
    let mut pages = BTreeSet::new();
    for data in module.data() {
        let Some((memory, offset)) = &data.active else { continue };
        // An offset that only instantiating tells is rare; its pages then count when written.
        let [ConstOp::Slot(at)] = offset.0[..] else { continue };
        let (first, last) = (at as usize, at as usize + data.bytes.len());
        let range = first / PAGE_SIZE..last.div_ceil(PAGE_SIZE);
        pages.extend(range.map(|page| (*memory, page)));
    }
    pages.len()
}
