//! Which numbers are pointers into blocks, so that an access is checked against *its* block: what
//! reaches past one end of a block into the next is a mistake, and so is what reaches memory that
//! was freed and allocated again.
//!
//! The result of an allocation is a pointer, and so is what is computed from it as pointers are:
//! by adding, subtracting and masking. Of what was there before, a number that is the address of a
//! live block is taken for a pointer to it. A number of which nothing is known is checked by where
//! it points to alone ([`Heap::check_access`]). What freeing a block returns is for the allocator,
//! whose memory it is again: accesses through it are not checked.

use std::collections::BTreeMap;
use std::sync::Arc;

use mw_vm::Machine;
use mw_vm::NumericOp::{self, *};
use mw_world::{Fault, Heap, HeapError};

use crate::slots::Slots;

/// What a number points into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A block, by its number.
    Block(u32),
    /// Whatever the allocator wants.
    Anything,
}

/// The pointers of one machine.
#[derive(Clone, Debug, Default)]
pub struct Pointers {
    /// By the slot of the machine's stack. Above the live slots there may be anything.
    pub stack: Slots<Target>,
    pub globals: Slots<Target>,
    /// Pointers in memory 0, by address.
    words: Arc<BTreeMap<u64, Target>>,
    /// The addresses of all blocks, by number.
    blocks: Arc<Vec<u32>>,
    /// The block that is at an address now.
    present: Arc<BTreeMap<u32, u32>>,
}

/// The size of a pointer.
const WORD: u64 = 4;

impl Pointers {
    /// The pointers of a machine whose program has announced these blocks.
    pub fn of(machine: &Machine, heap: &Heap) -> Pointers {
        let mut pointers = Pointers::default();
        let live: BTreeMap<u64, Target> =
            heap.live().map(|at| (at.into(), pointers.allocated(at))).collect();
        if live.is_empty() {
            return pointers;
        }
        for slot in 0..machine.stack_height() {
            let number = machine.stack_slot(slot);
            pointers.stack.set(slot, number.and_then(|number| live.get(&number).copied()));
        }
        for (global, value) in (0..).map_while(|global| machine.global(global)).enumerate() {
            pointers.globals.set(global, live.get(&value.to_slot()).copied());
        }
        let words = Arc::make_mut(&mut pointers.words);
        for (page, bytes) in machine.memories().first().iter().flat_map(|m| m.written_pages()) {
            for (index, word) in bytes.as_chunks().0.iter().enumerate() {
                if let Some(target) = live.get(&u32::from_le_bytes(*word).into()) {
                    words.insert((page * bytes.len() + index * WORD as usize) as u64, *target);
                }
            }
        }
        pointers
    }

    /// A block was allocated.
    pub fn allocated(&mut self, address: u32) -> Target {
        let number = self.blocks.len() as u32;
        Arc::make_mut(&mut self.blocks).push(address);
        Arc::make_mut(&mut self.present).insert(address, number);
        Target::Block(number)
    }

    /// What a number loaded from memory points into.
    pub fn load(&self, memory: u16, address: u64, size: u64) -> Option<Target> {
        match memory == 0 && size == WORD {
            true => self.words.get(&address).copied(),
            false => None,
        }
    }

    /// Notes what a number stored in memory points into.
    pub fn store(&mut self, memory: u16, address: u64, size: u64, target: Option<Target>) {
        self.forget(memory, address, size);
        if let (0, WORD, Some(target)) = (memory, size, target) {
            Arc::make_mut(&mut self.words).insert(address, target);
        }
    }

    /// Whether a pointer lies in some bytes, or partly so.
    pub fn lies_in(&self, memory: u16, address: u64, size: u64) -> bool {
        memory == 0 && self.words_in(address, size).next().is_some()
    }

    /// Forgets the pointers in a range of memory.
    pub fn forget(&mut self, memory: u16, address: u64, length: u64) {
        if self.lies_in(memory, address, length) {
            let words: Vec<u64> = self.words_in(address, length).map(|(at, _)| at).collect();
            let all = Arc::make_mut(&mut self.words);
            for at in words {
                all.remove(&at);
            }
        }
    }

    /// Copies the pointers in a range of memory.
    pub fn copy(&mut self, to: (u16, u64), from: (u16, u64), length: u64) {
        let words: Vec<(u64, Target)> = match from.0 {
            0 => self.words_in(from.1, length).collect(),
            _ => vec![],
        };
        self.forget(to.0, to.1, length);
        let end = from.1 + length;
        for (at, target) in words.into_iter().filter(|(at, _)| *at >= from.1 && at + WORD <= end) {
            self.store(to.0, to.1 + (at - from.1), WORD, Some(target));
        }
    }

    fn words_in(&self, address: u64, length: u64) -> impl Iterator<Item = (u64, Target)> + '_ {
        // An empty range holds nothing, and a word begins before its end.
        let first = if length == 0 { address } else { address.saturating_sub(WORD - 1) };
        self.words.range(first..address + length).map(|(at, target)| (*at, *target))
    }

    /// Whether some bytes may be accessed by a number that points into something.
    pub fn check(
        &self,
        heap: &Heap,
        target: Option<Target>,
        address: u64,
        size: u64,
    ) -> Result<(), HeapError> {
        match target {
            Some(Target::Anything) => Ok(()),
            _ if size == 0 => Ok(()),
            None => heap.check_access(address, size),
            Some(Target::Block(number)) => match self.range(heap, number) {
                None => Err(HeapError::UseAfterFree),
                Some((start, end)) if address >= start && address + size <= end => Ok(()),
                Some(_) => Err(HeapError::Overflow),
            },
        }
    }

    /// The addresses that [`Pointers::check`] refuses.
    pub fn faults(&self, heap: &Heap, target: Option<Target>, size: u64) -> Vec<Fault> {
        let everything = |error| vec![Fault { from: 0, to: u64::MAX, error }];
        match target {
            Some(Target::Anything) => vec![],
            None => heap.faults(size),
            Some(Target::Block(number)) => match self.range(heap, number) {
                None => everything(HeapError::UseAfterFree),
                Some((start, end)) if end - start < size => everything(HeapError::Overflow),
                Some((start, end)) => {
                    let error = HeapError::Overflow;
                    let before = start.checked_sub(1).map(|to| Fault { from: 0, to, error });
                    let after = Fault { from: end - size + 1, to: u64::MAX, error };
                    before.into_iter().chain([after]).collect()
                }
            },
        }
    }

    /// Where a block begins and ends, if it still exists.
    fn range(&self, heap: &Heap, number: u32) -> Option<(u64, u64)> {
        let address = *self.blocks.get(number as usize)?;
        let is_present = self.present.get(&address) == Some(&number);
        let block = heap.block(address).filter(|block| is_present && !block.freed)?;
        Some((address.into(), u64::from(address) + u64::from(block.size)))
    }
}

/// What the result of an operation points into.
pub fn computed(op: NumericOp, a: Option<Target>, b: Option<Target>) -> Option<Target> {
    match (op, a, b) {
        (I32Add | I32And | I32Or, Some(target), None)
        | (I32Add | I32And | I32Or, None, Some(target))
        | (I32Sub | I64ExtendI32U | I32WrapI64, Some(target), None) => Some(target),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use mw_vm::{FuncType, ValType::I32, Value};
    use mw_world::{Call, Description, Import, NoMemory, World};

    use super::*;

    fn perform(world: &mut World, import: u32, args: &[i32]) {
        let args: Vec<Value> = args.iter().map(|value| Value::I32(*value)).collect();
        world.perform(Call { import, args: &args }, &NoMemory).unwrap();
    }

    #[test]
    fn faults_are_the_addresses_that_are_refused() {
        let (alloc, free) = (FuncType::new([I32, I32], [I32]), FuncType::new([I32], []));
        let imports = [
            Import { module: "owi", name: "alloc", ty: &alloc },
            Import { module: "owi", name: "dealloc", ty: &free },
        ];
        let mut world = Arc::new(Description::new("empty")).bind(imports).unwrap();
        let mut pointers = Pointers::default();
        let mut targets = vec![None, Some(Target::Anything)];
        for (address, size, frees) in
            [(0, 3, false), (3, 8, false), (11, 4, true), (20, 1, false), (11, 2, false)]
        {
            perform(&mut world, 0, &[address, size]);
            targets.push(Some(pointers.allocated(address as u32)));
            if frees {
                perform(&mut world, 1, &[address]);
            }
        }
        let heap = world.state().heap();
        for (target, size) in targets.iter().flat_map(|t| [1, 2, 4, 8].map(|size| (*t, size))) {
            let faults = pointers.faults(heap, target, size);
            for address in 0..40 {
                let fault = faults.iter().find(|f| (f.from..=f.to).contains(&address));
                let expected = pointers.check(heap, target, address, size).err();
                assert_eq!(fault.map(|f| f.error), expected, "{target:?} {address} {size}");
            }
        }
    }

    #[test]
    fn pointers_in_memory() {
        let mut pointers = Pointers::default();
        let (a, b) = (Some(Target::Block(0)), Some(Target::Block(1)));
        pointers.store(0, 16, 4, a);
        pointers.store(0, 20, 4, b);
        assert_eq!((pointers.load(0, 16, 4), pointers.load(0, 20, 4)), (a, b));
        assert_eq!((pointers.load(0, 17, 4), pointers.load(1, 16, 4)), (None, None));
        assert!(pointers.lies_in(0, 23, 1) && !pointers.lies_in(0, 24, 8));
        assert!(!pointers.lies_in(0, 18, 0) && !pointers.lies_in(1, 16, 8));
        // Upwards over itself, as `memory.copy` does; what is cut off is no pointer.
        pointers.copy((0, 20), (0, 16), 7);
        assert_eq!((pointers.load(0, 16, 4), pointers.load(0, 20, 4)), (a, a));
        assert_eq!(pointers.load(0, 24, 4), None);
        pointers.store(0, 19, 1, None);
        assert_eq!((pointers.load(0, 16, 4), pointers.load(0, 20, 4)), (None, a));
    }
}
