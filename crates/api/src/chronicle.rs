//! What has been seen of the program, by the place where it happened: its outputs, and the
//! breakpoints that stopped it.
//!
//! Whatever happens at a place happens there every time, so it is noted once. It is a memory, not
//! the truth: outputs of a universe that nobody has been in are not in it, and of more than it can
//! hold, the oldest are forgotten.

use std::collections::{BTreeMap, BTreeSet};

use mw_session::{NodeId, Place};

/// More outputs than this are not kept.
const LIMIT: usize = 200_000;

/// An output that was seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Seen {
    /// How many instructions had been executed before.
    pub count: u64,
    /// The call.
    pub call: String,
    /// What it did.
    pub effect: String,
    /// What it printed, if it did.
    pub printed: Option<Vec<u8>>,
}

/// See the [module](self).
#[derive(Debug, Default)]
pub(crate) struct Chronicle {
    /// By the last choice before them; in the order of their counts.
    outputs: BTreeMap<NodeId, Vec<Seen>>,
    kept: usize,
    /// Where breakpoints have stopped the program: the count, and which it was.
    hits: BTreeMap<NodeId, BTreeSet<(u64, u32)>>,
}

impl Chronicle {
    /// Notes an output.
    pub fn output(&mut self, node: NodeId, seen: Seen) {
        let outputs = self.outputs.entry(node).or_default();
        match outputs.last() {
            Some(last) if last.count >= seen.count => {
                match outputs.binary_search_by_key(&seen.count, |known| known.count) {
                    Ok(_) => return,
                    Err(index) => outputs.insert(index, seen),
                }
            }
            _ => outputs.push(seen),
        }
        self.kept += 1;
        while self.kept > LIMIT
            && let Some((_, forgotten)) = self.outputs.pop_first()
        {
            self.kept -= forgotten.len();
        }
    }

    /// Notes that a breakpoint has stopped the program.
    pub fn hit(&mut self, place: Place, id: u32) {
        self.hits.entry(place.node).or_default().insert((place.count, id));
    }

    /// The outputs after a node and before the next.
    pub fn outputs_after(&self, node: NodeId) -> &[Seen] {
        self.outputs.get(&node).map_or(&[], Vec::as_slice)
    }

    /// The outputs after some nodes of a stretch without branches, which is of one segment.
    pub fn outputs_along(&self, first: NodeId, last: NodeId) -> impl Iterator<Item = &Seen> {
        self.outputs.range(first..=last).flat_map(|(_, outputs)| outputs)
    }

    /// Where breakpoints have stopped the program in such a stretch.
    pub fn hits_along(&self, first: NodeId, last: NodeId) -> impl Iterator<Item = (Place, u32)> {
        let hits = self.hits.range(first..=last);
        hits.flat_map(|(&node, hits)| {
            hits.iter().map(move |&(count, id)| (Place { node, count }, id))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(count: u64) -> Seen {
        Seen { count, call: "f()".into(), effect: "f".into(), printed: None }
    }

    #[test]
    fn what_happens_again_is_noted_once_and_in_order() {
        let mut chronicle = Chronicle::default();
        for count in [5, 9, 5, 7, 9, 11] {
            chronicle.output(NodeId::ROOT, seen(count));
        }
        let counts: Vec<u64> =
            chronicle.outputs_after(NodeId::ROOT).iter().map(|seen| seen.count).collect();
        assert_eq!(counts, [5, 7, 9, 11]);
    }

    #[test]
    fn the_oldest_are_forgotten() {
        let mut chronicle = Chronicle::default();
        let node = |index| NodeId::from_parts(0, index);
        for index in 0..3 {
            for count in 0..LIMIT as u64 / 2 {
                chronicle.output(node(index), seen(count));
            }
        }
        assert!(chronicle.outputs_after(node(0)).is_empty());
        assert_eq!(chronicle.outputs_along(node(0), node(2)).count(), LIMIT);
    }
}
