//! The state of a world for people: for the page, the terminal and JSON.

use std::collections::BTreeMap;

use mw_vm::Value;
use serde::{Deserialize, Serialize};

use crate::board::BoardView;
use crate::call::show_call;
use crate::primitive::PrimitiveId;
use crate::world::World;

/// A world as it is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct View {
    /// The name of the world.
    pub world: String,
    /// The board, in a world that has one.
    pub board: Option<BoardView>,
    /// The registers of a world file.
    pub registers: BTreeMap<String, Value>,
    /// What a person has set inputs to.
    pub readings: Vec<ReadingView>,
}

/// An input that a person has set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadingView {
    /// The call, such as `chip_analog_read(12)`.
    pub call: String,
    /// Its arguments.
    pub args: Vec<Value>,
    /// What it is set to.
    pub value: Value,
}

impl World {
    /// The state for people.
    pub fn view(&self) -> View {
        let (description, state) = (self.description(), self.state());
        let registers = description.registers.iter().zip(&state.registers);
        let reading = |((id, args), value): (&(_, Vec<u64>), &Value)| {
            let id: &PrimitiveId = id;
            let primitive = description.primitives.get(id.0 as usize)?;
            let types = primitive.types.first()?.params.iter();
            let args: Vec<Value> =
                types.zip(args).map(|(ty, slot)| Value::from_slot(*ty, *slot)).collect();
            Some(ReadingView { call: show_call(primitive, &args), args, value: *value })
        };
        View {
            world: description.name.clone(),
            board: state.board().map(|board| board.view()),
            registers: registers.map(|((name, _), value)| (name.clone(), *value)).collect(),
            readings: state.readings.iter().filter_map(reading).collect(),
        }
    }
}
