//! Asking all universes at once: whether something happens in any of them or in all, where it
//! happens, and what two of them do not have in common.
//!
//! What universes share is looked at once: each is asked only for what no other one before it has
//! lived.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use mw_multiverse::{NodeId, Place};
use mw_session::Past;

use crate::attend::Token;
use crate::events::{Event, Events};
use crate::execution::{Bounds, EventStore, Execution};
use crate::failure::Failure;
use crate::time::{Item, Time};
use crate::universe::Strand;

/// All universes of a past, each as far as the program has been in it.
#[derive(Clone, Debug)]
pub struct Forest<'a> {
    universes: Vec<Execution<'a>>,
    /// For each, the part of its time that no earlier one has lived.
    own: Vec<Range<Time>>,
}

/// A universe by its last node, and the first event in it that is asked for.
pub type FirstIn = (NodeId, Option<Item<Event>>);

/// An event, and the universe in which it was found; others may share it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sighting {
    /// The event.
    pub item: Item<Event>,
    /// Where it happened.
    pub place: Place,
    /// A universe, by its last node.
    pub universe: NodeId,
}

impl<'a> Forest<'a> {
    /// All universes that the program has lived; what was only suggested is none.
    pub fn new(past: Past<'a>, token: &Token, bounds: Bounds) -> Forest<'a> {
        let executions =
            ends(past).into_iter().map(|place| Execution::new(past, place, token.clone(), bounds));
        let universes: Vec<Execution<'a>> = executions.collect();
        let mut lived: HashSet<Strand> = HashSet::new();
        let mut own = Vec::new();
        for execution in &universes {
            let strands = execution.universe().strands();
            let new = strands.iter().find(|(strand, _)| !lived.contains(strand));
            // A segment that was lived further by an earlier one is that one's own.
            let begins = new.map_or(Time::MAX, |(_, range)| range.start);
            own.push(begins..Time::MAX);
            lived.extend(strands.iter().map(|(strand, _)| *strand));
        }
        Forest { universes, own }
    }

    /// The universes, the one whose last choice is oldest first.
    pub fn universes(&self) -> &[Execution<'a>] {
        &self.universes
    }

    /// All events of a kind, those that universes share once.
    pub fn sightings(
        &self,
        events: &Events,
        store: &Arc<EventStore>,
        range: Option<(Time, Time)>,
    ) -> Result<Vec<Sighting>, Failure> {
        let mut found = Vec::new();
        for (execution, own) in self.universes.iter().zip(&self.own) {
            let mut trace = execution.events(events.clone(), store.clone());
            if let Some((from, until)) = range {
                trace = trace.slice(from, until);
            }
            let universe = execution.universe();
            for item in trace.items(own.clone())? {
                let item = item?;
                let (place, universe) = (universe.place_at(item.time), universe.leaf());
                found.push(Sighting { item, place, universe });
            }
        }
        Ok(found)
    }

    /// The first event after a time in each universe, past every fork: seed 004's `get_after` with all
    /// children. The earliest of these is the one with any child.
    pub fn all_after(
        &self,
        events: &Events,
        store: &Arc<EventStore>,
        time: Time,
    ) -> Result<Vec<FirstIn>, Failure> {
        let after = |execution: &Execution<'a>| {
            let trace = execution.events(events.clone(), store.clone());
            Ok((execution.universe().leaf(), trace.get_after(time)?))
        };
        self.universes.iter().map(after).collect()
    }

    /// How many events of a kind there are in each universe.
    pub fn by_universe(
        &self,
        events: &Events,
        store: &Arc<EventStore>,
        range: Option<(Time, Time)>,
    ) -> Result<Vec<u64>, Failure> {
        let count = |execution: &Execution<'a>| {
            let trace = execution.events(events.clone(), store.clone());
            match range {
                Some((from, until)) => trace.slice(from, until).len(),
                None => trace.len(),
            }
        };
        self.universes.iter().map(count).collect()
    }

    /// Whether there is an event of a kind in each universe: the first one.
    pub fn first_in_each(
        &self,
        events: &Events,
        store: &Arc<EventStore>,
        range: Option<(Time, Time)>,
    ) -> Result<Vec<Option<Item<Event>>>, Failure> {
        let first = |execution: &Execution<'a>| {
            let trace = execution.events(events.clone(), store.clone());
            match range {
                Some((from, until)) => trace.slice(from, until).get_after(Time::MIN),
                None => trace.get_after(Time::MIN),
            }
        };
        self.universes.iter().map(first).collect()
    }
}

/// Where the universes end that the program has lived: at the last node of each way, and where it went
/// on without a choice that it also made.
fn ends(past: Past<'_>) -> Vec<Place> {
    let multiverse = past.multiverse();
    let mut nodes: Vec<NodeId> = Vec::new();
    let mut waiting = vec![NodeId::ROOT];
    while let Some(node) = waiting.pop() {
        let visited = multiverse.steps(node).filter(|step| multiverse.is_visited(step.node));
        let next: Vec<(u64, NodeId)> = visited.map(|step| (step.choice.count, step.node)).collect();
        let last = next.iter().map(|(count, _)| *count).max();
        // Beyond all of its choices, it is a universe of its own.
        if last.is_none_or(|last| past.end_of(node) > last) {
            nodes.push(node);
        }
        waiting.extend(next.into_iter().map(|(_, node)| node));
    }
    nodes.sort_unstable();
    nodes.into_iter().map(|node| Place { node, count: past.end_of(node) }).collect()
}
