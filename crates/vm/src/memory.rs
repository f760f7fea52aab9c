//! Linear memory that forks share.
//!
//! A memory is a tree: *blocks* of sixteen *chunks* of sixteen *pages* of 4 KiB, all of them shared
//! by reference between forks. A page that is all zero need not exist. Writing makes the page, its
//! chunk and its block the memory's own first, copying them if others hold them; so a fork costs
//! one reference for each MiB, and the first write to a page costs that page and two small nodes.
//!
//! The interpreter does not walk the tree. Two flat tables lead straight to the bytes of pages
//! seen before: one for reading, one for writing. They are a cache; a missing entry takes the slow
//! path, which fills it.
//!
//! The hash is a sum over pages, each seeded with its index, so that it can be brought up to date
//! by looking only at pages written since.

use alloc::{boxed::Box, sync::Arc, vec, vec::Vec};
use core::cell::UnsafeCell;
use core::ptr;
use core::sync::atomic::{Ordering, fence};

use xxhash_rust::xxh3::xxh3_128_with_seed;

use crate::trap::TrapKind;

/// The size of a page that forks share; not to be confused with WebAssembly's 64 KiB page.
pub const PAGE_SIZE: usize = 4096;
/// The size of WebAssembly's page, and of a chunk.
pub const WASM_PAGE_SIZE: usize = 65536;
/// The most WebAssembly pages that a memory can have: all that addresses of 32 bits reach.
pub(crate) const MAX_SIZE: u32 = 65536;
/// Pages of a chunk, and chunks of a block.
const FANOUT: usize = WASM_PAGE_SIZE / PAGE_SIZE;

type Bytes = [u8; PAGE_SIZE];
static ZERO_PAGE: Bytes = [0; PAGE_SIZE];

/// The bytes of a page, which the tables point to while the tree holds them. All access goes
/// through the cell's pointer, the tree's as well as the tables': a unique reference to a page
/// would make every other pointer to it invalid.
struct Page(UnsafeCell<Bytes>);

// SAFETY: a page is written only by the one memory that refers to it (see `own_page`).
unsafe impl Sync for Page {}

impl Page {
    fn bytes(&self) -> &Bytes {
        // SAFETY: whoever writes has borrowed the only memory that refers to the page uniquely,
        // so not while this reference lives.
        unsafe { &*self.0.get() }
    }

    fn as_ptr(&self) -> *mut u8 {
        self.0.get().cast()
    }
}

#[derive(Clone, Default)]
struct Entry {
    /// `None` stands for a page of zeros.
    page: Option<Arc<Page>>,
    /// What this page contributed to [`Memory::hash`] when that was last brought up to date.
    hash: u128,
    /// Whether the page may have been written since.
    dirty: bool,
}

impl Entry {
    fn bytes(&self) -> &Bytes {
        self.page.as_deref().map_or(&ZERO_PAGE, Page::bytes)
    }

    fn as_ptr(&self) -> *const u8 {
        self.page.as_deref().map_or(ZERO_PAGE.as_ptr(), |page| page.as_ptr())
    }
}

/// An inner node of the tree.
#[derive(Clone, Default)]
struct Node<T> {
    children: [T; FANOUT],
    /// Whether any page below is dirty.
    dirty: bool,
}

type Chunk = Node<Entry>;
type Block = Node<Arc<Chunk>>;

/// An access outside of the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("address {address:#x} (+{length}) is outside of the memory of {size:#x} bytes")]
pub struct OutOfBounds {
    /// The first address of the access.
    pub address: u64,
    /// How many bytes were accessed.
    pub length: u64,
    /// The memory's size in bytes.
    pub size: u64,
}

/// A write that cannot be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WriteError {
    /// It reaches outside of the memory.
    #[error(transparent)]
    OutOfBounds(#[from] OutOfBounds),
    /// There is no room for another page.
    #[error("no room: {0} pages of {PAGE_SIZE} bytes are all that the limits allow")]
    Exhausted(u32),
}

impl WriteError {
    /// What a program that writes so ends with.
    pub fn trap(self) -> TrapKind {
        match self {
            WriteError::OutOfBounds(_) => TrapKind::MemoryOutOfBounds,
            WriteError::Exhausted(_) => TrapKind::MemoryExhausted,
        }
    }
}

/// A linear memory. See the [module](self).
pub struct Memory {
    blocks: Vec<Arc<Block>>,
    /// The size in WebAssembly pages, which are chunks; what the last block has beyond is zero.
    size: u32,
    /// The most WebAssembly pages that it may grow to.
    maximum: u32,
    /// How many pages exist, and how many may.
    resident: u32,
    room: u32,
    /// The hash of the content but for what dirty pages have become since.
    hash: u128,
    /// The pages that `writable` leads to.
    written: Vec<u32>,
    /// Invariant: an entry is null or points to the bytes of that page, which `blocks` (or
    /// `ZERO_PAGE`) keeps alive. Empty until [`warm`](Self::warm).
    readable: Vec<*const u8>,
    /// Invariant: an entry is null or points to the bytes of that page, the page, its chunk and
    /// its block are referenced by this memory alone, and the page is marked dirty.
    writable: Vec<*mut u8>,
}

// SAFETY: the pointers lead to pages that `blocks` owns, and through `writable` only to those that
// no other memory refers to. A shared reference never uses the tables.
unsafe impl Send for Memory {}
// SAFETY: as above: nothing is written, nor any table used, through a shared reference.
unsafe impl Sync for Memory {}

impl Memory {
    /// A memory of zeros, of `minimum` WebAssembly pages, which may grow to `maximum`.
    pub fn new(minimum: u32, maximum: u32) -> Self {
        let mut memory = Memory {
            blocks: Vec::new(),
            size: 0,
            maximum: maximum.min(MAX_SIZE),
            resident: 0,
            room: u32::MAX,
            hash: 0,
            written: Vec::new(),
            readable: Vec::new(),
            writable: Vec::new(),
        };
        memory.add_chunks(minimum);
        memory
    }

    /// The memory, of which no more than so many pages of 4 KiB may ever be written.
    pub fn with_room(mut self, pages: u32) -> Self {
        self.room = pages;
        self
    }

    /// How many pages of 4 KiB have been written.
    pub fn resident_pages(&self) -> u32 {
        self.resident
    }

    /// The size in WebAssembly pages.
    pub fn size(&self) -> u32 {
        self.size
    }

    /// The most WebAssembly pages that it may grow to.
    pub fn maximum(&self) -> u32 {
        self.maximum
    }

    /// The size in bytes.
    pub fn byte_size(&self) -> u64 {
        u64::from(self.size) * WASM_PAGE_SIZE as u64
    }

    /// Grows by `delta` WebAssembly pages and returns the old size, or `None` if that is too much.
    pub fn grow(&mut self, delta: u32) -> Option<u32> {
        let old = self.size();
        if old.checked_add(delta)? > self.maximum {
            return None;
        }
        self.add_chunks(delta);
        Some(old)
    }

    fn add_chunks(&mut self, count: u32) {
        self.size += count;
        let blocks = (self.size as usize).div_ceil(FANOUT);
        if blocks > self.blocks.len() {
            let chunk = Arc::new(Chunk::default());
            let children = core::array::from_fn(|_| chunk.clone());
            self.blocks.resize(blocks, Arc::new(Block { children, dirty: false }));
        }
        if !self.readable.is_empty() {
            self.warm();
        }
    }

    /// A memory of the same content. Pages are copied when either is written.
    pub fn fork(&mut self) -> Memory {
        self.close_writable();
        self.share()
    }

    /// The same of a memory that nothing has been written to since it was forked.
    pub(crate) fn share(&self) -> Memory {
        // Otherwise it would go on writing to pages that it does not own any more.
        assert!(self.written.is_empty(), "a memory is shared that is being written");
        Memory {
            blocks: self.blocks.clone(),
            size: self.size,
            maximum: self.maximum,
            resident: self.resident,
            room: self.room,
            hash: self.hash,
            written: Vec::new(),
            readable: Vec::new(),
            writable: Vec::new(),
        }
    }

    /// Makes the tables as large as the memory, so that the fast path of accesses works.
    pub(crate) fn warm(&mut self) {
        let pages = self.size as usize * FANOUT;
        if self.readable.is_empty() {
            // Not `resize`: fresh zeroed memory comes from the allocator for almost nothing.
            self.readable = vec![ptr::null(); pages];
            self.writable = vec![ptr::null_mut(); pages];
        } else if self.readable.len() < pages {
            self.readable.resize(pages, ptr::null());
            self.writable.resize(pages, ptr::null_mut());
        }
    }

    fn entry(&self, page: usize) -> &Entry {
        let (block, chunk, page) = path(page);
        &self.blocks[block].children[chunk].children[page]
    }

    /// Pages may be shared or hashed from now on: the next write to each has to be noticed.
    fn close_writable(&mut self) {
        for index in self.written.drain(..) {
            self.writable[index as usize] = ptr::null_mut();
        }
    }

    /// Makes the page this memory's own and marks it dirty.
    fn own_page(&mut self, index: usize) -> &mut Bytes {
        let (block, chunk, page) = path(index);
        let block = Arc::make_mut(&mut self.blocks[block]);
        let chunk = Arc::make_mut(&mut block.children[chunk]);
        let entry = &mut chunk.children[page];
        (block.dirty, chunk.dirty, entry.dirty) = (true, true, true);
        let page = match &mut entry.page {
            // Nobody makes weak references, so this one is the only one.
            Some(page) if Arc::strong_count(page) == 1 => {
                // Whoever had another one has done reading.
                fence(Ordering::Acquire);
                page
            }
            Some(page) => {
                *page = Arc::new(Page(UnsafeCell::new(*page.bytes())));
                page
            }
            none => {
                self.resident += 1;
                none.insert(Arc::new(Page(UnsafeCell::new([0; PAGE_SIZE]))))
            }
        };
        if let Some(writable) = self.writable.get_mut(index)
            && writable.is_null()
        {
            *writable = page.as_ptr();
            self.readable[index] = *writable;
            self.written.push(index as u32);
        }
        // SAFETY: no other memory refers to the page, and this one is borrowed uniquely. The
        // pointers of the tables, which are not used meanwhile, come from the same cell.
        unsafe { &mut *page.0.get() }
    }

    fn check(&self, address: u64, length: u64) -> Result<(), OutOfBounds> {
        let size = self.byte_size();
        match address.checked_add(length) {
            Some(end) if end <= size => Ok(()),
            _ => Err(OutOfBounds { address, length, size }),
        }
    }

    /// Whether the pages of a range exist or there is room for them.
    fn check_room(&self, address: u64, length: u64) -> Result<(), WriteError> {
        if self.room == u32::MAX {
            return Ok(());
        }
        let is_missing = |page: &usize| self.entry(*page).page.is_none();
        let missing = pieces(address, length as usize).map(|(page, ..)| page).filter(is_missing);
        match missing.count() as u64 + u64::from(self.resident) <= u64::from(self.room) {
            true => Ok(()),
            false => Err(WriteError::Exhausted(self.room)),
        }
    }

    /// Reads bytes.
    pub fn read(&self, address: u64, buffer: &mut [u8]) -> Result<(), OutOfBounds> {
        self.check(address, buffer.len() as u64)?;
        for (page, range, part) in pieces(address, buffer.len()) {
            buffer[part].copy_from_slice(&self.entry(page).bytes()[range]);
        }
        Ok(())
    }

    /// Writes bytes.
    pub fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), WriteError> {
        self.check(address, bytes.len() as u64)?;
        self.check_room(address, bytes.len() as u64)?;
        for (page, range, part) in pieces(address, bytes.len()) {
            self.own_page(page)[range].copy_from_slice(&bytes[part]);
        }
        Ok(())
    }

    /// Sets `length` bytes to `byte`.
    pub fn fill(&mut self, address: u64, byte: u8, length: u64) -> Result<(), WriteError> {
        self.check(address, length)?;
        self.check_room(address, length)?;
        for (page, range, _) in pieces(address, length as usize) {
            self.own_page(page)[range].fill(byte);
        }
        Ok(())
    }

    /// Copies within the memory; the ranges may overlap.
    pub fn copy_within(&mut self, to: u64, from: u64, length: u64) -> Result<(), WriteError> {
        self.check(to, length)?;
        self.check(from, length)?;
        self.check_room(to, length)?;
        // In pieces: a device has no room for a copy of everything.
        let mut buffer = [0; 1024];
        let mut done = 0;
        while done < length {
            let count = (length - done).min(buffer.len() as u64);
            // What has not been copied yet must not be overwritten.
            let at = if to <= from { done } else { length - done - count };
            let piece = &mut buffer[..count as usize];
            self.read(from + at, piece)?;
            self.write(to + at, piece)?;
            done += count;
        }
        Ok(())
    }

    /// Reads `length` bytes into a vector of their own.
    pub fn read_vec(&self, address: u64, length: u64) -> Result<Vec<u8>, OutOfBounds> {
        self.check(address, length)?;
        let mut bytes = vec![0; length as usize];
        self.read(address, &mut bytes)?;
        Ok(bytes)
    }

    /// Loads a number, if its page is one that the table leads to and all of it is there.
    #[inline(always)]
    pub(crate) fn load<T: Number>(&self, address: u64) -> Option<T> {
        let (page, offset) = split(address);
        if let Some(&bytes) = self.readable.get(page)
            && !bytes.is_null()
            && offset <= PAGE_SIZE - size_of::<T>()
        {
            // SAFETY: by the invariant of `readable`, a whole page is there; the number lies
            // within it.
            return Some(unsafe { T::read(bytes.add(offset)) });
        }
        None
    }

    /// Loads a number from anywhere; `None` if it lies outside. Makes the table lead to its page.
    pub(crate) fn load_slow<T: Number>(&mut self, address: u64) -> Option<T> {
        let mut bytes = [0; 8];
        self.read(address, &mut bytes[..size_of::<T>()]).ok()?;
        let (page, _) = split(address);
        if !self.readable.is_empty() {
            self.readable[page] = self.entry(page).as_ptr();
        }
        // SAFETY: the buffer is as large as the largest number.
        Some(unsafe { T::read(bytes.as_ptr()) })
    }

    /// Stores a number, if its page is one that the table leads to and all of it is there; says
    /// whether it is.
    #[inline(always)]
    pub(crate) fn store<T: Number>(&mut self, address: u64, value: T) -> bool {
        let (page, offset) = split(address);
        if let Some(&bytes) = self.writable.get(page)
            && !bytes.is_null()
            && offset <= PAGE_SIZE - size_of::<T>()
        {
            // SAFETY: by the invariant of `writable`, a whole page is there and it is ours alone;
            // the number lies within it.
            unsafe { value.write(bytes.add(offset)) };
            return true;
        }
        false
    }

    /// Stores a number anywhere where that is possible. Makes the tables lead to its page.
    pub(crate) fn store_slow<T: Number>(
        &mut self,
        address: u64,
        value: T,
    ) -> Result<(), WriteError> {
        let mut bytes = [0; 8];
        // SAFETY: the buffer is as large as the largest number.
        unsafe { value.write(bytes.as_mut_ptr()) };
        self.write(address, &bytes[..size_of::<T>()])
    }

    /// The bytes of pages that have been written since the last fork or hash.
    pub fn written_bytes(&self) -> usize {
        self.written.len() * PAGE_SIZE
    }

    /// The bytes of pages that no other memory refers to: what dropping this one would free.
    pub fn unshared_bytes(&self) -> usize {
        fn own<T>(node: &Arc<T>) -> bool {
            Arc::strong_count(node) == 1
        }
        let blocks = self.blocks.iter().filter(|block| own(block));
        let chunks = blocks.flat_map(|block| &block.children).filter(|chunk| own(chunk));
        let pages = chunks.flat_map(|chunk| &chunk.children).flat_map(|entry| &entry.page);
        pages.filter(|page| own(page)).count() * PAGE_SIZE
    }

    /// A hash of the content. Costs as much as there are pages written since the last call.
    pub fn hash(&mut self) -> u128 {
        self.close_writable();
        for (i, block) in self.blocks.iter_mut().enumerate().filter(|(_, block)| block.dirty) {
            let block = Arc::make_mut(block);
            block.dirty = false;
            let chunks = block.children.iter_mut().enumerate().filter(|(_, chunk)| chunk.dirty);
            for (j, chunk) in chunks {
                let chunk = Arc::make_mut(chunk);
                chunk.dirty = false;
                let entries = chunk.children.iter_mut().enumerate().filter(|(_, e)| e.dirty);
                for (k, entry) in entries {
                    entry.dirty = false;
                    let bytes = entry.bytes();
                    // A page of zeros counts nothing, whether it exists or not.
                    let hash = match *bytes == ZERO_PAGE {
                        true => 0,
                        false => xxh3_128_with_seed(bytes, ((i * FANOUT + j) * FANOUT + k) as u64),
                    };
                    let before = core::mem::replace(&mut entry.hash, hash);
                    self.hash = self.hash.wrapping_sub(before).wrapping_add(hash);
                }
            }
        }
        self.hash
    }

    /// The pages that two memories do not share: those in which they may differ. A page that only
    /// one of them has is among them.
    pub fn unshared_pages<'a>(&'a self, other: &'a Memory) -> impl Iterator<Item = usize> + 'a {
        let (smaller, larger) = (self.size.min(other.size), self.size.max(other.size));
        let common = smaller as usize * FANOUT;
        let blocks = self.blocks.iter().zip(&other.blocks).enumerate();
        blocks
            .filter(|(_, (a, b))| !Arc::ptr_eq(a, b))
            .flat_map(|(block, (a, b))| {
                let chunks = a.children.iter().zip(&b.children).enumerate();
                let chunks = chunks.filter(|(_, (a, b))| !Arc::ptr_eq(a, b));
                chunks.flat_map(move |(chunk, (a, b))| {
                    let pages = a.children.iter().zip(&b.children).enumerate();
                    let pages = pages.filter(|(_, (a, b))| !ptr::eq(a.bytes(), b.bytes()));
                    let first = (block * FANOUT + chunk) * FANOUT;
                    pages.map(move |(page, _)| first + page)
                })
            })
            .filter(move |&page| page < common)
            .chain(common..larger as usize * FANOUT)
    }

    /// The pages that have ever been written, with their index.
    pub fn written_pages(&self) -> impl Iterator<Item = (usize, &[u8; PAGE_SIZE])> {
        let written = |index| Some((index, self.entry(index).page.as_deref()?.bytes()));
        (0..self.size as usize * FANOUT).filter_map(written)
    }

    /// Makes the memory one of another size, in which only those pages exist that are kept. What
    /// else there was is zero.
    pub(crate) fn reshape(&mut self, size: u32, maximum: u32, keep: impl Fn(usize) -> bool) {
        let pages: Vec<usize> = self.written_pages().map(|(index, _)| index).collect();
        let is_gone = |index: &usize| *index >= size as usize * FANOUT || !keep(*index);
        for index in pages.into_iter().filter(is_gone) {
            self.own_page(index);
            let (block, chunk, page) = path(index);
            let block = Arc::make_mut(&mut self.blocks[block]);
            Arc::make_mut(&mut block.children[chunk]).children[page].page = None;
            self.resident -= 1;
        }
        self.written.clear();
        (self.readable, self.writable) = (Vec::new(), Vec::new());
        if size < self.size {
            // What is cut off no longer counts.
            self.hash();
            self.size = size;
            self.blocks.truncate((size as usize).div_ceil(FANOUT));
        }
        self.maximum = maximum;
        self.add_chunks(size - self.size);
    }

    /// The pages that hold anything but zeros, with their index.
    pub fn pages(&self) -> impl Iterator<Item = (usize, &[u8; PAGE_SIZE])> {
        self.written_pages().filter(|(_, page)| **page != ZERO_PAGE)
    }
}

impl PartialEq for Memory {
    fn eq(&self, other: &Self) -> bool {
        self.size() == other.size()
            && self.maximum == other.maximum
            && self
                .unshared_pages(other)
                .all(|page| self.entry(page).bytes() == other.entry(page).bytes())
    }
}

impl Eq for Memory {}

impl core::fmt::Debug for Memory {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Memory")
            .field("size", &self.size())
            .field("pages", &self.pages().map(|(index, _)| index).collect::<Box<[_]>>())
            .finish()
    }
}

/// The block that a page lies in, the chunk in that block and the page in that chunk.
fn path(page: usize) -> (usize, usize, usize) {
    let chunk = page / FANOUT;
    (chunk / FANOUT, chunk % FANOUT, page % FANOUT)
}

/// The page that an address lies in, and where in that page.
#[inline(always)]
fn split(address: u64) -> (usize, usize) {
    ((address / PAGE_SIZE as u64) as usize, address as usize % PAGE_SIZE)
}

/// Cuts a range at page boundaries: page, range within it, range within the whole.
fn pieces(
    address: u64,
    length: usize,
) -> impl Iterator<Item = (usize, core::ops::Range<usize>, core::ops::Range<usize>)> {
    let mut done = 0;
    core::iter::from_fn(move || {
        if done == length {
            return None;
        }
        let (page, start) = split(address + done as u64);
        let count = (PAGE_SIZE - start).min(length - done);
        done += count;
        Some((page, start..start + count, done - count..done))
    })
}

/// A number that can lie in memory: little-endian, at any alignment.
pub(crate) trait Number: Copy {
    /// # Safety
    /// `from` is valid for reads of the number's size.
    unsafe fn read(from: *const u8) -> Self;
    /// # Safety
    /// `to` is valid for writes of the number's size.
    unsafe fn write(self, to: *mut u8);
}

macro_rules! numbers {
    ($($ty:ty)*) => {$(
        impl Number for $ty {
            // Not `read_unaligned` and `write_unaligned`: they go by a place on the stack, and where
            // they check their arguments that keeps the interpreter from jumping to the next op.
            #[inline(always)]
            unsafe fn read(from: *const u8) -> Self {
                // SAFETY: as the caller promises.
                <$ty>::from_le_bytes(unsafe { *from.cast() })
            }
            #[inline(always)]
            unsafe fn write(self, to: *mut u8) {
                // SAFETY: as the caller promises.
                unsafe { *to.cast() = self.to_le_bytes() }
            }
        }
    )*};
}

numbers!(u8 u16 u32 u64 i8 i16 i32);
