//! What a session is about: the program, its world, and how it is started.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use mw_session::{Options, Session, Start};
use mw_vm::{Module, Value};
use mw_world::{Description, Loader};
use serde::{Deserialize, Serialize};

use crate::error::FileError;
use crate::system::SystemSource;

/// Everything that it takes to start the same session again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The path that the module came from, for people: its bytes are here.
    pub path: String,
    /// The module's binary; the first one's of a system.
    pub wasm: Vec<u8>,
    /// The system, if it is one of several programs.
    pub system: Option<SystemSource>,
    /// The world.
    pub world: WorldSource,
    /// The function that is called, by its index, with its arguments.
    pub entry: Option<(u32, Vec<Value>)>,
    /// Where the session begins, if not at the start of the program.
    pub start: Option<Start>,
    /// What was set about the session.
    pub options: Options,
    /// The files that debug information names, as far as they were there, by these names.
    pub sources: BTreeMap<String, Vec<u8>>,
}

/// What a world is made from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum WorldSource {
    /// The built-in board.
    Board,
    /// A world file.
    File {
        /// Its name, for messages.
        name: String,
        /// Its text.
        text: String,
        /// The recordings that it names, by the names that it gives them.
        recordings: BTreeMap<String, String>,
    },
}

impl WorldSource {
    /// Reads a world file with all that it names; `load` reads the recordings.
    pub fn read(
        name: &str,
        text: &str,
        load: Loader<'_>,
    ) -> Result<(WorldSource, Description), FileError> {
        let recordings = RefCell::new(BTreeMap::new());
        let keep = |file: &str| {
            let recording = load(file)?;
            recordings.borrow_mut().insert(file.to_owned(), recording.clone());
            Ok(recording)
        };
        let description = Description::parse(name, text, &keep)
            .map_err(|error| FileError::Unusable(error.to_string()))?;
        let recordings = recordings.into_inner();
        Ok((WorldSource::File { name: name.into(), text: text.into(), recordings }, description))
    }

    /// The world.
    pub fn description(&self) -> Result<Description, FileError> {
        match self {
            WorldSource::Board => Ok(Description::board(Default::default())),
            WorldSource::File { name, text, recordings } => {
                let load = |file: &str| {
                    let found = recordings.get(file).cloned();
                    found.ok_or_else(|| "the session file does not have it".to_owned())
                };
                Description::parse(name, text, &load)
                    .map_err(|error| FileError::Unusable(error.to_string()))
            }
        }
    }
}

impl Program {
    /// A session at the start of the program, or where it is to begin.
    pub fn session(&self) -> Result<Session, FileError> {
        if let Some(system) = &self.system {
            let system = system.system(&self.options.limits)?;
            let session = Session::of_system(Arc::new(system), self.options);
            return session.map_err(FileError::Start);
        }
        let module = Module::from_binary(&self.wasm, &self.options.limits)
            .map_err(|error| FileError::Unusable(format!("{}: {error}", self.path)))?;
        let world = Arc::new(self.world.description()?);
        let module = Arc::new(module);
        let session = match &self.start {
            None => Session::new(module, &world, self.entry.clone(), self.options),
            Some(start) => Session::begin(&module, &world, start, self.options),
        };
        session.map_err(FileError::Start)
    }
}
