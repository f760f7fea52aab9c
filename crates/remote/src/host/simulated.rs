//! The simulated board as the outside of an agent: for tests, and for people without hardware.

use std::collections::VecDeque;
use std::string::{String, ToString};
use std::sync::Arc;
use std::vec::Vec;

use mw_vm::{FuncType, Value};
use mw_world::{
    BindError, Description, GuestMemory, Import, OutOfBounds, Outcome, Role, Sample, State, Undo,
    World,
};

use crate::agent::{Answer, Call, Fault, Outside, ProgramMemory};
use crate::message::{Described, Domain, Kind};

/// How many calls can be taken back.
const KEPT: usize = 1 << 20;

/// A world of this process, every primitive in every type that it has.
pub struct SimulatedBoard {
    world: World,
    start: State,
    types: Vec<FuncType>,
    /// How to take back calls, from the one with the first number on. What a host is given to keep
    /// is a number.
    undos: VecDeque<Option<Undo>>,
    first: u64,
}

impl SimulatedBoard {
    /// A board that is made as described.
    pub fn new(description: &Arc<Description>) -> Result<Self, BindError> {
        let primitives = description.primitives().iter();
        let all = primitives.flat_map(|p| p.types.iter().map(move |ty| (p, ty)));
        let imports: Vec<Import<'_>> =
            all.map(|(p, ty)| Import { module: &p.module, name: &p.name, ty }).collect();
        let types = imports.iter().map(|import| import.ty.clone()).collect();
        let world = description.bind(imports)?;
        let start = world.state().clone();
        Ok(SimulatedBoard { start, world, types, undos: VecDeque::new(), first: 0 })
    }

    /// The world, to look at and to set readings.
    pub fn world(&mut self) -> &mut World {
        &mut self.world
    }

    /// Takes the world as it is now for the one that every program begins with.
    pub fn set_start(&mut self) {
        self.start = self.world.state().clone();
    }

    fn keep(&mut self, undo: Undo) -> Vec<u8> {
        if undo.is_empty() {
            return Vec::new();
        }
        self.undos.push_back(Some(undo));
        if self.undos.len() > KEPT {
            self.undos.pop_front();
            self.first += 1;
        }
        (self.first + self.undos.len() as u64 - 1).to_le_bytes().to_vec()
    }
}

fn world_call<'a>(call: Call<'a>) -> mw_world::Call<'a> {
    mw_world::Call { import: call.primitive, args: call.args }
}

impl Outside for SimulatedBoard {
    fn describe(&self, primitive: u32) -> Option<Described> {
        let ty = self.types.get(primitive as usize)?;
        let found = self.world.primitive(primitive).ok()?;
        Some(Described {
            module: found.module.clone(),
            name: found.name.clone(),
            types: [ty.clone()].into(),
            kind: self.kind(primitive),
            domain: match (&found.role, ty.results.first()) {
                (Role::Input(input), Some(ty)) => {
                    input.answers.fixed(*ty).and_then(|domain| Domain::of(&domain))
                }
                _ => None,
            },
        })
    }

    fn find(&self, module: &str, name: &str, ty: &FuncType) -> Option<u32> {
        let mut imports = self.world.imports();
        let found =
            imports.position(|(p, of)| (&*p.module, &*p.name) == (module, name) && of == ty);
        found.map(|index| index as u32)
    }

    fn kind(&self, primitive: u32) -> Kind {
        self.world.kind(primitive).map_or(Kind::Abort, Kind::from)
    }

    fn admits(&self, call: Call<'_>, value: Value) -> bool {
        self.world.check(world_call(call), &value.into()).is_ok()
    }

    fn read(&mut self, call: Call<'_>) -> Result<Answer, Fault> {
        let abort = |error: mw_world::CallError| Fault::Abort(error.to_string());
        match self.world.sample(world_call(call)).map_err(abort)? {
            Sample::Ask => Err(Fault::Asks),
            Sample::Answer(mw_world::Answer { value, .. }) => {
                let captured = self.accept(call, value);
                Ok(Answer { result: Some(value), captured })
            }
        }
    }

    fn accept(&mut self, call: Call<'_>, value: Value) -> Vec<u8> {
        match self.world.accept(world_call(call), value) {
            Ok(accepted) => self.keep(accepted.undo),
            Err(_) => Vec::new(),
        }
    }

    fn perform(&mut self, call: Call<'_>, memory: &dyn ProgramMemory) -> Result<Answer, Fault> {
        let memory = Borrowed { memory, missed: None.into() };
        let done = self.world.perform(world_call(call), &memory);
        if let Some((address, length)) = memory.missed.take() {
            // What the board made of a range that is not there must not stand.
            if let Ok(Outcome::Done { undo, .. }) = done {
                self.world.undo(undo);
            }
            return Err(Fault::Memory { address, length });
        }
        match done.map_err(|error| Fault::Abort(error.to_string()))? {
            Outcome::Done { reply, undo, .. } => {
                let captured = self.keep(undo);
                Ok(Answer { result: reply.results.first().copied(), captured })
            }
            Outcome::Abort { message } => Err(Fault::Abort(message)),
        }
    }

    fn undo(&mut self, _: u32, captured: &[u8]) -> Result<(), String> {
        let number = captured.try_into().map(u64::from_le_bytes);
        let index = number.ok().and_then(|number| number.checked_sub(self.first));
        let kept = index.and_then(|index| self.undos.get_mut(usize::try_from(index).ok()?));
        let undo = kept.and_then(Option::take);
        self.world.undo(undo.ok_or_else(|| "it was too long ago".to_string())?);
        while self.undos.pop_back_if(|undo| undo.is_none()).is_some() {}
        Ok(())
    }

    fn start(&mut self) {
        self.world.restore(self.start.clone());
        self.undos.clear();
    }
}

/// A program's memory for a world, which notes what is not there.
struct Borrowed<'a> {
    memory: &'a dyn ProgramMemory,
    missed: std::cell::Cell<Option<(u32, u32)>>,
}

impl GuestMemory for Borrowed<'_> {
    fn read(&self, address: u32, buffer: &mut [u8]) -> Result<(), OutOfBounds> {
        self.memory.read(address, buffer).map_err(|_| {
            self.missed.set(Some((address, buffer.len() as u32)));
            OutOfBounds { address, length: buffer.len() as u64 }
        })
    }
}
