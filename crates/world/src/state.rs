//! The state of a world: what checkpoints keep, and the changes that lead from one to the next.

use std::collections::BTreeMap;

use mw_vm::Value;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

use crate::board::{self, Board};
use crate::heap::{Block, Heap};
use crate::primitive::{PrimitiveId, RegisterId};

/// Everything about a world that changes.
///
/// Clones share the large parts. Two states are equal exactly when no primitive can tell them
/// apart.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    pub(crate) board: Option<Board>,
    pub(crate) registers: Vec<Value>,
    /// What a person has set inputs to, by primitive and arguments (as slots, which have an order).
    pub(crate) readings: BTreeMap<(PrimitiveId, Vec<u64>), Value>,
    /// How far each source of values has come, once it has moved.
    pub(crate) progress: BTreeMap<PrimitiveId, u64>,
    /// The blocks of memory that the program has announced.
    pub(crate) heap: Heap,
}

/// One change of the state; applying it returns the change that takes it back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Change {
    Board(board::BoardChange),
    Register(RegisterId, Value),
    Reading(Box<(PrimitiveId, Vec<u64>)>, Option<Value>),
    Progress(PrimitiveId, Option<u64>),
    Block(u32, Option<Block>),
}

/// Sets or removes an entry and returns what was there.
pub(crate) fn put<K: Ord, V>(map: &mut BTreeMap<K, V>, key: K, value: Option<V>) -> Option<V> {
    match value {
        Some(value) => map.insert(key, value),
        None => map.remove(&key),
    }
}

impl State {
    /// The board, in a world that has one.
    pub fn board(&self) -> Option<&Board> {
        self.board.as_ref()
    }

    /// The value of a register.
    pub fn register(&self, register: RegisterId) -> Option<Value> {
        self.registers.get(register.0 as usize).copied()
    }

    /// The blocks of memory that the program has announced.
    pub fn heap(&self) -> &Heap {
        &self.heap
    }

    /// Puts other blocks in their place: those of another program that is in the same world.
    pub fn swap_heap(&mut self, heap: Heap) -> Heap {
        std::mem::replace(&mut self.heap, heap)
    }

    /// A hash that is the same for equal states, in every run and on every machine.
    pub fn hash(&self) -> u128 {
        // The picture is by far the largest part, and mostly the same rows over and over.
        let mut rest = self.clone();
        let screen = rest.board.as_mut().map(|board| board.take_screen().hash());
        // Writing plain data to memory cannot fail; if it ever did, all states would look equal
        // rather than equal ones different, and equality is checked where it matters.
        xxh3_128(&postcard::to_allocvec(&(rest, screen)).unwrap_or_default())
    }

    pub(crate) fn apply(&mut self, change: Change) -> Change {
        match change {
            // A change of a board that is not there can only come from a file of another world.
            Change::Board(change) => Change::Board(match &mut self.board {
                Some(board) => board.apply(change),
                None => change,
            }),
            Change::Register(register, new) => {
                let old = match self.registers.get_mut(register.0 as usize) {
                    Some(value) => std::mem::replace(value, new),
                    None => new,
                };
                Change::Register(register, old)
            }
            Change::Reading(key, new) => {
                let old = put(&mut self.readings, (*key).clone(), new);
                Change::Reading(key, old)
            }
            Change::Progress(primitive, new) => {
                Change::Progress(primitive, put(&mut self.progress, primitive, new))
            }
            Change::Block(address, new) => Change::Block(address, self.heap.put(address, new)),
        }
    }

    /// Makes the changes in order and returns those that take them back, last first.
    pub(crate) fn apply_all(&mut self, changes: impl IntoIterator<Item = Change>) -> Box<[Change]> {
        let mut back: Vec<Change> = changes.into_iter().map(|change| self.apply(change)).collect();
        back.reverse();
        back.into_boxed_slice()
    }
}
