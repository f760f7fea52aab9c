//! Instructions on whole memories and tables, and what indirect calls look up.

use crate::limits::Limits;
use crate::machine::Machine;
use crate::memory::{Memory, WriteError};
use crate::op::Op;
use crate::table::Table;
use crate::trap::TrapKind;
use crate::value::Value;

impl Machine {
    /// Executes an op that is none of the interpreter's own, on the current frame.
    pub(super) fn bulk(&mut self, op: Op, frame: &mut [u64]) -> Result<(), TrapKind> {
        // The three operands that most of them take.
        let operands = |base: u16| {
            let at = |i: usize| frame[base as usize + i] as u32;
            (at(0), at(1), at(2))
        };
        match op {
            Op::RefFunc { dst, func } => {
                frame[dst as usize] = Value::FuncRef(Some(func)).to_slot();
            }
            Op::MemorySize { dst, memory } => {
                frame[dst as usize] = self.memories[memory as usize].size().into();
            }
            Op::MemoryGrow { slot, memory } => {
                let delta = frame[slot as usize] as u32;
                let fits = delta <= memory_room(&self.memories, memory, &self.core.limits);
                let old = fits.then(|| self.memories[memory as usize].grow(delta)).flatten();
                frame[slot as usize] = old.unwrap_or(u32::MAX).into();
            }
            Op::MemoryFill { base, memory } => {
                let (at, byte, length) = operands(base);
                let memory = &mut self.memories[memory as usize];
                memory.fill(at.into(), byte as u8, length.into()).map_err(WriteError::trap)?;
            }
            Op::MemoryCopy { base, to, from } => {
                let (at, source, length) = operands(base);
                if to == from {
                    let memory = &mut self.memories[to as usize];
                    let copied = memory.copy_within(at.into(), source.into(), length.into());
                    copied.map_err(WriteError::trap)?;
                } else {
                    let bytes = self.memories[from as usize].read_vec(source.into(), length.into());
                    let bytes = bytes.map_err(|_| TrapKind::MemoryOutOfBounds)?;
                    let memory = &mut self.memories[to as usize];
                    memory.write(at.into(), &bytes).map_err(WriteError::trap)?;
                }
            }
            Op::MemoryInit { base, memory, segment } => {
                let (at, source, length) = operands(base);
                let bytes = match self.core.dropped_data[segment as usize] {
                    true => &[][..],
                    false => &self.module.parts.data[segment as usize].bytes,
                };
                let range = source as usize..source as usize + length as usize;
                let bytes = bytes.get(range).ok_or(TrapKind::MemoryOutOfBounds)?;
                self.memories[memory as usize].write(at.into(), bytes).map_err(WriteError::trap)?;
            }
            Op::DataDrop { segment } => self.core.dropped_data[segment as usize] = true,
            Op::TableGet { slot, table } => {
                let index = frame[slot as usize] as u32;
                let element = self.core.tables[table as usize].get(index);
                frame[slot as usize] = element.ok_or(TrapKind::TableOutOfBounds)?;
            }
            Op::TableSet { base, table } => {
                let (index, slot) = (frame[base as usize] as u32, frame[base as usize + 1]);
                self.core.tables[table as usize].write(index, &[slot])?;
            }
            Op::TableSize { dst, table } => {
                frame[dst as usize] = self.core.tables[table as usize].size().into();
            }
            Op::TableGrow { base, table } => {
                let (init, delta) = (frame[base as usize], frame[base as usize + 1] as u32);
                let fits = delta <= table_room(&self.core.tables, table, &self.core.limits);
                let old =
                    fits.then(|| self.core.tables[table as usize].grow(delta, init)).flatten();
                frame[base as usize] = old.unwrap_or(u32::MAX).into();
            }
            Op::TableFill { base, table } => {
                let (at, _, count) = operands(base);
                self.core.tables[table as usize].fill(at, frame[base as usize + 1], count)?;
            }
            Op::TableCopy { base, to, from } => {
                let (at, source, count) = operands(base);
                let slots = self.core.tables[from as usize].read(source, count)?.to_vec();
                self.core.tables[to as usize].write(at, &slots)?;
            }
            Op::TableInit { base, table, segment } => {
                let (at, source, count) = operands(base);
                let slots = self.elem_slots(segment as usize);
                let range = source as usize..source as usize + count as usize;
                let slots = slots.get(range).ok_or(TrapKind::TableOutOfBounds)?;
                self.core.tables[table as usize].write(at, slots)?;
            }
            Op::ElemDrop { segment } => self.core.dropped_elems[segment as usize] = true,
            op => unreachable!("{op:?} is the interpreter's own"),
        }
        Ok(())
    }

    /// How many WebAssembly pages a memory can grow by.
    pub fn memory_room(&self, memory: u16) -> u32 {
        memory_room(&self.memories, memory, &self.core.limits)
    }

    /// How many elements a table can grow by.
    pub fn table_room(&self, table: u16) -> u32 {
        table_room(&self.core.tables, table, &self.core.limits)
    }

    /// The function that an indirect call means.
    pub fn resolve_indirect(&self, ty: u32, table: u16, index: u32) -> Result<u32, TrapKind> {
        let slot = self.core.tables[table as usize].get(index).ok_or(TrapKind::UndefinedElement)?;
        let func = (slot as u32).checked_sub(1).ok_or(TrapKind::UninitializedElement)?;
        match self.module.parts.funcs.get(func as usize) {
            Some(callee) if callee.ty == ty => Ok(func),
            _ => Err(TrapKind::IndirectCallTypeMismatch),
        }
    }
}

fn memory_room(memories: &[Memory], index: u16, limits: &Limits) -> u32 {
    let memory = &memories[index as usize];
    let own = memory.maximum() - memory.size();
    own.min(left(limits.memory_pages, memories.iter().map(Memory::size)))
}

fn table_room(tables: &[Table], index: u16, limits: &Limits) -> u32 {
    let table = &tables[index as usize];
    let own = table.maximum() - table.size();
    own.min(left(limits.table_elements, tables.iter().map(Table::size)))
}

/// What these leave of a limit that is for all of them together.
fn left(limit: u32, sizes: impl Iterator<Item = u32>) -> u32 {
    sizes.fold(limit, u32::saturating_sub)
}
