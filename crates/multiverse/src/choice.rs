//! One resolved piece of nondeterminism.

use mw_vm::Value;
use serde::{Deserialize, Serialize};

/// What was decided, apart from the value.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Site {
    /// What an input returned.
    Input {
        /// The imported function, by its index.
        import: u32,
        /// Its arguments, as slots.
        args: Vec<u64>,
    },
    /// That an interrupt arrived, before the instruction at this count.
    Interrupt {
        /// The pin that it came from.
        pin: u8,
        /// The function that was called, as an index into the module's table.
        table_index: u32,
    },
    /// That a person reached into the program. What comes after has not happened by itself.
    Alteration(Alteration),
}

/// What a person set by hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Alteration {
    /// A global.
    Global(u32),
    /// A parameter or local, in the frame so many calls out from the innermost.
    Local {
        /// How many calls out.
        depth: u32,
        /// The local's index.
        local: u32,
    },
    /// Bytes of memory: so many from this address, little-endian.
    Memory {
        /// The first address.
        address: u32,
        /// How many bytes, at most eight.
        size: u8,
    },
}

/// A choice as it stands in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice<'a> {
    /// How many instructions had been executed when it was made. For an input that is before the
    /// call, which is an instruction itself.
    pub count: u64,
    /// What was decided.
    pub site: &'a Site,
    /// The value, as a slot.
    pub slot: u64,
}

impl Choice<'_> {
    /// How many instructions have been executed once the choice has taken effect.
    pub fn after(&self) -> u64 {
        self.count + u64::from(matches!(self.site, Site::Input { .. }))
    }

    /// The value as one of this type.
    pub fn value(&self, ty: mw_vm::ValType) -> Value {
        Value::from_slot(ty, self.slot)
    }
}
