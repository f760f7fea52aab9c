//! The automaton of a property.

use std::sync::Arc;

use mw_source::{Language, Number, Sources};
use mw_vm::Module;
use smallvec::SmallVec;

use crate::deadline::Span;
use crate::event::{Event, EventId, EventSet, Watch};
use crate::instance::{Instance, Mask, key};
use crate::property::Property;
use crate::term::Step;

/// A state, by its number. The first is `init`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateId(pub u16);

/// A transition, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TransitionId(pub u16);

/// A state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateInfo {
    /// Its name.
    pub name: String,
    /// Whether the property holds in it. Where nothing is said, it holds as long as the program
    /// goes on, and nobody can say once it has ended.
    pub accepting: Option<bool>,
    /// Whether a slice is forgotten that comes to it.
    pub is_final: bool,
    /// What a scenario is to do when it is entered.
    pub action: Option<String>,
    /// How long one can be in it.
    pub within: Option<Span>,
}

impl StateInfo {
    /// Whether the property is violated in it.
    pub fn is_violation(&self) -> bool {
        self.accepting == Some(false)
    }
}

/// What is done on the way to a state.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// The code as it is written.
    pub text: String,
    /// What a scenario is to do.
    pub action: Option<String>,
    /// Where it leads.
    pub to: StateId,
    pub(crate) code: Vec<Step>,
}

/// Something that code looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Read {
    /// A variable of the environment, by its number.
    Variable(u16),
    /// A parameter of the event, by its number.
    Parameter(u16),
}

/// A transition.
#[derive(Clone, Debug, PartialEq)]
pub struct Transition {
    /// The state that it begins in.
    pub from: StateId,
    /// What has to happen; nothing, if it is taken when the time of its state is over.
    pub event: Option<EventId>,
    /// The event as it is written.
    pub text: String,
    /// The guard as it is written.
    pub guard: Option<String>,
    /// What the guard looks at, each once.
    pub guard_reads: Vec<Read>,
    /// What is done if the guard holds, or there is none.
    pub success: Option<Block>,
    /// What is done if the guard does not hold.
    pub failure: Option<Block>,
    pub(crate) guard_code: Vec<Step>,
    /// Which of the event's ways to tell slices apart it uses.
    pub(crate) slicing: u8,
    /// What its code computes by.
    pub(crate) language: Language,
}

/// A property that is bound to programs. Immutable, and shared by all who run it.
#[derive(Clone, Debug)]
pub struct Automaton {
    pub(crate) property: Property,
    pub(crate) programs: Vec<(Arc<Module>, Arc<Sources>)>,
    pub(crate) slice_on: Vec<String>,
    pub(crate) variables: Vec<String>,
    pub(crate) initial: Vec<Number>,
    pub(crate) states: Vec<StateInfo>,
    pub(crate) transitions: Vec<Transition>,
    pub(crate) events: Vec<Event>,
    pub(crate) watches: Vec<Watch>,
    /// For each state, the events of its transitions.
    pub(crate) needs: Vec<EventSet>,
    /// For each state and event, the transitions in the order in which they are tried.
    pub(crate) table: Vec<SmallVec<[u16; 2]>>,
    /// For each state, the transition that is taken when its time is over.
    pub(crate) timeouts: Vec<Option<u16>>,
    /// The sets of parameters that events name to tell slices apart, but for all of them together.
    pub(crate) parts: Vec<Mask>,
    pub(crate) fingerprint: u64,
}

impl Automaton {
    /// The property.
    pub fn property(&self) -> &Property {
        &self.property
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        self.property.name()
    }

    /// What it is sliced on.
    pub fn slice_parameters(&self) -> &[String] {
        &self.slice_on
    }

    /// What a slice is about, as the debugger writes it: a pointer in hexadecimal. Nothing, if the
    /// property is not sliced.
    pub fn show_instance(&self, instance: &Instance) -> String {
        let shown = (0..).zip(&self.slice_on).filter_map(|(place, name)| {
            let value = instance.value(usize::from(place))?;
            let binds = self.events.iter().flat_map(|event| {
                let binds = event.slicings.iter().flat_map(|slicing| &slicing.binds);
                binds.map(move |bind| (event, bind))
            });
            let mut pointers = binds.filter(|(event, (sliced, parameter))| {
                *sliced == place && event.pointers[usize::from(*parameter)]
            });
            Some(match pointers.next() {
                Some(_) => format!("{name} = {value:#x}"),
                None => format!("{name} = {value}"),
            })
        });
        shown.collect::<Vec<String>>().join(", ")
    }

    /// The variables of its environment.
    pub fn variables(&self) -> &[String] {
        &self.variables
    }

    /// Its states, by their numbers.
    pub fn states(&self) -> &[StateInfo] {
        &self.states
    }

    /// A state.
    pub fn state(&self, state: StateId) -> &StateInfo {
        &self.states[usize::from(state.0)]
    }

    /// A state by its name.
    pub fn state_named(&self, name: &str) -> Option<StateId> {
        let index = self.states.iter().position(|state| state.name == name)?;
        Some(StateId(index as u16))
    }

    /// Its transitions, by their numbers.
    pub fn transitions(&self) -> &[Transition] {
        &self.transitions
    }

    /// A transition.
    pub fn transition(&self, transition: TransitionId) -> &Transition {
        &self.transitions[usize::from(transition.0)]
    }

    /// Its events, by their numbers.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// All of its events, whatever state it is in.
    pub fn every_event(&self) -> EventSet {
        let mut all = EventSet::none(self.events.len());
        (0..self.events.len() as u16).for_each(|event| all.insert(EventId(event)));
        all
    }

    /// The one slice that an event with these values of its parameters is about; none if it may be
    /// about others as well.
    pub fn slice_of(
        &self,
        event: EventId,
        value: impl Fn(u16) -> Option<Number>,
    ) -> Option<Instance> {
        let [slicing] = &self.event(event).slicings[..] else { return None };
        if slicing.binds.len() < self.slice_on.len() || slicing.binds.is_empty() {
            return None;
        }
        let mut slice = Instance::unbound(self.slice_on.len());
        for (parameter, of) in &slicing.binds {
            slice.bind(usize::from(*parameter), key(value(*of)?)?);
        }
        Some(slice)
    }

    /// Whether it matters when things happen, not only in which order.
    pub fn is_timed(&self) -> bool {
        self.states.iter().any(|state| state.within.is_some())
    }

    /// An event.
    pub fn event(&self, event: EventId) -> &Event {
        &self.events[usize::from(event.0)]
    }

    /// What has to be watched for which event.
    pub fn watches(&self) -> &[Watch] {
        &self.watches
    }

    /// Equal for the same text bound to the same programs.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    pub(crate) fn at(&self, state: StateId, event: EventId) -> &[u16] {
        &self.table[usize::from(state.0) * self.events.len() + usize::from(event.0)]
    }
}
