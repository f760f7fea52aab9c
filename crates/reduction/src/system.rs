//! What is explored: something with acts that can be scheduled one after the other.

use std::fmt::Debug;
use std::hash::Hash;

use crate::execution::Fate;

/// Something concurrent, of which one execution of each class is wanted.
///
/// What an [`Exploration`](crate::Exploration) relies on:
///
/// - An act occurs at most once in an execution. Once enabled it stays enabled until it is
///   performed, whatever else happens (what is lost, refused or too late is an outcome of the act,
///   not its absence), and is called the same.
/// - What must have happened for an act to be enabled has [made](Footprint::makes) what the act
///   [needs](Footprint::needs).
/// - Independent events commute: in either order they have the same outcomes and footprints and
///   lead to the same state. So do outcomes that depend on one another without any access (two
///   conditions on one input): any order of independent events admits the same combinations.
/// - An act touches one thing after the other, and what comes next follows from its outcome and
///   from what it has read. So what another event changes makes no difference before the
///   first access at which the two meet.
pub trait System {
    /// What acts change.
    type State;
    /// What can be scheduled, such as the delivery of one particular message.
    type Act: Clone + Ord + Hash + Debug;

    /// A second state like this one, of which one can go on without the other.
    fn fork(&mut self, state: &mut Self::State) -> Self::State;

    /// What can be scheduled now, in any order.
    fn enabled(&mut self, state: &mut Self::State) -> Vec<Self::Act>;

    /// Performs an act that is enabled: one result for each outcome that is possible, at least one.
    /// There are several if something else than the schedule decides, such as an input.
    ///
    /// If it is stopped, it is asked for the same again later.
    fn perform(
        &mut self,
        state: Self::State,
        act: &Self::Act,
    ) -> Result<Vec<Performed<Self::State>>, Stopped>;

    /// Is told of each act that was enabled in a state from which everything else that matters has been
    /// explored, and was not performed there: why it did not have to be.
    fn pruned(&mut self, _state: &mut Self::State, _act: &Self::Act, _why: Fate) {}
}

/// An act that was performed, with one outcome.
#[derive(Clone, Debug)]
pub struct Performed<S> {
    /// Tells this outcome from the others of the same act; the same when independent events
    /// happen before.
    pub outcome: u64,
    /// How things are afterwards.
    pub state: S,
    /// What the act had to do with.
    pub footprint: Footprint,
    /// Nothing is scheduled after this: a bound was reached. See [the crate](crate) for what is
    /// still complete then.
    pub ends: bool,
}

/// What an event had to do with. Numbers stand for whatever the system has: an actor's memory, a
/// pin, a message.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Footprint {
    /// What it looked at.
    pub reads: Vec<u64>,
    /// What it changed, or may have.
    pub writes: Vec<u64>,
    /// What had to be made before: without it there is no such act.
    pub needs: Vec<u64>,
    /// What it made, for others to need.
    pub makes: Vec<u64>,
}

/// Performing an act was stopped, by a bound of time or by somebody: it can be tried again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stopped in the middle of an act; going on tries it again")]
pub struct Stopped;
