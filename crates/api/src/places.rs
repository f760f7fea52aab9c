//! Finding places.

use mw_session::{NodeId, Place};

use crate::debugger::Debugger;
use crate::error::ApiError;
use crate::notation::place::{node_parts, read_place};
use crate::notation::{PlaceRef, PlaceSpec, did_you_mean, list};

impl Debugger {
    /// The place that is meant.
    pub(crate) fn resolve(&self, place: &PlaceRef) -> Result<Place, ApiError> {
        let here = self.session.here();
        let multiverse = self.session.multiverse();
        let start = self.session.start().count;
        match read_place(place)? {
            PlaceSpec::Here => Ok(here),
            PlaceSpec::Start => Ok(self.session.start()),
            PlaceSpec::End => Ok(self.session.recorded_end()),
            PlaceSpec::Bookmark(name) => {
                let bookmarks = self.session.bookmarks();
                bookmarks.get(&name).ok_or_else(|| {
                    let known: Vec<&str> = bookmarks.iter().map(|(name, _)| name).collect();
                    let hint = did_you_mean(&name, known.iter().copied());
                    let known = list(known, "none; `bookmark NAME` makes one");
                    ApiError::unknown(format!(
                        "there is no bookmark {name}{hint}; there are: {known}"
                    ))
                })
            }
            PlaceSpec::Node { node: text, after } => {
                let node = node_parts(&text).and_then(|parts| self.find_node(parts));
                let node = node.ok_or_else(|| {
                    ApiError::unknown(format!(
                        "there is no node {text}; `tree` shows what there is"
                    ))
                })?;
                Ok(Place { node, count: multiverse.start(node).saturating_add(after) })
            }
            PlaceSpec::Count(count) if count < start => Err(ApiError::unknown(format!(
                "the session begins after {start} instructions; what was before is not known"
            ))),
            PlaceSpec::Count(count) => Ok(self.in_this_universe(count)),
            PlaceSpec::Relative(distance) => match here.count.checked_add_signed(distance) {
                Some(count) if count >= start => Ok(self.in_this_universe(count)),
                _ => Err(ApiError::unknown(format!(
                    "there are only {} instructions before here; `slide start` goes back over all \
                     of them",
                    here.count - start
                ))),
            },
        }
    }

    pub(crate) fn in_this_universe(&self, count: u64) -> Place {
        Place { node: self.session.multiverse().node_at(self.leaf(), count), count }
    }

    /// The last node of the recorded future.
    pub(crate) fn leaf(&self) -> NodeId {
        self.session.multiverse().leaf(self.session.here().node)
    }

    /// The node with these numbers.
    pub(crate) fn find_node(&self, (segment, index): (u32, u32)) -> Option<NodeId> {
        let node = NodeId::from_parts(segment, index);
        self.session.multiverse().contains(node).then_some(node)
    }
}
