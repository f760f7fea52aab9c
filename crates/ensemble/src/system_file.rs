//! System files: the actors of a system, with their programs, worlds and links, in TOML.
//!
//! ```toml
//! name = "two boards"
//!
//! [actor.gateway]           # the first one has address 0
//! module = "gateway.wasm"
//! world = "gateway.toml"    # the board, if not given; every actor has a world of its own
//! start = "main"            # what it begins with; main or _start, if there is one
//!
//! [actor.sensor]
//! module = "sensor.wasm"
//! kind = "sensor"           # its handlers are sensor.NAME or sensor_NAME
//!
//! [module]                  # kinds of actors that are made on the way, of other modules
//! worker = "worker.wasm"
//!
//! [[link]]                  # what may happen to messages
//! from = "sensor"           # anybody, if not given or "*"
//! to = "gateway"
//! lose = true               # or double, or delay: come after later ones
//!
//! [faults]                  # how often in one universe
//! lose = 1
//! crash = 1
//!
//! [crash]                   # who may crash and begin anew
//! actors = ["sensor"]
//! ```

use std::collections::BTreeMap;
use std::sync::Arc;

use mw_vm::{Limits, Module};
use mw_world::Description;
use serde::Deserialize;
use toml::Spanned;

use crate::system::{Faults, Link, Member, Most, Program, System};

/// A mistake in a system file, or in what it names.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {problem}")]
pub struct SystemFileError {
    /// The file.
    pub file: String,
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong, and what to do about it.
    pub problem: String,
}

/// A world by the path of its file, or the usual one; an error says in words why there is none.
pub type WorldLoader<'a> = &'a dyn Fn(Option<&str>) -> Result<Arc<Description>, String>;

/// How what a system file names is read; an error says in words why that failed.
pub struct Loader<'a> {
    /// A module by its path, and what its functions are called that a program begins with.
    pub module: &'a dyn Fn(&str) -> Result<Arc<Module>, String>,
    /// A world file by its path; the usual world for none.
    pub world: WorldLoader<'a>,
    /// What a machine may use.
    pub limits: Limits,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    name: Option<String>,
    #[serde(default)]
    actor: BTreeMap<String, Spanned<Actor>>,
    #[serde(default)]
    module: BTreeMap<String, Spanned<String>>,
    #[serde(default)]
    link: Vec<Spanned<LinkTable>>,
    #[serde(default)]
    faults: FaultsTable,
    #[serde(default)]
    crash: Crash,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Actor {
    module: String,
    world: Option<String>,
    #[serde(default)]
    kind: String,
    start: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LinkTable {
    from: Option<String>,
    to: Option<String>,
    #[serde(default)]
    lose: bool,
    #[serde(default)]
    double: bool,
    #[serde(default)]
    delay: bool,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct FaultsTable {
    #[serde(default)]
    lose: u32,
    #[serde(default)]
    double: u32,
    #[serde(default)]
    delay: u32,
    #[serde(default)]
    crash: u32,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Crash {
    #[serde(default)]
    actors: Vec<Spanned<String>>,
}

/// More actors than this are not read.
const ACTORS: usize = 1_000;

impl System {
    /// Reads a system file. `file` is its name, for messages.
    pub fn parse(file: &str, text: &str, load: &Loader<'_>) -> Result<System, SystemFileError> {
        let at = |offset: usize, problem: String| {
            let line = text.as_bytes()[..offset.min(text.len())].iter();
            let line = line.filter(|byte| **byte == b'\n').count() + 1;
            SystemFileError { file: file.to_owned(), line, problem }
        };
        let read: File = toml::from_str(text).map_err(|error| {
            let problem = error.message().replace('\n', ", ");
            let problem = format!(
                "this is no system file: {problem}; it has a table [actor.NAME] for each actor (a world \
                 file is given with --world)"
            );
            at(error.span().map_or(0, |span| span.start), problem)
        })?;
        let mut actors: Vec<(String, Spanned<Actor>)> = read.actor.into_iter().collect();
        // Addresses follow the order in the file.
        actors.sort_by_key(|(_, actor)| actor.span().start);
        if actors.is_empty() || actors.len() > ACTORS {
            let problem = match actors.is_empty() {
                true => "there is no actor: add one with [actor.NAME] and module = \"FILE\"".into(),
                false => format!("there are {} actors, and {ACTORS} are the most", actors.len()),
            };
            return Err(at(0, problem));
        }
        let known = |name: &str| actors.iter().any(|(actor, _)| actor == name);
        for (offset, name) in
            read.crash.actors.iter().map(|name| (name.span().start, name.as_ref()))
        {
            if !known(name) {
                return Err(at(offset, unknown(name, &actors)));
            }
        }
        let mut links = Vec::new();
        for link in &read.link {
            let (offset, table) = (link.span().start, link.as_ref());
            let end = |name: &Option<String>| name.clone().filter(|name| name != "*");
            let (from, to) = (end(&table.from), end(&table.to));
            // Who is made on the way is not known here, but has a slash or a kind in its name.
            let is_made = |name: &str| name.contains(['/', '#']) || read.module.contains_key(name);
            for name in [&from, &to].into_iter().flatten() {
                if !known(name) && !is_made(name) && actors.len() > 1 {
                    return Err(at(offset, unknown(name, &actors)));
                }
            }
            let allows = Faults {
                lose: table.lose.into(),
                double: table.double.into(),
                delay: table.delay.into(),
                crash: 0,
            };
            links.push(Link { from, to, allows });
        }
        let mut programs: Vec<Program> = Vec::new();
        let mut program =
            |path: &str, offset: usize| match programs.iter().position(|p| p.name == path) {
                Some(index) => Ok((index as u16, programs[index].module.clone())),
                None => {
                    let module = (load.module)(path).map_err(|problem| at(offset, problem))?;
                    programs.push(Program::new(path.to_owned(), module.clone()));
                    Ok((programs.len() as u16 - 1, module))
                }
            };
        let (mut members, mut devices) = (Vec::new(), Vec::new());
        for (name, actor) in &actors {
            let (offset, table) = (actor.span().start, actor.as_ref());
            let (number, module) = program(&table.module, offset)?;
            let start = match &table.start {
                Some(start) => Some(module.exported_func(start).ok_or_else(|| {
                    at(offset, format!("{} exports no function {start:?}", table.module))
                })?),
                None => ["main", "_start"].iter().find_map(|name| module.exported_func(name)),
            };
            if let Some(func) = start
                && !module.func_type(&module.funcs()[func as usize]).params.is_empty()
            {
                let problem = "the function that an actor begins with takes no parameters";
                return Err(at(offset, problem.into()));
            }
            let world =
                (load.world)(table.world.as_deref()).map_err(|problem| at(offset, problem))?;
            members.push(Member {
                name: name.as_str().into(),
                kind: table.kind.as_str().into(),
                program: number,
                device: devices.len() as u16,
                start,
                may_crash: read.crash.actors.iter().any(|other| other.as_ref() == name),
            });
            devices.push(world);
        }
        let mut kinds = BTreeMap::new();
        for (kind, path) in &read.module {
            kinds.insert(kind.clone(), program(path.as_ref(), path.span().start)?.0);
        }
        let FaultsTable { lose, double, delay, crash } = read.faults;
        let system = System {
            name: read.name.unwrap_or_else(|| file.to_owned()),
            programs,
            members,
            kinds,
            links,
            faults: Faults { lose, double, delay, crash },
            most: Most::default(),
            limits: load.limits,
            worlds: BTreeMap::new(),
            devices,
            beginnings: Default::default(),
        };
        system.bind().map_err(|error| at(0, error.to_string()))
    }
}

fn unknown(name: &str, actors: &[(String, Spanned<Actor>)]) -> String {
    let names: Vec<&str> = actors.iter().map(|(name, _)| name.as_str()).collect();
    format!("there is no actor {name:?}; the actors are {}", names.join(", "))
}
