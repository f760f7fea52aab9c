//! What has been seen of the program, by the place where it happened: its outputs, and the
//! breakpoints that stopped it.
//!
//! Whatever happens at a place happens there every time, so it is noted once. It is a memory, not
//! the truth: outputs of a universe that nobody has been in are not in it, and of more than it can
//! hold, the oldest are forgotten.

use std::collections::{BTreeMap, BTreeSet};

use mw_session::{NodeId, Place};

/// More outputs than this are not kept,
const LIMIT: usize = 200_000;
/// nor more text of them.
const BYTES: usize = 64 << 20;

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

impl Seen {
    fn bytes(&self) -> usize {
        self.call.len() + self.effect.len() + self.printed.as_ref().map_or(0, Vec::len)
    }
}

/// See the [module](self).
#[derive(Debug, Default)]
pub(crate) struct Chronicle {
    /// By the last choice before them; in the order of their counts.
    outputs: BTreeMap<NodeId, Vec<Seen>>,
    /// How many there are, and how long their texts are.
    kept: usize,
    bytes: usize,
    /// Where breakpoints have stopped the program: the count, and which it was.
    hits: BTreeMap<NodeId, BTreeSet<(u64, u32)>>,
}

impl Chronicle {
    /// Notes an output.
    pub fn output(&mut self, node: NodeId, seen: Seen) {
        let (outputs, bytes) = (self.outputs.entry(node).or_default(), seen.bytes());
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
        self.bytes += bytes;
        while (self.kept > LIMIT || self.bytes > BYTES)
            && let Some(mut oldest) = self.outputs.first_entry()
        {
            // Half of them, so that those of a program that reads nothing do not go all at once.
            let outputs = oldest.get_mut();
            for seen in outputs.drain(..outputs.len().div_ceil(2)) {
                self.kept -= 1;
                self.bytes -= seen.bytes();
            }
            if outputs.is_empty() {
                oldest.remove();
            }
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
        let kept = chronicle.outputs_along(node(0), node(2)).count();
        assert!((LIMIT / 2..=LIMIT).contains(&kept), "{kept}");
        assert_eq!(chronicle.outputs_after(node(2)).len(), LIMIT / 2);
    }

    #[test]
    fn of_a_program_that_reads_nothing_the_newest_are_kept() {
        let mut chronicle = Chronicle::default();
        let printed = |count| Seen { printed: Some(vec![b'a'; 1 << 20]), ..seen(count) };
        for count in 0..1000 {
            chronicle.output(NodeId::ROOT, printed(count));
        }
        let kept = chronicle.outputs_after(NodeId::ROOT);
        assert_eq!(kept.last().map(|seen| seen.count), Some(999));
        assert!((BYTES >> 21..=BYTES >> 20).contains(&kept.len()), "{}", kept.len());
    }
}
