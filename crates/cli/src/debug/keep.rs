//! `--session FILE`: the session is kept in a file as it goes.

use std::path::Path;
use std::time::{Duration, Instant};

use mw_api::{Debugger, Keeper, Options, Session};
use mw_session_file::{FileError, Program as Kept, SessionFile, Unattended, WorldSource};

use crate::entry::Entry;
use crate::failure::Failure;
use crate::program::Program;

/// How long a run may go on before what it found is saved.
const INTERVAL: Duration = Duration::from_millis(200);

struct FileKeeper {
    file: SessionFile,
    saved: Instant,
}

impl Keeper for FileKeeper {
    fn keep(&mut self, session: &mut Session) -> Result<(), String> {
        self.saved = Instant::now();
        self.file.save(session).map_err(|error| error.to_string())
    }

    fn keep_in_passing(&mut self, session: &mut Session) -> Result<(), String> {
        match self.saved.elapsed() < INTERVAL {
            true => Ok(()),
            false => self.keep(session),
        }
    }
}

/// Goes on with the session that is in a file, or begins the file with this one.
pub fn open(
    debugger: &mut Debugger,
    path: &Path,
    program: &Program,
    world: WorldSource,
    entry: Option<Entry>,
    options: Options,
) -> Result<(), Failure> {
    let unusable = |error: FileError| Failure::Unusable(error.to_string());
    let session = debugger.session_mut();
    let file = match SessionFile::open(path) {
        Ok((file, recovered)) => {
            recovered.restore_into(session, &mut Unattended).map_err(unusable)?;
            file
        }
        Err(FileError::NotFound { .. } | FileError::Empty { .. }) => {
            let kept = Kept {
                path: program.path.display().to_string(),
                wasm: program.binary.clone(),
                world,
                entry: entry.map(|entry| (entry.func, entry.args)),
                options,
            };
            SessionFile::create(path, &kept, session).map_err(unusable)?
        }
        Err(error) => return Err(unusable(error)),
    };
    debugger.set_keeper(Box::new(FileKeeper { file, saved: Instant::now() }));
    Ok(())
}
