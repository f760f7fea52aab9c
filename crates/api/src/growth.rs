//! The multiverse for front ends that keep it themselves: first everything, then only what is
//! different since they last asked.
//!
//! A [`Growth`] remembers what each row was like and since which revision. Rows are looked at
//! again when something has changed; texts are made only for those that are different, so that a
//! tree of a hundred thousand nodes costs some milliseconds.

use std::collections::HashMap;

use mw_session::{NodeId, Place, Site};

use crate::debugger::Debugger;
use crate::reply::{HitView, OutputView, Reply, TreeChanges, TreeNode};
use crate::tree::{FEWEST_FOLDED, Marks, Stretch};

/// How many rows there are unless told otherwise.
const ROWS: usize = 200_000;
/// A tree of so many nodes has a row for each: there is room for them.
const SMALL: usize = 24;
/// So many outputs of a stretch are listed.
const OUTPUTS: usize = 4;
/// So many rows that are gone are remembered.
const GONE: usize = 100_000;

/// What the tree was like when somebody last asked.
#[derive(Debug, Default)]
pub(crate) struct Growth {
    revision: u64,
    /// Of the session's changes; the tree is as it was while they are.
    seen: Option<u64>,
    rows: HashMap<NodeId, Row>,
    /// The rows, each after the one that it hangs on.
    order: Vec<NodeId>,
    truncated: bool,
    /// Rows that there are no more, and since when.
    gone: Vec<(u64, NodeId)>,
    /// What is older than this cannot be told.
    known_since: u64,
}

#[derive(Debug)]
struct Row {
    since: u64,
    facts: Facts,
    node: TreeNode,
}

/// All that a row depends on: if it is the same, the row is.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Facts {
    parent: Option<NodeId>,
    folded: u64,
    label: Option<String>,
    ended: Option<u64>,
    visited: bool,
    altered: bool,
    outputs: usize,
    hits: usize,
    bookmarks: Vec<(String, u64)>,
}

impl Debugger {
    pub(crate) fn tree_changes(&mut self, since: Option<u64>) -> Reply {
        let mut growth = std::mem::take(&mut self.growth);
        if growth.seen != Some(self.changes) {
            self.look_again(&mut growth);
            growth.seen = Some(self.changes);
        }
        let since = since.filter(|since| (growth.known_since..=growth.revision).contains(since));
        let is_new = |node: &&NodeId| since.is_none_or(|since| growth.rows[node].since > since);
        let gone = growth.gone.iter().filter(|(revision, _)| since.is_some_and(|s| *revision > s));
        // What is gone may have come back.
        let gone = gone.filter(|(_, node)| !growth.rows.contains_key(node));
        let reply = TreeChanges {
            revision: growth.revision,
            whole: since.is_none(),
            rows: growth.order.iter().filter(is_new).map(|n| growth.rows[n].node.clone()).collect(),
            gone: gone.map(|(_, node)| node.to_string()).collect(),
            nodes: self.session.multiverse().len() as u64,
            truncated: growth.truncated,
        };
        self.growth = growth;
        Reply::TreeChanges(reply)
    }

    fn look_again(&self, growth: &mut Growth) {
        let next = growth.revision + 1;
        let mut has_changed = false;
        let marks = self.marks();
        let mut order = Vec::with_capacity(growth.order.len());
        let mut altered: Vec<bool> = Vec::with_capacity(growth.order.len());
        let is_small = self.session.multiverse().len() <= SMALL;
        let fewest = if is_small { u64::MAX } else { FEWEST_FOLDED };
        growth.truncated = self.walk(NodeId::ROOT, ROWS, &marks, fewest, |stretch| {
            let is_altered = stretch.parent.is_some_and(|parent| altered[parent])
                || self
                    .session
                    .multiverse()
                    .choice(stretch.node)
                    .is_some_and(|choice| matches!(choice.site, Site::Alteration(_)));
            altered.push(is_altered);
            let parent = stretch.parent.map(|parent| order[parent]);
            order.push(stretch.node);
            let facts = self.facts(&stretch, parent, is_altered, &marks);
            let known = growth.rows.get_mut(&stretch.node);
            match known {
                Some(row) if row.facts == facts => {}
                _ => {
                    has_changed = true;
                    let node = self.tree_node(&stretch, &facts);
                    growth.rows.insert(stretch.node, Row { since: next, facts, node });
                }
            }
        });
        if growth.rows.len() > order.len() {
            has_changed = true;
            let stays: std::collections::HashSet<NodeId> = order.iter().copied().collect();
            let gone = growth.rows.keys().filter(|node| !stays.contains(node));
            growth.gone.extend(gone.map(|node| (next, *node)));
            growth.rows.retain(|node, _| stays.contains(node));
            if growth.gone.len() > GONE {
                growth.gone.clear();
                growth.known_since = next;
            }
        }
        growth.order = order;
        if has_changed {
            growth.revision = next;
        }
    }

    fn facts(
        &self,
        stretch: &Stretch,
        parent: Option<NodeId>,
        altered: bool,
        marks: &Marks,
    ) -> Facts {
        let Stretch { first, node, .. } = *stretch;
        Facts {
            parent,
            folded: stretch.folded,
            label: self.session.label_of(node).map(str::to_owned),
            ended: self.session.multiverse().ended(node).map(|(count, _)| *count),
            visited: self.session.multiverse().is_visited(node),
            altered,
            outputs: self.chronicle.outputs_along(first, node).count(),
            hits: self.chronicle.hits_along(first, node).count(),
            bookmarks: marks.get(&node).cloned().unwrap_or_default(),
        }
    }

    fn tree_node(&self, stretch: &Stretch, facts: &Facts) -> TreeNode {
        let Stretch { first, node, .. } = *stretch;
        let multiverse = self.session.multiverse();
        let choice = multiverse.choice(node);
        let before = multiverse.parent(node).filter(|_| facts.folded > 0);
        let made_at = before
            .zip(choice)
            .map(|(node, choice)| self.place_view(Place { node, count: choice.count }).text);
        TreeNode {
            node: node.to_string(),
            parent: facts.parent.map(|parent| parent.to_string()),
            label: facts.label.clone(),
            folded: facts.folded,
            made_at,
            choice: choice.map(|_| self.choice_text(node)),
            count: choice.map_or(multiverse.beginning().count, |choice| choice.count),
            ended: multiverse.ended(node).map(|(count, how)| self.outcome_view(*count, how)),
            suggested: !facts.visited,
            altered: facts.altered,
            bookmarks: facts.bookmarks.clone(),
            outputs: self.outputs_shown(first, node),
            more_outputs: facts.outputs.saturating_sub(OUTPUTS) as u64,
            hits: self.hits_shown(first, node),
        }
    }

    /// The first outputs of a stretch.
    pub(crate) fn outputs_shown(&self, first: NodeId, last: NodeId) -> Vec<OutputView> {
        let outputs = self.chronicle.outputs_along(first, last).take(OUTPUTS);
        outputs.map(OutputView::from).collect()
    }

    /// The breakpoints that have stopped the program in a stretch.
    pub(crate) fn hits_shown(&self, first: NodeId, last: NodeId) -> Vec<HitView> {
        let hit = |(place, id): (Place, u32)| HitView { id, place: self.place_view(place) };
        self.chronicle.hits_along(first, last).map(hit).collect()
    }
}
