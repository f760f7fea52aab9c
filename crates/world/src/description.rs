//! A world before it meets a module: its primitives, rules and registers, which never change.

use std::collections::BTreeSet;
use std::sync::Arc;

use mw_vm::{FuncType, Value};
use xxhash_rust::xxh3::xxh3_128;

use crate::actor;
use crate::bind::{BindError, Import, bind};
use crate::board::{self, Board, Settings};
use crate::primitive::{Port, Primitive, PrimitiveId, RegisterId};
use crate::rule::{Rule, Rules};
use crate::state::State;
use crate::symbolic;
use crate::world::World;

/// What a world is made of.
#[derive(Clone, Debug)]
pub struct Description {
    pub(crate) name: String,
    pub(crate) primitives: Vec<Primitive>,
    pub(crate) rules: Rules,
    /// Names and initial values: `i64` or `f64`.
    pub(crate) registers: Vec<(String, Value)>,
    pub(crate) board: Option<Settings>,
    /// The primitives that are as in every world.
    pub(crate) universal: BTreeSet<PrimitiveId>,
}

impl Description {
    /// The built-in board.
    pub fn board(settings: Settings) -> Description {
        let mut description = Description::bare(Some(settings));
        description.add_universal();
        description
    }

    /// A world with nothing in it, for a world file or [`Description::add_input`] and
    /// [`Description::add_output`] to fill.
    pub fn new(name: &str) -> Description {
        let mut description = Description::bare(None);
        description.name = name.to_owned();
        description.add_universal();
        description
    }

    /// A board or nothing, without what every world has.
    pub(crate) fn bare(settings: Option<Settings>) -> Description {
        Description {
            name: "board".into(),
            primitives: settings.as_ref().map(board::primitives).unwrap_or_default(),
            rules: Rules::default(),
            registers: Vec::new(),
            board: settings,
            universal: BTreeSet::new(),
        }
    }

    /// Adds what every world has, unless it has its own.
    pub(crate) fn add_universal(&mut self) {
        let universal = symbolic::primitives(self.board.is_some());
        for primitive in universal.chain(actor::primitives()) {
            if self.find(&primitive.module, &primitive.name).is_none() {
                let id = self.put(primitive);
                self.universal.insert(id);
            }
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

    /// A primitive and the one of its types that is meant.
    pub fn port(&self, port: Port) -> Option<(&Primitive, &FuncType)> {
        let primitive = self.primitives.get(port.local().primitive.0 as usize)?;
        Some((primitive, primitive.types.get(usize::from(port.ty))?))
    }

    /// The dependency rules.
    pub fn rules(&self) -> &[Rule] {
        self.rules.all()
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
    /// may go another way. Names for people, comments and places in a file do not count, nor does
    /// what every world has, and of a primitive written in Rust only its name and type do.
    pub fn fingerprint(&self) -> u128 {
        let ids = (0..).map(PrimitiveId).zip(&self.primitives);
        let own = ids.filter(|(id, _)| !self.universal.contains(id));
        let primitives: Vec<&Primitive> = own.map(|(_, primitive)| primitive).collect();
        let all = (primitives, self.rules.all(), &self.registers, &self.board);
        // Writing plain data to memory cannot fail.
        xxh3_128(&postcard::to_allocvec(&all).unwrap_or_default())
    }

    /// The state in which the world begins.
    pub(crate) fn start(&self) -> State {
        State {
            board: self.board.as_ref().map(Board::new),
            registers: self.registers.iter().map(|(_, value)| *value).collect(),
            readings: Default::default(),
            progress: Default::default(),
            heap: Default::default(),
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
