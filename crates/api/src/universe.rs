//! A universe as a line: its choices, what the program did, the places that have a name, its end.

use mw_session::{NodeId, Place};

use crate::chronicle::Seen;
use crate::debugger::Debugger;
use crate::error::ApiError;
use crate::reply::{BookmarkView, MomentView, OutputView, Reply, UniverseView};
use crate::request::PlaceRef;

/// How many choices of a universe are listed unless told otherwise.
const CHOICES: usize = 50;
/// How many are listed at most.
const MOST: usize = 100_000;

impl Debugger {
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
        let limit = limit.unwrap_or(CHOICES).min(MOST);
        let mut nodes: Vec<NodeId> = multiverse.ancestors(place.node).take(limit + 1).collect();
        nodes.reverse();
        let choices: Vec<_> =
            nodes.iter().rev().take(limit).rev().filter_map(|n| self.choice_view(*n)).collect();
        let next = multiverse.steps(place.node).filter_map(|step| self.choice_view(step.node));
        let mut outputs: Vec<MomentView> = Vec::new();
        for &node in &nodes {
            let until = self.left_at(node, place.node).min(place.count.saturating_add(1));
            let seen = self.chronicle.outputs_after(node).iter().filter(|seen| seen.count < until);
            outputs.extend(seen.map(|seen| self.moment(node, seen)));
        }
        let omitted_outputs = outputs.len().saturating_sub(limit);
        outputs.drain(..omitted_outputs);
        let is_on_it = |at: &Place| {
            multiverse.is_ancestor(at.node, place.node)
                && at.count <= self.left_at(at.node, place.node)
        };
        let bookmarks = self.session.bookmarks().iter().filter(|(_, at)| is_on_it(at));
        let bookmarks = bookmarks
            .map(|(name, at)| BookmarkView { name: name.to_owned(), place: self.place_view(at) });
        let ended = multiverse.ended(place.node).filter(|(count, _)| *count <= place.count);
        Ok(Reply::Universe(UniverseView {
            place: self.place_view(place),
            omitted: multiverse.depth(place.node) - choices.len() as u64,
            next: next.collect(),
            outputs,
            omitted_outputs: omitted_outputs as u64,
            bookmarks: bookmarks.collect(),
            ended: ended.map(|(count, how)| self.outcome_view(*count, how)),
            choices,
        }))
    }

    fn moment(&self, node: NodeId, seen: &Seen) -> MomentView {
        // Once the call has been made.
        let place = Place { node, count: seen.count + 1 };
        MomentView { place: self.place_view(place), output: OutputView::from(seen) }
    }

    /// The count at which the way to another node leaves this one; never, if it is that node.
    pub(crate) fn left_at(&self, node: NodeId, towards: NodeId) -> u64 {
        let multiverse = self.session.multiverse();
        let next = multiverse.step_towards(node, towards);
        next.and_then(|next| multiverse.choice(next)).map_or(u64::MAX, |choice| choice.count)
    }
}
