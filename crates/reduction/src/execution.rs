//! A complete execution, as it is told, and what was not explored beside it.

use crate::exploration::Exploration;
use crate::history::Happened;
use crate::system::System;

/// A complete execution.
pub struct Execution<'a, S: System> {
    pub(crate) exploration: &'a Exploration<S>,
}

/// What becomes of an act that is enabled at some point of an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is what this execution goes on with.
    Taken,
    /// It was explored from here before.
    Explored,
    /// It will be explored from here, as what begins the other way round of a race.
    Planned,
    /// It was explored after so many events of this execution, and all that happened since is
    /// independent of it: from here it would lead to the same again.
    Asleep {
        /// How many events had happened.
        since: usize,
    },
    /// No execution so far has shown a race with what was done instead: it commutes with that, so that
    /// it was explored later on with the same result.
    Commutes,
}

impl<'a, S: System> Execution<'a, S> {
    /// What happened, in order.
    pub fn events(&self) -> &'a [Happened<S::Act>] {
        self.exploration.history.events()
    }

    /// A hash of what happened that is the same for all equivalent executions, and only for those.
    pub fn class(&self) -> u128 {
        self.exploration.history.class()
    }

    /// Whether the last event ended it, so that something enabled may not have happened.
    pub fn is_cut(&self) -> bool {
        self.events().last().is_some_and(|last| last.event.ends)
    }

    /// The state at the end.
    pub fn state(&self) -> &'a S::State {
        &self.exploration.nodes[self.events().len()].state
    }

    /// The state after so many events.
    pub fn state_after(&self, events: usize) -> Option<&'a S::State> {
        self.exploration.nodes.get(events).map(|node| &node.state)
    }

    /// What was enabled after so many events, and what becomes of it, as far as is known by now.
    pub fn alternatives(&self, events: usize) -> Vec<(&'a S::Act, Fate)> {
        let nodes = &self.exploration.nodes;
        let Some(node) = nodes.get(events) else { return Vec::new() };
        let taken = self.events().get(events).map(|next| &next.event.act);
        let fate = |act: &S::Act| {
            if taken == Some(act) {
                Fate::Taken
            } else if node.explored.contains(act) {
                Fate::Explored
            } else if node.plan.iter().any(|branch| branch.event.act == *act) {
                Fate::Planned
            } else if node.sleep.of(act).is_some() {
                let since = nodes.iter().position(|node| node.explored.contains(act));
                Fate::Asleep { since: since.unwrap_or(events) }
            } else {
                Fate::Commutes
            }
        };
        node.enabled.iter().map(|act| (act, fate(act))).collect()
    }
}
