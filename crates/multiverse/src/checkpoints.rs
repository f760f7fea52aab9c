//! Checkpoints: moments kept at places, so that going back is a short replay.
//!
//! They are a cache over the traces. When they outgrow their budget, those go first whose absence
//! costs least: close to their neighbours, far from the newest. What is left is dense nearby and
//! thins out with distance, so that the replay stays in proportion to how far one goes back.

use std::collections::BTreeMap;
use std::ops::Range;

use mw_ensemble::Checkpoint;
use mw_vm::{Machine, Memory, PAGE_SIZE, WASM_PAGE_SIZE};

use crate::tree::{Multiverse, Place};

/// Segment, index and count: the order of places within a segment.
type Key = (u32, u32, u64);

#[derive(Debug)]
struct Saved {
    checkpoint: Checkpoint,
    /// The checkpoint before it, on the same way, that its bytes are counted against.
    before: Option<Key>,
    /// The bytes that it holds and the one before does not.
    bytes: usize,
}

/// All checkpoints of a session, within a budget of memory.
#[derive(Debug)]
pub struct Checkpoints {
    saved: BTreeMap<Key, Saved>,
    budget: usize,
    /// The sum of their bytes. Whatever page one of them holds is counted at least once: there, or
    /// at one before.
    held: usize,
}

/// What a checkpoint holds beyond pages: the machine's and world's small parts.
const OVERHEAD: usize = 4096;

fn key(place: Place) -> Key {
    let (segment, index) = place.node.parts();
    (segment, index, place.count)
}

/// The bytes that a checkpoint of `machine` holds and one of `before` does not.
fn bytes(machine: &Machine, before: Option<&Machine>) -> usize {
    let pages = |(index, memory): (usize, &Memory)| {
        let count = |other: &Memory, range: Range<usize>| {
            memory.unshared_pages(other).filter(|page| range.contains(page)).count()
        };
        let nothing = || Memory::new(memory.size(), memory.maximum());
        match before.and_then(|before| before.memories().get(index)) {
            None => count(&nothing(), 0..usize::MAX),
            Some(other) if other.size() >= memory.size() => {
                count(other, 0..memory.size() as usize * (WASM_PAGE_SIZE / PAGE_SIZE))
            }
            Some(other) => {
                let grown = other.size() as usize * (WASM_PAGE_SIZE / PAGE_SIZE);
                count(other, 0..grown) + count(&nothing(), grown..usize::MAX)
            }
        }
    };
    let pages: usize = machine.memories().iter().enumerate().map(pages).sum();
    pages * PAGE_SIZE + OVERHEAD
}

impl Checkpoints {
    /// No checkpoints yet, and at most so many bytes of them.
    pub fn new(budget: usize) -> Self {
        Checkpoints { saved: BTreeMap::new(), budget, held: 0 }
    }

    /// Takes all of them out.
    pub fn taken(&mut self) -> Self {
        std::mem::replace(self, Checkpoints::new(self.budget))
    }

    /// Changes each, in what takes no memory to speak of.
    pub fn each(&mut self, mut change: impl FnMut(&mut Checkpoint)) {
        self.saved.values_mut().for_each(|saved| change(&mut saved.checkpoint));
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

    /// Keeps a moment at a place of a tree.
    pub fn insert(&mut self, multiverse: &Multiverse, place: Place, checkpoint: Checkpoint) {
        let before = self.before(multiverse, place);
        let bytes = bytes(&checkpoint.machine, before.map(|(_, before)| &*before.machine));
        let before = before.map(|(at, _)| key(at));
        if before == Some(key(place)) || bytes > self.budget {
            return;
        }
        self.saved.insert(key(place), Saved { checkpoint, before, bytes });
        self.held += bytes;
        if self.held > self.budget {
            self.thin(place);
        }
    }

    /// The last checkpoint on the way to a place, and where it is.
    pub fn before(&self, multiverse: &Multiverse, place: Place) -> Option<(Place, &Checkpoint)> {
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
        Some((found, &self.saved.get(&key(found))?.checkpoint))
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
            let mut removed = BTreeMap::new();
            let mut freed = 0;
            for &(_, i) in scored.iter().take(keys.len() / 8 + 1) {
                let near = i.saturating_sub(1)..=(i + 1).min(keys.len() - 1);
                if self.held - freed <= goal || keys[near].iter().any(|k| removed.contains_key(k)) {
                    continue;
                }
                if let Some(saved) = self.saved.remove(&keys[i]) {
                    freed += saved.bytes;
                    removed.insert(keys[i], saved);
                }
            }
            self.held -= freed;
            self.inherit(&removed);
        }
        if self.held > self.budget {
            self.clear();
        }
    }

    /// Counts what removed checkpoints held at those after them, which still do.
    fn inherit(&mut self, removed: &BTreeMap<Key, Saved>) {
        let counted_against_removed =
            |saved: &Saved| saved.before.is_some_and(|before| removed.contains_key(&before));
        let heirs = self.saved.iter().filter(|(_, saved)| counted_against_removed(saved));
        for heir in heirs.map(|(key, _)| *key).collect::<Vec<_>>() {
            let Some(mut saved) = self.saved.remove(&heir) else { continue };
            while let Some(gone) = saved.before.and_then(|before| removed.get(&before)) {
                saved.before = gone.before;
            }
            let before = saved.before.and_then(|before| self.saved.get(&before));
            let now = bytes(&saved.checkpoint.machine, before.map(|b| &*b.checkpoint.machine));
            self.held = self.held - saved.bytes + now;
            saved.bytes = now;
            self.saved.insert(heir, saved);
        }
    }

    /// Drops all checkpoints.
    pub fn clear(&mut self) {
        self.saved.clear();
        self.held = 0;
    }
}
