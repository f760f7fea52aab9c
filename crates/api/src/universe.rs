//! A universe as a line: its choices, what the program did, the places that have a name, its end.

use mw_session::{NodeId, Place};
use serde::{Deserialize, Serialize};

use crate::ask::{Answered, Ask};
use crate::bookmarks::BookmarkView;
use crate::chronicle::Seen;
use crate::debugger::Debugger;
use crate::event::Listener;
use crate::notation::PlaceRef;
use crate::views::{ChoiceView, OutcomeView, OutputView, PlaceView};

/// How many choices of a universe are listed unless told otherwise.
const CHOICES: usize = 50;
/// How many are listed at most.
const MOST: usize = 100_000;

/// The choices on the way to a place, and what the program did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Universe {
    /// The place; here without.
    #[serde(default)]
    pub place: Option<PlaceRef>,
    /// How many choices at most, the last ones; never more than 100,000.
    #[serde(default)]
    pub limit: Option<usize>,
}

impl Ask for Universe {
    type Reply = UniverseView;
    const ONLY_LOOKS: bool = true;

    fn serve(self, debugger: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        let place: Place = match &self.place {
            Some(place) => debugger.resolve(place)?,
            None => debugger.session.here(),
        };
        let multiverse = debugger.session.multiverse();
        let limit = self.limit.unwrap_or(CHOICES).min(MOST);
        let mut nodes: Vec<NodeId> = multiverse.ancestors(place.node).take(limit + 1).collect();
        nodes.reverse();
        let choices: Vec<_> =
            nodes.iter().rev().take(limit).rev().filter_map(|n| debugger.choice_view(*n)).collect();
        let next = multiverse.steps(place.node).filter_map(|step| debugger.choice_view(step.node));
        let mut outputs: Vec<MomentView> = Vec::new();
        for &node in &nodes {
            let until = debugger.left_at(node, place.node).min(place.count.saturating_add(1));
            let seen =
                debugger.chronicle.outputs_after(node).iter().filter(|seen| seen.count < until);
            outputs.extend(seen.map(|seen| debugger.moment(node, seen)));
        }
        let omitted_outputs = outputs.len().saturating_sub(limit);
        outputs.drain(..omitted_outputs);
        let is_on_it = |at: &Place| {
            multiverse.is_ancestor(at.node, place.node)
                && at.count <= debugger.left_at(at.node, place.node)
        };
        let bookmarks = debugger.session.bookmarks().iter().filter(|(_, at)| is_on_it(at));
        let bookmarks = bookmarks.map(|(name, at)| BookmarkView {
            name: name.to_owned(),
            place: debugger.place_view(at),
        });
        let ended = multiverse.ended(place.node).filter(|(count, _)| *count <= place.count);
        Ok(UniverseView {
            place: debugger.place_view(place),
            omitted: multiverse.depth(place.node) - choices.len() as u64,
            next: next.collect(),
            outputs,
            omitted_outputs: omitted_outputs as u64,
            bookmarks: bookmarks.collect(),
            ended: ended.map(|(count, how)| debugger.outcome_view(*count, how)),
            choices,
        })
    }
}

/// The choices of a universe.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UniverseView {
    /// The place that they lead to.
    pub place: PlaceView,
    /// Earlier choices that are not listed.
    pub omitted: u64,
    /// The choices.
    pub choices: Vec<ChoiceView>,
    /// Ways on from the place's node.
    pub next: Vec<ChoiceView>,
    /// What the program did, as far as it was seen; the last ones.
    pub outputs: Vec<MomentView>,
    /// Earlier ones that are not listed.
    pub omitted_outputs: u64,
    /// Places on the way that have a name.
    pub bookmarks: Vec<BookmarkView>,
    /// How the program ended, if the place is its end.
    pub ended: Option<OutcomeView>,
}

/// An output, and the place right after it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MomentView {
    /// The place.
    pub place: PlaceView,
    /// The output.
    #[serde(flatten)]
    pub output: OutputView,
}

impl Debugger {
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
