//! The execution that is being explored, as a partial order: what happened before what.
//!
//! Each event keeps the set of those that happened before it in all equivalent executions (a bit
//! for each), which it directly follows, and a hash of itself and that past. The hash is the same
//! in all equivalent executions, and the sum of all of them is the class of the execution.

use std::hash::Hash;
use std::sync::Arc;

use xxhash_rust::xxh3::Xxh3Default;

use crate::event::Event;

/// An event where it happened.
#[derive(Clone, Debug)]
pub struct Happened<A> {
    /// The event.
    pub event: Arc<Event<A>>,
    /// A hash of the event and all that had to happen before it: the same in every execution
    /// in which that is the same.
    pub past: u128,
    before: Set,
    /// One more than the last event of `before`; zero if there is none.
    reach: usize,
    /// Events that could as well have come after this one, as nothing else forces their order.
    races: Vec<usize>,
}

impl<A> Happened<A> {
    /// Whether nothing from this index on has to happen before.
    pub(crate) fn is_initial_from(&self, index: usize) -> bool {
        self.reach <= index
    }

    /// Whether an earlier event, by index, is in its past.
    pub(crate) fn is_after(&self, index: usize) -> bool {
        self.before.contains(index)
    }

    /// Those of its past from this index on, in order.
    pub(crate) fn before_from(&self, index: usize) -> impl Iterator<Item = usize> + '_ {
        (index..self.reach).filter(|&k| self.before.contains(k))
    }

    pub(crate) fn races(&self) -> &[usize] {
        &self.races
    }
}

/// Events in order.
#[derive(Debug)]
pub(crate) struct History<A> {
    events: Vec<Happened<A>>,
    /// The sum of all hashes.
    class: u128,
}

impl<A: Hash + PartialEq> History<A> {
    pub(crate) fn new() -> History<A> {
        History { events: Vec::new(), class: 0 }
    }

    pub(crate) fn events(&self) -> &[Happened<A>] {
        &self.events
    }

    pub(crate) fn class(&self) -> u128 {
        self.class
    }

    pub(crate) fn push(&mut self, event: Arc<Event<A>>) {
        let (mut before, mut reach) = (Set::default(), 0);
        let mut races = Vec::new();
        let mut direct = Vec::new();
        // From the last to the first: what is not before something that was found already, but
        // before this event, is so directly.
        for (index, earlier) in self.events.iter().enumerate().rev() {
            if before.contains(index) || !event.follows(&earlier.event) {
                continue;
            }
            if !event.needs(&earlier.event) {
                races.push(index);
            }
            direct.push(earlier.past);
            before.unite(&earlier.before);
            before.insert(index);
            reach = reach.max(index + 1);
        }
        direct.sort_unstable();
        let mut hasher = Xxh3Default::new();
        event.act.hash(&mut hasher);
        (event.outcome, direct).hash(&mut hasher);
        let past = hasher.digest128();
        self.class = self.class.wrapping_add(past);
        self.events.push(Happened { event, past, before, reach, races });
    }

    pub(crate) fn pop(&mut self) -> Option<Arc<Event<A>>> {
        let last = self.events.pop()?;
        self.class = self.class.wrapping_sub(last.past);
        Some(last.event)
    }
}

/// A set of indices.
#[derive(Clone, Debug, Default)]
struct Set(Vec<u64>);

impl Set {
    fn contains(&self, index: usize) -> bool {
        self.0.get(index / 64).is_some_and(|word| word >> (index % 64) & 1 != 0)
    }

    fn insert(&mut self, index: usize) {
        if self.0.len() <= index / 64 {
            self.0.resize(index / 64 + 1, 0);
        }
        self.0[index / 64] |= 1 << (index % 64);
    }

    fn unite(&mut self, other: &Set) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word |= other;
        }
    }
}
