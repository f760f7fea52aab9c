//! What a session begins with: a program, a world, and what is called.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use mw_ensemble::{Moment, System};
use mw_session::{Options, Session, SessionError, Start};
use mw_session_file::{Program, SessionFile, SystemFiles, SystemSource, WorldSource};
use mw_source::Sources;
use mw_vm::{ImportValues, Limits, Machine, Module, Value};
use mw_world::{Description, Loader};

use crate::entry::Entry;
use crate::error::{ApiError, ErrorKind};
use crate::program_text::ProgramText;

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
    /// The system, if it is one of several programs: of these, the fields above are the first one's.
    pub(crate) system: Option<SystemSetup>,
}

/// A system of several programs.
#[derive(Clone, Debug)]
pub(crate) struct SystemSetup {
    pub source: SystemSource,
    pub system: Arc<System>,
    /// The programs, by their numbers.
    pub texts: Vec<KnownText>,
}

/// What a program is called, its binary, and the source that it was built from.
type KnownText = (String, Arc<[u8]>, Option<Arc<Sources>>);

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
            system: None,
        })
    }

    /// A system of several programs: what a system file says. `load` gives the files that the debug
    /// information of a module names, by the module's path and their names relative to it.
    pub fn of_system(
        file: &str,
        text: &str,
        files: &SystemFiles<'_>,
        load: &dyn Fn(&str, &str) -> Option<Vec<u8>>,
    ) -> Result<Setup, ApiError> {
        let limits = Limits::default();
        let (mut source, system) = SystemSource::read(file, text, files, &limits)?;
        let mut texts = Vec::new();
        let mut first = None;
        for program in &system.programs {
            let binary = source.modules.get(&program.name).cloned().unwrap_or_default();
            let with = Setup::new(&binary)?.sources(&|name| load(&program.name, name));
            source.sources.insert(program.name.clone(), with.source_files.clone());
            texts.push((program.name.clone(), with.binary.clone(), with.sources.clone()));
            first.get_or_insert(with);
        }
        let unusable = || ApiError::new(ErrorKind::Unusable, "a system has at least one program");
        let mut setup = first.ok_or_else(unusable)?.named(file);
        setup.module = system.programs[0].module.clone();
        setup.world = system.devices()[0].clone();
        setup.system = Some(SystemSetup { source, system: Arc::new(system), texts });
        Ok(setup)
    }

    /// What the session in a file began with.
    pub fn of_session(path: &Path) -> Result<Setup, ApiError> {
        let (_, recovered) = SessionFile::open(path)?;
        Setup::kept(&recovered.program)
    }

    /// The program that a session was kept with, as it was started.
    pub(crate) fn kept(program: &Program) -> Result<Setup, ApiError> {
        if let Some(system) = &program.system {
            let load = |module: &str, name: &str| system.sources.get(module)?.get(name).cloned();
            let setup = system
                .with_files(|files| Setup::of_system(&system.file, &system.text, files, &load))?;
            return Ok(setup.options(program.options).named(&program.path));
        }
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

    /// A session as it begins.
    pub(crate) fn session(&self) -> Result<Session, SessionError> {
        if let Some(SystemSetup { system, .. }) = &self.system {
            return Session::of_system(system.clone(), self.options);
        }
        match &self.start {
            None => {
                Session::new(self.module.clone(), &self.world, self.entry.clone(), self.options)
            }
            Some(start) => Session::begin(&self.module, &self.world, start, self.options),
        }
    }

    /// Whether it is made of actors.
    pub fn has_actors(&self) -> bool {
        self.system.is_some() || self.module.imports().any(|(name, _)| name.module == "actor")
    }

    /// Refuses to have actors on a device, which runs one program and no others.
    pub(crate) fn check_alone(&self) -> Result<(), ApiError> {
        match self.has_actors() {
            false => Ok(()),
            true => Err(ApiError::new(
                ErrorKind::Unusable,
                "a device runs one program alone, and this one is made of actors: debug them here, \
                 with `mw debug` in place of `mw attach ADDRESS`, where each has a board of its own",
            )),
        }
    }

    /// The system as it begins, if it is one.
    pub fn system_moment(&self) -> Option<Result<Moment, ApiError>> {
        let SystemSetup { system, .. } = self.system.as_ref()?;
        let moment = Moment::of_system(system.clone());
        Some(moment.map_err(|problem| ApiError::new(ErrorKind::Unusable, problem)))
    }

    /// The programs as text, by their numbers.
    pub(crate) fn texts(&self) -> Vec<ProgramText> {
        if let Some(SystemSetup { texts, .. }) = &self.system {
            let text = |(name, binary, sources): &KnownText| {
                ProgramText::new(name.clone(), binary.clone(), sources.clone())
            };
            return texts.iter().map(text).collect();
        }
        let (name, binary) = (self.name.clone(), self.binary.clone());
        vec![ProgramText::new(name, binary, self.sources.clone())]
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
