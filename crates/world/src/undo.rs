//! The compensation of one call, captured when it was made.

use mw_vm::Value;
use serde::{Deserialize, Serialize};

use crate::primitive::PrimitiveId;
use crate::state::Change;

/// How to take back one change of a world: exactly what it overwrote, and no more.
///
/// Good for the state in which the call left the world, which is why the newest goes first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Undo {
    /// Last first.
    pub(crate) changes: Box<[Change]>,
    pub(crate) call: Option<Box<CompensatingCall>>,
}

/// A primitive to be called to take an output back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CompensatingCall {
    /// The primitive.
    pub primitive: PrimitiveId,
    /// Its arguments, evaluated before the output was performed.
    pub args: Vec<Value>,
}

impl Undo {
    /// Whether there is nothing to take back.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty() && self.call.is_none()
    }

    /// What is to be called on the outside, where the world file says so.
    pub fn call(&self) -> Option<&CompensatingCall> {
        self.call.as_deref()
    }
}

/// What taking back came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undone {
    /// The compensating call that was made, for people.
    pub called: Option<String>,
    /// Whether that call alone would have led back to the state before. If not, the world file
    /// gives an output a compensation that does not undo it; the world's state is right anyway,
    /// but a device would now differ from it.
    pub exact: bool,
}
