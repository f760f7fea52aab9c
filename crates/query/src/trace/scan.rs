//! Folding a trace: what has come together up to each item, or from each item on.
//!
//! What comes before an item is lazy: a function that does not ask for it does not make anybody
//! compute it. One that always asks would nest as deep as the trace is long; where that gets too
//! deep, the items are computed one after the other from the other end, as an eager fold would.

use std::cell::Cell;
use std::ops::Range;
use std::sync::{Arc, Weak};

use super::{Definition, Inner, Trace};
use crate::failure::Failure;
use crate::lazy::Lazy;
use crate::time::{Direction, Item, Time};

/// So deep items may be computed one within the other.
const NESTED: u32 = 100;

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

impl<'a, T: Clone + Send + Sync + 'a> Trace<'a, T> {
    /// At each item, what a function makes of what it made of the item before and of this one; of
    /// `start` at the first.
    pub fn scan<A: Clone + Send + Sync + 'a>(
        &self,
        fold: impl Fn(Lazy<'a, A>, &Item<T>) -> Result<A, Failure> + Send + Sync + 'a,
        start: A,
    ) -> Trace<'a, A> {
        self.folded(fold, start, Direction::Forward)
    }

    /// The same from the last item back to the first.
    pub fn rev_scan<A: Clone + Send + Sync + 'a>(
        &self,
        fold: impl Fn(Lazy<'a, A>, &Item<T>) -> Result<A, Failure> + Send + Sync + 'a,
        start: A,
    ) -> Trace<'a, A> {
        self.folded(fold, start, Direction::Back)
    }

    fn folded<A: Clone + Send + Sync + 'a>(
        &self,
        fold: impl Fn(Lazy<'a, A>, &Item<T>) -> Result<A, Failure> + Send + Sync + 'a,
        start: A,
        direction: Direction,
    ) -> Trace<'a, A> {
        // It refers to itself: each item to the one before.
        let source = self.clone();
        Trace(Arc::new_cyclic(|own| {
            let folded = Scan { source, fold, start, direction, own: own.clone() };
            Inner { definition: Box::new(folded), known: Default::default() }
        }))
    }
}

struct Scan<'a, T, A, F> {
    source: Trace<'a, T>,
    fold: F,
    start: A,
    direction: Direction,
    own: Weak<Inner<'a, A>>,
}

impl<'a, T, A, F> Scan<'a, T, A, F>
where
    T: Clone + Send + Sync + 'a,
    A: Clone + Send + Sync + 'a,
    F: Fn(Lazy<'a, A>, &Item<T>) -> Result<A, Failure> + Send + Sync,
{
    /// What has come together before an item.
    fn before(&self, time: Time) -> Lazy<'a, A> {
        let (own, start, direction) = (self.own.clone(), self.start.clone(), self.direction);
        Lazy::new(move || {
            let own = own.upgrade().ok_or(Failure::Gone)?;
            let found = match direction {
                Direction::Forward => Trace(own).get_before(time)?,
                Direction::Back => Trace(own).get_after(time)?,
            };
            Ok(found.map_or_else(|| start.clone(), |item| item.value))
        })
    }

    fn value(&self, item: &Item<T>) -> Result<A, Failure> {
        let depth = DEPTH.get();
        if depth >= NESTED {
            return Err(Failure::TooDeep);
        }
        DEPTH.set(depth + 1);
        let mut made = (self.fold)(self.before(item.time), item);
        if depth == 0 && matches!(made, Err(Failure::TooDeep)) {
            made = self.compute_up_to(item);
        }
        DEPTH.set(depth);
        made
    }

    /// Computes all items that come before one, and that one.
    fn compute_up_to(&self, item: &Item<T>) -> Result<A, Failure> {
        let own = self.own.upgrade().map(Trace).ok_or(Failure::Gone)?;
        let range = match self.direction {
            Direction::Forward => Time::MIN..item.time,
            Direction::Back => item.time.next()..Time::MAX,
        };
        let mut items = own.items(range)?;
        while let Some(before) = match self.direction {
            Direction::Forward => items.next(),
            Direction::Back => items.next_back(),
        } {
            before?;
        }
        (self.fold)(self.before(item.time), item)
    }
}

impl<'a, T, A, F> Definition<A> for Scan<'a, T, A, F>
where
    T: Clone + Send + Sync + 'a,
    A: Clone + Send + Sync + 'a,
    F: Fn(Lazy<'a, A>, &Item<T>) -> Result<A, Failure> + Send + Sync,
{
    fn search(&self, range: Range<Time>, direction: Direction) -> Result<Option<Item<A>>, Failure> {
        let item = self.source.search(range, direction)?;
        item.map(|item| Ok(Item { time: item.time, value: self.value(&item)? })).transpose()
    }

    fn frontier(&self) -> Time {
        self.source.frontier()
    }

    fn prepare(&self, range: Range<Time>) -> Result<(), Failure> {
        self.source.prepare(range)
    }

    fn is_kept(&self) -> bool {
        self.direction == Direction::Forward || self.source.frontier() == Time::MAX
    }
}
