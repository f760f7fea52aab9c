//! Cells: what of a machine has a value that can be looked at, watched and set.
//!
//! A cell is written in one notation, which [`Display`](fmt::Display) gives: `global 3`, `local 0`,
//! `local 0 of frame 1`, `i32 @ 1024`, or `1024..1030` for bytes that are no number. A cell need
//! not be there: whether it is depends on the moment.

use alloc::{format, string::String};
use core::fmt;

use serde::{Deserialize, Serialize};

use crate::machine::Machine;
use crate::value::{ValType, Value};

/// A variable of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Cell {
    /// A global.
    Global(u32),
    /// A parameter or local, in the frame so many calls out from the innermost.
    Local {
        /// How many calls out.
        depth: u32,
        /// The local's index.
        local: u32,
    },
    /// A part of the first memory.
    Memory {
        /// The first address.
        address: u32,
        /// How many bytes, and what they are read as.
        #[serde(rename = "size", alias = "length")]
        load: Load,
    },
}

/// What bytes in memory are read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(from = "u32", into = "u32")]
#[allow(missing_docs, reason = "the names are those of the types")]
pub enum Load {
    U8,
    I8,
    U16,
    I16,
    I32,
    I64,
    F32,
    F64,
    /// So many bytes: a number, if there is one of that size. This is all that is kept of the
    /// others.
    Bytes(u32),
}

impl Load {
    /// All that have a name.
    const NAMED: [(&'static str, Load); 8] = [
        ("u8", Load::U8),
        ("i8", Load::I8),
        ("u16", Load::U16),
        ("i16", Load::I16),
        ("i32", Load::I32),
        ("i64", Load::I64),
        ("f32", Load::F32),
        ("f64", Load::F64),
    ];

    /// The one of this name.
    pub fn named(name: &str) -> Option<Load> {
        Load::NAMED.iter().find(|(known, _)| *known == name).map(|(_, load)| *load)
    }

    /// How many bytes it takes.
    pub fn size(self) -> u32 {
        match self {
            Load::U8 | Load::I8 => 1,
            Load::U16 | Load::I16 => 2,
            Load::I32 | Load::F32 => 4,
            Load::I64 | Load::F64 => 8,
            Load::Bytes(size) => size,
        }
    }

    /// With the name of a type, for bytes that are a number.
    pub fn number(self) -> Option<Load> {
        match self {
            Load::Bytes(1) => Some(Load::U8),
            Load::Bytes(2) => Some(Load::U16),
            Load::Bytes(4) => Some(Load::I32),
            Load::Bytes(8) => Some(Load::I64),
            Load::Bytes(_) => None,
            named => Some(named),
        }
    }

    /// The value of these bits.
    fn value(self, bits: u64) -> Option<Value> {
        Some(match self.number()? {
            Load::U8 => Value::I32(i32::from(bits as u8)),
            Load::I8 => Value::I32(i32::from(bits as i8)),
            Load::U16 => Value::I32(i32::from(bits as u16)),
            Load::I16 => Value::I32(i32::from(bits as i16)),
            Load::I32 => Value::from_slot(ValType::I32, bits),
            Load::F32 => Value::from_slot(ValType::F32, bits),
            Load::F64 => Value::from_slot(ValType::F64, bits),
            Load::I64 | Load::Bytes(_) => Value::from_slot(ValType::I64, bits),
        })
    }
}

impl From<u32> for Load {
    fn from(size: u32) -> Load {
        Load::Bytes(size)
    }
}

impl From<Load> for u32 {
    fn from(load: Load) -> u32 {
        load.size()
    }
}

impl Cell {
    /// So many bytes of memory.
    pub fn bytes(address: u32, size: u32) -> Cell {
        Cell::Memory { address, load: Load::Bytes(size) }
    }

    /// The same cell, whatever its bytes are read as.
    pub fn untyped(self) -> Cell {
        match self {
            Cell::Memory { address, load } => Cell::bytes(address, load.size()),
            other => other,
        }
    }

    /// Whether a write to so many bytes of the first memory writes to it.
    pub fn overlaps(self, address: u64, length: u64) -> bool {
        let Cell::Memory { address: start, load } = self else { return false };
        let start = u64::from(start);
        address < start + u64::from(load.size()) && start < address.saturating_add(length)
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Cell::Global(global) => write!(f, "global {global}"),
            Cell::Local { depth: 0, local } => write!(f, "local {local}"),
            Cell::Local { depth, local } => write!(f, "local {local} of frame {depth}"),
            Cell::Memory { address, load } => {
                let number = load.number();
                match Load::NAMED.iter().find(|(_, known)| Some(*known) == number) {
                    Some((name, _)) => write!(f, "{name} @ {address}"),
                    None => write!(f, "{address}..{}", u64::from(address) + u64::from(load.size())),
                }
            }
        }
    }
}

impl Machine {
    /// The value of a cell, if it is there; [`Machine::why_missing`] says why it is not.
    pub fn read(&self, cell: Cell) -> Option<Value> {
        match cell {
            Cell::Global(global) => self.global(global),
            Cell::Local { depth, local } => self.local(depth as usize, local),
            Cell::Memory { address, load } => {
                let mut bytes = [0; 8];
                let buffer = bytes.get_mut(..load.size() as usize)?;
                self.memories().first()?.read(address.into(), buffer).ok()?;
                load.value(u64::from_le_bytes(bytes))
            }
        }
    }

    /// Sets a cell by hand, to a slot; says whether it is there.
    #[must_use]
    pub fn write(&mut self, cell: Cell, slot: u64) -> bool {
        let typed = |old: Value| Value::from_slot(old.ty(), slot);
        match cell {
            Cell::Global(global) => {
                let value = self.global(global).map(typed);
                value.is_some_and(|value| self.set_global(global, value))
            }
            Cell::Local { depth, local } => {
                let value = self.local(depth as usize, local).map(typed);
                value.is_some_and(|value| self.set_local(depth as usize, local, value))
            }
            Cell::Memory { address, load } => {
                let bytes = slot.to_le_bytes();
                let bytes = bytes.get(..load.size() as usize);
                let memory = self.memory_mut(0).zip(bytes);
                memory.is_some_and(|(memory, bytes)| memory.write(address.into(), bytes).is_ok())
            }
        }
    }

    /// Why a cell cannot be read or set here.
    pub fn why_missing(&self, cell: Cell) -> String {
        match cell {
            Cell::Global(global) => {
                let count = self.module().globals().len();
                format!("there is no global {global}: the program has {count} of them")
            }
            Cell::Local { depth, local } => {
                let stack = self.call_stack();
                match (stack.get(depth as usize), stack.len()) {
                    (Some(frame), _) => {
                        let name = self.module().func_name(frame.func);
                        let count = frame.locals.len();
                        format!("{name} has no local {local}: there are {count}, counted from 0")
                    }
                    (None, 0) => "no function is being executed here".into(),
                    (None, frames) => {
                        format!("there is no frame {depth}: the last is {}", frames - 1)
                    }
                }
            }
            Cell::Memory { address, load } => match self.memories().first() {
                None => "the program has no memory".into(),
                Some(memory) => match memory.byte_size() {
                    0 => format!("address {address:#x} is outside the memory, which is empty here"),
                    size if u64::from(address) + u64::from(load.size()) > size => {
                        format!(
                            "address {address:#x} is outside the memory, which ends at {size:#x}"
                        )
                    }
                    _ => format!("{cell} is not one number"),
                },
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    #[test]
    fn bytes_are_a_number_if_there_is_one_of_their_size() {
        for (size, shown) in [(1, "u8 @ 5"), (2, "u16 @ 5"), (4, "i32 @ 5"), (8, "i64 @ 5")] {
            assert_eq!(Cell::bytes(5, size).to_string(), shown);
            assert!(Load::Bytes(size).value(u64::MAX).is_some());
        }
        assert_eq!(Cell::bytes(5, 6).to_string(), "5..11");
        assert_eq!(Load::Bytes(6).value(1), None);
        assert_eq!(Load::I8.value(0xff), Some(Value::I32(-1)));
        assert_eq!(Load::Bytes(1).value(0xff), Some(Value::I32(255)));
    }

    #[test]
    fn a_write_beside_a_cell_is_none_to_it() {
        let cell = Cell::bytes(8, 4);
        let writes = [(4, 4), (4, 5), (11, 1), (12, 8), (0, u64::MAX)];
        let hits = writes.map(|(address, length)| cell.overlaps(address, length));
        assert_eq!(hits, [false, true, true, false, true]);
        assert!(!Cell::Global(8).overlaps(0, 100));
    }
}
