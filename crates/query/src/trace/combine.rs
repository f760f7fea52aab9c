//! Traces with the times of another one: some of its items, other values, a part of its time.

use std::ops::Range;

use super::{Definition, Trace};
use crate::failure::Failure;
use crate::time::{Direction, Item, Time};

impl<'a, T: Clone + Send + Sync + 'a> Trace<'a, T> {
    /// The items of which something holds.
    pub fn filter(
        &self,
        holds: impl Fn(&Item<T>) -> Result<bool, Failure> + Send + Sync + 'a,
    ) -> Trace<'a, T> {
        Trace::new(Filter { source: self.clone(), holds })
    }

    /// What a function makes of each item.
    pub fn map<U: Clone + Send + Sync + 'a>(
        &self,
        make: impl Fn(&Item<T>) -> Result<U, Failure> + Send + Sync + 'a,
    ) -> Trace<'a, U> {
        Trace::new(Map { source: self.clone(), make })
    }

    /// The items from one time on, before another.
    pub fn slice(&self, from: Time, until: Time) -> Trace<'a, T> {
        Trace::new(Slice { source: self.clone(), range: from..until })
    }
}

struct Filter<'a, T, F> {
    source: Trace<'a, T>,
    holds: F,
}

impl<'a, T, F> Definition<T> for Filter<'a, T, F>
where
    T: Clone + Send + Sync + 'a,
    F: Fn(&Item<T>) -> Result<bool, Failure> + Send + Sync,
{
    fn search(&self, range: Range<Time>, direction: Direction) -> Result<Option<Item<T>>, Failure> {
        let mut rest = range;
        while let Some(item) = self.source.search(rest.clone(), direction)? {
            if (self.holds)(&item)? {
                return Ok(Some(item));
            }
            match direction {
                Direction::Forward => rest.start = item.time.next(),
                Direction::Back => rest.end = item.time,
            }
        }
        Ok(None)
    }

    fn frontier(&self) -> Time {
        self.source.frontier()
    }

    fn prepare(&self, range: Range<Time>) -> Result<(), Failure> {
        self.source.prepare(range)
    }
}

struct Map<'a, T, F> {
    source: Trace<'a, T>,
    make: F,
}

impl<'a, T, U, F> Definition<U> for Map<'a, T, F>
where
    T: Clone + Send + Sync + 'a,
    F: Fn(&Item<T>) -> Result<U, Failure> + Send + Sync,
{
    fn search(&self, range: Range<Time>, direction: Direction) -> Result<Option<Item<U>>, Failure> {
        let item = self.source.search(range, direction)?;
        item.map(|item| Ok(Item { time: item.time, value: (self.make)(&item)? })).transpose()
    }

    fn frontier(&self) -> Time {
        self.source.frontier()
    }

    fn prepare(&self, range: Range<Time>) -> Result<(), Failure> {
        self.source.prepare(range)
    }
}

struct Slice<'a, T> {
    source: Trace<'a, T>,
    range: Range<Time>,
}

impl<T> Slice<'_, T> {
    fn within(&self, range: Range<Time>) -> Range<Time> {
        range.start.max(self.range.start)..range.end.min(self.range.end)
    }
}

impl<'a, T: Clone + Send + Sync + 'a> Definition<T> for Slice<'a, T> {
    fn search(&self, range: Range<Time>, direction: Direction) -> Result<Option<Item<T>>, Failure> {
        self.source.search(self.within(range), direction)
    }

    fn frontier(&self) -> Time {
        // What comes after it is none of its concern.
        match self.source.frontier() {
            frontier if frontier >= self.range.end => Time::MAX,
            frontier => frontier,
        }
    }

    fn prepare(&self, range: Range<Time>) -> Result<(), Failure> {
        self.source.prepare(self.within(range))
    }

    fn is_kept(&self) -> bool {
        false
    }
}
