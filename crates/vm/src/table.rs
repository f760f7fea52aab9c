//! Tables of references, shared between forks until one of them writes.

use alloc::{sync::Arc, vec, vec::Vec};

use serde::{Deserialize, Serialize};

use crate::trap::TrapKind;
use crate::value::ValType;

/// A table: its elements are reference slots (see [`value`](crate::value)).
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Table {
    ty: ValType,
    maximum: u32,
    elements: Arc<Vec<u64>>,
}

impl Table {
    /// A table of `minimum` copies of `init`, which may grow to `maximum`.
    pub fn new(ty: ValType, minimum: u32, maximum: u32, init: u64) -> Self {
        Table { ty, maximum, elements: Arc::new(vec![init; minimum as usize]) }
    }

    /// The type of the elements.
    pub fn ty(&self) -> ValType {
        self.ty
    }

    /// The number of elements.
    pub fn size(&self) -> u32 {
        self.elements.len() as u32
    }

    /// The most elements that it may grow to.
    pub fn maximum(&self) -> u32 {
        self.maximum
    }

    /// The elements, as slots.
    pub fn elements(&self) -> &[u64] {
        &self.elements
    }

    /// One element, as a slot.
    pub fn get(&self, index: u32) -> Option<u64> {
        self.elements.get(index as usize).copied()
    }

    /// Writes consecutive elements.
    pub fn write(&mut self, index: u32, slots: &[u64]) -> Result<(), TrapKind> {
        let range = self.range(index, slots.len() as u64)?;
        Arc::make_mut(&mut self.elements)[range].copy_from_slice(slots);
        Ok(())
    }

    pub(crate) fn fill(&mut self, index: u32, slot: u64, count: u32) -> Result<(), TrapKind> {
        let range = self.range(index, u64::from(count))?;
        Arc::make_mut(&mut self.elements)[range].fill(slot);
        Ok(())
    }

    pub(crate) fn read(&self, index: u32, count: u32) -> Result<&[u64], TrapKind> {
        Ok(&self.elements[self.range(index, u64::from(count))?])
    }

    /// Grows by `delta` copies of `init` and returns the old size, or `None` if that is too much.
    pub(crate) fn grow(&mut self, delta: u32, init: u64) -> Option<u32> {
        let old = self.size();
        let new = old.checked_add(delta)?;
        if new > self.maximum {
            return None;
        }
        if delta > 0 {
            Arc::make_mut(&mut self.elements).resize(new as usize, init);
        }
        Some(old)
    }

    fn range(&self, index: u32, count: u64) -> Result<core::ops::Range<usize>, TrapKind> {
        let end = u64::from(index) + count;
        if end > self.elements.len() as u64 {
            return Err(TrapKind::TableOutOfBounds);
        }
        Ok(index as usize..end as usize)
    }
}
