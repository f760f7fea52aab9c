//! The multiverse for front ends that keep it themselves: first everything, then only what is
//! different since they last asked.
//!
//! A [`Growth`] remembers what each row was like and since which revision. Rows are looked at
//! again when something has changed; texts are made only for those that are different, so that a
//! tree of a hundred thousand nodes costs some milliseconds.

use std::collections::HashMap;

use mw_session::{NodeId, Place, Site};
use serde::{Deserialize, Serialize};

use crate::ask::{Answered, Ask};
use crate::debugger::Debugger;
use crate::event::Listener;
use crate::tree::{FEWEST_FOLDED, Marks, Stretch};
use crate::views::{OutcomeView, OutputView, PlaceView};

/// How many rows there are unless told otherwise.
const ROWS: usize = 200_000;
/// A tree of so many nodes has a row for each: there is room for them.
const SMALL: usize = 24;
/// So many outputs of a stretch are listed.
const OUTPUTS: usize = 4;
/// So many rows that are gone are remembered.
const GONE: usize = 100_000;

/// What is different in the multiverse since a revision; everything without one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TreeChanges {
    /// The revision, as an earlier reply said it.
    #[serde(default)]
    pub since: Option<u64>,
}

impl Ask for TreeChanges {
    type Reply = TreeChangesView;
    const ONLY_LOOKS: bool = true;

    fn serve(self, debugger: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        Ok(debugger.tree_changes(self.since))
    }
}

/// What is different in the multiverse since somebody last asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TreeChangesView {
    /// To ask with next time.
    pub revision: u64,
    /// Whether this is everything, and what was known before is to be forgotten.
    pub whole: bool,
    /// Rows that are new or different; if this is everything, each after the one it hangs on.
    pub rows: Vec<TreeNode>,
    /// Nodes that have no row any more, as they are folded into others.
    pub gone: Vec<String>,
    /// How many nodes there are, those without a row included.
    pub nodes: u64,
    /// Whether there are more rows than are told.
    pub truncated: bool,
}

/// A node of the multiverse, with the stretch of nodes before it that have one way on. What is
/// usual is left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TreeNode {
    /// The node.
    pub node: String,
    /// The node that it hangs on; nothing for the root.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// The values that lead to the same future as the one chosen, if that has been found out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Nodes between that one and this one that have no row.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub folded: u64,
    /// The place at which the choice was made, if the node before has no row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made_at: Option<String>,
    /// The choice that leads here; nothing for the root.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub choice: Option<String>,
    /// The count at which the choice was made.
    pub count: u64,
    /// How the universe ended, if it ends with this node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<OutcomeView>,
    /// Whether exploring has found it and the program has not been here.
    #[serde(default, skip_serializing_if = "is_false")]
    pub suggested: bool,
    /// Whether it was suggested and nothing is known of what comes after it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub open: bool,
    /// Why the program goes this way, if exploring has found out: `light > 50 is true`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
    /// Whether a person has reached into the program on the way here.
    #[serde(default, skip_serializing_if = "is_false")]
    pub altered: bool,
    /// Bookmarks after this node and before the next, and how many instructions after it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bookmarks: Vec<(String, u64)>,
    /// What the program did in this stretch, as far as it was seen; the first few.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outputs: Vec<OutputView>,
    /// How many more it did.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub more_outputs: u64,
    /// Where breakpoints have stopped the program in this stretch.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hits: Vec<HitView>,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

fn is_false(flag: &bool) -> bool {
    !flag
}

/// A place at which a breakpoint has stopped the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HitView {
    /// The breakpoint's number.
    pub id: u32,
    /// The place.
    pub place: PlaceView,
}

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
    open: bool,
    because: Option<String>,
    altered: bool,
    outputs: usize,
    hits: usize,
    bookmarks: Vec<(String, u64)>,
}

impl Debugger {
    fn tree_changes(&mut self, since: Option<u64>) -> TreeChangesView {
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
        let changes = TreeChangesView {
            revision: growth.revision,
            whole: since.is_none(),
            rows: growth.order.iter().filter(is_new).map(|n| growth.rows[n].node.clone()).collect(),
            gone: gone.map(|(_, node)| node.to_string()).collect(),
            nodes: self.session.multiverse().len() as u64,
            truncated: growth.truncated,
        };
        self.growth = growth;
        changes
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
            open: self.is_open(node),
            because: self.reasons.get(&node).cloned(),
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
            open: facts.open,
            because: facts.because.clone(),
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
