//! Equal states in different universes: machine and world compared by hash, node by node.

use std::collections::HashMap;

use mw_session::{NodeId, Place};

use crate::debugger::{Bridge, Debugger};
use crate::error::ApiError;
use crate::event::{Event, Listener};
use crate::reply::{MergedView, Reply};

/// Of machine and world.
type Hash = (u128, u128);

/// How many nodes are visited unless told otherwise.
const LIMIT: usize = 1000;

impl Debugger {
    /// Visits nodes, oldest first, and groups those at which everything is the same.
    pub(crate) fn merged(
        &self,
        limit: Option<usize>,
        listener: &mut dyn Listener,
    ) -> Result<Reply, ApiError> {
        let nodes = self.nodes(limit.unwrap_or(LIMIT));
        let mut groups: Vec<Vec<NodeId>> = Vec::new();
        let mut known: HashMap<Hash, usize> = HashMap::new();
        for (node, hash) in self.visit(&nodes, listener)? {
            let group = *known.entry(hash).or_insert_with(|| {
                groups.push(Vec::new());
                groups.len() - 1
            });
            groups[group].push(node);
        }
        let states = groups.len() as u64;
        groups.retain(|group| group.len() > 1);
        let view =
            |group: &Vec<NodeId>| group.iter().filter_map(|n| self.choice_view(*n)).collect();
        Ok(Reply::Merged(MergedView {
            groups: groups.iter().map(view).collect(),
            visited: nodes.len() as u64,
            states,
            nodes: self.session.multiverse().len() as u64,
        }))
    }

    fn visit(
        &self,
        nodes: &[NodeId],
        listener: &mut dyn Listener,
    ) -> Result<Vec<(NodeId, Hash)>, ApiError> {
        let mut hashes = Vec::with_capacity(nodes.len());
        let mut replayer = self.session.replayer();
        for (index, &node) in nodes.iter().enumerate() {
            listener.event(Event::Progress { done: index as u64, goal: Some(nodes.len() as u64) });
            if listener.is_cancelled() {
                return Err(mw_session::SessionError::Cancelled.into());
            }
            let place = Place { node, count: self.session.multiverse().start(node) };
            replayer.go_to(place, &mut Bridge { listener, keeper: None })?;
            hashes.push((node, replayer.now().hash()));
        }
        Ok(hashes)
    }

    /// The first nodes in the order of the tree, so that neighbours are visited one after another.
    fn nodes(&self, limit: usize) -> Vec<NodeId> {
        let multiverse = self.session.multiverse();
        let mut found = Vec::new();
        let mut waiting = vec![NodeId::ROOT];
        while let Some(node) = waiting.pop() {
            if found.len() == limit {
                break;
            }
            if node != NodeId::ROOT {
                found.push(node);
            }
            let next: Vec<NodeId> = multiverse.steps(node).map(|step| step.node).collect();
            waiting.extend(next.into_iter().rev());
        }
        found
    }
}
