//! A system file with all that it names, in the form in which it is kept.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use mw_ensemble::{Loader, System};
use mw_vm::{Limits, Module};
use serde::{Deserialize, Serialize};

use crate::error::FileError;
use crate::program::WorldSource;

/// A system file, and the files that it names by the names that it gives them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SystemSource {
    /// Its name, for messages.
    pub file: String,
    /// Its text.
    pub text: String,
    /// The modules, as binaries.
    pub modules: BTreeMap<String, Vec<u8>>,
    /// The worlds.
    pub worlds: BTreeMap<String, WorldSource>,
    /// For each module, the files that debug information names, as far as they were there.
    pub sources: BTreeMap<String, BTreeMap<String, Vec<u8>>>,
}

/// How what a system file names is read; an error says in words why that failed.
pub struct SystemFiles<'a> {
    /// A module by its path, as a binary.
    pub module: &'a dyn Fn(&str) -> Result<Vec<u8>, String>,
    /// A world file by its path.
    pub world: &'a dyn Fn(&str) -> Result<WorldSource, String>,
}

impl SystemSource {
    /// Reads a system file with all that it names.
    pub fn read(
        file: &str,
        text: &str,
        files: &SystemFiles<'_>,
        limits: &Limits,
    ) -> Result<(SystemSource, System), FileError> {
        let modules = RefCell::new(BTreeMap::new());
        let worlds = RefCell::new(BTreeMap::new());
        let module = |path: &str| {
            let binary = (files.module)(path)?;
            let module = load(path, &binary, limits)?;
            modules.borrow_mut().insert(path.to_owned(), binary);
            Ok(module)
        };
        let world = |path: Option<&str>| {
            let source = match path {
                Some(path) => (files.world)(path)?,
                None => WorldSource::Board,
            };
            let description = source.description().map_err(|error| error.to_string())?;
            if let Some(path) = path {
                worlds.borrow_mut().insert(path.to_owned(), source);
            }
            Ok(Arc::new(description))
        };
        let loader = Loader { module: &module, world: &world, limits: *limits };
        let system = System::parse(file, text, &loader)
            .map_err(|error| FileError::Unusable(error.to_string()))?;
        let (modules, worlds) = (modules.into_inner(), worlds.into_inner());
        let (file, text, sources) = (file.to_owned(), text.to_owned(), BTreeMap::new());
        Ok((SystemSource { file, text, modules, worlds, sources }, system))
    }

    /// Does something with the files that were kept.
    pub fn with_files<R>(&self, then: impl FnOnce(&SystemFiles<'_>) -> R) -> R {
        let missing = || "the session file does not have it".to_owned();
        let module = |path: &str| self.modules.get(path).cloned().ok_or_else(missing);
        let world = |path: &str| self.worlds.get(path).cloned().ok_or_else(missing);
        then(&SystemFiles { module: &module, world: &world })
    }

    /// The system.
    pub fn system(&self, limits: &Limits) -> Result<System, FileError> {
        let read =
            self.with_files(|files| SystemSource::read(&self.file, &self.text, files, limits));
        read.map(|(_, system)| system)
    }
}

fn load(path: &str, binary: &[u8], limits: &Limits) -> Result<Arc<Module>, String> {
    let module = Module::from_binary(binary, limits);
    module.map(Arc::new).map_err(|error| format!("{path} cannot be loaded: {error}"))
}
