//! What the property tests share: programs, the plain run, and walks of a session.

#![allow(dead_code, reason = "each test uses a part of it")]

pub mod oracle;
pub mod program;
pub mod system;
pub mod walk;

use std::collections::BTreeMap;
use std::sync::Arc;

use mw_session::{Multiverse, NodeId, Options, Outcome, Payload, Session, Site, Start};
use mw_vm::{ImportValues, Limits, Machine, Module, Value};
use mw_world::{Description, Import, State, World};
use proptest::prelude::ProptestConfig;

use oracle::Plain;
use program::{GARDEN, Outside, Program};

/// So many generated cases, or as many as `PROPTEST_CASES` says.
pub fn cases(cases: u32) -> ProptestConfig {
    let default = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    match std::env::var_os("PROPTEST_CASES") {
        Some(_) => default,
        None => ProptestConfig { cases, ..default },
    }
}

/// A program with its world, ready to be run or debugged.
pub struct Setup {
    pub module: Arc<Module>,
    pub world: Arc<Description>,
    /// What the program may use.
    pub limits: Limits,
    /// What sessions begin with, if not with the start of the program.
    begins: Option<Beginning>,
}

/// The middle of a run: the machine and the world.
struct Beginning {
    start: Start,
    world: State,
}

impl Setup {
    pub fn new(program: &Program) -> Setup {
        let world = match program.world {
            Outside::Garden => {
                Description::parse("garden.toml", GARDEN, &|file| Err(file.into())).unwrap()
            }
            Outside::Chip | Outside::Board => Description::board(Default::default()),
        };
        Setup::of(&program.to_wat(), world)
    }

    pub fn of(wat: &str, world: Description) -> Setup {
        let wasm = wat::parse_str(wat).unwrap();
        let limits = Limits::default();
        let module = Arc::new(Module::from_binary(&wasm, &limits).unwrap());
        Setup { module, world: Arc::new(world), limits, begins: None }
    }

    /// The same, but sessions begin where this one stands.
    pub fn beginning_at(&self, session: &Session) -> Setup {
        let begins = Beginning {
            start: Start::of(session.machine(), session.abort_message().map(str::to_owned)),
            world: session.world().state().clone(),
        };
        let (module, world) = (self.module.clone(), self.world.clone());
        Setup { module, world, limits: self.limits, begins: Some(begins) }
    }

    /// The entry and its arguments: as much as it has parameters.
    pub fn entry(&self) -> (u32, Vec<Value>) {
        let main = self.module.exported_func("main").unwrap();
        let ty = self.module.func_type(&self.module.funcs()[main as usize]);
        (main, ty.params.iter().map(|_| Value::I32(3)).collect())
    }

    pub fn session(&self, options: Options) -> Session {
        let options = Options { limits: self.limits, ..options };
        let Some(Beginning { start, world }) = &self.begins else {
            let (module, entry) = (self.module.clone(), self.entry());
            return Session::new(module, &self.world, Some(entry), options).unwrap();
        };
        let mut session = Session::begin(&self.module, &self.world, start, options).unwrap();
        session.world_mut().unwrap().restore(world.clone());
        session.rebase_world();
        session
    }

    pub fn bound(&self) -> World {
        let import = |(name, ty)| {
            let name: &mw_vm::ImportName = name;
            Import { module: &name.module, name: &name.field, ty }
        };
        self.world.bind(self.module.imports().map(import)).unwrap()
    }

    pub fn plain(&self) -> Plain {
        if let Some(Beginning { start, world }) = &self.begins {
            let machine = start.machine(&self.module, &self.limits).unwrap();
            let mut bound = self.bound();
            bound.restore(world.clone());
            return Plain { machine, world: bound, changes: 0, irreversible: 0 };
        }
        let mut machine =
            Machine::new(self.module.clone(), self.limits, ImportValues::default()).unwrap();
        let (func, args) = self.entry();
        machine.call_next(func, &args).unwrap();
        Plain { machine, world: self.bound(), changes: 0, irreversible: 0 }
    }
}

/// A node as it can be seen from outside: parent, choice and end.
type Seen = (Option<NodeId>, Option<(u64, Site, Payload)>, Option<(u64, Outcome)>);

/// Everything that is in a tree.
pub fn contents(tree: &Multiverse) -> BTreeMap<NodeId, Seen> {
    let mut seen = BTreeMap::new();
    let mut open = vec![NodeId::ROOT];
    while let Some(node) = open.pop() {
        let choice = tree.choice(node).map(|c| (c.count, c.site.clone(), c.payload()));
        seen.insert(node, (tree.parent(node), choice, tree.ended(node).cloned()));
        open.extend(tree.steps(node).map(|step| step.node));
    }
    assert_eq!(seen.len(), tree.len());
    seen
}
