//! The multiverse for people: branch points, ends and what is marked; stretches without any of
//! these are folded.

use std::collections::HashMap;

use mw_session::{NodeId, Site};
use serde::{Deserialize, Serialize};

use crate::ask::{Answered, Ask};
use crate::debugger::Debugger;
use crate::event::Listener;
use crate::notation::PlaceRef;
use crate::views::OutcomeView;

/// How many rows there are unless told otherwise.
const ROWS: usize = 200;
/// How many there are at most.
const MOST: usize = 100_000;
/// Folding one row takes as many lines as showing it.
pub(crate) const FEWEST_FOLDED: u64 = 2;
/// How many nodes are looked at for them.
const LOOKED_AT: usize = 2_000_000;

/// Bookmarks by their nodes, each with the instructions after it.
pub(crate) type Marks = HashMap<NodeId, Vec<(String, u64)>>;

/// A node that is worth a row, with the nodes before it that are not.
pub(crate) struct Stretch {
    /// The first of them, or the node itself.
    pub first: NodeId,
    /// The node.
    pub node: NodeId,
    /// How many are not shown.
    pub folded: u64,
    /// The row that it hangs on.
    pub parent: Option<usize>,
    /// How many ways lead on from that row, this one included.
    pub siblings: usize,
}

/// The multiverse, from a place on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tree {
    /// From where; from the start without.
    #[serde(default)]
    pub from: Option<PlaceRef>,
    /// How many rows at most; never more than 100,000.
    #[serde(default)]
    pub limit: Option<usize>,
}

impl Ask for Tree {
    type Reply = TreeView;
    const ONLY_LOOKS: bool = true;

    fn serve(self, debugger: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        let from = match &self.from {
            Some(from) => debugger.resolve(from)?.node,
            None => NodeId::ROOT,
        };
        let marks = debugger.marks();
        let mut rows: Vec<TreeRow> = Vec::new();
        let limit = self.limit.unwrap_or(ROWS).min(MOST);
        let truncated = debugger.walk(from, limit, &marks, FEWEST_FOLDED, |stretch| {
            rows.push(debugger.row(&stretch, &rows, &marks));
        });
        let nodes = debugger.session.multiverse().len() as u64;
        Ok(TreeView { rows, nodes, truncated })
    }
}

/// The multiverse as rows, each after the one that it hangs on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TreeView {
    /// The rows.
    pub rows: Vec<TreeRow>,
    /// How many nodes there are.
    pub nodes: u64,
    /// Whether there is more than is shown.
    pub truncated: bool,
}

/// A node of the multiverse, with the stretch of nodes before it that have one way on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TreeRow {
    /// The node.
    pub node: String,
    /// The row that it hangs on.
    pub parent: Option<usize>,
    /// How many ways lead on from that row, this one included.
    pub siblings: usize,
    /// The values that lead to the same future as the one chosen, if that has been found out.
    pub label: Option<String>,
    /// Nodes between that row and this one that are not shown.
    pub folded: u64,
    /// The choice that leads here; nothing for the root.
    pub choice: Option<String>,
    /// The count at which the choice was made.
    pub count: u64,
    /// Instructions between the shown row before and the choice.
    pub length: u64,
    /// How the universe ended, if it ends with this node.
    pub ended: Option<OutcomeView>,
    /// Whether the session stands at this node, and how many instructions after it.
    pub current: Option<u64>,
    /// Whether going on leads here.
    pub preferred: bool,
    /// Whether it lies on the way to where the session stands.
    pub on_the_way: bool,
    /// Whether the program has been here; otherwise exploring has found it.
    pub visited: bool,
    /// Whether it was suggested and nothing is known of what comes after it.
    pub open: bool,
    /// Whether a person has reached into the program on the way here.
    pub altered: bool,
    /// Bookmarks after this node and before the next, and how many instructions after it.
    pub bookmarks: Vec<(String, u64)>,
}

impl Debugger {
    /// The bookmarks by their nodes.
    pub(crate) fn marks(&self) -> Marks {
        let mut marks = Marks::new();
        for (name, place) in self.session.bookmarks().iter() {
            let after = place.count - self.session.multiverse().start(place.node).min(place.count);
            marks.entry(place.node).or_default().push((name.to_owned(), after));
        }
        marks
    }

    /// Goes through what is worth a row, each after the one that it hangs on; fewer nodes than
    /// `fewest` are not folded. Returns whether there is more.
    pub(crate) fn walk(
        &self,
        from: NodeId,
        limit: usize,
        marks: &Marks,
        fewest: u64,
        mut each: impl FnMut(Stretch),
    ) -> bool {
        let (mut rows, mut looked_at) = (0, 0);
        // Ways still to be followed: the node, the row that it hangs on, and how many ways there.
        let mut waiting = vec![(from, None, 1)];
        while let Some((first, parent, siblings)) = waiting.pop() {
            if rows == limit.max(1) || looked_at > LOOKED_AT {
                return true;
            }
            let (node, folded) = match self.fold(first, parent.is_none(), siblings > 1, marks) {
                (_, folded) if folded < fewest => (first, 0),
                fold => fold,
            };
            looked_at += folded as usize + 1;
            each(Stretch { first, node, folded, parent, siblings });
            let steps = self.session.multiverse().steps(node);
            let next: Vec<NodeId> = steps.map(|step| step.node).collect();
            let ways = next.len();
            waiting.extend(next.into_iter().rev().map(|node| (node, Some(rows), ways)));
            rows += 1;
        }
        false
    }

    /// The next node from `first` on that is worth a row, and how many are not before it.
    fn fold(&self, first: NodeId, is_top: bool, is_branch: bool, marks: &Marks) -> (NodeId, u64) {
        let multiverse = self.session.multiverse();
        let here = self.session.here().node;
        let mut node = first;
        let mut folded = 0;
        loop {
            let mut steps = multiverse.steps(node);
            let next = steps.next().map(|step| step.node);
            let has_one_way = next.is_some() && steps.next().is_none();
            let is_input = multiverse
                .choice(node)
                .is_some_and(|choice| matches!(choice.site, Site::Input { .. }));
            let stays = (folded == 0 && (is_top || is_branch))
                || !has_one_way
                || !is_input
                || node == here
                || multiverse.ended(node).is_some()
                // From here on, it is only suggested.
                || next.is_some_and(|n| multiverse.is_visited(n) != multiverse.is_visited(node))
                || marks.contains_key(&node);
            match next {
                Some(next) if !stays && folded < LOOKED_AT as u64 => {
                    node = next;
                    folded += 1;
                }
                _ => return (node, folded),
            }
        }
    }

    /// Whether a node was suggested and nothing is known of what comes after it: exploring was cut
    /// off there.
    pub(crate) fn is_open(&self, node: NodeId) -> bool {
        let multiverse = self.session.multiverse();
        !multiverse.is_visited(node)
            && multiverse.ended(node).is_none()
            && multiverse.steps(node).next().is_none()
    }

    fn row(&self, stretch: &Stretch, rows: &[TreeRow], marks: &Marks) -> TreeRow {
        let Stretch { node, folded, parent, siblings, .. } = *stretch;
        let multiverse = self.session.multiverse();
        let here = self.session.here();
        let choice = multiverse.choice(node);
        let begins = multiverse.beginning().count;
        let count = choice.map_or(begins, |choice| choice.count);
        let before = parent.map_or(begins, |row| rows[row].count);
        let preferred = multiverse
            .parent(node)
            .and_then(|parent| multiverse.preferred(parent))
            .is_none_or(|step| step.node == node);
        TreeRow {
            node: node.to_string(),
            parent,
            siblings,
            label: self.session.label_of(node).map(str::to_owned),
            folded,
            choice: choice.map(|_| self.choice_text(node)),
            count,
            length: count.saturating_sub(before),
            ended: multiverse.ended(node).map(|(count, how)| self.outcome_view(*count, how)),
            current: (node == here.node).then(|| here.count - multiverse.start(node)),
            preferred,
            on_the_way: multiverse.is_ancestor(node, here.node),
            visited: self.session.multiverse().is_visited(node),
            open: self.is_open(node),
            altered: multiverse.is_altered(node),
            bookmarks: marks.get(&node).cloned().unwrap_or_default(),
        }
    }
}
