//! A system: the programs, worlds and links of which a universe with several tasks is made, which
//! never change.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use mw_vm::{Frozen, ImportValues, InstantiateError, Limits, Machine, Module};
use mw_world::{BindError, Description, Heap, Import, State, World};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

/// A program of a system.
#[derive(Debug)]
pub struct Program {
    /// What it is called.
    pub name: String,
    /// The module.
    pub module: Arc<Module>,
    /// A machine at its beginning, from which all others go on.
    pristine: OnceLock<Result<Frozen, InstantiateError>>,
}

impl Program {
    /// A program that has not begun.
    pub fn new(name: String, module: Arc<Module>) -> Program {
        Program { name, module, pristine: OnceLock::new() }
    }

    /// A machine at its beginning.
    pub(crate) fn machine(&self, limits: Limits) -> Result<Machine, InstantiateError> {
        let pristine = self.pristine.get_or_init(|| {
            Ok(Machine::new(self.module.clone(), limits, ImportValues::default())?.freeze())
        });
        pristine.as_ref().map(Frozen::thaw).map_err(Clone::clone)
    }
}

/// A task that is there from the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// What it is called.
    pub name: Arc<str>,
    /// What its handlers begin with; empty for none.
    pub kind: Arc<str>,
    /// Its program.
    pub program: u16,
    /// Its world.
    pub device: u16,
    /// The function that it begins with, if any.
    pub start: Option<u32>,
    /// Whether it may crash and begin anew.
    pub may_crash: bool,
}

/// What may happen to messages from some to others.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Link {
    /// From whom; from anybody if not given.
    pub from: Option<String>,
    /// To whom; to anybody if not given.
    pub to: Option<String>,
    /// What may happen.
    pub allows: Faults,
}

/// Faults: how many of each kind, or whether there may be any.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Faults {
    /// Messages that are lost.
    pub lose: u32,
    /// Messages that come twice.
    pub double: u32,
    /// Messages that come after later ones.
    pub delay: u32,
    /// Tasks that crash and begin anew.
    pub crash: u32,
}

/// How much tasks may use together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Most {
    /// Tasks.
    pub tasks: usize,
    /// Messages that wait for one task.
    pub inbox: usize,
    /// Bytes of a message.
    pub message: usize,
}

impl Default for Most {
    fn default() -> Self {
        Most { tasks: 1_000, inbox: 10_000, message: 1 << 16 }
    }
}

/// A system. See the [module](self).
#[derive(Debug)]
pub struct System {
    /// What it is called.
    pub name: String,
    /// The programs.
    pub programs: Vec<Program>,
    /// The tasks that are there from the start. Their addresses are their positions.
    pub members: Vec<Member>,
    /// Which program a kind of task is of, if not of the one that makes it.
    pub kinds: BTreeMap<String, u16>,
    /// What may happen to messages.
    pub links: Vec<Link>,
    /// How much of that in one universe.
    pub faults: Faults,
    /// How much tasks may use.
    pub most: Most,
    /// What a machine may use.
    pub limits: Limits,
    /// Programs in worlds, bound to them, in the state in which these begin.
    pub(crate) worlds: BTreeMap<(u16, u16), Result<World, BindError>>,
    pub(crate) devices: Vec<Arc<Description>>,
    /// Hashes of the worlds as they begin, which most of them stay, by device.
    pub(crate) beginnings: OnceLock<Vec<Option<u128>>>,
}

impl System {
    /// A system that is one program in one world.
    pub(crate) fn alone(machine: &Machine, world: &World) -> System {
        let (module, limits) = (machine.module().clone(), *machine.limits());
        let name: Arc<str> = "main".into();
        System {
            name: "main".into(),
            programs: vec![Program::new("main".into(), module)],
            members: vec![Member {
                name,
                kind: "".into(),
                program: 0,
                device: 0,
                start: None,
                may_crash: false,
            }],
            kinds: BTreeMap::new(),
            links: Vec::new(),
            faults: Faults::default(),
            most: Most::default(),
            limits,
            worlds: [((0, 0), Ok(world.clone()))].into(),
            devices: vec![world.description().clone()],
            beginnings: OnceLock::new(),
        }
    }

    /// A system of programs and worlds, in which every program is bound to every world that it may
    /// come to be in.
    pub(crate) fn bind(mut self) -> Result<System, BindError> {
        let members = self.members.iter().map(|member| (member.program, member.device));
        let certain: Vec<(u16, u16)> = members.collect();
        let possible = self.kinds.values().flat_map(|&program| {
            (0..self.devices.len() as u16).map(move |device| (program, device))
        });
        for (program, device) in certain.iter().copied().chain(possible.collect::<Vec<_>>()) {
            if self.worlds.contains_key(&(program, device)) {
                continue;
            }
            let module = &self.programs[program as usize].module;
            let world = bind(&self.devices[device as usize], module).map(|world| world.on(device));
            self.worlds.insert((program, device), world);
        }
        for key in certain {
            if let Some(Err(error)) = self.worlds.get(&key) {
                return Err(error.clone());
            }
        }
        Ok(self)
    }

    /// The world of a device as a program sees it, in the state in which it begins.
    pub(crate) fn world(&self, program: u16, device: u16) -> Result<&World, String> {
        match self.worlds.get(&(program, device)) {
            Some(Ok(world)) => Ok(world),
            Some(Err(error)) => Err(error.to_string()),
            None => Err("this program has no place in that world".into()),
        }
    }

    /// The world of a device in the state in which it begins, whichever program sees it.
    pub(crate) fn any_world(&self, device: u16) -> Option<&World> {
        let mut worlds = self.worlds.iter().filter(|((_, of), _)| *of == device);
        worlds.find_map(|(_, world)| world.as_ref().ok())
    }

    /// The hash of the world of a device in a state. A world that is as it began, as those of
    /// many tasks are, costs nothing.
    pub(crate) fn hash_of_world(&self, device: usize, state: &State) -> u128 {
        // Blocks belong to the tasks.
        let bare = (!state.heap().is_empty()).then(|| {
            let mut bare = state.clone();
            bare.swap_heap(Heap::default());
            bare
        });
        let state = bare.as_ref().unwrap_or(state);
        let beginning = self.any_world(device as u16).map(World::state);
        let known = || {
            let hashes = self.beginnings.get_or_init(|| {
                let devices = 0..self.devices.len() as u16;
                devices.map(|device| Some(self.any_world(device)?.state().hash())).collect()
            });
            hashes.get(device).copied().flatten()
        };
        match beginning.is_some_and(|beginning| beginning == state).then(known).flatten() {
            Some(hash) => hash,
            None => state.hash(),
        }
    }

    /// The worlds, as they were described.
    pub fn devices(&self) -> &[Arc<Description>] {
        &self.devices
    }

    /// What may happen to messages from one task to another, by their names.
    pub(crate) fn allowed(&self, from: &str, to: &str) -> Faults {
        let fits = |pattern: &Option<String>, name: &str| {
            pattern.as_deref().is_none_or(|pattern| pattern == name)
        };
        let links = self.links.iter().filter(|l| fits(&l.from, from) && fits(&l.to, to));
        links.fold(Faults::default(), |all, link| Faults {
            lose: all.lose | link.allows.lose,
            double: all.double | link.allows.double,
            delay: all.delay | link.allows.delay,
            crash: 0,
        })
    }

    /// Whether it is one program in one world, which nothing happens to.
    pub fn is_alone(&self) -> bool {
        self.members.len() == 1 && self.programs.len() == 1 && self.links.is_empty()
    }

    /// A hash of all that a recording depends on.
    pub fn fingerprint(&self) -> u128 {
        let programs: Vec<u128> = self.programs.iter().map(|p| p.module.fingerprint()).collect();
        let devices: Vec<u128> = self.devices.iter().map(|d| d.fingerprint()).collect();
        let members: Vec<_> = self
            .members
            .iter()
            .map(|member| {
                (
                    &member.name,
                    &member.kind,
                    member.program,
                    member.device,
                    member.start,
                    member.may_crash,
                )
            })
            .collect();
        let all = (programs, devices, members, &self.kinds, &self.links, self.faults);
        // Writing plain data to memory cannot fail.
        xxh3_128(&postcard::to_allocvec(&all).unwrap_or_default())
    }
}

/// A module's imports in a world.
pub(crate) fn bind(world: &Arc<Description>, module: &Module) -> Result<World, BindError> {
    world.bind(module.imports().map(|(name, ty)| Import {
        module: &name.module,
        name: &name.field,
        ty,
    }))
}
