//! The running state of a monitor.

use mw_source::Number;
use xxhash_rust::xxh3::Xxh3;

use crate::automaton::{Automaton, StateId};
use crate::deadline::{Deadline, Span, When};
use crate::event::EventSet;
use crate::instance::Instance;
use crate::slices::{Slice, Slices};

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
#[derive(Clone, Debug, PartialEq)]
pub struct MonitorState {
    pub(crate) slices: Slices,
    /// How many slices are in each state.
    pub(crate) population: Vec<u32>,
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
}

/// A slice, to be looked at.
#[derive(Clone, Debug, PartialEq)]
pub struct SliceView {
    /// What it is about.
    pub instance: Instance,
    /// The state that it is in.
    pub state: StateId,
    /// Its variables, in the order of [`Automaton::variables`].
    pub variables: Vec<Number>,
    /// The last moment of its state's time, in the unit of [`StateInfo::within`](crate::StateInfo).
    pub until: Option<u64>,
}

impl MonitorState {
    /// Where a monitor begins: with one slice about nothing in particular, in `init`.
    pub fn new(automaton: &Automaton, now: When) -> MonitorState {
        let mut state = MonitorState {
            slices: Slices::default(),
            population: vec![0; automaton.states.len()],
            needed: EventSet::none(automaton.events.len()),
            forgot_violation: false,
            ended: false,
            verdict: Verdict::HoldsSoFar,
            fault: None,
            deadline: Deadline::default(),
        };
        let init = StateId(0);
        let until = automaton.state(init).within.map_or(0, |span| now.until(span));
        let slice = Slice { state: init, until, variables: automaton.initial.clone() };
        state.slices.insert(Instance::unbound(automaton.slice_on.len()), slice);
        state.population[0] = 1;
        state.refresh(automaton);
        state
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
        self.find_deadline(automaton);
    }

    pub(crate) fn find_deadline(&mut self, automaton: &Automaton) {
        self.deadline = Deadline::default();
        if automaton.timeouts.iter().all(Option::is_none) {
            return;
        }
        for (_, slice) in self.slices.iter() {
            let least = |one: Option<u64>| one.map_or(slice.until, |one| one.min(slice.until));
            match automaton.state(slice.state).within {
                Some(Span::Instructions(_)) => {
                    self.deadline.count = Some(least(self.deadline.count));
                }
                Some(Span::Microseconds(_)) => {
                    self.deadline.clock = Some(least(self.deadline.clock));
                }
                None => {}
            }
        }
    }

    /// The events that matter now. All others change nothing, and need not be noticed.
    pub fn needed(&self) -> &EventSet {
        &self.needed
    }

    /// When something happens by itself.
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

    /// All slices, in the order of what they are about.
    pub fn slices(&self) -> impl Iterator<Item = SliceView> {
        self.slices.iter().map(|(instance, slice)| SliceView {
            instance: instance.clone(),
            state: slice.state,
            variables: slice.variables.clone(),
            until: (slice.until > 0).then_some(slice.until),
        })
    }

    /// Sets a variable of a slice by hand; says whether there is one.
    pub fn set_variable(&mut self, slice: &Instance, variable: u16, value: Number) -> bool {
        let slice = self.slices.get_mut(slice);
        let variable = slice.and_then(|slice| slice.variables.get_mut(usize::from(variable)));
        variable.map(|variable| *variable = value).is_some()
    }

    /// Equal where everything goes on the same way: what time is left matters, not when it is.
    pub fn hash(&self, now: When, automaton: &Automaton) -> u128 {
        let mut hasher = Xxh3::new();
        for (instance, slice) in self.slices.iter() {
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
                let (kind, bits) = packed(*number);
                hasher.update(&[kind]);
                hasher.update(&bits.to_le_bytes());
            }
        }
        hasher.update(&[self.forgot_violation.into(), self.ended.into()]);
        hasher.update(self.fault.as_deref().unwrap_or_default().as_bytes());
        hasher.digest128()
    }
}

/// A number as what tells it apart from all others.
fn packed(number: Number) -> (u8, u128) {
    match number {
        Number::Integer { value, width, signed } => {
            (width.min(127) as u8 | u8::from(signed) << 7, value as u128)
        }
        Number::Float { value, width } => (if width == 32 { 2 } else { 3 }, value.to_bits().into()),
        Number::Bool(value) => (1, value.into()),
    }
}
