//! Reading a system file, and the programs and worlds that it names, from beside it.

use std::path::Path;

use mw_api::{ApiError, Setup, SystemFiles, WorldSource};

use crate::failure::Failure;
use crate::files;
use crate::program::Program;
use crate::sources::{self, Folders};
use crate::world::BOARD;

/// What is wrong with saying elsewhere what a system file says.
pub const SAYS: &str = "a system file says itself which worlds and functions its actors have: leave out \
--world, --entry, --symbolic-params and arguments";

/// Whether a path names a system file rather than a program.
pub fn is_system(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "toml")
}

/// Refuses what the system file says itself.
pub fn check_unsaid(world: &str, entry: Option<&str>, args: &[String]) -> Result<(), Failure> {
    match world == BOARD && entry.is_none() && args.is_empty() {
        true => Ok(()),
        false => Err(Failure::Usage(SAYS.into())),
    }
}

/// What a session of a system begins with.
pub fn set_up(path: &Path, folders: &Folders) -> Result<Setup, Failure> {
    let name = path.display().to_string();
    let text = files::read_text(path).map_err(|error| {
        Failure::Unusable(format!("the system file {name} cannot be read: {error}"))
    })?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let program = |path: &str| {
        let program = Program::read(&folder.join(path)).map_err(|failure| failure.to_string())?;
        Ok::<_, String>(program.with_folders(folders))
    };
    let files = SystemFiles {
        module: &|path| Ok(program(path)?.binary),
        world: &|path| {
            let beside = folder.join(path);
            let text = files::read_text(&beside).map_err(|error| format!("{path}: {error}"))?;
            let folder = beside.parent().unwrap_or(Path::new(""));
            let load = |name: &str| {
                files::read_text(&folder.join(name)).map_err(|error| error.to_string())
            };
            let read = WorldSource::read(path, &text, &load);
            read.map(|(source, _)| source).map_err(|error| error.to_string())
        },
    };
    let load = |module: &str, name: &str| sources::load(&program(module).ok()?, name);
    Setup::of_system(&name, &text, &files, &load)
        .map_err(|ApiError { message, .. }| Failure::Unusable(message))
}
