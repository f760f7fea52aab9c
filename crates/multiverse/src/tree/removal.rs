//! Taking suggestions out of the tree again.
//!
//! A segment that was shortened stays as short: whatever comes after its last node later begins a
//! segment of its own. So no node is ever called what another one was.

use std::collections::{BTreeMap, BTreeSet};

use super::{Multiverse, NodeId, Segment};

impl Multiverse {
    /// Removes a node and all after it, as far as the program has not been there. What leads to
    /// one of the nodes in `kept` stays. Returns what is gone.
    pub fn remove_suggested(&mut self, below: NodeId, kept: &[NodeId]) -> BTreeSet<NodeId> {
        let way = |node: &NodeId| self.ancestors(*node).take_while(|node| !self.is_visited(*node));
        let stays: BTreeSet<NodeId> = kept.iter().flat_map(way).collect();
        let goes = |node: &NodeId| !stays.contains(node) && self.is_ancestor(below, *node);
        let gone: BTreeSet<NodeId> = self.unvisited().filter(goes).collect();
        let mut shortened: BTreeMap<u32, u32> = BTreeMap::new();
        for node in &gone {
            // The first of a segment comes first: with it, all after it.
            shortened.entry(node.segment).or_insert(node.index);
        }
        for (&segment, &first) in &shortened {
            let (first, length) = (NodeId { segment, index: first }, first - 1);
            let Some(before) = self.parent(first) else { continue };
            let way_on = self.preferred_node(before);
            self.shorten(segment, length);
            self.prefer_again(before, way_on);
        }
        self.unvisited.retain(|node| !gone.contains(node));
        gone
    }

    /// Leaves so many choices of a segment.
    fn shorten(&mut self, number: u32, length: u32) {
        let segment = &mut self.segments[number as usize];
        segment.choices.truncate(length);
        segment.branches.retain(|&index, _| index <= length);
        segment.preferred.retain(|&index, _| index <= length);
        segment.ended.retain(|&index, _| index <= length);
        self.cuts.insert(number, length);
        if length == 0 && number > 0 {
            let parent = std::mem::take(&mut segment.parent);
            let before = &mut self.segments[parent.segment as usize];
            if let Some(branches) = before.branches.get_mut(&parent.index) {
                branches.retain(|branch| *branch != number);
            }
            before.branches.retain(|_, branches| !branches.is_empty());
            if before.preferred.get(&parent.index) == Some(&number) {
                before.preferred.remove(&parent.index);
            }
        }
    }

    /// The way on from a node stays what it was, where there is one.
    fn prefer_again(&mut self, node: NodeId, way_on: Option<NodeId>) {
        match way_on {
            Some(next) => self.prefer(node, next),
            None if self.steps(node).next().is_none() => {
                self.segments[node.segment as usize].preferred.remove(&node.index);
            }
            None => {}
        }
    }

    /// Whether nothing may be added to a node's segment, of which it is the last.
    pub(super) fn is_cut(&self, node: NodeId) -> bool {
        self.cuts.get(&node.segment) == Some(&node.index)
    }

    /// The segments that were shortened, and how many choices each has since.
    pub fn cuts(&self) -> &BTreeMap<u32, u32> {
        &self.cuts
    }

    /// An empty tree which has the same segments shortened once they are there.
    pub fn with_cuts(self, cuts: BTreeMap<u32, u32>) -> Multiverse {
        Multiverse { cuts, ..self }
    }

    /// Segments of which nothing is left keep their numbers.
    pub(super) fn skip_empty_segments(&mut self) {
        while self.cuts.get(&(self.segments.len() as u32)) == Some(&0) {
            self.segments.push(Segment::default());
        }
    }

    /// All that it takes to make the same tree, as if nobody had asked before.
    pub fn take_all_changes(&mut self) -> Vec<super::Addition> {
        self.taken = Default::default();
        self.take_changes()
    }
}
