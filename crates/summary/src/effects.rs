//! What a function may do besides computing its results.

use std::collections::{BTreeMap, BTreeSet};

use mw_vm::TrapKind;

/// A set of kinds of traps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traps(u32);

impl Traps {
    /// No trap.
    pub const NONE: Traps = Traps(0);

    /// The kinds that there are, in the order in which they are told.
    pub const KINDS: [TrapKind; 13] = [
        TrapKind::Unreachable,
        TrapKind::DivisionByZero,
        TrapKind::IntegerOverflow,
        TrapKind::InvalidConversion,
        TrapKind::MemoryOutOfBounds,
        TrapKind::TableOutOfBounds,
        TrapKind::UndefinedElement,
        TrapKind::UninitializedElement,
        TrapKind::IndirectCallTypeMismatch,
        TrapKind::MemoryExhausted,
        TrapKind::CallStackExhausted,
        TrapKind::ValueStackExhausted,
        TrapKind::Host,
    ];

    /// One kind.
    pub fn of(kind: TrapKind) -> Traps {
        Traps(1 << kind as u32)
    }

    /// These and one more.
    #[must_use]
    pub fn with(self, kind: TrapKind) -> Traps {
        self.union(Traps::of(kind))
    }

    /// Those of both.
    #[must_use]
    pub fn union(self, other: Traps) -> Traps {
        Traps(self.0 | other.0)
    }

    /// Whether it has this kind.
    pub fn contains(self, kind: TrapKind) -> bool {
        self.0 & Traps::of(kind).0 != 0
    }

    /// The kinds that it has.
    pub fn kinds(self) -> impl Iterator<Item = TrapKind> {
        Traps::KINDS.into_iter().filter(move |&kind| self.contains(kind))
    }
}

/// Addresses from the first to before the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// The first address.
    pub start: u64,
    /// The address after the last one; it may lie beyond all memory, where accesses trap.
    pub end: u64,
}

impl Extent {
    /// Whether it has all addresses that there can be.
    pub fn is_everything(&self) -> bool {
        self.start == 0 && self.end >= 1 << 32
    }

    /// Whether all of these bytes are in it.
    pub fn contains(&self, address: u64, length: u64) -> bool {
        length == 0 || (self.start <= address && address + length <= self.end)
    }
}

/// The ranges of memories, by the memory; one that is missing is not touched.
pub type Extents = BTreeMap<u16, Extent>;

/// What a function, and all that it calls, may do.
///
/// It is about what instructions of the program do. What a primitive brings into memory, and what
/// an interrupt does in between, comes on top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effects {
    /// The globals that it may set.
    pub globals_written: BTreeSet<u32>,
    /// The tables whose elements or size it may change.
    pub tables_written: BTreeSet<u16>,
    /// The memories that it may grow.
    pub memories_grown: BTreeSet<u16>,
    /// Whether it may drop segments.
    pub drops_segments: bool,
    /// What it may read of memories.
    pub read: Extents,
    /// What it may write of memories.
    pub written: Extents,
    /// How it may trap.
    pub traps: Traps,
    /// The primitives that it may call, by the index of the imported function.
    pub primitives: BTreeSet<u32>,
    /// Whether it comes to an end for sure, by a return or a trap, if all primitives do.
    pub terminates: bool,
}

impl Default for Effects {
    fn default() -> Self {
        Effects {
            globals_written: BTreeSet::new(),
            tables_written: BTreeSet::new(),
            memories_grown: BTreeSet::new(),
            drops_segments: false,
            read: Extents::new(),
            written: Extents::new(),
            traps: Traps::NONE,
            primitives: BTreeSet::new(),
            terminates: true,
        }
    }
}

impl Effects {
    /// Adds what something else may do.
    pub(crate) fn add(&mut self, other: &Effects) {
        self.globals_written.extend(&other.globals_written);
        self.tables_written.extend(&other.tables_written);
        self.memories_grown.extend(&other.memories_grown);
        self.drops_segments |= other.drops_segments;
        for (extents, others) in
            [(&mut self.read, &other.read), (&mut self.written, &other.written)]
        {
            others.iter().for_each(|(&memory, &extent)| extend(extents, memory, extent));
        }
        self.traps = self.traps.union(other.traps);
        self.primitives.extend(&other.primitives);
        self.terminates &= other.terminates;
    }
}

/// Adds a range of a memory.
pub(crate) fn extend(extents: &mut Extents, memory: u16, extent: Extent) {
    if extent.start == extent.end {
        return;
    }
    let known = extents.entry(memory).or_insert(extent);
    *known = Extent { start: known.start.min(extent.start), end: known.end.max(extent.end) };
}
