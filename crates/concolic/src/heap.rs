//! The blocks that a program has allocated, as far as it tells: what is accessed after it was
//! freed, freed twice or reached past its end is found.

use std::collections::BTreeMap;

use serde::Serialize;

/// The blocks of a program that announces them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heap {
    /// Size by address, and whether it has been freed.
    blocks: BTreeMap<u64, (u64, bool)>,
}

/// What can be wrong with an access or a release.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum HeapError {
    /// Memory was used after it was freed.
    UseAfterFree,
    /// Memory was freed twice.
    DoubleFree,
    /// Something was freed that is no block.
    InvalidFree,
    /// An access reaches past the end of its block, or between blocks.
    Overflow,
}

impl std::fmt::Display for HeapError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            HeapError::UseAfterFree => "memory used after it was freed",
            HeapError::DoubleFree => "memory freed twice",
            HeapError::InvalidFree => "freed what was not allocated",
            HeapError::Overflow => "access past the end of a block of memory",
        })
    }
}

impl Heap {
    /// Whether nothing has been allocated.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// A block was allocated.
    pub fn allocate(&mut self, address: u64, size: u64) {
        self.blocks.insert(address, (size, false));
    }

    /// A block is freed.
    pub fn free(&mut self, address: u64) -> Result<(), HeapError> {
        match self.blocks.get_mut(&address) {
            Some((_, freed @ false)) => {
                *freed = true;
                Ok(())
            }
            Some(_) => Err(HeapError::DoubleFree),
            None => Err(HeapError::InvalidFree),
        }
    }

    /// Memory is accessed. What lies outside the region in which blocks are is none of its
    /// business.
    pub fn access(&self, address: u64, size: u64) -> Result<(), HeapError> {
        let Some((&first, _)) = self.blocks.first_key_value() else { return Ok(()) };
        let Some((&last, &(length, _))) = self.blocks.last_key_value() else { return Ok(()) };
        if address + size <= first || address >= last + length {
            // Just past the last block is a mistake, too; farther away nobody knows.
            return match address < last + length + size && address >= last + length {
                true if address == last + length => Err(HeapError::Overflow),
                _ => Ok(()),
            };
        }
        match self.blocks.range(..=address).next_back() {
            Some((&start, &(length, freed))) if address < start + length => match freed {
                true => Err(HeapError::UseAfterFree),
                false if address + size > start + length => Err(HeapError::Overflow),
                false => Ok(()),
            },
            _ => Err(HeapError::Overflow),
        }
    }
}
