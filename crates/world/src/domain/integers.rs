//! A set of integers as sorted, disjoint, non-adjacent ranges, never empty, some values named.
//!
//! A set of single values is the same thing with ranges of length one, and an enum is a set whose
//! values have names; so whoever reasons about domains (mocks, rules, path conditions) needs to
//! know ranges only.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

/// The integers from `low` to `high`, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Range {
    /// The smallest value.
    pub low: i64,
    /// The largest value.
    pub high: i64,
}

impl Range {
    /// The range from `low` to `high`, both included.
    pub const fn new(low: i64, high: i64) -> Range {
        Range { low, high }
    }

    /// How many values there are; none when `low` is above `high`.
    pub fn count(self) -> u128 {
        (i128::from(self.high) - i128::from(self.low) + 1).max(0) as u128
    }

    /// Whether `value` is in the range.
    pub fn contains(self, value: i64) -> bool {
        self.low <= value && value <= self.high
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.low == self.high {
            true => write!(f, "{}", self.low),
            false => write!(f, "{}..{}", self.low, self.high),
        }
    }
}

/// A set of integers that is never empty.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct Integers {
    ranges: Vec<Range>,
    names: BTreeMap<i64, String>,
}

/// What a stored set says before its invariant has been checked.
#[derive(Deserialize)]
struct Unchecked {
    ranges: Vec<Range>,
    names: BTreeMap<i64, String>,
}

impl TryFrom<Unchecked> for Integers {
    type Error = &'static str;

    fn try_from(stored: Unchecked) -> Result<Self, Self::Error> {
        let set = Integers::new(stored.ranges).ok_or("a stored domain is empty")?;
        Ok(set.with_names(stored.names))
    }
}

impl Integers {
    /// The union of `ranges`, in any order and overlapping or not; `None` when that is empty.
    pub fn new(ranges: impl IntoIterator<Item = Range>) -> Option<Integers> {
        let mut sorted: Vec<Range> = ranges.into_iter().filter(|r| r.low <= r.high).collect();
        sorted.sort_unstable();
        let mut merged: Vec<Range> = Vec::with_capacity(sorted.len());
        for range in sorted {
            match merged.last_mut() {
                Some(last) if range.low <= last.high.saturating_add(1) => {
                    last.high = last.high.max(range.high);
                }
                _ => merged.push(range),
            }
        }
        (!merged.is_empty()).then_some(Integers { ranges: merged, names: BTreeMap::new() })
    }

    /// The same set with names for some of its values; names of other values are dropped.
    pub fn with_names(mut self, names: impl IntoIterator<Item = (i64, String)>) -> Integers {
        self.names = names.into_iter().filter(|(value, _)| self.contains(*value)).collect();
        self
    }

    /// The ranges: sorted, disjoint, not adjacent, at least one.
    pub fn ranges(&self) -> &[Range] {
        &self.ranges
    }

    /// The names of values, for an enum.
    pub fn names(&self) -> &BTreeMap<i64, String> {
        &self.names
    }

    /// Whether `value` is in the set.
    pub fn contains(&self, value: i64) -> bool {
        let after = self.ranges.partition_point(|range| range.low <= value);
        after > 0 && self.ranges[after - 1].contains(value)
    }

    /// How many values there are.
    pub fn count(&self) -> u128 {
        self.ranges.iter().map(|range| range.count()).sum()
    }

    /// All values in order.
    pub fn values(&self) -> impl Iterator<Item = i64> + '_ {
        self.ranges.iter().flat_map(|range| range.low..=range.high)
    }

    /// The `index`-th value in order, or the largest when there are not so many.
    pub fn nth(&self, mut index: u128) -> i64 {
        for range in &self.ranges {
            if index < range.count() {
                return (i128::from(range.low) + index as i128) as i64;
            }
            index -= range.count();
        }
        self.largest()
    }

    /// The smallest value.
    pub fn smallest(&self) -> i64 {
        self.ranges[0].low
    }

    /// The largest value.
    pub fn largest(&self) -> i64 {
        self.ranges[self.ranges.len() - 1].high
    }

    /// The member closest to `value`, the smaller one of two equally close.
    pub fn nearest(&self, value: i64) -> i64 {
        let after = self.ranges.partition_point(|range| range.low <= value);
        let below = after.checked_sub(1).map(|i| self.ranges[i].high.min(value));
        let above = self.ranges.get(after).map(|range| range.low);
        match (below, above) {
            (Some(below), Some(above)) if value.abs_diff(above) < value.abs_diff(below) => above,
            (Some(below), _) => below,
            (None, _) => self.smallest(),
        }
    }

    /// The values in both sets, with the names of both; `None` when there are none.
    pub fn intersect(&self, other: &Integers) -> Option<Integers> {
        let (mut i, mut j) = (0, 0);
        let mut common = Vec::new();
        while let (Some(a), Some(b)) = (self.ranges.get(i), other.ranges.get(j)) {
            common.push(Range::new(a.low.max(b.low), a.high.min(b.high)));
            match a.high < b.high {
                true => i += 1,
                false => j += 1,
            }
        }
        let names = other.names.iter().chain(&self.names).map(|(v, name)| (*v, name.clone()));
        Some(Integers::new(common)?.with_names(names))
    }
}

/// Sets up to this size are written out value by value.
const LISTED: u128 = 2;

impl fmt::Display for Integers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.names.len() as u128 == self.count() {
            let names: Vec<&str> = self.names.values().map(String::as_str).collect();
            return f.write_str(&names.join("|"));
        }
        if let [range] = self.ranges[..]
            && range.count() > LISTED
        {
            return write!(f, "{range}");
        }
        f.write_str("{")?;
        for (i, range) in self.ranges.iter().enumerate() {
            let comma = if i == 0 { "" } else { ", " };
            match range.count() == 2 {
                true => write!(f, "{comma}{}, {}", range.low, range.high)?,
                false => write!(f, "{comma}{range}")?,
            }
        }
        f.write_str("}")
    }
}
