//! Races of a complete execution, and what is to be explored because of them.
//!
//! Two events are in a race if one directly follows the other only because they touch the same
//! thing: they could have come the other way round. Then all that does not depend on the first one,
//! followed by the act of the second one, is to be explored from where the first one was
//! performed, unless that is included in what has been explored from there, or will be.

use std::sync::Arc;

use crate::event::Event;
use crate::exploration::Exploration;
use crate::node::Node;
use crate::sleep::Sleeper;
use crate::system::{Footprint, Stopped, System};
use crate::wakeup::{Insertion, Sequence, insert};

/// Something to look at, when an execution is complete.
#[derive(Debug)]
pub(crate) enum Work<A> {
    /// The events with these indices are in a race.
    Race(usize, usize),
    /// The execution was ended, so that this act was not performed.
    Pending(A),
}

impl<S: System> Exploration<S> {
    /// Plans the other way round for each race of the current execution.
    pub(crate) fn reverse_races(&mut self, system: &mut S) -> Result<(), Stopped> {
        let mut work = self.work.take().unwrap_or_else(|| self.list_races());
        while let Some(next) = work.last() {
            let result = match next {
                Work::Race(first, second) => self.reverse(system, *first, *second),
                Work::Pending(act) => self.perform_before_end(system, act),
            };
            if result.is_err() {
                self.work = Some(work);
                return result;
            }
            work.pop();
        }
        Ok(())
    }

    fn list_races(&mut self) -> Vec<Work<S::Act>> {
        let mut work = Vec::new();
        let events = self.history.events();
        for (second, happened) in events.iter().enumerate() {
            for &first in happened.races() {
                work.push(Work::Race(first, second));
            }
        }
        self.statistics.races += work.len() as u64;
        if let Some(last) = events.last().filter(|last| last.event.ends) {
            let enabled = &self.nodes[events.len() - 1].enabled;
            let others = enabled.iter().filter(|act| **act != last.event.act);
            work.extend(others.cloned().map(Work::Pending));
        }
        work
    }

    fn reverse(&mut self, system: &mut S, first: usize, second: usize) -> Result<(), Stopped> {
        let node = &self.nodes[first];
        let mut asleep = node.sleep.sleepers().iter();
        let is_covered = asleep.any(|sleeper| self.begins_with(sleeper, first, second));
        let mut asleep = node.sleep.sequences().iter();
        if is_covered || asleep.any(|sequence| self.begins_with_all(sequence, first)) {
            return Ok(());
        }
        let Some(exact) = self.awake_after(first, second) else { return Ok(()) };
        let last = Some(self.event(second).clone());
        self.plan(system, first, Sequence { exact, last })
    }

    /// Plans a sequence at a node, unless it is included in what is planned already.
    fn plan(
        &mut self,
        system: &mut S,
        index: usize,
        sequence: Sequence<S::Act>,
    ) -> Result<(), Stopped> {
        loop {
            let Node { plan, known, sleep, .. } = &mut self.nodes[index];
            let outcomes = |act: &S::Act| {
                let known = known.iter().find(|known| known.act == *act)?;
                Some(&known.outcomes[..])
            };
            let is_weak = |act: &S::Act| sleep.of(act).is_some_and(|sleeper| sleeper.weak);
            match insert(plan, sequence.clone(), outcomes, is_weak) {
                Insertion::Inserted => self.statistics.inserted += 1,
                Insertion::Included => {}
                Insertion::Ask(act) => {
                    // It is planned, so that this is only earlier than it would be.
                    self.know(system, index, &act)?;
                    continue;
                }
            }
            return Ok(());
        }
    }

    /// What is in no race as it was not performed, because of an end: it is performed instead.
    fn perform_before_end(&mut self, system: &mut S, act: &S::Act) -> Result<(), Stopped> {
        let index = self.nodes.len() - 2;
        if self.nodes[index].sleep.holds_whole(act) {
            return Ok(());
        }
        self.know(system, index, act)?;
        let node = &self.nodes[index];
        let outcomes = node.outcomes(act).unwrap_or_default();
        let is_covered = node.sleep.sleepers().iter().any(|sleeper| {
            let mut pairs =
                sleeper.events.iter().flat_map(|a| outcomes.iter().map(move |b| (a, b)));
            sleeper.whole && !sleeper.weak && pairs.all(|(asleep, event)| !asleep.conflicts(event))
        });
        if is_covered {
            return Ok(());
        }
        let last = Some(Arc::new(any_of(act, outcomes)));
        self.plan(system, index, Sequence { exact: Vec::new(), last })
    }

    fn event(&self, index: usize) -> &Arc<Event<S::Act>> {
        &self.history.events()[index].event
    }

    /// The events after one that do not depend on it.
    fn independent_after(&self, first: usize) -> impl Iterator<Item = usize> + '_ {
        let events = self.history.events();
        (first + 1..events.len()).filter(move |&index| !events[index].is_after(first))
    }

    /// The same without what is asleep, and what comes after that: it is wanted in another place.
    /// Nothing is wanted if the second event of the race comes after it.
    fn awake_after(&self, first: usize, second: usize) -> Option<Vec<Arc<Event<S::Act>>>> {
        let (events, sleep) = (self.history.events(), &self.nodes[first].sleep);
        let asleep: Vec<usize> = self
            .independent_after(first)
            .filter(|&index| events[index].is_initial_from(first) && sleep.holds(self.event(index)))
            .collect();
        let is_awake = |index: usize| {
            !asleep.iter().any(|&asleep| asleep == index || events[index].is_after(asleep))
        };
        let awake = self.independent_after(first).filter(|&index| is_awake(index));
        is_awake(second).then(|| awake.map(|index| self.event(index).clone()).collect())
    }

    fn index_after(&self, first: usize, act: &S::Act) -> Option<usize> {
        let mut after = first + 1..self.history.events().len();
        after.find(|&index| self.event(index).act == *act)
    }

    /// Whether the other way round could begin with an act that is asleep.
    fn begins_with(&self, sleeper: &Sleeper<S::Act>, first: usize, second: usize) -> bool {
        let index = self.index_after(first, &sleeper.act);
        // What begins with it is covered in any case, what goes together with it only if it is
        // not weak.
        let is_second = index == Some(second);
        if sleeper.weak && !is_second {
            return false;
        }
        if let Some(index) = index
            && !self.history.events()[index].is_after(first)
        {
            let happened = &self.history.events()[index];
            return happened.is_initial_from(first)
                && sleeper.events.iter().any(|it| it.outcome == happened.event.outcome);
        }
        // It comes after all of it, so that it may have any outcome before.
        sleeper.whole
            && sleeper.events.iter().all(|asleep| {
                let mut others = self.independent_after(first);
                !others.any(|index| asleep.conflicts(self.event(index)))
                    && (is_second || !asleep.conflicts(self.event(second)))
            })
    }

    /// Whether the other way round could begin with a sequence that is asleep.
    fn begins_with_all(&self, sequence: &[Arc<Event<S::Act>>], first: usize) -> bool {
        let indices: Vec<_> =
            sequence.iter().map(|event| self.index_after(first, &event.act)).collect();
        sequence.iter().zip(&indices).all(|(event, index)| {
            index.is_some_and(|index| {
                let happened = &self.history.events()[index];
                happened.event.outcome == event.outcome
                    && happened.before_from(first).all(|before| indices.contains(&Some(before)))
            })
        })
    }
}

/// A guess for an act with any of these outcomes.
fn any_of<A: Clone>(act: &A, outcomes: &[Arc<Event<A>>]) -> Event<A> {
    let mut all = Footprint::default();
    for event in outcomes {
        let Footprint { reads, writes, needs, makes } = &event.footprint;
        all.reads.extend(reads);
        all.writes.extend(writes);
        all.needs.extend(needs);
        all.makes.extend(makes);
    }
    Event::new(act.clone(), 0, all, outcomes.iter().any(|event| event.ends))
}
