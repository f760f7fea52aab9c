//! Shadows: which numbers of a machine come from inputs, and what they are in terms of them.
//!
//! What no input has flowed into has no shadow and costs nothing. Memory is shadowed byte by
//! byte: a byte is *one byte of* an expression, so that a number that is stored and loaded again
//! is the same expression, and one that is put together from pieces is exactly that.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;

use mw_vm::NumericOp::*;
use mw_vm::ValType;

use crate::expr::{Expr, Exprs};
use crate::slots::Slots;

/// Bytes of memory that are shadowed together.
pub const CHUNK: u64 = 32;

/// One byte of an integer expression: the lowest is number 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Byte {
    /// The expression.
    pub expr: Expr,
    /// Which of its bytes.
    pub index: u8,
}

type Chunk = [Option<Byte>; CHUNK as usize];

/// The shadows of one machine.
#[derive(Clone, Debug, Default)]
pub struct Shadow {
    /// By the slot of the machine's stack. Above the live slots there may be anything.
    pub stack: Slots<Expr>,
    pub globals: Slots<Expr>,
    /// By memory and address, divided by the size of a chunk. Shared with forks until one of them
    /// writes.
    memory: Arc<Chunks>,
    /// Bytes taken for it since somebody asked last.
    taken: usize,
}

type Chunks = HashMap<u64, Arc<Chunk>, BuildHasherDefault<Mix>>;

/// What a chunk takes, and what its place takes.
const CHUNK_BYTES: usize = size_of::<Chunk>() + 16;
const PLACE_BYTES: usize = 32;

/// Addresses are numbers already: a multiplication spreads them well enough.
#[derive(Clone, Copy, Debug, Default)]
struct Mix(u64);

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(byte.into());
        }
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = (self.0.rotate_left(5) ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

impl Shadow {
    fn key(memory: u16, address: u64) -> u64 {
        (u64::from(memory) << 48) | (address / CHUNK)
    }

    /// The shadow of a byte of memory.
    pub fn byte(&self, memory: u16, address: u64) -> Option<Byte> {
        self.memory.get(&Self::key(memory, address))?[(address % CHUNK) as usize]
    }

    /// The shadows of memory, to be changed.
    fn chunks(&mut self) -> &mut Chunks {
        if Arc::strong_count(&self.memory) > 1 {
            self.taken += self.memory.len() * PLACE_BYTES;
        }
        Arc::make_mut(&mut self.memory)
    }

    /// The chunk with a key, to be changed: an empty one if there was none.
    fn chunk(&mut self, key: u64) -> &mut Chunk {
        let is_new = !self.memory.contains_key(&key);
        if is_new || Arc::strong_count(&self.memory[&key]) > 1 {
            self.taken += CHUNK_BYTES + usize::from(is_new) * PLACE_BYTES;
        }
        let chunk = self.chunks().entry(key);
        Arc::make_mut(chunk.or_insert_with(|| [None; CHUNK as usize].into()))
    }

    /// Gives a byte of memory a shadow, or none.
    pub fn set_byte(&mut self, memory: u16, address: u64, byte: Option<Byte>) {
        let key = Self::key(memory, address);
        let at = (address % CHUNK) as usize;
        if byte.is_none() && self.byte(memory, address).is_none() {
            return;
        }
        let chunk = self.chunk(key);
        chunk[at] = byte;
        if chunk.iter().all(Option::is_none) {
            self.chunks().remove(&key);
        }
    }

    /// Bytes taken for shadows of memory since this was last asked.
    pub fn taken(&self) -> usize {
        // What was taken and given back is no more than all there is.
        self.taken.min(self.memory.len() * (CHUNK_BYTES + PLACE_BYTES))
    }

    /// They are counted elsewhere from now on.
    pub fn reset_taken(&mut self) {
        self.taken = 0;
    }

    /// Whether any of some bytes has a shadow.
    #[inline]
    pub fn touches(&self, memory: u16, address: u64, size: u64) -> bool {
        if self.memory.is_empty() || size == 0 {
            return false;
        }
        let (first, last) = (Self::key(memory, address), Self::key(memory, address + size - 1));
        if last - first >= self.memory.len() as u64 {
            return self.memory.keys().any(|key| (first..=last).contains(key));
        }
        (first..=last).any(|key| self.memory.contains_key(&key))
    }

    /// The bytes of memory that have a shadow: memory, address and an `i32` or `i64` expression of
    /// which it is the byte with that index.
    pub fn bytes(&self) -> impl Iterator<Item = (u32, u64, Expr, u8)> + '_ {
        self.pieces().flat_map(|(memory, start, bytes)| {
            bytes.map(move |(at, expr, index)| (memory, start + at as u64, expr, index))
        })
    }

    /// The same by pieces: memory, address and the bytes from there on, by their place.
    pub fn pieces(
        &self,
    ) -> impl Iterator<Item = (u32, u64, impl Iterator<Item = (usize, Expr, u8)> + '_)> + '_ {
        self.memory.iter().map(|(key, chunk)| {
            let (memory, start) = ((key >> 48) as u32, (key & ((1 << 48) - 1)) * CHUNK);
            let bytes = chunk.iter().enumerate();
            let bytes = bytes.filter_map(|(at, byte)| byte.map(|byte| (at, byte.expr, byte.index)));
            (memory, start, bytes)
        })
    }

    /// The unsigned integer that lies in memory, if it has a shadow: an `i32` up to 4 bytes, else
    /// an `i64`. `concrete` is what the machine has there.
    pub fn load(
        &self,
        exprs: &mut Exprs,
        memory: u16,
        address: u64,
        size: u8,
        concrete: u64,
    ) -> Option<Expr> {
        if !self.touches(memory, address, size.into()) {
            return None;
        }
        let bytes: Vec<Option<Byte>> =
            (0..u64::from(size)).map(|at| self.byte(memory, address + at)).collect();
        if bytes.iter().all(Option::is_none) {
            return None;
        }
        let wide = size > 4;
        let (or, ty) = if wide { (I64Or, ValType::I64) } else { (I32Or, ValType::I32) };
        let (mut whole, mut known) = (None, 0);
        let mut at = 0;
        while at < bytes.len() {
            let Some(first) = bytes[at] else {
                known |= concrete & (0xff << (8 * at));
                at += 1;
                continue;
            };
            // As many bytes as come from one expression, in order.
            let follows = |byte: &Option<Byte>, n: usize| {
                *byte == Some(Byte { expr: first.expr, index: first.index + n as u8 })
            };
            let rest = bytes[at..].iter().enumerate();
            let length = rest.take_while(|(n, byte)| follows(byte, *n)).count();
            let piece = piece(exprs, first, length as u8, at as u8, wide);
            whole = Some(match whole {
                Some(whole) => exprs.binary(or, whole, piece),
                None => piece,
            });
            at += length;
        }
        let whole = whole?;
        let known = exprs.constant(ty, known);
        Some(exprs.binary(or, whole, known))
    }

    /// Notes what a store writes: the lowest bytes of an expression, or nothing of interest.
    pub fn store(
        &mut self,
        exprs: &mut Exprs,
        memory: u16,
        address: u64,
        size: u8,
        expr: Option<Expr>,
    ) {
        if expr.is_none() && !self.touches(memory, address, size.into()) {
            return;
        }
        let expr = expr.map(|expr| bits(exprs, expr));
        for index in 0..size {
            let byte = expr.map(|expr| Byte { expr, index });
            self.set_byte(memory, address + u64::from(index), byte);
        }
    }

    /// Forgets, or sets to the lowest byte of an expression, a range of memory.
    pub fn fill(&mut self, memory: u16, address: u64, length: u64, expr: Option<Expr>) {
        if expr.is_none() && !self.touches(memory, address, length) {
            return;
        }
        let byte = expr.map(|expr| Byte { expr, index: 0 });
        let end = address + length;
        if expr.is_none() && length / CHUNK > self.memory.len() as u64 {
            let is_in = |&(of, at, ..): &(u32, u64, Expr, u8)| {
                of == u32::from(memory) && (address..end).contains(&at)
            };
            let forgotten: Vec<u64> = self.bytes().filter(is_in).map(|(_, at, ..)| at).collect();
            forgotten.into_iter().for_each(|at| self.set_byte(memory, at, None));
            return;
        }
        // What is filled with the same is kept once.
        let whole = byte.map(|byte| Arc::new([Some(byte); CHUNK as usize]));
        let mut at = address;
        while at < end {
            if at.is_multiple_of(CHUNK) && at + CHUNK <= end {
                self.set_chunk(Self::key(memory, at), whole.clone());
                at += CHUNK;
            } else {
                self.set_byte(memory, at, byte);
                at += 1;
            }
        }
    }

    fn set_chunk(&mut self, key: u64, chunk: Option<Arc<Chunk>>) {
        match chunk {
            Some(chunk) => {
                self.chunks().insert(key, chunk);
                self.taken += PLACE_BYTES;
            }
            None if self.memory.contains_key(&key) => {
                self.chunks().remove(&key);
            }
            None => {}
        }
    }

    /// Copies a range of memory.
    pub fn copy(&mut self, to: (u16, u64), from: (u16, u64), length: u64) {
        if !self.touches(from.0, from.1, length) {
            return self.fill(to.0, to.1, length, None);
        }
        // From the end where nothing is overwritten that is still to be copied.
        let backwards = to.0 == from.0 && to.1 > from.1;
        let mut done = 0;
        while done < length {
            let left = length - done;
            let start = |base: u64, size: u64| match backwards {
                true => base + left - size,
                false => base + done,
            };
            let is_whole = |base: u64| left >= CHUNK && start(base, CHUNK).is_multiple_of(CHUNK);
            if is_whole(to.1) && is_whole(from.1) {
                let chunk = self.memory.get(&Self::key(from.0, start(from.1, CHUNK))).cloned();
                self.set_chunk(Self::key(to.0, start(to.1, CHUNK)), chunk);
                done += CHUNK;
            } else {
                let byte = self.byte(from.0, start(from.1, 1));
                self.set_byte(to.0, start(to.1, 1), byte);
                done += 1;
            }
        }
    }
}

/// The bits of an expression as an integer.
pub fn bits(exprs: &mut Exprs, expr: Expr) -> Expr {
    match exprs.ty(expr) {
        ValType::F32 => exprs.unary(I32ReinterpretF32, expr),
        ValType::F64 => exprs.unary(I64ReinterpretF64, expr),
        _ => expr,
    }
}

/// Some bytes of an expression, moved to where they belong in the number being put together.
fn piece(exprs: &mut Exprs, first: Byte, length: u8, at: u8, wide: bool) -> Expr {
    let (mut expr, from) = (first.expr, 8 * u64::from(first.index));
    let is_wide = exprs.ty(expr) == ValType::I64;
    let width = if is_wide { 64 } else { 32 };
    let length = 8 * u64::from(length);
    expr = exprs.with_const(if is_wide { I64ShrU } else { I32ShrU }, expr, from);
    if from + length < width {
        let mask = (1 << length) - 1;
        expr = exprs.with_const(if is_wide { I64And } else { I32And }, expr, mask);
    }
    expr = match (is_wide, wide) {
        (true, false) => exprs.unary(I32WrapI64, expr),
        (false, true) => exprs.unary(I64ExtendI32U, expr),
        _ => expr,
    };
    exprs.with_const(if wide { I64Shl } else { I32Shl }, expr, 8 * u64::from(at))
}
