//! Equal states in different universes: machine and world compared by hash, node by node.

use std::collections::HashMap;

use mw_multiverse::{NodeId, Place};

use crate::control::{Control, Progress};
use crate::error::SessionError;
use crate::session::Session;

/// Nodes by the state of the program at them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// Groups of nodes at which everything is the same, of one node as well.
    pub groups: Vec<Vec<NodeId>>,
    /// How many nodes were visited.
    pub visited: usize,
}

impl Session {
    /// Visits the first nodes in the order of the tree, and groups those at which machine and
    /// world are the same. The session stays where it is.
    pub fn merged(&self, limit: usize, control: &mut dyn Control) -> Result<Merged, SessionError> {
        let nodes = self.first_nodes(limit);
        let mut merged = Merged { groups: Vec::new(), visited: nodes.len() };
        let mut known: HashMap<(u128, u128), usize> = HashMap::new();
        let mut replayer = self.replayer();
        for (count, &node) in (0..).zip(&nodes) {
            control.progress(Progress { count, goal: Some(nodes.len() as u64) });
            if control.is_cancelled() {
                return Err(SessionError::Cancelled);
            }
            replayer.go_to(Place { node, count: self.multiverse().start(node) }, control)?;
            let group = *known.entry(replayer.now().hash()).or_insert_with(|| {
                merged.groups.push(Vec::new());
                merged.groups.len() - 1
            });
            merged.groups[group].push(node);
        }
        Ok(merged)
    }

    /// The first nodes in the order of the tree, so that neighbours are visited one after another.
    fn first_nodes(&self, limit: usize) -> Vec<NodeId> {
        let mut found = Vec::new();
        let mut waiting = vec![NodeId::ROOT];
        while let Some(node) = waiting.pop() {
            if found.len() == limit {
                break;
            }
            if node != NodeId::ROOT {
                found.push(node);
            }
            let next: Vec<NodeId> = self.multiverse().steps(node).map(|step| step.node).collect();
            waiting.extend(next.into_iter().rev());
        }
        found
    }
}
