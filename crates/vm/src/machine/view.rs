//! Looking into a machine, and reaching into it.

use alloc::{string::String, vec::Vec};

use crate::machine::{Machine, Status};
use crate::memory::Memory;
use crate::module::Extern;
use crate::table::Table;
use crate::trap::TrapKind;
use crate::value::{ValType, Value};

/// A function that is being executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallFrame<'a> {
    /// The function.
    pub func: u32,
    /// The instruction that it is at; for a caller, its call, or what it was interrupted before.
    pub pc: u32,
    /// Parameters and locals, as slots.
    pub locals: &'a [u64],
    /// The operand stack, as slots, lowest first. What a callee has taken is not there any more.
    pub operands: &'a [u64],
}

/// A trap, with where it happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrapReport {
    /// What went wrong.
    pub kind: TrapKind,
    /// The functions under way, innermost first: name and byte offset in the binary.
    pub stack: Vec<(String, Option<u32>)>,
}

impl core::fmt::Display for TrapReport {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "trap: {}", self.kind)?;
        // A runaway recursion has more frames than anyone reads.
        const SHOWN: usize = 16;
        for (name, offset) in self.stack.iter().take(SHOWN) {
            write!(f, "\n  at {name}")?;
            if let Some(offset) = offset {
                write!(f, " ({offset:#x})")?;
            }
        }
        match self.stack.len().saturating_sub(SHOWN) {
            0 => Ok(()),
            more => write!(f, "\n  … and {more} more"),
        }
    }
}

impl Machine {
    /// The functions being executed, innermost first. Empty when idle.
    pub fn call_stack(&self) -> Vec<CallFrame<'_>> {
        if self.core.status == Status::Idle {
            return Vec::new();
        }
        let mut end = self.live_end();
        let frame = |func: u32, pc, fp: u32, end: usize| {
            let locals = fp as usize + self.module.func_code(func).locals as usize;
            // There may not even have been room for the locals.
            let (locals, end) = (locals.min(self.core.stack.len()), end.min(self.core.stack.len()));
            CallFrame {
                func,
                pc,
                locals: &self.core.stack[fp as usize..locals],
                operands: self.core.stack.get(locals..end).unwrap_or(&[]),
            }
        };
        let mut stack = alloc::vec![frame(self.core.func, self.core.pc, self.core.fp, end)];
        end = self.core.fp as usize;
        for caller in self.core.frames.iter().rev() {
            let pc = caller.pc - u32::from(!caller.interrupted);
            stack.push(frame(caller.func, pc, caller.fp, end));
            end = caller.fp as usize;
        }
        stack
    }

    /// The trap that the machine is in, if it is.
    pub fn trap(&self) -> Option<TrapReport> {
        let Status::Trapped(kind) = self.core.status else { return None };
        let place = |frame: CallFrame<'_>| {
            (self.module.func_name(frame.func), self.module.offset_of(frame.pc))
        };
        Some(TrapReport { kind, stack: self.call_stack().into_iter().map(place).collect() })
    }

    /// The bytes of memory pages that have been written since the last fork or hash.
    pub fn written_bytes(&self) -> usize {
        self.memories.iter().map(Memory::written_bytes).sum()
    }

    /// The bytes of memory pages that no other machine refers to: what dropping it would free.
    pub fn unshared_bytes(&self) -> usize {
        self.memories.iter().map(Memory::unshared_bytes).sum()
    }

    /// How deep calls are nested.
    pub fn call_depth(&self) -> usize {
        self.core.frames.len() + usize::from(self.core.status != Status::Idle)
    }

    /// The value of a global.
    pub fn global(&self, index: u32) -> Option<Value> {
        let ty = self.module.globals().get(index as usize)?.ty;
        Some(Value::from_slot(ty, self.core.globals[index as usize]))
    }

    /// The value of the global that is exported under this name.
    pub fn exported_global(&self, name: &str) -> Option<Value> {
        match self.module.exports().get(name)? {
            Extern::Global(index) => self.global(*index),
            _ => None,
        }
    }

    /// Sets a global by hand; says whether there is one of that type.
    #[must_use]
    pub fn set_global(&mut self, index: u32, value: Value) -> bool {
        let fits = self.module.globals().get(index as usize).is_some_and(|g| g.ty == value.ty());
        if fits {
            self.core.globals[index as usize] = value.to_slot();
        }
        fits
    }

    /// Where a parameter or local is in the stack of all frames, in the frame `depth` calls out
    /// from the innermost, and its type.
    fn find_local(&self, depth: usize, local: u32) -> Option<(usize, ValType)> {
        let (func, fp) = match depth {
            _ if self.core.status == Status::Idle => return None,
            0 => (self.core.func, self.core.fp),
            _ => {
                let frame = self.core.frames.get(self.core.frames.len().checked_sub(depth)?)?;
                (frame.func, frame.fp)
            }
        };
        let ty = *self.module.local_types(func).get(local as usize)?;
        Some((fp as usize + local as usize, ty))
    }

    /// A parameter or local, in the frame `depth` calls out from the innermost.
    pub fn local(&self, depth: usize, local: u32) -> Option<Value> {
        let (index, ty) = self.find_local(depth, local)?;
        Some(Value::from_slot(ty, self.stack_slot(index)?))
    }

    /// Sets a parameter or local by hand, in the frame `depth` calls out from the innermost; says
    /// whether there is one of that type.
    #[must_use]
    pub fn set_local(&mut self, depth: usize, local: u32, value: Value) -> bool {
        let found = self.find_local(depth, local).filter(|(_, ty)| *ty == value.ty());
        let slot = found.and_then(|(index, _)| self.stack_slot_mut(index));
        slot.map(|slot| *slot = value.to_slot()).is_some()
    }

    /// Where the live slots end in the stack of all frames. What lies above means nothing.
    pub fn stack_height(&self) -> usize {
        self.live_end()
    }

    /// A slot of the stack of all frames.
    pub fn stack_slot(&self, index: usize) -> Option<u64> {
        self.core.stack.get(index).copied()
    }

    /// A slot of the stack of all frames, to be written by hand: whatever is written has to be of
    /// the type that the program has there.
    pub fn stack_slot_mut(&mut self, index: usize) -> Option<&mut u64> {
        self.core.stack.get_mut(index)
    }

    /// Where the frame of the current function starts in the stack of all frames.
    pub fn frame_start(&self) -> usize {
        self.core.fp as usize
    }

    /// How many bytes a data segment has, none if it has been dropped.
    pub fn data_len(&self, segment: u32) -> u64 {
        let bytes = self.module.parts.data.get(segment as usize).map(|data| data.bytes.len());
        let dropped = self.core.dropped_data.get(segment as usize).is_none_or(|&dropped| dropped);
        bytes.filter(|_| !dropped).unwrap_or(0) as u64
    }

    /// How many elements an element segment has, none if it has been dropped.
    pub fn elem_len(&self, segment: u32) -> u64 {
        let items = self.module.parts.elems.get(segment as usize).map(|elem| elem.items.len());
        let dropped = self.core.dropped_elems.get(segment as usize).is_none_or(|&dropped| dropped);
        items.filter(|_| !dropped).unwrap_or(0) as u64
    }

    /// The memories, in the order of their indices.
    pub fn memories(&self) -> &[Memory] {
        &self.memories
    }

    /// A memory to write to.
    pub fn memory_mut(&mut self, index: u32) -> Option<&mut Memory> {
        self.memories.get_mut(index as usize)
    }

    /// The tables, in the order of their indices.
    pub fn tables(&self) -> &[Table] {
        &self.core.tables
    }

    /// A table to write to.
    pub fn table_mut(&mut self, index: u32) -> Option<&mut Table> {
        self.core.tables.get_mut(index as usize)
    }
}
