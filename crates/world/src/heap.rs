//! The blocks of memory that a program has announced, and what can be wrong with using them.
//!
//! Only programs that say what they allocate have blocks: see [`crate::Statement`]. A freed block
//! is remembered until its memory is allocated again.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::state::put;

/// A block of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// How many bytes it has.
    pub size: u32,
    /// Whether it has been freed.
    pub freed: bool,
}

/// The blocks of a program, by address. Clones share them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heap {
    blocks: Arc<BTreeMap<u32, Block>>,
}

/// What can be wrong with an access to a block, or with freeing one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HeapError {
    /// Memory was used after it was freed.
    UseAfterFree,
    /// Memory was freed twice.
    DoubleFree,
    /// Something was freed that is no block.
    InvalidFree,
    /// An access does not stay within its block.
    Overflow,
}

impl std::fmt::Display for HeapError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            HeapError::UseAfterFree => "memory used after it was freed",
            HeapError::DoubleFree => "memory freed twice",
            HeapError::InvalidFree => "freed what was not allocated",
            HeapError::Overflow => "access outside of its block of memory",
        })
    }
}

/// First addresses, from the one to the other, at which an access is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The lowest.
    pub from: u64,
    /// The highest.
    pub to: u64,
    /// What is wrong with it.
    pub error: HeapError,
}

impl Heap {
    /// Whether nothing has ever been allocated.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// The block that begins at an address.
    pub fn block(&self, address: u32) -> Option<Block> {
        self.blocks.get(&address).copied()
    }

    /// Where blocks begin that have not been freed.
    pub fn live(&self) -> impl Iterator<Item = u32> + '_ {
        self.blocks.iter().filter(|(_, block)| !block.freed).map(|(start, _)| *start)
    }

    /// Sets or removes a block and returns what was there.
    pub(crate) fn put(&mut self, address: u32, block: Option<Block>) -> Option<Block> {
        put(Arc::make_mut(&mut self.blocks), address, block)
    }

    /// The blocks that a new one takes the memory of.
    pub(crate) fn overlapping(&self, address: u32, size: u32) -> impl Iterator<Item = u32> + '_ {
        let end = u64::from(address) + u64::from(size);
        let below = u32::try_from(end).unwrap_or(u32::MAX).max(address.saturating_add(1));
        // Blocks do not overlap each other: going down, the first that ends below is the last.
        let blocks = self.blocks.range(..below).rev();
        let reaches = move |(start, block): &(&u32, &Block)| {
            u64::from(**start) + u64::from(block.size) > u64::from(address) || **start == address
        };
        blocks.take_while(reaches).map(|(start, _)| *start)
    }

    /// Whether the block at an address can be freed. Freeing address 0 is nothing, as in C,
    /// unless there is a block.
    pub fn check_free(&self, address: u32) -> Result<Option<Block>, HeapError> {
        match self.block(address) {
            Some(block) if block.freed => Err(HeapError::DoubleFree),
            Some(block) => Ok(Some(block)),
            None if address == 0 => Ok(None),
            None => Err(HeapError::InvalidFree),
        }
    }

    /// Whether some bytes may be accessed, by an address of which only its number is known: not if
    /// they are freed, or partly in a live block and partly outside of it. Memory that no block has
    /// is nobody's: an allocator may do with it as it likes.
    pub fn check_access(&self, address: u64, size: u64) -> Result<(), HeapError> {
        match self.first_in(address, address + size) {
            None => Ok(()),
            _ if size == 0 => Ok(()),
            Some((_, _, Block { freed: true, .. })) => Err(HeapError::UseAfterFree),
            Some((start, end, _)) if start <= address && address + size <= end => Ok(()),
            Some(_) => Err(HeapError::Overflow),
        }
    }

    /// The first block of which some byte is in a range of addresses, with its own range.
    fn first_in(&self, from: u64, below: u64) -> Option<(u64, u64, Block)> {
        let number = |address| u32::try_from(address).unwrap_or(u32::MAX);
        // Blocks do not overlap: of those that begin before the range, only the last may reach it.
        let before = self.blocks.range(..number(from)).next_back().map_or(0, |(start, _)| *start);
        let mut blocks = self.blocks.range(before..).map(|(start, block)| {
            let start = u64::from(*start);
            (start, start + u64::from(block.size), *block)
        });
        let found = blocks.find(|(start, end, _)| *end > from.max(*start))?;
        (found.0 < below).then_some(found)
    }

    /// All addresses at which an access of so many bytes fails [`Heap::check_access`].
    pub fn faults(&self, size: u64) -> Vec<Fault> {
        let mut faults: Vec<Fault> = Vec::new();
        let mut add = |from: u64, below: u64, error: HeapError| match faults.last_mut() {
            _ if from >= below => {}
            Some(fault) if fault.error == error && fault.to + 1 == from => fault.to = below - 1,
            _ => faults.push(Fault { from, to: below - 1, error }),
        };
        let mut last_end = 0;
        for (&start, block) in self.blocks.iter().filter(|(_, block)| block.size > 0) {
            let (start, end) = (u64::from(start), u64::from(start) + u64::from(block.size));
            // From here on an access reaches this block, and none before it.
            let reaches = (start + 1).saturating_sub(size).max(last_end);
            match block.freed {
                true => add(reaches, end, HeapError::UseAfterFree),
                false => {
                    add(reaches, start, HeapError::Overflow);
                    add((end + 1).saturating_sub(size).max(start), end, HeapError::Overflow);
                }
            }
            last_end = end;
        }
        faults
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heap(blocks: &[(u32, u32, bool)]) -> Heap {
        let mut heap = Heap::default();
        for &(address, size, freed) in blocks {
            heap.put(address, Some(Block { size, freed }));
        }
        heap
    }

    #[test]
    fn accesses_by_number() {
        let heap = heap(&[(16, 8, false), (24, 4, true), (32, 16, false)]);
        let check = |address, size| heap.check_access(address, size);
        let fine = [(16, 8), (23, 1), (32, 16), (47, 1), (0, 16), (49, 1), (90, 8)];
        let nobodys = [(12, 4), (28, 1), (28, 4), (31, 1), (48, 1), (48, 8), (26, 0)];
        for (address, size) in fine.into_iter().chain(nobodys) {
            assert_eq!(check(address, size), Ok(()), "{address} {size}");
        }
        for (address, size) in [(12, 8), (20, 8), (31, 2), (28, 8), (47, 2), (0, 90)] {
            assert_eq!(check(address, size), Err(HeapError::Overflow), "{address} {size}");
        }
        for (address, size) in [(24, 1), (27, 1), (24, 4), (26, 16)] {
            assert_eq!(check(address, size), Err(HeapError::UseAfterFree), "{address} {size}");
        }
        assert_eq!(check(u64::from(u32::MAX), 8), Ok(()));
    }

    #[test]
    fn faults_are_the_addresses_that_are_refused() {
        let heaps = [
            heap(&[]),
            heap(&[(0, 8, false)]),
            heap(&[(3, 0, false)]),
            heap(&[(3, 0, true), (9, 5, true)]),
            heap(&[(16, 8, false), (24, 4, true), (32, 16, false)]),
            heap(&[(16, 2, true), (18, 1, false), (19, 3, false), (40, 4, true)]),
            heap(&[(0, 1, true), (4, 0, false), (5, 1, false), (8, 2, true)]),
        ];
        for (heap, size) in heaps.iter().flat_map(|heap| [1, 2, 4, 8].map(|size| (heap, size))) {
            let faults = heap.faults(size);
            for address in 0..80 {
                let fault = faults.iter().find(|f| (f.from..=f.to).contains(&address));
                let expected = heap.check_access(address, size).err();
                assert_eq!(fault.map(|f| f.error), expected, "{address} {size} {heap:?}");
            }
        }
    }

    #[test]
    fn a_new_block_takes_the_memory_of_others() {
        let heap = heap(&[(0, 4, false), (4, 4, true), (8, 8, false), (20, 0, true)]);
        let taken = |address, size| heap.overlapping(address, size).collect::<Vec<_>>();
        assert_eq!(taken(4, 4), [4]);
        assert_eq!(taken(2, 7), [8, 4, 0]);
        assert_eq!(taken(16, 4), [0; 0]);
        assert_eq!(taken(20, 4), [20]);
        assert_eq!(taken(8, 0), [8]);
        assert_eq!(taken(u32::MAX, 9), [0; 0]);
    }

    #[test]
    fn freeing() {
        let heap = heap(&[(8, 4, false), (16, 4, true)]);
        assert!(heap.check_free(8).is_ok_and(|block| block.is_some()));
        assert_eq!(heap.check_free(16), Err(HeapError::DoubleFree));
        assert_eq!(heap.check_free(10), Err(HeapError::InvalidFree));
        assert_eq!(heap.check_free(0), Ok(None));
    }
}
