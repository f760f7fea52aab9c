//! The tree of universes.
//!
//! Choices that follow one another are kept in *segments*: a segment begins where a universe
//! branches off another one and goes on to its end. So a universe that never branched is one
//! segment however long it is, and a choice costs a few bytes.
//!
//! What was added since somebody last asked can be had as [`Addition`]s, for whoever keeps the tree on
//! disk. They follow from the tree itself, so that nothing is kept for those who never ask.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use mw_vm::{TrapKind, Value};
use mw_world::Port;
use serde::{Deserialize, Serialize};

use crate::choice::{Choice, Payload, Site};
use crate::packed::{Packed, Record};

mod removal;
mod route;
mod ways;

pub use route::Route;

/// A node: the state right after a choice, or the root.
///
/// Ordered by age: what was found later comes later.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
pub struct NodeId {
    segment: u32,
    /// How many choices of the segment have been made; zero only for the root.
    index: u32,
}

impl NodeId {
    /// Where everything begins.
    pub const ROOT: NodeId = NodeId { segment: 0, index: 0 };

    /// The segment and the number of choices made in it: how a node is written down.
    pub fn parts(self) -> (u32, u32) {
        (self.segment, self.index)
    }

    /// The node that was written down so; [`Multiverse::contains`] says whether there is one.
    pub fn from_parts(segment: u32, index: u32) -> NodeId {
        NodeId { segment, index }
    }
}

impl std::fmt::Display for NodeId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.segment, self.index)
    }
}

/// A point in the multiverse: so many instructions executed, after this node and before its next
/// choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Place {
    /// The last choice made.
    pub node: NodeId,
    /// Instructions executed since the start of the program.
    pub count: u64,
}

/// How a universe ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// The program returned.
    Finished,
    /// The program trapped.
    Trapped(TrapKind),
    /// The world ended the program, with a message.
    Aborted(String),
    /// Tasks wait for answers that others keep open, and nobody is left to give one: who for what.
    Deadlocked(String),
    /// Tasks wait for answers that nobody will give: who for what.
    Unanswered(String),
    /// Messages are left that nobody will handle: which.
    Unhandled(String),
}

/// A way on from a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step<'a> {
    /// The choice.
    pub choice: Choice<'a>,
    /// Where it leads.
    pub node: NodeId,
}

/// An addition to the tree. Applied to an empty [`Multiverse`] in the order in which they are
/// taken, changes make the same tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Addition {
    /// A site that was not known before; it gets the next number.
    Site(Site),
    /// Bytes that came with no choice before; they get the next number.
    Bytes(Arc<[u8]>),
    /// A choice after a node.
    Choice {
        /// The node.
        after: NodeId,
        /// The choice, by its numbers.
        record: Record,
    },
    /// How the universe that ends with this node ended.
    Ended {
        /// The node.
        node: NodeId,
        /// When.
        count: u64,
        /// How.
        outcome: Outcome,
    },
}

#[derive(Clone, Debug, Default)]
struct Segment {
    /// The node that it branches off; the root's segment branches off the root.
    parent: NodeId,
    choices: Packed,
    /// Segments that branch off a node of this one, by the node's index.
    branches: BTreeMap<u32, Vec<u32>>,
    /// Where to go on from a node, if not with this segment: one of its branches, or [`NOWHERE`].
    preferred: BTreeMap<u32, u32>,
    /// How the universe ended that goes on from a node without a further choice, and at which
    /// count.
    ended: BTreeMap<u32, (u64, Outcome)>,
}

impl Segment {
    /// Whether nothing branches off it, nothing else is preferred and nothing has ended.
    fn is_plain(&self) -> bool {
        self.branches.is_empty() && self.preferred.is_empty() && self.ended.is_empty()
    }
}

/// Prefers none of the choices that are recorded after a node.
const NOWHERE: u32 = u32::MAX;

/// The tree of universes. See the [module](self).
#[derive(Clone, Debug)]
pub struct Multiverse {
    /// The count of the root.
    begins: u64,
    segments: Vec<Segment>,
    sites: Vec<Site>,
    numbers: HashMap<Site, u32>,
    /// What came with choices, each once.
    bytes: Vec<Arc<[u8]>>,
    bytes_numbers: HashMap<Arc<[u8]>, u32>,
    /// The numbers of inputs read lately, by a hash of the call: most calls are made again.
    recent: [u32; RECENT],
    taken: Taken,
    /// Nodes that were suggested and where the program has not been: with a node, all after it.
    unvisited: BTreeSet<NodeId>,
    /// Segments from which suggestions were removed, and how many choices they have since.
    cuts: BTreeMap<u32, u32>,
}

/// What [`Multiverse::take_changes`] has given away.
#[derive(Clone, Debug, Default)]
struct Taken {
    sites: usize,
    bytes: usize,
    /// For each segment, how many choices, and which ends, by their nodes.
    segments: Vec<(u32, BTreeSet<u32>)>,
}

const RECENT: usize = 64;

impl Default for Multiverse {
    fn default() -> Self {
        Multiverse::beginning_at(0)
    }
}

impl Multiverse {
    /// A tree whose root lies after so many instructions: what was before is not known.
    pub fn beginning_at(count: u64) -> Self {
        Multiverse {
            begins: count,
            segments: vec![Segment::default()],
            sites: Vec::new(),
            numbers: HashMap::new(),
            bytes: Vec::new(),
            bytes_numbers: HashMap::new(),
            recent: [0; RECENT],
            taken: Taken::default(),
            unvisited: BTreeSet::new(),
            cuts: BTreeMap::new(),
        }
    }

    /// Where everything begins.
    pub fn beginning(&self) -> Place {
        Place { node: NodeId::ROOT, count: self.begins }
    }

    fn segment(&self, node: NodeId) -> &Segment {
        &self.segments[node.segment as usize]
    }

    /// Whether there is such a node.
    pub fn contains(&self, node: NodeId) -> bool {
        let segment = self.segments.get(node.segment as usize);
        segment.is_some_and(|s| node.index <= s.choices.len())
            && (node.index > 0 || node == NodeId::ROOT)
    }

    /// The number of nodes, the root included.
    pub fn len(&self) -> usize {
        1 + self.segments.iter().map(|s| s.choices.len() as usize).sum::<usize>()
    }

    /// Whether no choice has been made yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 1
    }

    /// The node before; `None` for the root.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        match node {
            NodeId { segment: 0, index: 0 } => None,
            NodeId { segment: 0, index: 1 } => Some(NodeId::ROOT),
            NodeId { index: 1, .. } => Some(self.segment(node).parent),
            NodeId { segment, index } => Some(NodeId { segment, index: index - 1 }),
        }
    }

    fn record(&self, node: NodeId) -> Option<Record> {
        self.segment(node).choices.get(node.index.checked_sub(1)?)
    }

    fn choice_of(&self, record: Record) -> Choice<'_> {
        let Record { count, site, slot, bytes } = record;
        let bytes = bytes.map(|number| &self.bytes[number as usize]);
        Choice { count, site: &self.sites[site as usize], slot, bytes }
    }

    /// The choice that leads to a node; `None` for the root.
    pub fn choice(&self, node: NodeId) -> Option<Choice<'_>> {
        self.record(node).map(|record| self.choice_of(record))
    }

    /// The count right after the choice that leads to a node, or at which everything begins.
    pub fn start(&self, node: NodeId) -> u64 {
        self.choice(node).map_or(self.begins, |choice| choice.after())
    }

    /// The node that the same segment goes on with.
    fn next_in_segment(&self, node: NodeId) -> Option<NodeId> {
        let next = NodeId { index: node.index + 1, ..node };
        (next.index <= self.segment(node).choices.len()).then_some(next)
    }

    /// Where a node leads that has been recorded, oldest first.
    pub fn steps(&self, node: NodeId) -> impl Iterator<Item = Step<'_>> {
        let branches = self.segment(node).branches.get(&node.index).into_iter().flatten();
        let branches = branches.map(|&segment| NodeId { segment, index: 1 });
        let nodes = self.next_in_segment(node).into_iter().chain(branches);
        nodes.filter_map(|node| Some(Step { choice: self.choice(node)?, node }))
    }

    /// All sites at which a choice was made, in the order in which they became known.
    pub fn sites(&self) -> &[Site] {
        &self.sites
    }

    /// The number of a site, which is given one if it has none.
    pub fn number_of(&mut self, site: &Site) -> u32 {
        match self.numbers.get(site) {
            Some(&number) => number,
            None => {
                self.apply(&Addition::Site(site.clone()));
                self.sites.len() as u32 - 1
            }
        }
    }

    /// The number of an input's site: the same as [`number_of`](Self::number_of), but quick for
    /// calls that have been made before.
    pub fn number_of_input(&mut self, port: Port, args: &[Value]) -> u32 {
        let mix = |hash: u64, slot: u64| (hash ^ slot).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let start = mix(port.ty.into(), port.primitive.0.into());
        let hash = args.iter().fold(start, |hash, arg| mix(hash, arg.to_slot()));
        let cached = (hash >> 58) as usize % RECENT;
        let number = self.recent[cached];
        if let Some(Site::Input { port: known, args: slots }) = self.sites.get(number as usize)
            && *known == port
            && slots.iter().copied().eq(args.iter().map(|arg| arg.to_slot()))
        {
            return number;
        }
        let args = args.iter().map(|arg| arg.to_slot()).collect();
        let number = self.number_of(&Site::Input { port, args });
        self.recent[cached] = number;
        number
    }

    /// Follows a choice from a node if it has been made before, otherwise adds it; either way it
    /// becomes the preferred one.
    pub fn follow_or_create(
        &mut self,
        after: NodeId,
        count: u64,
        site: &Site,
        payload: impl Into<Payload>,
    ) -> NodeId {
        let site = self.number_of(site);
        self.follow_or_create_numbered(after, count, site, &payload.into())
    }

    /// A choice by its numbers; bytes are given one if they have none.
    fn record_of(&mut self, count: u64, site: u32, payload: &Payload) -> Record {
        let bytes = payload.bytes.as_ref().map(|bytes| match self.bytes_numbers.get(bytes) {
            Some(&number) => number,
            None => {
                self.apply(&Addition::Bytes(bytes.clone()));
                self.bytes.len() as u32 - 1
            }
        });
        Record { count, site, slot: payload.slot, bytes }
    }

    /// The same, for a site by its number.
    pub fn follow_or_create_numbered(
        &mut self,
        after: NodeId,
        count: u64,
        site: u32,
        payload: &Payload,
    ) -> NodeId {
        let wanted = self.record_of(count, site, payload);
        // Most choices are new ones at the end of their segment.
        let is_cut = self.is_cut(after);
        let segment = &mut self.segments[after.segment as usize];
        if after.index == segment.choices.len() && segment.is_plain() && !is_cut {
            segment.choices.push(wanted);
            return NodeId { index: after.index + 1, ..after };
        }
        let node = self.known(after, wanted).unwrap_or_else(|| self.add_choice(after, wanted));
        self.prefer(after, node);
        node
    }

    /// Where a choice leads from a node, if it is in the tree.
    fn known(&self, after: NodeId, wanted: Record) -> Option<NodeId> {
        self.steps(after).map(|step| step.node).find(|&node| self.record(node) == Some(wanted))
    }

    /// The site of this number.
    pub fn site(&self, number: u32) -> Option<&Site> {
        self.sites.get(number as usize)
    }

    /// Adds a choice after a node: to its segment if the node is the last one there, else to a
    /// segment of its own.
    fn add_choice(&mut self, after: NodeId, record: Record) -> NodeId {
        let is_last = self.next_in_segment(after).is_none() && !self.is_cut(after);
        if is_last && self.ended(after).is_none() {
            self.segments[after.segment as usize].choices.push(record);
            return NodeId { index: after.index + 1, ..after };
        }
        self.skip_empty_segments();
        let mut branch = Segment { parent: after, ..Segment::default() };
        branch.choices.push(record);
        let segment = self.segments.len() as u32;
        self.segments.push(branch);
        let parent = &mut self.segments[after.segment as usize];
        parent.branches.entry(after.index).or_default().push(segment);
        NodeId { segment, index: 1 }
    }

    /// The node after `from` on the way to `to`; `None` if that does not lead through `from`, or
    /// ends there.
    pub fn step_towards(&self, from: NodeId, to: NodeId) -> Option<NodeId> {
        let (mut at, mut branch) = (to, None);
        // Segments are numbered by age: a branch is younger than what it branches off.
        while at.segment > from.segment {
            branch = Some(NodeId { index: 1, ..at });
            at = self.segment(at).parent;
        }
        match at.segment == from.segment {
            true if at.index > from.index => Some(NodeId { index: from.index + 1, ..from }),
            true if at.index == from.index => branch,
            _ => None,
        }
    }

    /// Notes how the universe ended whose last choice leads to `node`. A universe ends once.
    pub fn end(&mut self, node: NodeId, count: u64, outcome: Outcome) {
        if self.ended(node).is_none() {
            self.apply(&Addition::Ended { node, count, outcome });
        }
    }

    /// How the universe ended whose last choice leads to this node, and at which count.
    pub fn ended(&self, node: NodeId) -> Option<&(u64, Outcome)> {
        self.segment(node).ended.get(&node.index)
    }

    /// Gives a site that is known a second number, which stands for the first one: where an input
    /// was named by its import, one that a module imports twice had two.
    pub fn repeat_site(&mut self, site: Site) {
        self.sites.push(site);
    }

    /// Applies a change that another tree noted; says whether it fits this one.
    pub fn apply(&mut self, change: &Addition) -> bool {
        match change {
            Addition::Site(site) => {
                let is_new = !self.numbers.contains_key(site);
                if is_new {
                    self.numbers.insert(site.clone(), self.sites.len() as u32);
                    self.sites.push(site.clone());
                }
                is_new
            }
            Addition::Bytes(bytes) => {
                let is_new = !self.bytes_numbers.contains_key(bytes);
                if is_new {
                    self.bytes_numbers.insert(bytes.clone(), self.bytes.len() as u32);
                    self.bytes.push(bytes.clone());
                }
                is_new
            }
            &Addition::Choice { after, mut record } => {
                let known = (record.site as usize) < self.sites.len()
                    && record.bytes.is_none_or(|number| (number as usize) < self.bytes.len());
                if !self.contains(after) || !known || record.count < self.start(after) {
                    return false;
                }
                if self.numbers.len() < self.sites.len() {
                    record.site = self.numbers[&self.sites[record.site as usize]];
                }
                self.add_choice(after, record);
                true
            }
            Addition::Ended { node, count, outcome } => {
                let fits = self.contains(*node)
                    && *count >= self.start(*node)
                    && self.ended(*node).is_none();
                if fits {
                    let ended = &mut self.segments[node.segment as usize].ended;
                    ended.insert(node.index, (*count, outcome.clone()));
                }
                fits
            }
        }
    }

    /// The changes since this was last called.
    pub fn take_changes(&mut self) -> Vec<Addition> {
        let mut changes: Vec<Addition> =
            self.sites[self.taken.sites..].iter().cloned().map(Addition::Site).collect();
        changes.extend(self.bytes[self.taken.bytes..].iter().cloned().map(Addition::Bytes));
        (self.taken.sites, self.taken.bytes) = (self.sites.len(), self.bytes.len());
        self.taken.segments.resize_with(self.segments.len(), Default::default);
        // Segment by segment: each branches off an older one, which is complete by then.
        for (number, (segment, taken)) in
            self.segments.iter().zip(&mut self.taken.segments).enumerate()
        {
            for index in taken.0..segment.choices.len() {
                let after = match (index, number) {
                    (0, 1..) => segment.parent,
                    _ => NodeId { segment: number as u32, index },
                };
                if let Some(record) = segment.choices.get(index) {
                    changes.push(Addition::Choice { after, record });
                }
            }
            taken.0 = segment.choices.len();
            for (&index, (count, outcome)) in &segment.ended {
                if taken.1.insert(index) {
                    let node = NodeId { segment: number as u32, index };
                    let (count, outcome) = (*count, outcome.clone());
                    changes.push(Addition::Ended { node, count, outcome });
                }
            }
        }
        changes
    }

    /// Forgets the changes since then: whoever keeps the tree has them.
    pub fn skip_changes(&mut self) {
        (self.taken.sites, self.taken.bytes) = (self.sites.len(), self.bytes.len());
        let whole =
            |segment: &Segment| (segment.choices.len(), segment.ended.keys().copied().collect());
        self.taken.segments = self.segments.iter().map(whole).collect();
    }

    /// How many choices lead to a node.
    pub fn depth(&self, node: NodeId) -> u64 {
        let mut at = node;
        let mut depth = u64::from(at.index);
        while at.segment != 0 {
            at = self.segment(at).parent;
            depth += u64::from(at.index);
        }
        depth
    }

    /// The nodes from a node up to the root.
    pub fn ancestors(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(Some(node), |&node| self.parent(node))
    }

    /// The last node that two universes have in common.
    pub fn common_ancestor(&self, a: NodeId, b: NodeId) -> NodeId {
        let (mut a, mut b) = (a, b);
        while a.segment != b.segment {
            // Segments are numbered by age, so the younger one branches off later.
            match a.segment > b.segment {
                true => a = self.segment(a).parent,
                false => b = self.segment(b).parent,
            }
        }
        NodeId { index: a.index.min(b.index), ..a }
    }

    /// Whether the universe of `node` goes through `ancestor`.
    pub fn is_ancestor(&self, ancestor: NodeId, node: NodeId) -> bool {
        self.common_ancestor(ancestor, node) == ancestor
    }

    /// The last node on the way to `node` that is not after `count`.
    pub fn node_at(&self, node: NodeId, count: u64) -> NodeId {
        let mut node = node;
        // Whole segments first, then by halves.
        while node.segment != 0 && self.start(NodeId { index: 1, ..node }) > count {
            node = self.segment(node).parent;
        }
        let (mut low, mut high) = (0, node.index);
        while low < high {
            let middle = (low + high).div_ceil(2);
            match self.start(NodeId { index: middle, ..node }) <= count {
                true => low = middle,
                false => high = middle - 1,
            }
        }
        NodeId { index: low, ..node }
    }

    /// The place at which a node's segment branches off another one.
    pub fn branch_point(&self, node: NodeId) -> Option<Place> {
        let first = NodeId { index: 1, ..node };
        let count = self.choice(first)?.count;
        (node.segment != 0).then(|| Place { node: self.segment(node).parent, count })
    }

    /// The last node of each segment: every universe goes through one of them, or ends before.
    pub fn tips(&self) -> impl Iterator<Item = NodeId> {
        let segments = (0..).zip(&self.segments);
        let tips = segments.map(|(segment, of)| NodeId { segment, index: of.choices.len() });
        tips.filter(|tip| tip.index > 0 || *tip == NodeId::ROOT)
    }

    /// Another node of the same segment.
    pub(crate) fn node_in_segment(&self, node: NodeId, index: u32) -> NodeId {
        NodeId { index, ..node }
    }

    /// The count at which the same segment leaves a node.
    pub(crate) fn left_at(&self, node: NodeId) -> u64 {
        self.segment(node).choices.get(node.index).map_or(u64::MAX, |record| record.count)
    }

    /// Whether a person has reached into the program on the way to a node.
    pub fn is_altered(&self, node: NodeId) -> bool {
        let altered = |node| {
            self.choice(node).is_some_and(|choice| matches!(choice.site, Site::Alteration(_)))
        };
        self.sites.iter().any(|site| matches!(site, Site::Alteration(_)))
            && self.ancestors(node).any(altered)
    }

    /// The bytes that recorded choices take in memory.
    pub fn bytes_held(&self) -> usize {
        let choices = |s: &Segment| size_of::<Segment>() + s.choices.bytes_held();
        self.segments.iter().map(choices).sum::<usize>()
            + self.bytes.iter().map(|bytes| bytes.len()).sum::<usize>()
    }
}
