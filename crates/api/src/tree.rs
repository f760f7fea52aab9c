//! The multiverse for people: branch points, ends and what is marked; stretches without any of
//! these are folded.

use std::collections::HashMap;

use mw_session::{NodeId, Place, Site};

use crate::debugger::Debugger;
use crate::error::ApiError;
use crate::reply::{Reply, TreeRow, TreeView, UniverseView};
use crate::request::PlaceRef;

/// How many rows there are unless told otherwise.
const ROWS: usize = 200;
/// How many nodes are looked at for them.
const LOOKED_AT: usize = 2_000_000;
/// How many choices of a universe are listed unless told otherwise.
const CHOICES: usize = 50;

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
        let limit = limit.unwrap_or(ROWS).max(1);
        let mut marks: HashMap<NodeId, Vec<(String, u64)>> = HashMap::new();
        for (name, place) in self.session.bookmarks().iter() {
            let after = place.count - self.session.multiverse().start(place.node).min(place.count);
            marks.entry(place.node).or_default().push((name.to_owned(), after));
        }
        let mut rows = Vec::new();
        let mut looked_at = 0;
        let mut truncated = false;
        // Ways still to be followed: the node, the row that it hangs on, and how many ways there.
        let mut waiting = vec![(from, None, 1)];
        while let Some((first, parent, siblings)) = waiting.pop() {
            if rows.len() == limit || looked_at > LOOKED_AT {
                truncated = true;
                break;
            }
            let (node, folded) = match self.fold(first, parent.is_none(), siblings > 1, &marks) {
                // Folding one row takes as many lines as showing it.
                (_, 1) => (first, 0),
                fold => fold,
            };
            looked_at += folded as usize + 1;
            let index = rows.len();
            rows.push(self.row(node, parent, siblings, folded, &rows, &marks));
            let steps = self.session.multiverse().steps(node);
            let next: Vec<NodeId> = steps.map(|step| step.node).collect();
            let ways = next.len();
            waiting.extend(next.into_iter().rev().map(|node| (node, Some(index), ways)));
        }
        let nodes = self.session.multiverse().len() as u64;
        Ok(Reply::Tree(TreeView { rows, nodes, truncated }))
    }

    /// The next node from `first` on that is worth a row, and how many are not before it.
    fn fold(
        &self,
        first: NodeId,
        is_top: bool,
        is_branch: bool,
        marks: &HashMap<NodeId, Vec<(String, u64)>>,
    ) -> (NodeId, u64) {
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

    fn row(
        &self,
        node: NodeId,
        parent: Option<usize>,
        siblings: usize,
        folded: u64,
        rows: &[TreeRow],
        marks: &HashMap<NodeId, Vec<(String, u64)>>,
    ) -> TreeRow {
        let multiverse = self.session.multiverse();
        let here = self.session.here();
        let choice = multiverse.choice(node);
        let count = choice.map_or(0, |choice| choice.count);
        let before = parent.map_or(0, |row| rows[row].count);
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
            altered: multiverse.is_altered(node),
            bookmarks: marks.get(&node).cloned().unwrap_or_default(),
        }
    }

    pub(crate) fn universe(
        &self,
        place: Option<&PlaceRef>,
        limit: Option<usize>,
    ) -> Result<Reply, ApiError> {
        let place: Place = match place {
            Some(place) => self.resolve(place)?,
            None => self.session.here(),
        };
        let multiverse = self.session.multiverse();
        let limit = limit.unwrap_or(CHOICES);
        let mut choices: Vec<_> = multiverse
            .ancestors(place.node)
            .take(limit)
            .filter_map(|node| self.choice_view(node))
            .collect();
        choices.reverse();
        let next = multiverse.steps(place.node).filter_map(|step| self.choice_view(step.node));
        Ok(Reply::Universe(UniverseView {
            place: self.place_view(place),
            omitted: multiverse.depth(place.node) - choices.len() as u64,
            next: next.collect(),
            choices,
        }))
    }
}
