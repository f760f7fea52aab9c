//! What is still to be explored at a node because of races: the wakeup tree.
//!
//! Each way from the root to a leaf is a sequence of events to begin with: what happened without
//! the first event of a race, and then the second one. All but that last event are *exactly* as they
//! happened. The last one is an act with *any* outcome, for it has not been seen yet what becomes of it
//! without what it raced with; its footprint is a guess until then.
//!
//! A sequence is not added if some leaf goes together with it, so that whatever comes after that
//! leaf includes it. Ways are compared in the order in which they will be explored, so that of two
//! which go together the later one never exists.

use std::sync::Arc;

use crate::event::Event;

/// One step of sequences to be explored, and how they go on.
#[derive(Debug)]
pub(crate) struct Branch<A> {
    pub(crate) event: Arc<Event<A>>,
    pub(crate) kind: Kind,
    /// How it goes on; in any way if this is empty.
    pub(crate) below: Vec<Branch<A>>,
}

#[derive(Debug)]
pub(crate) enum Kind {
    Exactly {
        /// Sequences rely on it in which this act does not occur: whatever its outcome.
        whatever: bool,
        /// Not only what is below is wanted, but everything after it.
        all: bool,
    },
    /// Always a leaf.
    Any(Promise),
}

/// What relies on an act with any outcome, besides the reversal of races with it.
#[derive(Debug, Default)]
pub(crate) struct Promise {
    /// Everything after each of its outcomes.
    pub(crate) all: bool,
    /// Everything after these outcomes.
    pub(crate) outcomes: Vec<u64>,
}

impl Promise {
    pub(crate) fn includes(&self, outcome: u64) -> bool {
        self.all || self.outcomes.contains(&outcome)
    }
}

impl<A> Branch<A> {
    pub(crate) fn any(event: Arc<Event<A>>, all: bool) -> Branch<A> {
        let kind = Kind::Any(Promise { all, outcomes: Vec::new() });
        Branch { event, kind, below: Vec::new() }
    }

    fn exactly(event: Arc<Event<A>>, below: Vec<Branch<A>>) -> Branch<A> {
        Branch { event, kind: Kind::Exactly { whatever: false, all: false }, below }
    }
}

/// What became of a sequence.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Insertion<A> {
    Inserted,
    /// Something that will be explored anyway includes it.
    Included,
    /// It has to be known first what this act does at the root of the tree.
    Ask(A),
}

/// A sequence: events exactly as they happened, and a last one with any outcome.
#[derive(Clone, Debug)]
pub(crate) struct Sequence<A> {
    pub(crate) exact: Vec<Arc<Event<A>>>,
    pub(crate) last: Option<Arc<Event<A>>>,
}

/// How an act goes together with a sequence.
enum Place {
    /// It is this event of it, and nothing in it has to come earlier.
    At(usize),
    Last,
    /// It does not occur in it and is independent of all of it.
    Beside,
}

impl<A: Clone + PartialEq> Sequence<A> {
    fn is_initial(&self, index: usize) -> bool {
        let event = &self.exact[index];
        !self.exact[..index].iter().any(|earlier| event.follows(earlier))
    }

    /// Whether an event is independent of all that is exactly known, and of the guess if it is
    /// another act.
    fn is_independent_of(&self, event: &Event<A>) -> bool {
        let guess = self.last.iter().filter(|last| last.act != event.act);
        !self.exact.iter().chain(guess).any(|it| event.conflicts(it) || it.follows(event))
    }

    /// How a branch goes together with this; `outcomes` are those of its act, if they are known.
    fn place(&self, branch: &Branch<A>, outcomes: &[Arc<Event<A>>]) -> Option<Place> {
        let act = &branch.event.act;
        if let Some(index) = self.exact.iter().position(|event| event.act == *act) {
            let is_any = matches!(branch.kind, Kind::Any(_));
            let agrees = is_any || self.exact[index].outcome == branch.event.outcome;
            return (agrees && self.is_initial(index)).then_some(Place::At(index));
        }
        let last = self.last.as_ref().filter(|last| last.act == *act);
        // Where it is not known what it does, all guesses must agree.
        let guesses = [Some(&branch.event), last].into_iter().flatten();
        let is_independent = match outcomes {
            [] => guesses.into_iter().all(|event| self.is_independent_of(event)),
            known => known.iter().all(|event| self.is_independent_of(event)),
        };
        let place = if last.is_some() { Place::Last } else { Place::Beside };
        is_independent.then_some(place)
    }
}

/// Adds a sequence to a tree, if nothing in it includes it.
///
/// `known` are the outcomes of an act at the root, if it was performed there. They decide
/// there, since that nothing is lost rests on the first act of each way; what guesses are wrong
/// further down costs a detour at most. Nothing that goes together with a weak sleeper is included
/// in it, for of that nothing more will be explored.
pub(crate) fn insert<'a, A: Clone + PartialEq + 'a>(
    mut branches: &mut Vec<Branch<A>>,
    mut sequence: Sequence<A>,
    known: impl Fn(&A) -> Option<&'a [Arc<Event<A>>]>,
    is_weak: impl Fn(&A) -> bool,
) -> Insertion<A> {
    let mut at_root = true;
    loop {
        let mut found = None;
        for (index, branch) in branches.iter().enumerate() {
            let act = &branch.event.act;
            let occurs = sequence.exact.iter().any(|event| event.act == *act);
            let is_all = sequence.exact.is_empty()
                && sequence.last.as_ref().is_some_and(|last| last.act == *act);
            let mut outcomes: &[Arc<Event<A>>] = &[];
            if at_root && !occurs && !is_all {
                match known(act) {
                    Some(known) => outcomes = known,
                    None => return Insertion::Ask(act.clone()),
                }
            }
            let place = sequence.place(branch, outcomes);
            if let Some(place) = place
                && !(at_root && matches!(place, Place::Beside) && is_weak(act))
            {
                found = Some((index, place));
                break;
            }
        }
        let Some((index, place)) = found else {
            branches.extend(chain(sequence));
            return Insertion::Inserted;
        };
        let Branch { kind, below, .. } = &mut branches[index];
        match (kind, place) {
            (Kind::Any(promise), Place::At(index)) => {
                let outcome = sequence.exact[index].outcome;
                if !promise.includes(outcome) {
                    promise.outcomes.push(outcome);
                }
                return Insertion::Included;
            }
            (Kind::Any(_), Place::Last) if sequence.exact.is_empty() => {
                return Insertion::Included;
            }
            (Kind::Any(promise), _) => {
                promise.all = true;
                return Insertion::Included;
            }
            (Kind::Exactly { .. }, Place::At(index)) => _ = sequence.exact.remove(index),
            (Kind::Exactly { whatever, .. }, place) => {
                *whatever = true;
                if matches!(place, Place::Last) {
                    sequence.last = None;
                }
            }
        }
        if below.is_empty() {
            return Insertion::Included;
        }
        if sequence.exact.is_empty() && sequence.last.is_none() {
            if let Kind::Exactly { all, .. } = &mut branches[index].kind {
                *all = true;
            }
            return Insertion::Included;
        }
        branches = &mut branches[index].below;
        at_root = false;
    }
}

/// A sequence as branches below one another.
fn chain<A>(sequence: Sequence<A>) -> Option<Branch<A>> {
    let last = sequence.last.map(|event| Branch::any(event, false));
    let exact = sequence.exact.into_iter().rev();
    exact.fold(last, |below, event| Some(Branch::exactly(event, below.into_iter().collect())))
}
