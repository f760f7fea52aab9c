//! What need not be explored at a node, because it was explored before.
//!
//! That an event is *asleep* means: all executions which could begin with it from here have been
//! explored from an earlier node, or from this one. It goes on sleeping through events that are
//! independent of it and wakes when one comes that is not, as its order with that one is new.
//! An act is asleep as a *whole* if all its outcomes are. Where only some continuations of an event
//! have been explored, the event with what followed sleeps: a sequence, of which the rest sleeps
//! when its beginning happens.
//!
//! A sleeper is also a reason to leave out other things, that go together with it: its races have
//! asked for all that is different without it. That is no longer so where what they asked for was
//! included in something of which everything is wanted. From there on the sleeper is *weak*.

use std::sync::Arc;

use crate::event::Event;

#[derive(Debug)]
pub(crate) struct Sleeper<A> {
    pub(crate) act: A,
    /// The outcomes that are asleep.
    pub(crate) events: Vec<Arc<Event<A>>>,
    /// Whether there is no other outcome.
    pub(crate) whole: bool,
    /// Whether it only says what not to do twice, and not that nothing else is needed.
    pub(crate) weak: bool,
}

#[derive(Debug)]
pub(crate) struct Sleep<A> {
    sleepers: Vec<Sleeper<A>>,
    /// At least two events each.
    sequences: Vec<Vec<Arc<Event<A>>>>,
    /// How many of the sequences are weak; these come first.
    weak_sequences: usize,
}

impl<A: Clone + PartialEq> Sleep<A> {
    pub(crate) fn new() -> Sleep<A> {
        Sleep { sleepers: Vec::new(), sequences: Vec::new(), weak_sequences: 0 }
    }

    pub(crate) fn sleepers(&self) -> &[Sleeper<A>] {
        &self.sleepers
    }

    /// The sequences that are not weak.
    pub(crate) fn sequences(&self) -> &[Vec<Arc<Event<A>>>] {
        &self.sequences[self.weak_sequences..]
    }

    /// From here on everything is wanted: what sleeps is no reason any more to leave out
    /// something else.
    pub(crate) fn weaken(&mut self) {
        for sleeper in &mut self.sleepers {
            sleeper.weak = true;
        }
        self.weak_sequences = self.sequences.len();
    }

    pub(crate) fn of(&self, act: &A) -> Option<&Sleeper<A>> {
        self.sleepers.iter().find(|sleeper| sleeper.act == *act)
    }

    pub(crate) fn holds(&self, event: &Event<A>) -> bool {
        let mut events = self.of(&event.act).into_iter().flat_map(|sleeper| &sleeper.events);
        events.any(|asleep| asleep.outcome == event.outcome)
    }

    pub(crate) fn holds_whole(&self, act: &A) -> bool {
        self.of(act).is_some_and(|sleeper| sleeper.whole)
    }

    /// Whether all ways on begin with something that was explored: some act sleeps, with
    /// whatever outcome.
    pub(crate) fn covers_all(&self) -> bool {
        self.sleepers.iter().any(|sleeper| sleeper.whole && !sleeper.weak)
    }

    /// Adds what was explored, of an act with these outcomes.
    pub(crate) fn add(&mut self, mut sequence: Vec<Arc<Event<A>>>, outcomes: &[Arc<Event<A>>]) {
        if sequence.len() != 1 {
            self.sequences.push(sequence);
            return;
        }
        let Some(event) = sequence.pop() else { return };
        if !self.holds(&event) {
            let act = event.act.clone();
            match self.sleepers.iter_mut().find(|sleeper| sleeper.act == act) {
                Some(sleeper) => sleeper.events.push(event),
                None => {
                    let events = vec![event];
                    self.sleepers.push(Sleeper { act, events, whole: false, weak: false });
                }
            }
        }
        self.settle(outcomes);
    }

    /// An act has these outcomes: it is asleep as a whole if all of them are.
    pub(crate) fn settle(&mut self, outcomes: &[Arc<Event<A>>]) {
        if outcomes.iter().all(|event| self.holds(event))
            && let Some(first) = outcomes.first()
            && let Some(sleeper) = self.sleepers.iter_mut().find(|it| it.act == first.act)
        {
            sleeper.whole = true;
        }
    }

    /// What still sleeps after an event.
    pub(crate) fn after(&self, event: &Event<A>) -> Sleep<A> {
        let mut after = Sleep::new();
        for Sleeper { act, events, whole, weak } in &self.sleepers {
            if *act == event.act {
                continue;
            }
            let still: Vec<_> = events.iter().filter(|it| !it.conflicts(event)).cloned().collect();
            if !still.is_empty() {
                let whole = *whole && still.len() == events.len();
                let (act, weak) = (act.clone(), *weak);
                after.sleepers.push(Sleeper { act, events: still, whole, weak });
            }
        }
        for (index, sequence) in self.sequences.iter().enumerate() {
            if let Some(rest) = rest_of(sequence, event) {
                after.add(rest, &[]);
            }
            if index < self.weak_sequences {
                after.weak_sequences = after.sequences.len();
            }
        }
        after
    }
}

/// What is left of a sequence when an event happens: nothing if it cannot happen any more
/// as it did.
fn rest_of<A: PartialEq>(
    sequence: &[Arc<Event<A>>],
    event: &Event<A>,
) -> Option<Vec<Arc<Event<A>>>> {
    let same = sequence.iter().position(|it| it.act == event.act);
    if same.is_some_and(|same| sequence[same].outcome != event.outcome) {
        return None;
    }
    let earlier = &sequence[..same.unwrap_or(sequence.len())];
    if earlier.iter().any(|it| event.follows(it) || it.conflicts(event)) {
        return None;
    }
    let others = sequence.iter().enumerate().filter(|(index, _)| Some(*index) != same);
    Some(others.map(|(_, event)| event.clone()).collect())
}
