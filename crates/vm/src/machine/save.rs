//! Equality, hash and the saved form of a machine.
//!
//! A saved machine is: a version, the module's fingerprint, the count, everything small (the
//! [`Head`]), and the pages of each memory that have ever been written, compressed, in `postcard`'s
//! encoding. Pages of zeros are among them: they count where pages are limited. It is read back as
//! untrusted input: whatever the bytes say, the machine that comes out keeps the promises that the
//! interpreter relies on.

use alloc::{sync::Arc, vec::Vec};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

use crate::machine::{Core, Machine, Status};
use crate::memory::{MAX_SIZE, Memory, PAGE_SIZE, WASM_PAGE_SIZE};
use crate::module::Module;
use crate::op::Op;
use crate::trap::TrapKind;

const VERSION: u16 = 2;

/// All state of a machine but the content of its memories.
#[derive(PartialEq, Eq, Serialize, Deserialize)]
struct Head {
    core: Core,
    /// Size and maximum of each memory, in WebAssembly pages.
    memories: Vec<(u32, u32)>,
}

#[derive(Serialize, Deserialize)]
struct Saved {
    version: u16,
    fingerprint: u128,
    count: u64,
    head: Head,
    /// For each memory, pages with their index.
    pages: Vec<Vec<(u32, Vec<u8>)>>,
}

#[derive(Serialize, Deserialize)]
struct WithoutPages {
    version: u16,
    fingerprint: u128,
    count: u64,
    head: Head,
    /// For each memory, the pages that exist.
    pages: Vec<Vec<u32>>,
}

/// Bytes that are not a machine of this module.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RestoreError {
    /// They cannot be decoded.
    #[error("not a saved machine, or a damaged one")]
    Malformed,
    /// They were written by another version of this program.
    #[error("saved by a version that writes format {found}; this one reads format {VERSION}")]
    Version {
        /// The format's version.
        found: u16,
    },
    /// They belong to another module.
    #[error("saved from another program; use the module that it was saved from")]
    OtherModule,
    /// They contradict the module or themselves.
    #[error("the saved machine is inconsistent: {0}")]
    Inconsistent(&'static str),
}

impl Machine {
    fn head(&self) -> Head {
        let mut core = self.core.with_stack(self.live_end());
        // To be stopped at an imported call is to be about to make it.
        if let Status::Importing(_) = core.status {
            core.status = Status::Running;
        }
        Head { core, memories: self.memories.iter().map(|m| (m.size(), m.maximum())).collect() }
    }

    /// A hash of the state. Costs as much as there are pages written since the last call, and
    /// whatever else there is of state.
    pub fn hash(&mut self) -> u128 {
        let mut bytes = postcard::to_allocvec(&self.head()).expect("a vector takes everything");
        for memory in &mut self.memories {
            bytes.extend(memory.hash().to_le_bytes());
        }
        xxh3_128(&bytes)
    }

    /// The machine as bytes.
    pub fn save(&self) -> Vec<u8> {
        let compressed = |(index, page): (usize, &[u8; PAGE_SIZE])| {
            (index as u32, lz4_flex::block::compress(page))
        };
        let saved = Saved {
            version: VERSION,
            fingerprint: self.module.fingerprint(),
            count: self.count,
            head: self.head(),
            pages: (self.memories.iter())
                .map(|m| m.written_pages().map(compressed).collect())
                .collect(),
        };
        postcard::to_allocvec(&saved).expect("a vector takes everything")
    }

    /// All but the content of the pages of memories, which [`Memory::written_pages`] has: what
    /// changes of a machine is this and few pages.
    pub fn save_without_pages(&self) -> Vec<u8> {
        let index = |(index, _): (usize, &[u8; PAGE_SIZE])| index as u32;
        let saved = WithoutPages {
            version: VERSION,
            fingerprint: self.module.fingerprint(),
            count: self.count,
            head: self.head(),
            pages: self.memories.iter().map(|m| m.written_pages().map(index).collect()).collect(),
        };
        postcard::to_allocvec(&saved).expect("a vector takes everything")
    }

    /// Becomes the machine that [`save_without_pages`](Self::save_without_pages) was called on, as
    /// soon as pages with another content are [written](Self::restore_page). Pages that it did not
    /// have are gone. Nothing changes if that is refused.
    pub fn restore_without_pages(&mut self, bytes: &[u8]) -> Result<(), RestoreError> {
        check_version(bytes)?;
        let saved: WithoutPages = postcard::from_bytes(bytes).map_err(malformed)?;
        let module = self.module.clone();
        if saved.fingerprint != module.fingerprint() {
            return Err(RestoreError::OtherModule);
        }
        let head = saved.head;
        check(&head, &module)?;
        if head.core.limits != self.core.limits {
            return Err(RestoreError::Inconsistent("limits"));
        }
        if saved.pages.len() != head.memories.len() {
            return Err(RestoreError::Inconsistent("number of memories"));
        }
        for (&(size, maximum), pages) in head.memories.iter().zip(&saved.pages) {
            let limit = size.saturating_mul((WASM_PAGE_SIZE / PAGE_SIZE) as u32);
            let fits = pages.is_sorted_by(|a, b| a < b) && pages.last().is_none_or(|p| *p < limit);
            let rooms = pages.len() <= self.core.limits.resident_pages as usize;
            if !fits || !rooms || maximum > self.core.limits.memory_pages {
                return Err(RestoreError::Inconsistent("pages of a memory"));
            }
        }
        let needed = stack_needed(&module, &head);
        if needed > head.core.limits.stack_slots as usize {
            return Err(RestoreError::Inconsistent("stack larger than its limit"));
        }
        for ((memory, &(size, maximum)), pages) in
            self.memories.iter_mut().zip(&head.memories).zip(&saved.pages)
        {
            memory.reshape(size, maximum, |page| pages.binary_search(&(page as u32)).is_ok());
        }
        self.count = saved.count;
        self.core = head.core;
        self.grow_stack(needed);
        Ok(())
    }

    /// Frees all pages of all memories: the machine is about to be dropped for another one, and
    /// there may not be room for both.
    pub fn clear_memories(&mut self) {
        self.memories.iter_mut().for_each(|memory| memory.reshape(0, 0, |_| false));
    }

    /// Gives a page of a memory its content; says whether there is one.
    #[must_use]
    pub fn restore_page(&mut self, memory: u32, page: u32, content: &[u8; PAGE_SIZE]) -> bool {
        let address = u64::from(page) * PAGE_SIZE as u64;
        let memory = self.memories.get_mut(memory as usize);
        memory.is_some_and(|memory| memory.write(address, content).is_ok())
    }

    /// A machine from the bytes that [`save`](Self::save) made.
    pub fn restore(module: Arc<Module>, bytes: &[u8]) -> Result<Machine, RestoreError> {
        check_version(bytes)?;
        let saved: Saved = postcard::from_bytes(bytes).map_err(malformed)?;
        if saved.fingerprint != module.fingerprint() {
            return Err(RestoreError::OtherModule);
        }
        let head = saved.head;
        check(&head, &module)?;
        let needed = stack_needed(&module, &head);
        let mut memories = Vec::with_capacity(head.memories.len());
        if saved.pages.len() != head.memories.len() {
            return Err(RestoreError::Inconsistent("number of memories"));
        }
        for (&(size, maximum), pages) in head.memories.iter().zip(saved.pages) {
            let mut memory = Memory::new(size, maximum).with_room(head.core.limits.resident_pages);
            for (index, compressed) in pages {
                let page = lz4_flex::block::decompress(&compressed, PAGE_SIZE);
                let page = page.map_err(|_| RestoreError::Malformed)?;
                let address = u64::from(index) * PAGE_SIZE as u64;
                memory
                    .write(address, &page)
                    .map_err(|_| RestoreError::Inconsistent("page outside of its memory"))?;
            }
            memories.push(memory);
        }
        let mut machine = Machine { module, count: saved.count, core: head.core, memories };
        if !machine.grow_stack(needed) {
            return Err(RestoreError::Inconsistent("stack larger than its limit"));
        }
        Ok(machine)
    }
}

/// The slots that all frames of a saved machine need to run.
fn stack_needed(module: &Module, head: &Head) -> usize {
    // A trapped machine needs no room; it may have trapped because there was none.
    if head.core.status != Status::Running {
        return 0;
    }
    let end = |func: u32, fp: u32| fp as usize + module.func_code(func).frame as usize;
    let callers = head.core.frames.iter().map(|frame| end(frame.func, frame.fp));
    callers.fold(end(head.core.func, head.core.fp), usize::max)
}

/// The version comes first, so that it can be read whatever follows.
fn check_version(bytes: &[u8]) -> Result<(), RestoreError> {
    match postcard::take_from_bytes::<u16>(bytes).map_err(malformed)? {
        (VERSION, _) => Ok(()),
        (found, _) => Err(RestoreError::Version { found }),
    }
}

fn malformed(_: postcard::Error) -> RestoreError {
    RestoreError::Malformed
}

/// Checks what the interpreter takes for granted.
fn check(head: &Head, module: &Module) -> Result<(), RestoreError> {
    let ensure = |holds: bool, what| match holds {
        true => Ok(()),
        false => Err(RestoreError::Inconsistent(what)),
    };
    let parts = &module.parts;
    ensure(head.core.globals.len() == parts.globals.len(), "number of globals")?;
    ensure(head.core.tables.len() == parts.tables.len(), "number of tables")?;
    ensure(head.memories.len() == parts.memories.len(), "number of memories")?;
    ensure(head.core.dropped_data.len() == parts.data.len(), "number of data segments")?;
    ensure(head.core.dropped_elems.len() == parts.elems.len(), "number of element segments")?;
    ensure(head.core.frames.len() <= head.core.limits.call_depth as usize, "call depth")?;
    ensure(head.core.stack.len() <= head.core.limits.stack_slots as usize, "stack")?;
    for (table, decl) in head.core.tables.iter().zip(&parts.tables) {
        ensure(table.ty() == decl.ty, "type of a table")?;
        ensure(table.size() <= table.maximum(), "size of a table")?;
    }
    for &(size, maximum) in &head.memories {
        ensure(size <= maximum && maximum <= MAX_SIZE, "size of a memory")?;
    }
    // What the outside gave may be more.
    let own = head.memories.iter().zip(&parts.memories).filter(|(_, decl)| decl.import.is_none());
    let pages: u64 = own.map(|((size, _), _)| u64::from(*size)).sum();
    ensure(pages <= head.core.limits.memory_pages.into(), "pages of all memories")?;
    let own = head.core.tables.iter().zip(&parts.tables).filter(|(_, decl)| decl.import.is_none());
    let elements: u64 = own.map(|(table, _)| u64::from(table.size())).sum();
    ensure(elements <= head.core.limits.table_elements.into(), "elements of all tables")?;
    if let Some((func, args)) = &head.core.next {
        let code = parts.codes.get(*func as usize).filter(|code| code.len > 0);
        let params = code.map(|code| code.params as usize);
        ensure(params == Some(args.len()), "the call that comes next")?;
    }
    if head.core.status == Status::Idle {
        let exists = parts.funcs.is_empty() || (head.core.func as usize) < parts.funcs.len();
        ensure(exists, "the function that was called last")?;
        let is_idle = head.core.frames.is_empty() && head.core.fp == 0 && head.core.next.is_none();
        return ensure(is_idle, "idle within a call");
    }
    let inside = |func: u32, pc: u32| module.func_at(pc) == Some(func);
    ensure(inside(head.core.func, head.core.pc), "position of the next instruction")?;
    let mut below = 0;
    for frame in &head.core.frames {
        ensure(inside(frame.func, frame.pc), "position of a caller")?;
        ensure(frame.fp == below, "order of frames")?;
        let before = frame.pc.checked_sub(1).map(|pc| parts.code[pc as usize]);
        let base = match before {
            _ if frame.interrupted => parts.live[frame.pc as usize],
            Some(Op::Call { base, .. } | Op::CallIndirect { base, .. }) => base,
            _ => return Err(RestoreError::Inconsistent("a caller that does not call")),
        };
        below = frame.fp.saturating_add(base.into());
    }
    ensure(head.core.fp == below, "start of the frame")?;
    let live = head.core.fp as usize + parts.live[head.core.pc as usize] as usize;
    // There may have been no room for the very first frame.
    let no_frame = head.core.status == Status::Trapped(TrapKind::ValueStackExhausted)
        && head.core.frames.is_empty()
        && head.core.stack.is_empty();
    ensure(head.core.stack.len() == live || no_frame, "height of the stack")?;
    ensure(!matches!(head.core.status, Status::Importing(_)), "an answer that nobody waits for")?;
    Ok(())
}

/// Equal in all that the future depends on.
impl PartialEq for Machine {
    fn eq(&self, other: &Self) -> bool {
        self.module.fingerprint() == other.module.fingerprint()
            && self.head() == other.head()
            && self.memories == other.memories
    }
}

impl Eq for Machine {}
