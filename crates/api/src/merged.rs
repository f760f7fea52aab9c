//! Equal states in different universes.

use serde::{Deserialize, Serialize};

use crate::ask::{Answered, Ask};
use crate::debugger::{Bridge, Debugger};
use crate::event::Listener;
use crate::views::ChoiceView;

/// How many nodes are visited unless told otherwise.
const LIMIT: usize = 1000;

/// Nodes at which machine and world are the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Merged {
    /// How many nodes to visit at most.
    #[serde(default)]
    pub limit: Option<usize>,
}

impl Ask for Merged {
    type Reply = MergedView;
    const ONLY_LOOKS: bool = true;

    fn serve(self, debugger: &mut Debugger, listener: &mut dyn Listener) -> Answered<Self> {
        let mut bridge = Bridge { listener };
        let merged = debugger.session.merged(self.limit.unwrap_or(LIMIT), &mut bridge)?;
        let several = merged.groups.iter().filter(|group| group.len() > 1);
        let choice = |node: &_| debugger.choice_view(*node);
        Ok(MergedView {
            groups: several.map(|group| group.iter().filter_map(choice).collect()).collect(),
            visited: merged.visited as u64,
            states: merged.groups.len() as u64,
            nodes: debugger.session.multiverse().len() as u64,
        })
    }
}

/// Nodes at which machine and world are the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MergedView {
    /// Groups of two nodes and more, each with the choice that leads to it.
    pub groups: Vec<Vec<ChoiceView>>,
    /// How many nodes were looked at.
    pub visited: u64,
    /// How many different states there are among them.
    pub states: u64,
    /// How many nodes there are.
    pub nodes: u64,
}
