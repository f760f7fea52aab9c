//! Traces of what happens in an execution: a back end finds events, and what it found is kept.
//!
//! A universe is a row of *strands*, each a stretch of time that universes may share: what is known of
//! a strand is known of all universes that it is part of. The [`Store`] keeps that for one kind of
//! events, longer than any trace.

use std::collections::HashMap;
use std::hash::Hash;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::failure::Failure;
use crate::stretches::{Known, Stretches};
use crate::time::{Direction, Item, Time};
use crate::trace::{Definition, Trace};

/// Whatever finds events in a universe.
pub trait Backend: Send + Sync {
    /// What tells strands apart.
    type Strand: Copy + Eq + Hash + Send + Sync;
    /// What is kept of an event.
    type Event: Clone + Send + Sync;

    /// The strands of the universe, each with its time, in ascending order without gaps.
    fn strands(&self) -> &[(Self::Strand, Range<Time>)];

    /// From which time on nothing is known yet; [`Time::MAX`] if the universe has ended.
    fn frontier(&self) -> Time;

    /// Looks for events in a range from one end on, up to the first that it finds or further.
    fn search(
        &self,
        range: Range<Time>,
        direction: Direction,
    ) -> Result<Looked<Self::Event>, Failure>;

    /// Finds all events in some ranges, in ascending order; it is told of those of each as they are
    /// found, in any order.
    fn gather(
        &self,
        ranges: &[Range<Time>],
        found: &mut dyn FnMut(Looked<Self::Event>),
    ) -> Result<(), Failure>;
}

/// All events in a part of time.
#[derive(Clone, Debug)]
pub struct Looked<T> {
    /// The part.
    pub range: Range<Time>,
    /// What happened in it, in ascending order.
    pub items: Vec<Item<T>>,
}

/// What is known of one kind of events, by the strands of all universes.
#[derive(Debug)]
pub struct Store<S, T>(Mutex<HashMap<S, Stretches<T>>>);

impl<S, T> Default for Store<S, T> {
    fn default() -> Self {
        Store(Mutex::default())
    }
}

impl<S: Copy + Eq + Hash, T: Clone> Store<S, T> {
    fn strands(&self) -> MutexGuard<'_, HashMap<S, Stretches<T>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many events it holds.
    pub fn len(&self) -> usize {
        self.strands().values().map(Stretches::len).sum()
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The trace of what a back end finds, over what is known already.
pub fn trace_of<'a, B: Backend + 'a>(
    backend: Arc<B>,
    store: Arc<Store<B::Strand, B::Event>>,
) -> Trace<'a, B::Event>
where
    B::Strand: 'a,
    B::Event: 'a,
{
    Trace::new(Source { backend, store })
}

struct Source<B: Backend> {
    backend: Arc<B>,
    store: Arc<Store<B::Strand, B::Event>>,
}

impl<B: Backend> Source<B> {
    /// The strands that a range lies in, with their parts of it.
    fn parts(&self, range: &Range<Time>) -> Vec<(B::Strand, Range<Time>)> {
        let strands = self.backend.strands();
        let first = strands.partition_point(|(_, of)| of.end <= range.start);
        let strands = strands[first..].iter().take_while(|(_, of)| of.start < range.end);
        let part = |of: &Range<Time>| of.start.max(range.start)..of.end.min(range.end);
        strands.map(|(strand, of)| (*strand, part(of))).collect()
    }

    /// Keeps what was found. Whoever was faster has found the same.
    fn learn(&self, looked: Looked<B::Event>) {
        let mut strands = self.store.strands();
        for (strand, part) in self.parts(&looked.range) {
            let known = strands.entry(strand).or_default();
            for gap in known.gaps(part) {
                let first = looked.items.partition_point(|item| item.time < gap.start);
                let after = looked.items.partition_point(|item| item.time < gap.end);
                known.insert(gap, looked.items[first..after].iter().cloned());
            }
        }
    }

    fn known(
        &self,
        strand: B::Strand,
        range: &Range<Time>,
        direction: Direction,
    ) -> Known<B::Event> {
        match self.store.strands().get(&strand) {
            Some(known) => known.look(range, direction),
            None => Known::Gap(range.clone()),
        }
    }
}

impl<B: Backend> Definition<B::Event> for Source<B> {
    fn search(
        &self,
        range: Range<Time>,
        direction: Direction,
    ) -> Result<Option<Item<B::Event>>, Failure> {
        let mut parts = self.parts(&range);
        if direction == Direction::Back {
            parts.reverse();
        }
        for (strand, mut rest) in parts {
            while !rest.is_empty() {
                let until = match self.known(strand, &rest, direction) {
                    Known::Item(item) => return Ok(Some(item)),
                    Known::Nothing(until) => until,
                    Known::Gap(gap) => {
                        let looked = self.backend.search(gap, direction)?;
                        if looked.range.is_empty() {
                            return Ok(None);
                        }
                        self.learn(looked);
                        continue;
                    }
                };
                match direction {
                    Direction::Forward => rest.start = until,
                    Direction::Back => rest.end = until,
                }
            }
        }
        Ok(None)
    }

    fn frontier(&self) -> Time {
        self.backend.frontier()
    }

    fn prepare(&self, range: Range<Time>) -> Result<(), Failure> {
        let mut gaps: Vec<Range<Time>> = Vec::new();
        for (strand, part) in self.parts(&range) {
            let known = self.store.strands().get(&strand).map(|known| known.gaps(part.clone()));
            for gap in known.unwrap_or_else(|| vec![part]) {
                match gaps.last_mut() {
                    Some(last) if last.end == gap.start => last.end = gap.end,
                    _ => gaps.push(gap),
                }
            }
        }
        match gaps.is_empty() {
            true => Ok(()),
            false => self.backend.gather(&gaps, &mut |looked| self.learn(looked)),
        }
    }

    fn is_kept(&self) -> bool {
        // The store keeps it, for all universes.
        false
    }
}
