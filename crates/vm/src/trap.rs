//! Why a program cannot go on.

use core::fmt;

use serde::{Deserialize, Serialize};

/// The kinds of trap. The messages are the specification's own where it has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum TrapKind {
    /// The `unreachable` instruction was reached.
    Unreachable,
    /// An integer was divided by zero.
    DivisionByZero,
    /// The result of a division or conversion does not fit its type.
    IntegerOverflow,
    /// A NaN was converted to an integer.
    InvalidConversion,
    /// A load, store or bulk operation reached outside its memory.
    MemoryOutOfBounds,
    /// A write needs more pages than
    /// [`Limits::resident_pages`](crate::Limits::resident_pages) allows.
    MemoryExhausted,
    /// An access or bulk operation reached outside its table.
    TableOutOfBounds,
    /// An indirect call named an element that its table does not have.
    UndefinedElement,
    /// An indirect call met a null reference.
    UninitializedElement,
    /// An indirect call met a function of another type.
    IndirectCallTypeMismatch,
    /// Calls are nested deeper than [`Limits::call_depth`](crate::Limits::call_depth) allows.
    CallStackExhausted,
    /// Frames need more room than [`Limits::stack_slots`](crate::Limits::stack_slots) allows.
    ValueStackExhausted,
    /// The outside answered an imported call by refusing it.
    Host,
}

impl fmt::Display for TrapKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TrapKind::Unreachable => "unreachable",
            TrapKind::DivisionByZero => "integer divide by zero",
            TrapKind::IntegerOverflow => "integer overflow",
            TrapKind::InvalidConversion => "invalid conversion to integer",
            TrapKind::MemoryOutOfBounds => "out of bounds memory access",
            TrapKind::MemoryExhausted => "memory exhausted: no room for another page",
            TrapKind::TableOutOfBounds => "out of bounds table access",
            TrapKind::UndefinedElement => "undefined element",
            TrapKind::UninitializedElement => "uninitialized element",
            TrapKind::IndirectCallTypeMismatch => "indirect call type mismatch",
            TrapKind::CallStackExhausted => "call stack exhausted",
            TrapKind::ValueStackExhausted => "call stack exhausted: no room for another frame",
            TrapKind::Host => "stopped by the outside",
        })
    }
}
