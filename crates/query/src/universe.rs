//! A universe as time: which places it leads through, and which parts it shares with others.
//!
//! A segment of the tree is one strand: all universes that go through a part of it have that part in
//! common. Where a universe goes on without a choice that was made in its segment (an interrupt that
//! did not arrive), what it then lives is a strand of its own. The instant of a choice belongs to
//! what comes after it: before another choice, something else happens at that instant.

use std::ops::Range;

use mw_multiverse::{Multiverse, NodeId, Place};
use mw_session::Past;

use crate::time::Time;

/// A part of the tree that universes share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Strand {
    /// A segment of the tree, by its number.
    Segment(u32),
    /// What comes after a node if none of the choices is made that its segment goes on with.
    Beyond(NodeId),
}

/// A universe: the way to a node, and on as far as the program has been. See the [module](self).
#[derive(Clone, Debug)]
pub struct Universe<'a> {
    multiverse: &'a Multiverse,
    /// The last node.
    leaf: NodeId,
    /// As far as the program has been.
    end: Place,
    has_ended: bool,
    strands: Vec<(Strand, Range<Time>)>,
    /// For each strand the last node that is reached on it, and how many choices lead to the first
    /// node of its segment.
    reaches: Vec<(NodeId, u64)>,
}

/// The time of a place.
pub fn time_of(multiverse: &Multiverse, place: Place) -> Time {
    Time::new(place.count + multiverse.depth(place.node))
}

impl<'a> Universe<'a> {
    /// The universe that ends with a node, lived as far as it is known, and at least to a place.
    pub fn new(past: Past<'a>, at_least: Place) -> Universe<'a> {
        let (multiverse, leaf) = (past.multiverse(), at_least.node);
        let end = Place { node: leaf, count: past.end_of(leaf).max(at_least.count) };
        let has_ended = multiverse.ended(leaf).is_some_and(|(at, _)| *at == end.count);
        let mut strands = Vec::new();
        let mut reaches = Vec::new();
        let (mut node, mut until) = (leaf, Time::MAX);
        loop {
            let (segment, index) = node.parts();
            let base = multiverse.depth(node) - u64::from(index);
            // Where the segment's own next choice is made, this universe may go on without it.
            let leaves = next_in_segment(multiverse, node);
            let leaves = leaves.map(|count| Time::new(count + multiverse.depth(node)));
            if let Some(leaves) = leaves.filter(|leaves| *leaves < until) {
                strands.push((Strand::Beyond(node), leaves..until));
                reaches.push((node, base));
                until = leaves;
            }
            let first = NodeId::from_parts(segment, 1);
            let begins = match multiverse.choice(first).filter(|_| segment != 0) {
                Some(choice) => Time::new(choice.count + base),
                None => Time::MIN,
            };
            strands.push((Strand::Segment(segment), begins..until));
            reaches.push((node, base));
            until = begins;
            match multiverse.parent(first).filter(|_| segment != 0) {
                Some(parent) => node = parent,
                None => break,
            }
        }
        strands.reverse();
        reaches.reverse();
        Universe { multiverse, leaf, end, has_ended, strands, reaches }
    }

    /// The last node.
    pub fn leaf(&self) -> NodeId {
        self.leaf
    }

    /// As far as the program has been in it.
    pub fn end(&self) -> Place {
        self.end
    }

    /// From which time on nothing is known yet.
    pub fn frontier(&self) -> Time {
        match self.has_ended {
            true => Time::MAX,
            false => self.time_of(self.end),
        }
    }

    /// Its strands, in the order of time.
    pub fn strands(&self) -> &[(Strand, Range<Time>)] {
        &self.strands
    }

    /// The time of one of its places.
    pub fn time_of(&self, place: Place) -> Time {
        time_of(self.multiverse, place)
    }

    /// The time of the instruction that is executed after so many others.
    pub fn time_at(&self, count: u64) -> Time {
        let node = self.multiverse.node_at(self.leaf, count);
        self.time_of(Place { node, count })
    }

    /// The first of its places that is not before a time, and not after its end.
    pub fn place_at(&self, time: Time) -> Place {
        let begin = self.multiverse.beginning();
        if time <= self.time_of(begin) {
            return begin;
        }
        if time >= self.time_of(self.end) {
            return self.end;
        }
        let strand = self.strands.partition_point(|(_, range)| range.end <= time);
        let strand = strand.min(self.strands.len() - 1);
        let (last, base) = self.reaches[strand];
        let (segment, index) = last.parts();
        let time_of_index = |index: u32| {
            let node = NodeId::from_parts(segment, index);
            Time::new(self.multiverse.start(node) + base + u64::from(index))
        };
        let (mut low, mut high) = (0, index);
        while low < high {
            let middle = (low + high).div_ceil(2);
            match time_of_index(middle) <= time {
                true => low = middle,
                false => high = middle - 1,
            }
        }
        let node = match (low, segment) {
            (0, 1..) => self.multiverse.parent(NodeId::from_parts(segment, 1)).unwrap_or_default(),
            _ => NodeId::from_parts(segment, low),
        };
        let count = time.steps() - self.multiverse.depth(node);
        // While an input is read, there is no place.
        let next = self.multiverse.step_towards(node, self.leaf);
        let choice = next.and_then(|next| self.multiverse.choice(next));
        match next.zip(choice).filter(|(_, choice)| count > choice.count) {
            Some((next, choice)) => Place { node: next, count: choice.after() },
            None => Place { node, count },
        }
    }

    /// Its nodes whose choices were made in a range of time, latest first.
    pub fn nodes_in(&self, range: Range<Time>) -> impl Iterator<Item = NodeId> {
        let last = self.place_at(range.end).node;
        let time = |node: NodeId| self.time_of(Place { node, count: self.multiverse.start(node) });
        let nodes = self.multiverse.ancestors(last).filter(|node| *node != NodeId::ROOT);
        let early = move |node: &NodeId| time(*node) >= range.end;
        let late = move |node: &NodeId| time(*node) >= range.start;
        nodes.skip_while(early).take_while(late)
    }
}

/// When the segment of a node goes on with a choice, if it does.
fn next_in_segment(multiverse: &Multiverse, node: NodeId) -> Option<u64> {
    let (segment, index) = node.parts();
    let next = NodeId::from_parts(segment, index + 1);
    multiverse.contains(next).then(|| multiverse.choice(next).map(|choice| choice.count))?
}
