//! What a session begins with: a program, a world, and what is called.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use mw_session::{Options, SessionError, Start};
use mw_session_file::{Program, SessionFile, WorldSource};
use mw_source::Sources;
use mw_vm::{ImportValues, Limits, Machine, Module, Value};
use mw_world::{Description, Loader};

use crate::entry::Entry;
use crate::error::{ApiError, ErrorKind};

/// What a session begins with.
#[derive(Clone, Debug)]
pub struct Setup {
    /// What the program is called.
    pub(crate) name: String,
    pub(crate) binary: Arc<[u8]>,
    pub(crate) module: Arc<Module>,
    pub(crate) world: Arc<Description>,
    /// What the world is made from.
    pub(crate) source: WorldSource,
    pub(crate) entry: Option<(u32, Vec<Value>)>,
    /// Where the session begins, if not at the start of the program.
    pub(crate) start: Option<Start>,
    pub(crate) options: Options,
    /// The source that the program was built from, if it is known.
    pub(crate) sources: Option<Arc<Sources>>,
    /// The files that it was read from, by the names that debug information gives them.
    pub(crate) source_files: BTreeMap<String, Vec<u8>>,
}

impl Setup {
    /// A program, given as a WebAssembly binary, on the built-in board.
    pub fn new(binary: &[u8]) -> Result<Setup, ApiError> {
        let module = Module::from_binary(binary, &Limits::default());
        let unusable = |error| ApiError::new(ErrorKind::Unusable, format!("{error}"));
        Ok(Setup {
            name: "program".into(),
            binary: binary.into(),
            module: Arc::new(module.map_err(unusable)?),
            world: Arc::new(Description::board(Default::default())),
            source: WorldSource::Board,
            entry: None,
            start: None,
            options: Options::default(),
            sources: None,
            source_files: BTreeMap::new(),
        })
    }

    /// What the session in a file began with.
    pub fn of_session(path: &Path) -> Result<Setup, ApiError> {
        let (_, recovered) = SessionFile::open(path)?;
        Setup::kept(&recovered.program)
    }

    /// The program that a session was kept with, as it was started.
    pub(crate) fn kept(program: &Program) -> Result<Setup, ApiError> {
        let mut setup = Setup::new(&program.wasm)?.options(program.options).named(&program.path);
        setup.world = Arc::new(program.world.description()?);
        setup.source = program.world.clone();
        setup.entry = program.entry.clone();
        setup.start = program.start.clone();
        Ok(setup.sources(&|name| program.sources.get(name).cloned()))
    }

    /// With this name, for people: the path that it came from.
    pub fn named(mut self, name: &str) -> Setup {
        self.name = name.to_owned();
        self
    }

    /// In the world that a world file describes; `load` reads the recordings that it names.
    pub fn world_file(
        mut self,
        name: &str,
        text: &str,
        load: Loader<'_>,
    ) -> Result<Setup, ApiError> {
        let (source, world) = WorldSource::read(name, text, load)?;
        (self.source, self.world) = (source, Arc::new(world));
        Ok(self)
    }

    /// With the source that it was built from, as far as its debug information and `load`, which
    /// gives files by their names relative to the program, lead there.
    pub fn sources(mut self, load: mw_source::Loader<'_>) -> Setup {
        let files = RefCell::new(BTreeMap::new());
        let keep = |name: &str| {
            let content = load(name)?;
            files.borrow_mut().insert(name.to_owned(), content.clone());
            Some(content)
        };
        let sources = Sources::new(&self.module, &self.binary, &keep);
        self.sources = (!sources.is_empty()).then(|| Arc::new(sources));
        self.source_files = files.into_inner();
        self
    }

    /// With these options.
    pub fn options(mut self, options: Options) -> Setup {
        self.options = options;
        self
    }

    /// Calls an export, with arguments as people write them.
    pub fn entry(self, name: &str, args: &[String]) -> Result<Setup, ApiError> {
        self.calling(Some(name), args)
    }

    /// Calls `_start`, else `main`; nothing but the start function if there is neither.
    pub fn usual_entry(self, args: &[String]) -> Result<Setup, ApiError> {
        self.calling(None, args)
    }

    /// Calls the export of this name, or the usual one: see [`Entry::find`].
    pub fn calling(mut self, name: Option<&str>, args: &[String]) -> Result<Setup, ApiError> {
        let entry = Entry::find(&self.module, name, args)?;
        self.entry = entry.map(|Entry { func, args }| (func, args));
        Ok(self)
    }

    /// A machine at the start of the program.
    pub(crate) fn machine(&self) -> Result<Machine, SessionError> {
        let (module, limits) = (self.module.clone(), self.options.limits);
        let mut machine = Machine::new(module, limits, ImportValues::default())?;
        if let Some((func, args)) = &self.entry {
            machine.call_next(*func, args)?;
        }
        Ok(machine)
    }

    /// The program.
    pub fn module(&self) -> &Arc<Module> {
        &self.module
    }
}
