//! What can happen, and what has to be watched so that it is noticed.

use mw_source::{Expression, Number, NumberType};
use mw_vm::Cell;
use smallvec::SmallVec;

use crate::instance::Mask;
pub use crate::syntax::event::MessageKind;

/// An event of a property, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventId(pub u16);

/// Some of the events of a property.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct EventSet(SmallVec<[u64; 1]>);

impl EventSet {
    /// None of so many.
    pub(crate) fn none(events: usize) -> EventSet {
        EventSet(SmallVec::from_elem(0, events.div_ceil(64)))
    }

    pub(crate) fn insert(&mut self, event: EventId) {
        self.0[usize::from(event.0 / 64)] |= 1 << (event.0 % 64);
    }

    pub(crate) fn join(&mut self, other: &EventSet) {
        for (own, other) in self.0.iter_mut().zip(&other.0) {
            *own |= other;
        }
    }

    /// Whether an event is one of them.
    pub fn contains(&self, event: EventId) -> bool {
        self.0.get(usize::from(event.0 / 64)).is_some_and(|bits| bits & (1 << (event.0 % 64)) != 0)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|bits| *bits == 0)
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = EventId> {
        (0..self.0.len() as u16 * 64).map(EventId).filter(|event| self.contains(*event))
    }
}

/// Where an event is noticed. Programs are those of [`Bindings`](crate::Bindings), by their order.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "fields are what their names say")]
pub enum Point {
    /// Before the first instruction of a function is executed.
    Call { program: u16, func: u32 },
    /// A function returns.
    Return { program: u16, func: u32 },
    /// A variable is read or written.
    Access { program: u16, variable: Variable, reads: bool, writes: bool, before: bool },
    /// A primitive is called, or has returned.
    Primitive { program: u16, import: u32, before: bool },
    /// Before one of these instructions, where a line begins.
    Line { program: u16, pcs: Vec<u32> },
    /// Something becomes of a message; of any, if no name is given.
    Message { kind: MessageKind, name: Option<String> },
    /// An interrupt arrives.
    Interrupt,
    /// Another task goes on.
    Switch,
    /// The program has ended.
    End,
    /// The program has trapped.
    Trap,
}

/// A variable that is watched.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "fields are what their names say")]
pub enum Variable {
    /// It is always in this cell: a global, or bytes of memory.
    Static(Cell),
    /// It is a local of the machine, in every frame of this function.
    Local { func: u32, local: u32 },
    /// It is in memory, somewhere else for each frame of this function; see
    /// [`Automaton::range_in_frame`](crate::Automaton::range_in_frame). It is there from an
    /// instruction on.
    InFrame { func: u32, from: u32 },
}

/// How a parameter of an event is had.
#[derive(Clone, Debug, PartialEq)]
pub enum Parameter {
    /// An argument, as a number of this type.
    Argument(u16, NumberType),
    /// What is returned, as a number of this type.
    Return(NumberType),
    /// An expression in the frame of the event.
    Expression(Expression),
    /// An expression in the frame of the caller.
    Caller(Expression),
    /// Who sent a message, or ran before.
    From,
    /// Whom a message is for, or who runs next.
    To,
    /// How many bytes a message has.
    Length,
    /// A byte of a message.
    Byte(u32),
    /// Four bytes of a message, by their number, as an integer of 32 bits.
    Word(u32),
    /// The pin that an interrupt comes from.
    Pin,
    /// It is not available here.
    Missing,
}

/// A point to be watched for an event.
#[derive(Clone, Debug, PartialEq)]
pub struct Watch {
    /// The event that is noticed there.
    pub event: EventId,
    /// Where.
    pub point: Point,
    /// How the parameters of the event are had there.
    pub parameters: Vec<Parameter>,
    /// The variable that is watched, as an expression.
    pub(crate) variable: Option<Expression>,
}

impl Watch {
    /// The arguments that are read there.
    pub fn arguments(&self) -> impl Iterator<Item = u16> {
        self.parameters.iter().filter_map(|parameter| match parameter {
            Parameter::Argument(index, _) => Some(*index),
            _ => None,
        })
    }
}

/// An event of a property.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// As it is written, such as `before event queue_push`.
    pub text: String,
    /// What its parameters are called.
    pub parameters: Vec<String>,
    /// Which of them are pointers.
    pub(crate) pointers: Vec<bool>,
    /// For each parameter that is sliced on, the one of the event that binds it, in each of the
    /// ways in which transitions name them: those that name most first.
    pub(crate) slicings: Vec<Slicing>,
}

impl Event {
    /// A value of one of its parameters, as the debugger writes it: a pointer in hexadecimal.
    pub fn show(&self, parameter: u16, value: &Number) -> String {
        let pointer = self.pointers.get(usize::from(parameter)).is_some_and(|pointer| *pointer);
        match value {
            Number::Integer { value, .. } if pointer => format!("{value:#x}"),
            value => value.to_string(),
        }
    }
}

/// Which parameters of an event tell slices apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Slicing {
    pub mask: Mask,
    /// The parameter that is sliced on, and the one of the event.
    pub binds: SmallVec<[(u8, u16); 2]>,
}
