//! The multiverse for people: branch points, ends and what is marked; stretches without any of
//! these are folded.

use std::collections::HashMap;

use mw_session::{NodeId, Site};

use crate::debugger::Debugger;
use crate::error::ApiError;
use crate::reply::{Reply, TreeRow, TreeView};
use crate::request::PlaceRef;

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

impl Debugger {
    pub(crate) fn tree(
        &self,
        from: Option<&PlaceRef>,
        limit: Option<usize>,
    ) -> Result<Reply, ApiError> {
        let from = match from {
            Some(from) => self.resolve(from)?.node,
            None => NodeId::ROOT,
        };
        let marks = self.marks();
        let mut rows: Vec<TreeRow> = Vec::new();
        let limit = limit.unwrap_or(ROWS).min(MOST);
        let truncated = self.walk(from, limit, &marks, FEWEST_FOLDED, |stretch| {
            rows.push(self.row(&stretch, &rows, &marks));
        });
        let nodes = self.session.multiverse().len() as u64;
        Ok(Reply::Tree(TreeView { rows, nodes, truncated }))
    }

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
            altered: multiverse.is_altered(node),
            bookmarks: marks.get(&node).cloned().unwrap_or_default(),
        }
    }
}
