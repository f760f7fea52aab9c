//! Two traces as one: the items of both, or those of one with what the other last was or will be.

use std::ops::Range;

use super::{Definition, Trace};
use crate::failure::Failure;
use crate::lazy::Lazy;
use crate::time::{Direction, Item, Time};

/// What [`Trace::trailing_merge`] gives its function: the item of the other trace, if there is one.
pub type Beside<'a, U> = Lazy<'a, Option<Item<U>>>;

impl<'a, T: Clone + Send + Sync + 'a> Trace<'a, T> {
    /// The items of both traces; a function makes one of two that happened at the same time.
    pub fn merge(
        &self,
        join: impl Fn(&T, &T) -> Result<T, Failure> + Send + Sync + 'a,
        other: &Trace<'a, T>,
    ) -> Trace<'a, T> {
        Trace::new(Merge { sources: [self.clone(), other.clone()], join })
    }

    /// What a function makes of each item and the last item of another trace before it, which is
    /// looked for if the function wants to know.
    pub fn trailing_merge<U: Clone + Send + Sync + 'a, V: Clone + Send + Sync + 'a>(
        &self,
        make: impl Fn(&Item<T>, Beside<'a, U>) -> Result<V, Failure> + Send + Sync + 'a,
        other: &Trace<'a, U>,
    ) -> Trace<'a, V> {
        let direction = Direction::Back;
        Trace::new(BesideOther { source: self.clone(), other: other.clone(), make, direction })
    }

    /// The same with the first item of the other trace after it.
    pub fn rev_trailing_merge<U: Clone + Send + Sync + 'a, V: Clone + Send + Sync + 'a>(
        &self,
        make: impl Fn(&Item<T>, Beside<'a, U>) -> Result<V, Failure> + Send + Sync + 'a,
        other: &Trace<'a, U>,
    ) -> Trace<'a, V> {
        let direction = Direction::Forward;
        Trace::new(BesideOther { source: self.clone(), other: other.clone(), make, direction })
    }
}

struct Merge<'a, T, F> {
    sources: [Trace<'a, T>; 2],
    join: F,
}

impl<'a, T, F> Definition<T> for Merge<'a, T, F>
where
    T: Clone + Send + Sync + 'a,
    F: Fn(&T, &T) -> Result<T, Failure> + Send + Sync,
{
    fn search(&self, range: Range<Time>, direction: Direction) -> Result<Option<Item<T>>, Failure> {
        let [first, second] = &self.sources;
        let Some(one) = first.search(range.clone(), direction)? else {
            return second.search(range, direction);
        };
        // Of the other, nothing is needed beyond it.
        let nearer = match direction {
            Direction::Forward => range.start..one.time.next(),
            Direction::Back => one.time..range.end,
        };
        match second.search(nearer, direction)? {
            Some(two) if two.time == one.time => {
                Ok(Some(Item { time: one.time, value: (self.join)(&one.value, &two.value)? }))
            }
            Some(two) => Ok(Some(two)),
            None => Ok(Some(one)),
        }
    }

    fn frontier(&self) -> Time {
        let [first, second] = &self.sources;
        first.frontier().min(second.frontier())
    }

    fn prepare(&self, range: Range<Time>) -> Result<(), Failure> {
        self.sources.iter().try_for_each(|source| source.prepare(range.clone()))
    }
}

struct BesideOther<'a, T, U, F> {
    source: Trace<'a, T>,
    other: Trace<'a, U>,
    make: F,
    /// Where the other one is looked at.
    direction: Direction,
}

impl<'a, T, U, V, F> Definition<V> for BesideOther<'a, T, U, F>
where
    T: Clone + Send + Sync + 'a,
    U: Clone + Send + Sync + 'a,
    F: Fn(&Item<T>, Beside<'a, U>) -> Result<V, Failure> + Send + Sync,
{
    fn search(&self, range: Range<Time>, direction: Direction) -> Result<Option<Item<V>>, Failure> {
        let Some(item) = self.source.search(range, direction)? else { return Ok(None) };
        let (other, time, towards) = (self.other.clone(), item.time, self.direction);
        let beside = Lazy::new(move || match towards {
            Direction::Forward => other.get_after(time),
            Direction::Back => other.get_before(time),
        });
        Ok(Some(Item { time, value: (self.make)(&item, beside)? }))
    }

    fn frontier(&self) -> Time {
        self.source.frontier().min(match self.direction {
            Direction::Back => self.other.frontier(),
            // What may still come is asked for each time: see `is_kept`.
            Direction::Forward => Time::MAX,
        })
    }

    fn prepare(&self, range: Range<Time>) -> Result<(), Failure> {
        self.source.prepare(range)
    }

    fn is_kept(&self) -> bool {
        self.direction == Direction::Back || self.other.frontier() == Time::MAX
    }
}
