//! Bounds for programs that nobody vouches for.

use serde::{Deserialize, Serialize};

/// What a module and its machine may use at most. Over a limit is an error when loading, a failed
/// `grow` or a trap when running; never an abort.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Bytes of a module's binary.
    pub module_bytes: usize,
    /// Source instructions of one function: bounds what lowering may produce.
    pub function_instructions: u32,
    /// WebAssembly pages (64 KiB) of all memories together.
    pub memory_pages: u32,
    /// Pages of 4 KiB of one memory that have ever been written: what it really takes. Writing to
    /// one more is a trap.
    #[serde(default = "unlimited")]
    pub resident_pages: u32,
    /// Memories of one module.
    pub memories: u32,
    /// Elements of all tables together.
    pub table_elements: u32,
    /// Tables of one module.
    pub tables: u32,
    /// Calls nested within one another.
    pub call_depth: u32,
    /// Slots of 8 bytes that all frames have together.
    pub stack_slots: u32,
}

/// For what was saved before there was this limit.
fn unlimited() -> u32 {
    u32::MAX
}

impl Limits {
    /// Whether nothing is allowed that those others do not allow.
    pub fn are_within(&self, others: &Limits) -> bool {
        self.module_bytes <= others.module_bytes
            && self.function_instructions <= others.function_instructions
            && self.memory_pages <= others.memory_pages
            && self.resident_pages <= others.resident_pages
            && self.memories <= others.memories
            && self.table_elements <= others.table_elements
            && self.tables <= others.tables
            && self.call_depth <= others.call_depth
            && self.stack_slots <= others.stack_slots
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            module_bytes: 256 << 20,
            function_instructions: 4 << 20,
            memory_pages: 16384,
            resident_pages: unlimited(),
            memories: 100,
            table_elements: 10_000_000,
            tables: 100,
            call_depth: 20_000,
            stack_slots: 1 << 20,
        }
    }
}
