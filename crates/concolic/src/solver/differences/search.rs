//! Values for inputs that are so much less than others at least.
//!
//! Raising each input from its smallest value until all differences hold finds the smallest values
//! that will do, or that there are none. Where one of several differences has to hold, such as for
//! inputs that are not equal, and none does, each of them is tried. Trying goes on where the least
//! is lost, so the first values found are the smallest. All of it works downwards as well.

use std::collections::HashMap;

use mw_world::{Integers, Range};

use super::Effort;

/// `x - y <= most`, of two inputs by their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    pub x: usize,
    pub y: usize,
    pub most: i128,
}

impl Difference {
    fn holds(self, values: &[i128]) -> bool {
        values[self.x] - values[self.y] <= self.most
    }
}

/// Which end of what is possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Smallest,
    Largest,
}

/// What must hold for some inputs.
#[derive(Debug, Default)]
pub struct System {
    /// The values of each input, as ranges.
    pub sets: Vec<Vec<Range>>,
    /// All of these hold.
    pub differences: Vec<Difference>,
    /// Of each of these, one holds.
    pub choices: Vec<Vec<Difference>>,
}

/// What is left of the inputs: each lies between two values, both of which it can have if nothing
/// has to be chosen any more.
#[derive(Clone, Debug)]
pub struct Left {
    lows: Vec<i128>,
    highs: Vec<i128>,
    chosen: Vec<Difference>,
}

impl Left {
    /// From now on, an input lies between two values.
    pub fn limit(&mut self, input: usize, low: i128, high: i128) {
        self.lows[input] = self.lows[input].max(low);
        self.highs[input] = self.highs[input].min(high);
    }

    fn end(&self, end: End) -> &[i128] {
        match end {
            End::Smallest => &self.lows,
            End::Largest => &self.highs,
        }
    }

    /// Between how many values the inputs of a difference can still choose.
    fn room(&self, one: Difference) -> i128 {
        let room = |input: usize| self.highs[input] - self.lows[input];
        room(one.x) + room(one.y)
    }

    /// How much is lost at an end of an input: what is less is better.
    fn loss(&self, input: usize, end: End) -> i128 {
        match end {
            End::Smallest => self.lows[input],
            End::Largest => -self.highs[input],
        }
    }
}

impl System {
    /// Leaves out alternatives that contradict what is said of the same two inputs: `x <= y` and
    /// `x != y` are `x < y`.
    pub fn simplify(&mut self) {
        let mut least: HashMap<(usize, usize), i128> = HashMap::new();
        let mut added = 0;
        loop {
            for &Difference { x, y, most } in &self.differences[added..] {
                let known = least.entry((x, y)).or_insert(most);
                *known = most.min(*known);
            }
            added = self.differences.len();
            let contradicts = |one: &Difference| {
                least.get(&(one.y, one.x)).is_some_and(|other| one.most + other < 0)
            };
            let differences = &mut self.differences;
            self.choices.retain_mut(|choice| {
                choice.retain(|one| !contradicts(one));
                if let [only] = choice[..] {
                    differences.push(only);
                }
                choice.len() != 1
            });
            if self.differences.len() == added {
                return;
            }
        }
    }

    /// What is left before anything is known but the sets.
    pub fn left(&self) -> Left {
        let low = |set: &Vec<Range>| set.first().map_or(1, |range| range.low.into());
        let high = |set: &Vec<Range>| set.last().map_or(0, |range| range.high.into());
        Left {
            lows: self.sets.iter().map(low).collect(),
            highs: self.sets.iter().map(high).collect(),
            chosen: Vec::new(),
        }
    }

    /// Values for all inputs of which that of one is the smallest or the largest that is possible:
    /// `Some(None)` if there are none, `None` if that would be too much work.
    pub fn extreme(
        &self,
        mut left: Left,
        (input, end): (usize, End),
        effort: &mut Effort<'_>,
    ) -> Option<Option<Vec<i128>>> {
        if !self.tighten(&mut left, effort)? {
            return Some(None);
        }
        let mut open = vec![left];
        loop {
            // Of equally good ones the newest, which is nearest to its end.
            let best = (0..open.len()).rev().min_by_key(|&at| open[at].loss(input, end));
            let Some(best) = best else { return Some(None) };
            let left = open.swap_remove(best);
            let values = left.end(end);
            let fails = |choice: &&Vec<Difference>| !choice.iter().any(|one| one.holds(values));
            // Where there is least room, a contradiction shows first.
            let room = |choice: &&Vec<Difference>| choice.iter().map(|one| left.room(*one)).min();
            let Some(choice) = self.choices.iter().filter(fails).min_by_key(room) else {
                return Some(Some(values.to_vec()));
            };
            for &one in choice {
                let mut chosen = left.clone();
                chosen.chosen.push(one);
                if self.tighten(&mut chosen, effort)? {
                    open.push(chosen);
                }
            }
        }
    }

    /// All values that an input can have: `Some(None)` if there are none, `None` if that would be
    /// too much work.
    pub fn values(
        &self,
        mut left: Left,
        input: usize,
        effort: &mut Effort<'_>,
    ) -> Option<Option<Integers>> {
        let mut ranges = Vec::new();
        while let Some(values) = self.extreme(left.clone(), (input, End::Smallest), effort)? {
            // With the same choices, and in the same ranges, there are no gaps.
            let mut alike = left.clone();
            for (at, &value) in values.iter().enumerate() {
                let range = self.sets[at].iter().find(|range| i128::from(range.high) >= value);
                range.into_iter().for_each(|range| {
                    alike.limit(at, range.low.into(), range.high.into());
                });
            }
            let holding =
                |choice: &Vec<Difference>| choice.iter().copied().find(|one| one.holds(&values));
            alike.chosen.extend(self.choices.iter().filter_map(holding));
            self.tighten(&mut alike, effort)?;
            let (low, high) = (values[input], alike.highs[input]);
            // Both are values of an input, so they are not larger.
            ranges.push(Range::new(low as i64, high as i64));
            left.lows[input] = high + 1;
        }
        Some(Integers::new(ranges))
    }

    /// Moves both ends of all inputs inwards until the differences hold at them. Says whether
    /// anything is left; `None` if that would be too much work.
    fn tighten(&self, left: &mut Left, effort: &mut Effort<'_>) -> Option<bool> {
        loop {
            // Once each has been moved because of each other, moving goes round in a circle.
            for round in 0.. {
                effort.spend(self.differences.len() + left.chosen.len() + 1)?;
                let mut has_moved = false;
                for &Difference { x, y, most } in self.differences.iter().chain(&left.chosen) {
                    let (low, high) = (left.lows[x] - most, left.highs[y] + most);
                    if low > left.lows[y] {
                        left.lows[y] = low;
                        has_moved = true;
                    }
                    if high < left.highs[x] {
                        left.highs[x] = high;
                        has_moved = true;
                    }
                }
                if !has_moved {
                    break;
                }
                if round > self.sets.len() {
                    return Some(false);
                }
            }
            // What lies between two ranges moves to the next one.
            let mut has_moved = false;
            for (at, set) in self.sets.iter().enumerate() {
                let (low, high) = (left.lows[at], left.highs[at]);
                let above = set.partition_point(|range| i128::from(range.high) < low);
                let below = set.partition_point(|range| i128::from(range.low) <= high);
                if above >= below {
                    return Some(false);
                }
                left.lows[at] = low.max(set[above].low.into());
                left.highs[at] = high.min(set[below - 1].high.into());
                has_moved |= (low, high) != (left.lows[at], left.highs[at]);
                if left.lows[at] > left.highs[at] {
                    return Some(false);
                }
            }
            if !has_moved {
                return Some(true);
            }
        }
    }
}
