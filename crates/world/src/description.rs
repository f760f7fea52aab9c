//! A world before it meets a module: its primitives, rules and registers, which never change.

use std::sync::Arc;

use mw_vm::Value;
use serde::Serialize;
use xxhash_rust::xxh3::xxh3_128;

use crate::bind::{BindError, Import, bind};
use crate::board::{self, Board, Settings};
use crate::primitive::{Primitive, PrimitiveId, RegisterId};
use crate::rule::Rule;
use crate::state::State;
use crate::world::World;

/// What a world is made of.
#[derive(Clone, Debug, Serialize)]
pub struct Description {
    #[serde(skip)]
    pub(crate) name: String,
    pub(crate) primitives: Vec<Primitive>,
    pub(crate) rules: Vec<Rule>,
    /// Names and initial values: `i64` or `f64`.
    pub(crate) registers: Vec<(String, Value)>,
    pub(crate) board: Option<Settings>,
}

impl Description {
    /// The built-in board.
    pub fn board(settings: Settings) -> Description {
        Description {
            name: "board".into(),
            primitives: board::primitives(&settings),
            rules: Vec::new(),
            registers: Vec::new(),
            board: Some(settings),
        }
    }

    /// A world with nothing in it, for a world file or [`Description::add_input`] and
    /// [`Description::add_output`] to fill.
    pub fn new(name: &str) -> Description {
        Description {
            name: name.to_owned(),
            primitives: Vec::new(),
            rules: Vec::new(),
            registers: Vec::new(),
            board: None,
        }
    }

    /// The name of the world.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// All primitives; a [`PrimitiveId`] is a position in this list.
    pub fn primitives(&self) -> &[Primitive] {
        &self.primitives
    }

    /// The dependency rules.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// Names and initial values of the registers; a [`RegisterId`] is a position in this list.
    pub fn registers(&self) -> &[(String, Value)] {
        &self.registers
    }

    /// The settings of the board, in a world that has one.
    pub fn settings(&self) -> Option<&Settings> {
        self.board.as_ref()
    }

    /// The primitive with this import name.
    pub fn find(&self, module: &str, name: &str) -> Option<PrimitiveId> {
        let found = self.primitives.iter().position(|p| p.module == module && p.name == name);
        found.map(|index| PrimitiveId(index as u32))
    }

    pub(crate) fn find_register(&self, name: &str) -> Option<RegisterId> {
        let found = self.registers.iter().position(|(known, _)| known == name);
        found.map(|index| RegisterId(index as u32))
    }

    /// A hash of all that a recording depends on: replaying in a world with another fingerprint
    /// may go another way. Names for people, comments and places in a file do not count, and of a
    /// primitive written in Rust only its name and type do.
    pub fn fingerprint(&self) -> u128 {
        // Writing plain data to memory cannot fail.
        xxh3_128(&postcard::to_allocvec(self).unwrap_or_default())
    }

    /// The state in which the world begins.
    pub(crate) fn start(&self) -> State {
        State {
            board: self.board.as_ref().map(Board::new),
            registers: self.registers.iter().map(|(_, value)| *value).collect(),
            readings: Default::default(),
            progress: Default::default(),
        }
    }

    /// Connects a module's function imports, in their order, with this world's primitives.
    ///
    /// Everything that is missing or of another type is reported in one error.
    pub fn bind<'a>(
        self: &Arc<Self>,
        imports: impl IntoIterator<Item = Import<'a>>,
    ) -> Result<World, BindError> {
        bind(self, imports)
    }
}
