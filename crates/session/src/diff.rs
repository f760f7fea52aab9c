//! What differs between two places, and where their ways parted.

use mw_ensemble::Moment;
use mw_multiverse::{NodeId, Place};
use mw_vm::{Machine, PAGE_SIZE, Value};
use mw_world::View;
use serde::{Deserialize, Serialize};

use crate::control::Control;
use crate::error::SessionError;
use crate::session::Session;

/// A stretch of memory that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemoryDifference {
    /// The first address.
    pub address: u64,
    /// The bytes at the first place.
    pub first: Vec<u8>,
    /// The bytes at the second place.
    pub second: Vec<u8>,
}

/// What differs between two places.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Difference {
    /// The last place that their ways have in common.
    pub common: Place,
    /// The choices at which they parted: the next node on each way, if there is one.
    pub parted: (Option<NodeId>, Option<NodeId>),
    /// Globals that differ, by their index.
    pub globals: Vec<(u32, Value, Value)>,
    /// Stretches of the first memory that differ, from the lowest address on; at most
    /// [`MEMORY_LIMIT`] of them.
    pub memory: Vec<MemoryDifference>,
    /// The functions under way, innermost first, if they differ.
    pub stacks: Option<(Vec<String>, Vec<String>)>,
    /// The worlds, if they differ.
    pub worlds: Option<Box<(View, View)>>,
}

/// How many differing stretches of memory are listed.
pub const MEMORY_LIMIT: usize = 64;

impl Session {
    /// Compares two places, and returns their machines, to compare more of them. The session stays
    /// where it is.
    pub fn diff(
        &mut self,
        first: Place,
        second: Place,
        control: &mut dyn Control,
    ) -> Result<(Difference, (Machine, Machine)), SessionError> {
        let (machine, view) = self.look_at(first, control, seen)?;
        let (other, other_view) = self.look_at(second, control, seen)?;
        let common = self.common(first, second);
        let next = |place: Place| self.multiverse().step_towards(common.node, place.node);
        let globals = (0..self.module().globals().len() as u32).filter_map(|index| {
            let (a, b) = (machine.global(index)?, other.global(index)?);
            (a != b).then_some((index, a, b))
        });
        let stacks = (self.stack_of(&machine), self.stack_of(&other));
        let difference = Difference {
            common,
            parted: (next(first), next(second)),
            globals: globals.collect(),
            memory: memory_differences(&machine, &other),
            stacks: (stacks.0 != stacks.1).then_some(stacks),
            worlds: (view != other_view).then(|| Box::new((view, other_view))),
        };
        Ok((difference, (machine, other)))
    }

    /// The functions under way in a machine.
    fn stack_of(&self, machine: &Machine) -> Vec<String> {
        let stack = machine.call_stack();
        stack.iter().map(|frame| self.module().func_name(frame.func)).collect()
    }
}

fn seen(now: &mut Moment) -> (Machine, View) {
    (now.machine.fork(), now.world.view())
}

fn memory_differences(a: &Machine, b: &Machine) -> Vec<MemoryDifference> {
    let (Some(a), Some(b)) = (a.memories().first(), b.memories().first()) else {
        return Vec::new();
    };
    let mut found: Vec<MemoryDifference> = Vec::new();
    for page in a.unshared_pages(b) {
        let address = (page * PAGE_SIZE) as u64;
        // A page that only one of them has reads as zeros in the other.
        let read = |memory: &mw_vm::Memory| {
            memory.read_vec(address, PAGE_SIZE as u64).unwrap_or_else(|_| vec![0; PAGE_SIZE])
        };
        let (first, second) = (read(a), read(b));
        for (offset, (&x, &y)) in first.iter().zip(&second).enumerate() {
            if x == y {
                continue;
            }
            let address = address + offset as u64;
            let is_full = found.len() == MEMORY_LIMIT;
            match found.last_mut() {
                Some(last) if last.address + last.first.len() as u64 == address => {
                    last.first.push(x);
                    last.second.push(y);
                }
                _ if is_full => return found,
                _ => found.push(MemoryDifference { address, first: vec![x], second: vec![y] }),
            }
        }
    }
    found
}
