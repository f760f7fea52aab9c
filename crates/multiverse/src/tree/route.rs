//! An explicit way through the tree: to one node, whatever is preferred.

use std::collections::HashMap;

use super::{Choice, Multiverse, NodeId, Place};

/// The way from the start to a node.
#[derive(Clone, Debug)]
pub struct Route {
    to: NodeId,
    /// Where it leaves a segment, and for which one.
    turns: HashMap<u32, (u32, u32)>,
}

impl Route {
    /// Where it leads.
    pub fn to(&self) -> NodeId {
        self.to
    }
}

impl Multiverse {
    /// The way from the start to a node.
    pub fn route(&self, to: NodeId) -> Route {
        let (mut at, mut turns) = (to, HashMap::new());
        while at.segment != 0 {
            let parent = self.segment(at).parent;
            turns.insert(parent.segment, (parent.index, at.segment));
            at = parent;
        }
        Route { to, turns }
    }

    /// The choice that comes after a node on a way, and the node that it leads to.
    pub fn next_on(&self, route: &Route, node: NodeId) -> Option<(Choice<'_>, NodeId)> {
        let next = match route.turns.get(&node.segment) {
            Some(&(index, segment)) if node.index == index => NodeId { segment, index: 1 },
            Some(&(index, _)) if node.index > index => return None,
            None if node.segment != route.to.segment || node.index >= route.to.index => {
                return None;
            }
            _ => self.next_in_segment(node)?,
        };
        Some((self.choice(next)?, next))
    }

    /// The last place that the ways to two places have in common.
    pub fn common_place(&self, a: Place, b: Place) -> Place {
        let node = self.common_ancestor(a.node, b.node);
        // Where the way to a place leaves the node: at its next choice, or not at all.
        let leaves = |place: Place| match place.node == node {
            true => place.count,
            false => {
                let next = self.step_towards(node, place.node);
                next.and_then(|next| self.choice(next)).map_or(0, |choice| choice.count)
            }
        };
        Place { node, count: leaves(a).min(leaves(b)) }
    }
}
