//! The running state of a monitor.

use mw_source::Number;
use smallvec::SmallVec;
use xxhash_rust::xxh3::Xxh3;

use crate::automaton::{Automaton, StateId};
use crate::deadline::{Deadline, Span, When};
use crate::event::EventSet;
use crate::instance::Instance;
use crate::slices::{Slice, Slices};
use crate::step::Last;

/// What can be said of a property, so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Verdict {
    /// No slice is in a state that is not accepting.
    HoldsSoFar,
    /// The program has ended, and a slice is in a state of which nobody has said whether it accepts:
    /// something was still to come.
    Inconclusive,
    /// A slice is in a state that is not accepting, or was forgotten in one.
    Violated,
}

/// Where a monitor is. Forks share what it has until one of them is moved.
#[derive(Clone, Debug)]
pub struct MonitorState<N = Number> {
    pub(crate) slices: Slices<N>,
    /// How many slices are in each state.
    pub(crate) population: SmallVec<[u32; 6]>,
    pub(crate) needed: EventSet,
    /// A slice has been forgotten in a state that is not accepting.
    pub(crate) forgot_violation: bool,
    /// The program has ended, and nothing more happens.
    pub(crate) ended: bool,
    /// What is decided by the states that there are slices in.
    pub(crate) verdict: Verdict,
    /// Something could not be evaluated, for the first time so: what is said then may be wrong.
    pub(crate) fault: Option<String>,
    pub(crate) deadline: Deadline,
    /// What moved a slice last: for people, and no part of what it is.
    pub(crate) last: Option<Last>,
}

/// A slice, to be looked at.
#[derive(Clone, Debug, PartialEq)]
pub struct SliceView<N = Number> {
    /// What it is about.
    pub instance: Instance,
    /// The state that it is in.
    pub state: StateId,
    /// What it was moved by last.
    pub last: Option<Last>,
    /// Its variables, in the order of [`Automaton::variables`].
    pub variables: SmallVec<[N; 2]>,
    /// The last moment of its state's time, in the unit of [`StateInfo::within`](crate::StateInfo).
    pub until: Option<u64>,
}

impl MonitorState {
    /// Where a monitor begins: with one slice about nothing in particular, in `init`.
    pub fn new(automaton: &Automaton, now: When) -> MonitorState {
        MonitorState::with(automaton, now, |number| number)
    }

    /// Equal where everything goes on the same way: what time is left matters, not when it is.
    pub fn hash(&self, now: When, automaton: &Automaton) -> u128 {
        let slice = |(instance, slice): (&Instance, &Slice<Number>)| {
            let mut hasher = Xxh3::new();
            hasher.update(&[instance.bound()]);
            for value in instance.values().flatten() {
                hasher.update(&value.to_le_bytes());
            }
            hasher.update(&slice.state.0.to_le_bytes());
            let left = match automaton.state(slice.state).within {
                Some(Span::Instructions(_)) => slice.until.saturating_sub(now.count) + 1,
                Some(Span::Microseconds(_)) => slice.until.saturating_sub(now.clock) + 1,
                None => 0,
            };
            hasher.update(&left.to_le_bytes());
            for number in &slice.variables {
                let (kind, bits) = identity(*number);
                hasher.update(&[kind]);
                hasher.update(&bits.to_le_bytes());
            }
            hasher.digest128()
        };
        // However the slices came to be: their order means nothing.
        let slices = self.slices.iter().map(slice).fold(0, u128::wrapping_add);
        let mut hasher = Xxh3::new();
        hasher.update(&slices.to_le_bytes());
        hasher.update(&[self.forgot_violation.into(), self.ended.into()]);
        hasher.update(self.fault.as_deref().unwrap_or_default().as_bytes());
        hasher.digest128()
    }
}

impl<N: Clone> MonitorState<N> {
    /// Where a monitor begins, with other numbers than plain ones.
    pub fn with(
        automaton: &Automaton,
        now: When,
        mut number: impl FnMut(Number) -> N,
    ) -> MonitorState<N> {
        let mut state = MonitorState {
            slices: Slices::new(&automaton.parts),
            population: SmallVec::from_elem(0, automaton.states.len()),
            needed: EventSet::none(automaton.events.len()),
            forgot_violation: false,
            ended: false,
            verdict: Verdict::HoldsSoFar,
            fault: None,
            deadline: Deadline::default(),
            last: None,
        };
        let init = StateId(0);
        let until = automaton.state(init).within.map_or(0, |span| now.until(span));
        let variables = automaton.initial.iter().map(|initial| number(*initial)).collect();
        let slice = Slice { state: init, last: None, until, variables };
        state.slices.insert(Instance::unbound(automaton.slice_on.len()), slice);
        state.population[0] = 1;
        state.refresh(automaton);
        state.find_deadline(automaton);
        state
    }

    /// The same with other numbers in place of the values of variables.
    pub fn map<M>(&self, change: impl FnMut(&Instance, u16, &N) -> M) -> MonitorState<M> {
        MonitorState {
            slices: self.slices.map(change),
            population: self.population.clone(),
            needed: self.needed.clone(),
            forgot_violation: self.forgot_violation,
            ended: self.ended,
            verdict: self.verdict,
            fault: self.fault.clone(),
            deadline: self.deadline,
            last: self.last,
        }
    }

    /// What follows from the states that there are slices in.
    pub(crate) fn refresh(&mut self, automaton: &Automaton) {
        let mut needed = EventSet::none(automaton.events.len());
        let (mut violated, mut open) = (self.forgot_violation, false);
        for ((count, state), needs) in
            self.population.iter().zip(&automaton.states).zip(&automaton.needs)
        {
            if *count > 0 {
                violated |= state.accepting == Some(false);
                open |= state.accepting.is_none();
                if !state.is_final {
                    needed.join(needs);
                }
            }
        }
        self.needed = needed;
        self.verdict = match () {
            _ if violated => Verdict::Violated,
            _ if self.ended && open => Verdict::Inconclusive,
            _ => Verdict::HoldsSoFar,
        };
    }

    /// Looks at all slices for what is due first.
    pub(crate) fn find_deadline(&mut self, automaton: &Automaton) {
        self.deadline = Deadline::default();
        if automaton.timeouts.iter().all(Option::is_none) {
            return;
        }
        for (_, slice) in self.slices.iter() {
            if let Some(within) = automaton.state(slice.state).within {
                self.deadline.notice(within, slice.until);
            }
        }
    }

    /// The events that matter now. All others change nothing, and need not be noticed.
    pub fn needed(&self) -> &EventSet {
        &self.needed
    }

    /// Until when nothing happens by itself; whoever comes later asks [`expire`](crate::expire).
    pub fn deadline(&self) -> Deadline {
        self.deadline
    }

    /// What can be said of the property.
    pub fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// The program has ended: nothing more happens, and what is open stays so.
    pub fn end(&mut self, automaton: &Automaton) {
        self.ended = true;
        self.refresh(automaton);
    }

    /// Why something could not be evaluated, if so: what is said since then may be wrong.
    pub fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }

    /// How many slices there are.
    pub fn slice_count(&self) -> usize {
        self.slices.len()
    }

    /// What moved a slice last.
    pub fn last(&self) -> Option<Last> {
        self.last
    }

    /// Bytes that it takes, about: as if it shared nothing with others.
    pub fn bytes(&self) -> usize {
        size_of::<Self>() + self.slices.bytes()
    }

    /// All slices, in the order of what they are about.
    pub fn slices(&self) -> Vec<SliceView<N>> {
        let views = self.slices.iter().map(|(instance, slice)| view(instance, slice));
        let mut found: Vec<SliceView<N>> = views.collect();
        found.sort_unstable_by(|one, other| one.instance.cmp(&other.instance));
        found
    }

    /// A slice by what it is about.
    pub fn slice(&self, instance: &Instance) -> Option<SliceView<N>> {
        self.slices.get(instance).map(|slice| view(instance, slice))
    }
}

fn view<N: Clone>(instance: &Instance, slice: &Slice<N>) -> SliceView<N> {
    SliceView {
        instance: instance.clone(),
        state: slice.state,
        last: slice.last,
        variables: slice.variables.clone(),
        until: (slice.until > 0).then_some(slice.until),
    }
}

/// Whether all goes on the same way from the same moment.
impl PartialEq for MonitorState {
    fn eq(&self, other: &MonitorState) -> bool {
        let same = |one: &Slice<Number>, other: &Slice<Number>| {
            let numbers = one.variables.iter().zip(&other.variables);
            (one.state, one.until) == (other.state, other.until)
                && numbers.into_iter().all(|(one, other)| identity(*one) == identity(*other))
        };
        self.slices.are(&other.slices, same)
            && self.forgot_violation == other.forgot_violation
            && self.ended == other.ended
            && self.fault == other.fault
    }
}

/// What tells a number apart from all others.
fn identity(number: Number) -> (u8, u128) {
    match number {
        Number::Integer { value, width, signed } => {
            (width.min(127) as u8 | u8::from(signed) << 7, value as u128)
        }
        Number::Float { value, width } => (if width == 32 { 2 } else { 3 }, value.to_bits().into()),
        Number::Bool(value) => (1, value.into()),
    }
}
