//! Who runs next, as far as a person has a say in it.

use std::collections::{BTreeSet, VecDeque};

use mw_ensemble::{Ensemble, Next, TaskId};

/// What a person has said about who runs next.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Turns {
    /// Who is to wait.
    paused: BTreeSet<TaskId>,
    /// Who comes next, one after the other.
    wanted: VecDeque<Next>,
}

impl Turns {
    /// Makes a task wait, or no longer.
    pub fn pause(&mut self, task: TaskId, waits: bool) {
        match waits {
            true => self.paused.insert(task),
            false => self.paused.remove(&task),
        };
    }

    /// Lets all tasks run again.
    pub fn resume_all(&mut self) {
        self.paused.clear();
    }

    /// Who is to wait.
    pub fn paused(&self) -> impl Iterator<Item = TaskId> {
        self.paused.iter().copied()
    }

    /// Somebody comes next, after all others of whom that was said.
    pub fn want(&mut self, next: Next) {
        self.wanted.push_back(next);
    }

    /// Who comes next, of whom that was said.
    pub fn wanted(&self) -> Option<Next> {
        self.wanted.front().copied()
    }

    /// Whoever was to come next has come.
    pub(crate) fn used(&mut self) {
        self.wanted.pop_front();
    }

    /// Forgets who was to come next.
    pub fn forget_wanted(&mut self) {
        self.wanted.clear();
    }

    /// Who comes next of those who can. `None` if all are to wait.
    pub(crate) fn usual(&self, ensemble: &Ensemble, options: &[Next]) -> Option<Next> {
        ensemble.usual(options, |task| !self.paused.contains(&task))
    }
}
