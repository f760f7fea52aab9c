//! How much was done.

/// What an exploration did so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Complete executions.
    pub executions: u64,
    /// Beginnings that led to no execution, since all that was wanted there was asleep. Zero if
    /// what an act touches depends neither on what it reads nor on its outcome.
    pub blocked: u64,
    /// Events of all executions, those that several share once.
    pub events: u64,
    /// How often an act was performed; each outcome of it may be an event.
    pub performed: u64,
    /// Races seen; those that several executions share are counted for each.
    pub races: u64,
    /// Sequences that were planned because of races.
    pub inserted: u64,
    /// Outcomes that were not explored, as it turned out that the race they were performed
    /// for is none with them.
    pub refused: u64,
    /// Events that could not be repeated where they had to be possible, and enabled acts without
    /// any outcome: not zero only if the system does not keep what [`System`](crate::System) asks
    /// for, and then things may be missing.
    pub unrepeatable: u64,
    /// How often an act was no longer enabled though it had not been performed; the same holds.
    pub disabled: u64,
}
