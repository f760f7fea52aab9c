//! Traces: what happened, in the order of time, found out when somebody needs to know.
//!
//! This is the trace of seed 004 (Expositor): immutable, lazy and cached. To make one does nothing. A
//! question looks at the part of time that it needs, and what was found is kept as stretches of time
//! that are known, with gaps between them. What is derived from a trace looks at the same part of it.
//!
//! What lies beyond the [frontier](Trace::frontier) has not happened yet, as far as anybody knows; it
//! is looked at each time anew, and never taken for empty.

mod combine;
mod merge;
mod scan;
mod tree_scan;

use std::fmt;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use crate::failure::Failure;
use crate::stretches::{Known, Stretches};
use crate::time::{Direction, Item, Time};

/// What a trace is made of.
pub(crate) trait Definition<T>: Send + Sync {
    /// The item that is nearest to one end of a range, which does not reach beyond the frontier.
    fn search(&self, range: Range<Time>, direction: Direction) -> Result<Option<Item<T>>, Failure>;

    /// From which time on nothing is known yet; [`Time::MAX`] if there is nothing more to come.
    fn frontier(&self) -> Time;

    /// Makes it quick to ask for all items of a range, one after the other.
    fn prepare(&self, range: Range<Time>) -> Result<(), Failure>;

    /// Whether what is found is worth keeping here, and stays so.
    fn is_kept(&self) -> bool {
        true
    }
}

/// A trace. See the [module](self).
pub struct Trace<'a, T>(Arc<Inner<'a, T>>);

struct Inner<'a, T> {
    definition: Box<dyn Definition<T> + 'a>,
    known: Mutex<Stretches<T>>,
}

impl<T> Clone for Trace<'_, T> {
    fn clone(&self) -> Self {
        Trace(self.0.clone())
    }
}

impl<T> fmt::Debug for Trace<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Trace")
    }
}

impl<'a, T: Clone + Send + Sync + 'a> Trace<'a, T> {
    pub(crate) fn new(definition: impl Definition<T> + 'a) -> Trace<'a, T> {
        let known = Mutex::new(Stretches::default());
        Trace(Arc::new(Inner { definition: Box::new(definition), known }))
    }

    /// The item at a time.
    pub fn get_at(&self, time: Time) -> Result<Option<Item<T>>, Failure> {
        self.search(time..time.next(), Direction::Forward)
    }

    /// The first item after a time.
    pub fn get_after(&self, time: Time) -> Result<Option<Item<T>>, Failure> {
        self.search(time.next()..Time::MAX, Direction::Forward)
    }

    /// The last item before a time.
    pub fn get_before(&self, time: Time) -> Result<Option<Item<T>>, Failure> {
        self.search(Time::MIN..time, Direction::Back)
    }

    /// How many items there are.
    pub fn len(&self) -> Result<u64, Failure> {
        let mut count = 0;
        for item in self.iter()? {
            item?;
            count += 1;
        }
        Ok(count)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> Result<bool, Failure> {
        Ok(self.search(Time::MIN..Time::MAX, Direction::Forward)?.is_none())
    }

    /// All items, one after the other.
    pub fn iter(&self) -> Result<Items<'a, T>, Failure> {
        self.items(Time::MIN..Time::MAX)
    }

    /// All items of a range of time, one after the other.
    pub fn items(&self, range: Range<Time>) -> Result<Items<'a, T>, Failure> {
        self.prepare(range.clone())?;
        Ok(Items { trace: self.clone(), range })
    }

    /// The first items, the earliest first: no more of the past is looked at than has these.
    pub fn first(&self, most: usize) -> Result<Vec<Item<T>>, Failure> {
        Items { trace: self.clone(), range: Time::MIN..Time::MAX }.take(most).collect()
    }

    /// The last items, the latest first: no more of the past is looked at than has these.
    pub fn last(&self, most: usize) -> Result<Vec<Item<T>>, Failure> {
        Items { trace: self.clone(), range: Time::MIN..Time::MAX }.rev().take(most).collect()
    }

    /// From which time on nothing is known yet; [`Time::MAX`] if there is nothing more to come.
    pub fn frontier(&self) -> Time {
        self.0.definition.frontier()
    }

    pub(crate) fn prepare(&self, range: Range<Time>) -> Result<(), Failure> {
        let range = range.start..range.end.min(self.frontier());
        match range.is_empty() {
            true => Ok(()),
            false => self.0.definition.prepare(range),
        }
    }

    /// The item that is nearest to one end of a range.
    pub(crate) fn search(
        &self,
        range: Range<Time>,
        direction: Direction,
    ) -> Result<Option<Item<T>>, Failure> {
        let definition = &*self.0.definition;
        let mut rest = range.start..range.end.min(definition.frontier());
        while !rest.is_empty() {
            if !definition.is_kept() {
                return definition.search(rest, direction);
            }
            let known = self.known(&rest, direction);
            let until = match known {
                Known::Item(item) => return Ok(Some(item)),
                Known::Nothing(until) => until,
                Known::Gap(gap) => {
                    let found = definition.search(gap.clone(), direction)?;
                    if let Some(item) = &found {
                        let looked_at = match direction {
                            Direction::Forward => gap.start..item.time.next(),
                            Direction::Back => item.time..gap.end,
                        };
                        self.learn(looked_at, found.clone());
                        return Ok(found);
                    }
                    self.learn(gap.clone(), None);
                    if direction == Direction::Forward { gap.end } else { gap.start }
                }
            };
            match direction {
                Direction::Forward => rest.start = until,
                Direction::Back => rest.end = until,
            }
        }
        Ok(None)
    }

    fn known(&self, range: &Range<Time>, direction: Direction) -> Known<T> {
        let known = self.0.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.look(range, direction)
    }

    /// Keeps what was found in a part of a gap. Whoever was faster has found the same.
    fn learn(&self, range: Range<Time>, item: Option<Item<T>>) {
        let mut known = self.0.known.lock().unwrap_or_else(PoisonError::into_inner);
        for gap in known.gaps(range) {
            let item = item.clone().filter(|item| gap.contains(&item.time));
            known.insert(gap, item);
        }
    }
}

/// The items of a trace, one after the other.
#[derive(Debug)]
pub struct Items<'a, T> {
    trace: Trace<'a, T>,
    range: Range<Time>,
}

impl<'a, T: Clone + Send + Sync + 'a> Iterator for Items<'a, T> {
    type Item = Result<Item<T>, Failure>;

    fn next(&mut self) -> Option<Self::Item> {
        let found = self.trace.search(self.range.clone(), Direction::Forward);
        match &found {
            Ok(Some(item)) => self.range.start = item.time.next(),
            // Who goes on after a failure would ask the same again for ever.
            Ok(None) | Err(_) => self.range.start = self.range.end,
        }
        found.transpose()
    }
}

impl<'a, T: Clone + Send + Sync + 'a> DoubleEndedIterator for Items<'a, T> {
    fn next_back(&mut self) -> Option<Self::Item> {
        let found = self.trace.search(self.range.clone(), Direction::Back);
        match &found {
            Ok(Some(item)) => self.range.end = item.time,
            Ok(None) | Err(_) => self.range.end = self.range.start,
        }
        found.transpose()
    }
}
