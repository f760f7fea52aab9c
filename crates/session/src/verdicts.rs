//! Where in the multiverse properties hold, and where they do not, as far as somebody has been there.
//!
//! What is kept is where verdicts change, and how far each segment of the tree has been walked with a
//! property: so it takes as much as there are changes, however long universes are. Whoever moves or
//! looks adds to it by passing.

use std::collections::BTreeMap;

use mw_monitor::Verdict;
use mw_multiverse::{Multiverse, NodeId, Place};

use crate::control::Control;
use crate::error::SessionError;
use crate::properties::PropertyId;
use crate::session::Session;

/// A verdict that is another one from a place on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerdictChange {
    /// The property.
    pub property: PropertyId,
    /// Where that is.
    pub place: Place,
    /// What it is from there on.
    pub verdict: Verdict,
}

/// What is known of the verdicts of one property.
#[derive(Debug, Default)]
struct Known {
    /// By the numbers of the place.
    changes: BTreeMap<(u32, u32, u64), Verdict>,
    /// How far each segment has been walked.
    walked: BTreeMap<u32, (u32, u64)>,
}

/// What is known of the verdicts of all properties.
#[derive(Debug, Default)]
pub(crate) struct Verdicts(BTreeMap<PropertyId, Known>);

impl Verdicts {
    /// Nothing is known of a property.
    pub fn forget(&mut self, property: PropertyId) {
        self.0.remove(&property);
    }

    /// A verdict is another one from a place on.
    pub fn note(&mut self, change: VerdictChange) {
        let VerdictChange { property, place, verdict } = change;
        let (segment, index) = place.node.parts();
        let known = self.0.entry(property).or_default();
        known.changes.insert((segment, index, place.count), verdict);
    }

    /// Somebody has come to a place with these properties.
    pub fn walked(
        &mut self,
        multiverse: &Multiverse,
        properties: impl Iterator<Item = PropertyId>,
        to: Place,
    ) {
        for property in properties {
            let known = self.0.entry(property).or_default();
            let mut at = Some(to);
            while let Some(place) = at {
                let (segment, index) = place.node.parts();
                let furthest = known.walked.entry(segment).or_default();
                if *furthest >= (index, place.count) && place != to {
                    break;
                }
                *furthest = (*furthest).max((index, place.count));
                at = multiverse.branch_point(place.node);
            }
        }
    }

    fn is_walked(&self, property: PropertyId, tip: NodeId) -> bool {
        self.walked_in(property, tip).is_some_and(|(walked, _)| walked >= tip.parts().1)
    }

    fn walked_in(&self, property: PropertyId, tip: NodeId) -> Option<(u32, u64)> {
        self.0.get(&property)?.walked.get(&tip.parts().0).copied()
    }
}

impl Session {
    /// Where the verdict of a property changes, as far as somebody has been there with it. A place
    /// has the verdict of the last change on the way to it; before any, the property holds.
    pub fn verdict_changes(&self, of: PropertyId) -> impl Iterator<Item = VerdictChange> {
        let changes = self.known.verdicts().0.get(&of).into_iter().flat_map(|of| &of.changes);
        changes.map(move |((segment, index, count), verdict)| VerdictChange {
            property: of,
            place: Place { node: NodeId::from_parts(*segment, *index), count: *count },
            verdict: *verdict,
        })
    }

    /// Nodes from which on nobody has been with a property.
    pub fn unknown_verdicts(&self, of: PropertyId) -> Vec<NodeId> {
        let verdicts = self.known.verdicts();
        let unknown = self.multiverse().tips().filter(|tip| !verdicts.is_walked(of, *tip));
        let first = unknown.map(|tip| {
            let (segment, _) = tip.parts();
            let walked = verdicts.walked_in(of, tip).map_or(0, |(index, _)| index);
            NodeId::from_parts(segment, walked + 1)
        });
        first.collect()
    }

    /// Walks all universes that nobody has been in with the properties, beside the session. Whoever
    /// cancels it keeps what was found so far.
    pub fn find_verdicts(&mut self, control: &mut dyn Control) -> Result<(), SessionError> {
        let tips: Vec<NodeId> = self.multiverse().tips().collect();
        for tip in tips {
            let ids: Vec<_> = self.properties().iter().map(|(id, ..)| id).collect();
            if ids.iter().all(|id| self.known.verdicts().is_walked(*id, tip)) {
                continue;
            }
            let place = Place { node: tip, count: self.past().end_of(tip) };
            match self.look_at(place, control, |_| ()) {
                // What was only suggested need not be possible.
                Ok(()) | Err(SessionError::Diverged { .. } | SessionError::NoSuchPlace(_)) => {}
                Err(SessionError::Cancelled) => return Ok(()),
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}
