//! One resolved piece of nondeterminism.

use std::sync::Arc;

use mw_ensemble::Schedule;
use mw_vm::{Cell, ValType, Value};
use mw_world::{Answer, Event, Port};
use serde::{Deserialize, Serialize};

/// What was decided, apart from the value.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Site {
    /// What an input returned.
    Input {
        /// The primitive.
        port: Port,
        /// Its arguments, as slots.
        args: Vec<u64>,
    },
    /// That the outside did something, before the instruction at this count.
    Event(Event),
    /// That a person set a cell by hand. What comes after has not happened by itself.
    Alteration(Cell),
    /// Who had the next turn.
    Schedule(Schedule),
}

/// How it was decided: a number, as a slot, and the bytes that came with it, if any did.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Payload {
    /// The number.
    pub slot: u64,
    /// The bytes.
    pub bytes: Option<Arc<[u8]>>,
}

impl From<u64> for Payload {
    fn from(slot: u64) -> Self {
        Payload { slot, bytes: None }
    }
}

impl From<&Answer> for Payload {
    fn from(answer: &Answer) -> Self {
        Payload { slot: answer.value.to_slot(), bytes: answer.bytes.clone() }
    }
}

/// A choice as it stands in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice<'a> {
    /// How many instructions had been executed when it was made. For an input that is before the
    /// call, which is an instruction itself.
    pub count: u64,
    /// What was decided.
    pub site: &'a Site,
    /// The value, as a slot.
    pub slot: u64,
    /// What came with it, if something did.
    pub bytes: Option<&'a Arc<[u8]>>,
}

impl Choice<'_> {
    /// How many instructions have been executed once the choice has taken effect.
    pub fn after(&self) -> u64 {
        self.count + u64::from(matches!(self.site, Site::Input { .. }))
    }

    /// The value as one of this type.
    pub fn value(&self, ty: ValType) -> Value {
        Value::from_slot(ty, self.slot)
    }

    /// What an input answered whose value is of this type.
    pub fn answer(&self, ty: ValType) -> Answer {
        Answer { value: self.value(ty), bytes: self.bytes.cloned() }
    }

    /// How it was decided.
    pub fn payload(&self) -> Payload {
        Payload { slot: self.slot, bytes: self.bytes.cloned() }
    }
}
