//! When something happened, along a universe.
//!
//! A time is how many instructions have been executed and how many choices have been made, together:
//! each of them takes a universe on by at least one, so that two places of a universe never have the
//! same time, and universes that begin alike have the same times as long as they do.

/// A time. See the [module](self).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(i64);

impl Time {
    /// Before everything.
    pub const MIN: Time = Time(i64::MIN);
    /// After everything.
    pub const MAX: Time = Time(i64::MAX);

    /// The time after so many instructions and choices.
    pub fn new(steps: u64) -> Time {
        Time(i64::try_from(steps).unwrap_or(i64::MAX - 1))
    }

    /// How many instructions and choices that is; none before everything.
    pub fn steps(self) -> u64 {
        u64::try_from(self.0).unwrap_or(0)
    }

    /// The earliest time that is later.
    pub fn next(self) -> Time {
        Time(self.0.saturating_add(1))
    }

    /// The time in the middle between two, as numbers of steps.
    pub(crate) fn middle(self, other: Time) -> Time {
        Time((i128::from(self.0) + i128::from(other.0)).div_euclid(2) as i64)
    }
}

/// Which way time is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the past to the future.
    Forward,
    /// From the future to the past.
    Back,
}

/// Something that happened at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Item<T> {
    /// When.
    pub time: Time,
    /// What.
    pub value: T,
}
