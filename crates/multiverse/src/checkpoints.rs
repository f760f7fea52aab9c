//! Checkpoints: machines and worlds saved at places, so that going back is a short replay.
//!
//! They are a cache over the traces. When they outgrow their budget, those go first whose absence
//! costs least: close to their neighbours, far from the newest. What is left is dense nearby and
//! thins out with distance, so that the replay stays in proportion to how far one goes back.

use std::collections::BTreeMap;

use mw_vm::Machine;
use mw_world::State;

use crate::tree::{Multiverse, Place};

/// A machine and world as they were at a place.
#[derive(Debug)]
pub struct Checkpoint {
    /// The machine.
    pub machine: Machine,
    /// The state of the world.
    pub world: State,
}

/// Segment, index and count: the order of places within a segment.
type Key = (u32, u32, u64);

/// All checkpoints of a session, within a budget of memory.
#[derive(Debug)]
pub struct Checkpoints {
    saved: BTreeMap<Key, Checkpoint>,
    budget: usize,
    /// The bytes that the checkpoints hold.
    held: usize,
}

/// What a checkpoint holds beyond pages: the machine's and world's small parts.
const OVERHEAD: usize = 4096;

fn key(place: Place) -> Key {
    let (segment, index) = place.node.parts();
    (segment, index, place.count)
}

impl Checkpoints {
    /// No checkpoints yet, and at most so many bytes of them.
    pub fn new(budget: usize) -> Self {
        Checkpoints { saved: BTreeMap::new(), budget, held: 0 }
    }

    /// The number of checkpoints.
    pub fn len(&self) -> usize {
        self.saved.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.saved.is_empty()
    }

    /// The bytes that they hold.
    pub fn bytes_held(&self) -> usize {
        self.held
    }

    /// Saves a machine and world at a place.
    pub fn add(&mut self, place: Place, machine: &mut Machine, world: &State) {
        // Pages written since the last fork are the ones that no other checkpoint has.
        let bytes = machine.written_bytes() + OVERHEAD;
        if bytes > self.budget {
            return;
        }
        self.held += bytes;
        let checkpoint = Checkpoint { machine: machine.fork(), world: world.clone() };
        if let Some(old) = self.saved.insert(key(place), checkpoint) {
            self.forget(old);
        }
        if self.held > self.budget {
            self.thin(place);
        }
    }

    /// The last checkpoint on the way to a place, and where it is.
    pub fn before(
        &mut self,
        multiverse: &Multiverse,
        place: Place,
    ) -> Option<(Place, &mut Checkpoint)> {
        let mut at = place;
        let found = loop {
            let (segment, index, _) = key(at);
            let earlier = self.saved.range((segment, 0, 0)..=key(at)).next_back();
            let Some((&(_, earlier, count), _)) = earlier else {
                at = multiverse.branch_point(at.node)?;
                continue;
            };
            let node = multiverse.node_in_segment(at.node, earlier);
            // The way may have left an earlier node before the checkpoint: where an interrupt
            // arrived or a variable was set, the program has also gone on without.
            let left = match earlier == index {
                true => at.count,
                false => multiverse.left_at(node),
            };
            if count <= left {
                break Place { node, count };
            }
            at = Place { node, count: left };
        };
        let checkpoint = self.saved.get_mut(&key(found))?;
        Some((found, checkpoint))
    }

    fn forget(&mut self, checkpoint: Checkpoint) {
        let freed = checkpoint.machine.unshared_bytes() + OVERHEAD;
        self.held = self.held.saturating_sub(freed);
    }

    /// Removes checkpoints until a quarter of the budget is free again.
    fn thin(&mut self, newest: Place) {
        let goal = self.budget / 4 * 3;
        while self.held > goal && self.saved.len() > 1 {
            // How much longer replays get without it, in proportion to how far away it is.
            let score = |before: Option<&Key>, key: &Key, after: Option<&Key>| {
                let count = |k: Option<&Key>, other| match k {
                    Some(k) if k.0 == key.0 => k.2,
                    _ => other,
                };
                let gap = count(after, key.2).abs_diff(count(before, 0));
                gap as f64 / (newest.count.abs_diff(key.2) + 1) as f64
            };
            let keys: Vec<Key> = self.saved.keys().copied().collect();
            let mut scored: Vec<(f64, usize)> = keys
                .iter()
                .enumerate()
                .map(|(i, k)| (score(i.checked_sub(1).map(|i| &keys[i]), k, keys.get(i + 1)), i))
                .collect();
            scored.sort_by(|a, b| a.0.total_cmp(&b.0));
            // Some at a time, but no two neighbours, whose scores depend on one another.
            let mut removed = vec![false; keys.len()];
            for &(_, i) in scored.iter().take(keys.len() / 8 + 1) {
                let near = i.saturating_sub(1)..=(i + 1).min(keys.len() - 1);
                if self.held <= goal || removed[near].contains(&true) {
                    continue;
                }
                removed[i] = true;
                if let Some(checkpoint) = self.saved.remove(&keys[i]) {
                    self.forget(checkpoint);
                }
            }
        }
    }

    /// Drops all checkpoints.
    pub fn clear(&mut self) {
        self.saved.clear();
        self.held = 0;
    }
}
