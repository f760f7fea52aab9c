//! Which instructions were reached, and which way branches went.

use std::collections::BTreeSet;

/// What some paths have reached.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    reached: Vec<u64>,
    branches: BTreeSet<(u32, u32)>,
}

impl Coverage {
    /// Notes that an instruction was reached.
    #[inline]
    pub fn reached(&mut self, pc: u32) {
        let (word, bit) = (pc as usize / 64, pc % 64);
        if word >= self.reached.len() {
            self.reached.resize(word + 1, 0);
        }
        self.reached[word] |= 1 << bit;
    }

    /// Notes where a branch went.
    pub fn branched(&mut self, from: u32, to: u32) {
        self.branches.insert((from, to));
    }

    /// Whether an instruction was reached.
    pub fn contains(&self, pc: u32) -> bool {
        self.reached.get(pc as usize / 64).is_some_and(|word| word >> (pc % 64) & 1 != 0)
    }

    /// The branches that were decided: from where, and where to.
    pub fn branches(&self) -> &BTreeSet<(u32, u32)> {
        &self.branches
    }

    /// Adds what others have reached.
    pub fn add(&mut self, other: &Coverage) {
        self.reached.resize(self.reached.len().max(other.reached.len()), 0);
        self.reached.iter_mut().zip(&other.reached).for_each(|(a, b)| *a |= b);
        self.branches.extend(&other.branches);
    }
}
