//! What is known of a time: stretches that have been looked at, with what is in them, and gaps
//! between them of which nothing is known.
//!
//! Invariant: stretches do not overlap and do not touch; those that would are one.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;

use crate::time::{Direction, Item, Time};

/// Stretches of time by their beginnings. See the [module](self).
#[derive(Debug)]
pub(crate) struct Stretches<T>(BTreeMap<Time, Stretch<T>>);

/// In two lists, so that an item takes what its parts take.
#[derive(Debug)]
struct Stretch<T> {
    until: Time,
    times: VecDeque<Time>,
    values: VecDeque<T>,
}

/// What is known at one end of a range.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Known<T> {
    /// The nearest item of the range.
    Item(Item<T>),
    /// There is none up to, or down to, this time.
    Nothing(Time),
    /// Nothing is known of this part of it.
    Gap(Range<Time>),
}

impl<T> Default for Stretches<T> {
    fn default() -> Self {
        Stretches(BTreeMap::new())
    }
}

impl<T: Clone> Stretches<T> {
    /// What is known of a range that is not empty, from one end of it.
    pub fn look(&self, range: &Range<Time>, direction: Direction) -> Known<T> {
        match direction {
            Direction::Forward => {
                let at = range.start;
                let here = self.0.range(..=at).next_back().filter(|(_, s)| s.until > at);
                let Some((_, stretch)) = here else {
                    let next = self.0.range(at..).next().map_or(Time::MAX, |(from, _)| *from);
                    return Known::Gap(at..next.min(range.end));
                };
                let first = stretch.times.partition_point(|time| *time < at);
                match stretch.item(first).filter(|item| item.time < range.end) {
                    Some(item) => Known::Item(item),
                    None => Known::Nothing(stretch.until.min(range.end)),
                }
            }
            Direction::Back => {
                let at = range.end;
                let before = self.0.range(..at).next_back();
                let Some((from, stretch)) = before.filter(|(_, s)| s.until >= at) else {
                    let last = before.map_or(Time::MIN, |(_, stretch)| stretch.until);
                    return Known::Gap(last.max(range.start)..at);
                };
                let after = stretch.times.partition_point(|time| *time < at);
                let last = after.checked_sub(1).and_then(|last| stretch.item(last));
                match last.filter(|item| item.time >= range.start) {
                    Some(item) => Known::Item(item),
                    None => Known::Nothing((*from).max(range.start)),
                }
            }
        }
    }

    /// The parts of a range of which nothing is known.
    pub fn gaps(&self, range: Range<Time>) -> Vec<Range<Time>> {
        let (mut gaps, mut at) = (Vec::new(), range.start);
        if let Some((_, stretch)) = self.0.range(..=at).next_back() {
            at = at.max(stretch.until);
        }
        for (from, stretch) in self.0.range(range.start.next()..) {
            if at >= range.end {
                break;
            }
            if *from > at {
                gaps.push(at..(*from).min(range.end));
            }
            at = stretch.until;
        }
        if at < range.end {
            gaps.push(at..range.end);
        }
        gaps
    }

    /// Learns all that is in a part of a gap.
    pub fn insert(&mut self, range: Range<Time>, items: impl IntoIterator<Item = Item<T>>) {
        if range.is_empty() {
            return;
        }
        let (times, values) = items.into_iter().map(|item| (item.time, item.value)).unzip();
        let mut stretch = Stretch { until: range.end, times, values };
        if let Some(next) = self.0.remove(&range.end) {
            stretch = stretch.followed_by(next);
        }
        let before = self.0.range(..range.start).next_back();
        let before = before.filter(|(_, s)| s.until == range.start).map(|(from, _)| *from);
        let from = before.unwrap_or(range.start);
        if let Some(before) = self.0.remove(&from) {
            stretch = before.followed_by(stretch);
        }
        self.0.insert(from, stretch);
    }

    /// How many items there are.
    pub fn len(&self) -> usize {
        self.0.values().map(|stretch| stretch.times.len()).sum()
    }
}

impl<T: Clone> Stretch<T> {
    fn item(&self, index: usize) -> Option<Item<T>> {
        Some(Item { time: *self.times.get(index)?, value: self.values.get(index)?.clone() })
    }

    /// Two that touch as one. What is short is added to what is long.
    fn followed_by(mut self, mut next: Self) -> Self {
        if self.times.len() >= next.times.len() {
            self.times.append(&mut next.times);
            self.values.append(&mut next.values);
            return Stretch { until: next.until, ..self };
        }
        while let Some((time, value)) = self.times.pop_back().zip(self.values.pop_back()) {
            next.times.push_front(time);
            next.values.push_front(value);
        }
        next
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(steps: u64) -> Time {
        Time::new(steps)
    }

    fn items(times: &[u64]) -> Vec<Item<u64>> {
        times.iter().map(|time| Item { time: at(*time), value: *time }).collect()
    }

    #[test]
    fn what_get_before_finds_leaves_lazy_value_empty_lazy() {
        // The example of the head of seed 004's section on lazy traces.
        let mut known = Stretches::default();
        known.insert(at(50)..at(100), items(&[50]));
        let back = |range: Range<Time>| known.look(&range, Direction::Back);
        assert_eq!(back(Time::MIN..at(100)), Known::Item(Item { time: at(50), value: 50 }));
        assert_eq!(back(at(51)..at(100)), Known::Nothing(at(51)));
        assert_eq!(back(Time::MIN..at(50)), Known::Gap(Time::MIN..at(50)));
        assert_eq!(back(Time::MIN..at(101)), Known::Gap(at(100)..at(101)));
        let forward = |range: Range<Time>| known.look(&range, Direction::Forward);
        assert_eq!(forward(at(60)..at(200)), Known::Nothing(at(100)));
        assert_eq!(forward(at(100)..Time::MAX), Known::Gap(at(100)..Time::MAX));
        assert_eq!(forward(at(0)..at(70)), Known::Gap(at(0)..at(50)));
    }

    #[test]
    fn stretches_that_touch_are_one() {
        let mut known = Stretches::default();
        known.insert(at(0)..at(10), items(&[1, 2, 3]));
        known.insert(at(20)..at(30), items(&[25]));
        assert_eq!(known.gaps(at(5)..at(40)), [at(10)..at(20), at(30)..at(40)]);
        known.insert(at(10)..at(20), items(&[10]));
        assert_eq!(known.0.len(), 1);
        assert_eq!(known.gaps(at(0)..at(30)), []);
        assert_eq!(known.len(), 5);
        let all: Vec<u64> = known.0[&at(0)].values.iter().copied().collect();
        assert_eq!(all, [1, 2, 3, 10, 25]);
    }
}
