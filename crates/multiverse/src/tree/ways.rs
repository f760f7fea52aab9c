//! Which way on: where a universe goes on from a node of which several ways lead.
//!
//! The program goes the way that it took last. Choices that were only *suggested* are in the tree to
//! be looked at and slid to, but the program has not been there, so none of them is the way on.

use super::{Multiverse, NOWHERE, NodeId, Payload, Site, Step};

impl Multiverse {
    /// Adds a choice after a node, at which the program has not been, unless it is known. The way on
    /// stays what it was.
    pub fn suggest(
        &mut self,
        after: NodeId,
        count: u64,
        site: &Site,
        payload: impl Into<Payload>,
    ) -> NodeId {
        let site = self.number_of(site);
        let wanted = self.record_of(count, site, &payload.into());
        self.known(after, wanted).unwrap_or_else(|| {
            let node = self.add_choice(after, wanted);
            self.unvisited.insert(node);
            node
        })
    }

    /// The program has been at a node, and so at all before it.
    pub fn visit(&mut self, node: NodeId) {
        let mut at = Some(node);
        while let Some(node) = at.filter(|node| self.unvisited.remove(node)) {
            at = self.parent(node);
        }
    }

    /// Whether the program has been at a node; otherwise it was suggested.
    pub fn is_visited(&self, node: NodeId) -> bool {
        !self.unvisited.contains(&node)
    }

    /// All nodes at which the program has not been.
    pub fn unvisited(&self) -> impl Iterator<Item = NodeId> {
        self.unvisited.iter().copied()
    }

    /// Puts nodes back at which the program has not been.
    pub fn restore_unvisited(&mut self, nodes: impl IntoIterator<Item = NodeId>) {
        self.unvisited.extend(nodes);
    }

    /// The way on that was taken last; `None` if that was to make none of the recorded choices.
    pub fn preferred(&self, node: NodeId) -> Option<Step<'_>> {
        // Mostly nothing comes after.
        let segment = self.segment(node);
        if node.index == segment.choices.len() && segment.is_plain() {
            return None;
        }
        let next = self.preferred_node(node)?;
        Some(Step { choice: self.choice(next)?, node: next })
    }

    pub(super) fn preferred_node(&self, node: NodeId) -> Option<NodeId> {
        let next = self.laid_node(node)?;
        match self.is_visited(next) {
            true => Some(next),
            // Somebody has looked at what was suggested.
            false => {
                let steps = self.steps(node).map(|step| step.node);
                steps.filter(|node| self.is_visited(*node)).last()
            }
        }
    }

    /// The next node on the way to the one that [`prefer_path_to`](Self::prefer_path_to) was last
    /// called for.
    fn laid_node(&self, node: NodeId) -> Option<NodeId> {
        match self.segment(node).preferred.get(&node.index) {
            Some(&NOWHERE) => None,
            Some(&segment) => Some(NodeId { segment, index: 1 }),
            None => self.next_in_segment(node),
        }
    }

    pub(super) fn prefer(&mut self, node: NodeId, next: NodeId) {
        let preferred = &mut self.segments[node.segment as usize].preferred;
        match next.segment == node.segment {
            true => preferred.remove(&node.index),
            false => preferred.insert(node.index, next.segment),
        };
    }

    /// Makes it the preferred way to go on from a node without any of the choices recorded there:
    /// an interrupt may as well not arrive, a variable not be set by hand.
    pub fn prefer_no_choice(&mut self, node: NodeId) {
        if self.steps(node).next().is_some() {
            self.segments[node.segment as usize].preferred.insert(node.index, NOWHERE);
        }
    }

    /// The last node of the preferred way on from a node.
    pub fn leaf(&self, node: NodeId) -> NodeId {
        let mut at = node;
        loop {
            let segment = self.segment(at);
            // Up to here, the way is the segment itself.
            let turn = segment.preferred.range(at.index..).next().map(|(index, _)| *index);
            let unvisited = self.unvisited.range(NodeId { index: at.index + 1, ..at }..).next();
            let unvisited = unvisited.filter(|node| node.segment == at.segment);
            let turn = turn.into_iter().chain(unvisited.map(|node| node.index - 1)).min();
            at.index = turn.unwrap_or(segment.choices.len());
            match self.preferred_node(at) {
                Some(next) => at = next,
                None => return at,
            }
        }
    }

    /// Makes the way to a node the preferred one everywhere on it.
    pub fn prefer_path_to(&mut self, node: NodeId) {
        let mut at = node;
        loop {
            // Before the node, the way is the segment itself.
            self.segments[at.segment as usize].preferred.retain(|&index, _| index >= at.index);
            if at.segment == 0 {
                return;
            }
            let parent = self.segment(at).parent;
            self.prefer(parent, NodeId { index: 1, ..at });
            at = parent;
        }
    }

    /// The nodes from which the preferred way on is not that of their own segment, each with the
    /// next node, or none if none of the recorded choices is preferred.
    pub fn preferences(&self) -> impl Iterator<Item = (NodeId, Option<NodeId>)> {
        (0..).zip(&self.segments).flat_map(|(segment, branching)| {
            branching.preferred.iter().map(move |(&index, &next)| {
                let branch = (next != NOWHERE).then_some(NodeId { segment: next, index: 1 });
                (NodeId { segment, index }, branch)
            })
        })
    }

    /// Makes these the preferences, and no others; says whether they fit the tree. If they do
    /// not, nothing changes.
    pub fn set_preferences(&mut self, preferences: &[(NodeId, Option<NodeId>)]) -> bool {
        let fits = |&(node, next): &(NodeId, Option<NodeId>)| {
            self.contains(node)
                && match next {
                    Some(next) if next.segment == node.segment => false,
                    Some(next) => self.steps(node).any(|step| step.node == next),
                    None => self.steps(node).next().is_some(),
                }
        };
        let fit = preferences.iter().all(fits);
        if fit {
            self.segments.iter_mut().for_each(|segment| segment.preferred.clear());
            for &(node, next) in preferences {
                match next {
                    Some(next) => self.prefer(node, next),
                    None => self.prefer_no_choice(node),
                }
            }
        }
        fit
    }
}
