//! A state on the current execution, and what was and will be explored from it.

use std::sync::Arc;

use crate::event::Event;
use crate::sleep::Sleep;
use crate::system::Performed;
use crate::wakeup::Branch;

/// A node: what is between two events of the current execution.
#[derive(Debug)]
pub(crate) struct Node<A, S> {
    pub(crate) state: S,
    pub(crate) enabled: Vec<A>,
    /// What need not be explored from here: all that was before, and what came to sleep here.
    pub(crate) sleep: Sleep<A>,
    /// Acts of which some outcome was asleep from the beginning.
    pub(crate) drowsy: Vec<A>,
    /// What is still to be explored because of races.
    pub(crate) plan: Vec<Branch<A>>,
    /// Outcomes of the act that is being explored, the next one last.
    pub(crate) queue: Vec<Task<A>>,
    /// Whether everything from here is wanted, not only what is planned.
    pub(crate) all: bool,
    /// Whether what is planned may have been seen with other outcomes before it, so that it need not
    /// be possible here.
    pub(crate) uncertain: bool,
    /// Whether some act has been explored with all its outcomes, so that races tell the rest.
    pub(crate) settled: bool,
    /// What acts do here, as far as they were performed.
    pub(crate) known: Vec<Known<A, S>>,
    /// Acts that were explored from here, the current one last.
    pub(crate) explored: Vec<A>,
    /// What was explored from here.
    pub(crate) covered: Vec<Vec<Arc<Event<A>>>>,
}

/// An outcome to be explored.
#[derive(Debug)]
pub(crate) struct Task<A> {
    pub(crate) event: Arc<Event<A>>,
    pub(crate) plan: Vec<Branch<A>>,
    /// Whether everything after it is wanted.
    pub(crate) all: bool,
    /// It is wanted only as the reversal of a race: not if it turns out that it has none.
    pub(crate) only_if_new: bool,
    /// Whether sequences are included in it in which it does not occur.
    pub(crate) relied_on: bool,
}

/// What an act does at a node.
#[derive(Debug)]
pub(crate) struct Known<A, S> {
    pub(crate) act: A,
    pub(crate) outcomes: Vec<Arc<Event<A>>>,
    /// The states afterwards, until they are used.
    pub(crate) states: Vec<Option<S>>,
}

impl<A: Clone + PartialEq, S> Node<A, S> {
    pub(crate) fn new(state: S, enabled: Vec<A>, sleep: Sleep<A>) -> Node<A, S> {
        let drowsy = sleep.sleepers().iter().map(|sleeper| sleeper.act.clone()).collect();
        Node {
            state,
            enabled,
            sleep,
            drowsy,
            plan: Vec::new(),
            queue: Vec::new(),
            all: true,
            uncertain: false,
            settled: false,
            known: Vec::new(),
            explored: Vec::new(),
            covered: Vec::new(),
        }
    }

    /// Whether the execution is complete here.
    pub(crate) fn is_end(&self) -> bool {
        self.enabled.is_empty()
    }

    /// The outcomes of an act, if it was performed here.
    pub(crate) fn outcomes(&self, act: &A) -> Option<&[Arc<Event<A>>]> {
        let known = self.known.iter().find(|known| known.act == *act)?;
        Some(&known.outcomes)
    }

    /// Keeps what an act does here, for when it is explored.
    pub(crate) fn learn(&mut self, act: &A, results: Vec<Performed<S>>) {
        let mut known = Known { act: act.clone(), outcomes: Vec::new(), states: Vec::new() };
        for Performed { outcome, state, footprint, ends } in results {
            known.outcomes.push(Arc::new(Event::new(act.clone(), outcome, footprint, ends)));
            known.states.push(Some(state));
        }
        self.known.retain(|known| known.act != *act);
        self.known.push(known);
    }

    /// Takes the state after an event; it has to be performed again for another one.
    pub(crate) fn take(&mut self, event: &Event<A>) -> Option<S> {
        let known = self.known.iter_mut().find(|known| known.act == event.act)?;
        let index = known.outcomes.iter().position(|it| it.outcome == event.outcome)?;
        known.states[index].take()
    }

    /// An act to go on with, if something has to be explored that no race has asked for: one
    /// whose outcomes are all new if possible.
    pub(crate) fn choose(&self) -> Option<&A> {
        if !self.all || self.settled {
            return None;
        }
        let awake = self.enabled.iter().filter(|act| !self.sleep.holds_whole(act));
        awake.min_by_key(|act| {
            let is_drowsy = self.drowsy.contains(act);
            (is_drowsy, !self.explored.contains(act))
        })
    }

    /// Something cannot be explored that others were to be included in: they have to be found in
    /// another way, so that everything is wanted.
    pub(crate) fn want_all(&mut self) {
        self.all = true;
        self.sleep.weaken();
    }

    /// Whether everything from here has been explored, now that nothing is left to do.
    pub(crate) fn is_covered(&self) -> bool {
        self.all || self.is_end() || self.sleep.covers_all()
    }
}
