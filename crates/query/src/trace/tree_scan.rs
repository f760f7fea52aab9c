//! Folding a trace with a function that is associative: by halves of time instead of one item after
//! the other, so that nothing nests deep, and what is known of a half is known to all.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use super::{Definition, Trace};
use crate::failure::Failure;
use crate::lazy::Lazy;
use crate::time::{Direction, Item, Time};

/// What some of the items come to, if there are any.
pub type Part<'a, T> = Lazy<'a, Option<T>>;

impl<'a, T: Clone + Send + Sync + 'a> Trace<'a, T> {
    /// At each item, what an associative function makes of all items up to it. Its left argument may
    /// be nothing, and then it has to return the right one.
    pub fn tscan(
        &self,
        join: impl Fn(Part<'a, T>, Lazy<'a, T>) -> Result<T, Failure> + Send + Sync + 'a,
    ) -> Trace<'a, T> {
        self.tree_folded(Arc::new(join), Direction::Forward)
    }

    /// At each item, what an associative function makes of all items from it on. Its right argument
    /// may be nothing, and then it has to return the left one.
    pub fn rev_tscan(
        &self,
        join: impl Fn(Lazy<'a, T>, Part<'a, T>) -> Result<T, Failure> + Send + Sync + 'a,
    ) -> Trace<'a, T> {
        let flipped = move |far: Part<'a, T>, near: Lazy<'a, T>| join(near, far);
        self.tree_folded(Arc::new(flipped), Direction::Back)
    }

    fn tree_folded(&self, join: Join<'a, T>, direction: Direction) -> Trace<'a, T> {
        let parts = Mutex::default();
        let folds = Arc::new(Folds { source: self.clone(), join, direction, parts });
        Trace::new(TreeScan(folds))
    }
}

/// What an optional earlier part and a part come to; earlier is later where time is folded back.
type Join<'a, T> = Arc<dyn Fn(Part<'a, T>, Lazy<'a, T>) -> Result<T, Failure> + Send + Sync + 'a>;

/// What the items of parts of time come to.
struct Folds<'a, T> {
    source: Trace<'a, T>,
    join: Join<'a, T>,
    direction: Direction,
    /// By the halves of halves of time that they are of.
    parts: Mutex<HashMap<(Time, Time), Part<'a, T>>>,
}

impl<'a, T: Clone + Send + Sync + 'a> Folds<'a, T> {
    /// What the items of a part of time come to.
    fn part(self: &Arc<Self>, range: Range<Time>) -> Part<'a, T> {
        // They are kept here, and do not keep this in turn.
        let own = Arc::downgrade(self);
        let part = |range: Range<Time>| Lazy::new(move || upgrade(&own)?.fold(range.clone()));
        if !self.is_settled() {
            return part(range);
        }
        let mut parts = self.parts.lock().unwrap_or_else(PoisonError::into_inner);
        parts.entry((range.start, range.end)).or_insert_with(|| part(range)).clone()
    }

    /// Whether nothing is still to come that would be a part of it.
    fn is_settled(&self) -> bool {
        self.direction == Direction::Forward || self.source.frontier() == Time::MAX
    }

    /// The item of a part of time that is folded last.
    fn nearest(&self, range: Range<Time>) -> Result<Option<Item<T>>, Failure> {
        self.source.search(
            range,
            match self.direction {
                Direction::Forward => Direction::Back,
                Direction::Back => Direction::Forward,
            },
        )
    }

    fn fold(self: &Arc<Self>, range: Range<Time>) -> Result<Option<T>, Failure> {
        let Some(item) = self.nearest(range.clone())? else { return Ok(None) };
        if range.start.next() >= range.end {
            return Ok(Some(item.value));
        }
        let middle = range.start.middle(range.end);
        let (earlier, later) = (range.start..middle, middle..range.end);
        let (far, near) = match self.direction {
            Direction::Forward => (earlier, later),
            Direction::Back => (later, earlier),
        };
        match near.contains(&item.time) {
            true => self.join_parts(self.part(far), near).map(Some),
            false => self.part(far).force().cloned(),
        }
    }

    /// What a part comes to with another one, which has an item.
    fn join_parts(self: &Arc<Self>, far: Part<'a, T>, near: Range<Time>) -> Result<T, Failure> {
        let near = self.part(near);
        (self.join)(far, Lazy::new(move || near.force()?.clone().ok_or(Failure::Gone)))
    }

    /// What all items before a time come to, or after it, by halves of halves of time.
    fn beyond(self: &Arc<Self>, time: Time) -> Part<'a, T> {
        let (mut low, mut high) = (Time::MIN, Time::MAX);
        let mut all: Part<'a, T> = Lazy::ready(None);
        while low.next() < high {
            let middle = low.middle(high);
            let is_later = time >= middle;
            let near = match (self.direction, is_later) {
                (Direction::Forward, true) => Some(low..middle),
                (Direction::Back, false) => Some(middle..high),
                _ => None,
            };
            if let Some(near) = near {
                let (own, far) = (Arc::downgrade(self), all);
                all = Lazy::new(move || {
                    let own = upgrade(&own)?;
                    match own.nearest(near.clone())? {
                        None => far.force().cloned(),
                        Some(_) => own.join_parts(far.clone(), near.clone()).map(Some),
                    }
                });
            }
            match is_later {
                true => low = middle,
                false => high = middle,
            }
        }
        all
    }
}

fn upgrade<'a, T>(folds: &Weak<Folds<'a, T>>) -> Result<Arc<Folds<'a, T>>, Failure> {
    folds.upgrade().ok_or(Failure::Gone)
}

struct TreeScan<'a, T>(Arc<Folds<'a, T>>);

impl<'a, T: Clone + Send + Sync + 'a> Definition<T> for TreeScan<'a, T> {
    fn search(&self, range: Range<Time>, direction: Direction) -> Result<Option<Item<T>>, Failure> {
        let TreeScan(folds) = self;
        let Some(item) = folds.source.search(range, direction)? else { return Ok(None) };
        let value = (folds.join)(folds.beyond(item.time), Lazy::ready(item.value))?;
        Ok(Some(Item { time: item.time, value }))
    }

    fn frontier(&self) -> Time {
        self.0.source.frontier()
    }

    fn prepare(&self, range: Range<Time>) -> Result<(), Failure> {
        self.0.source.prepare(range)
    }

    fn is_kept(&self) -> bool {
        self.0.is_settled()
    }
}
