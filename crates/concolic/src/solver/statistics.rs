//! What the cascade has done.

use std::time::Duration;

/// How many questions were answered by what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// By the set of values of one input.
    pub sets: u64,
    /// By an answer to the same question, or to a part of it.
    pub cache: u64,
    /// By comparing inputs with one another.
    pub differences: u64,
    /// By trying all values.
    pub enumeration: u64,
    /// By a backend.
    pub backend: u64,
    /// By nobody.
    pub unknown: u64,
    /// How often backends were called: one question may need several calls.
    pub calls: u64,
    /// Time spent in backends.
    pub time: Duration,
    /// The first thing that went wrong with a backend, if anything did.
    pub problem: Option<String>,
}

impl Statistics {
    /// How many questions there were.
    pub fn queries(&self) -> u64 {
        self.sets + self.cache + self.differences + self.enumeration + self.backend + self.unknown
    }

    /// Adds those of another solver.
    pub fn add(&mut self, other: &Statistics) {
        self.sets += other.sets;
        self.cache += other.cache;
        self.differences += other.differences;
        self.enumeration += other.enumeration;
        self.backend += other.backend;
        self.unknown += other.unknown;
        self.calls += other.calls;
        self.time += other.time;
        self.problem = self.problem.take().or_else(|| other.problem.clone());
    }
}
