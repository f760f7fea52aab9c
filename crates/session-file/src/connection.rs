//! Getting hold of a file: alone, and only if it is what it should be.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use crate::error::{FileError, Trouble, from_io};
use crate::schema::{APPLICATION_ID, VERSION};

/// The files that this process has open. SQLite's lock keeps other processes away; but on POSIX
/// systems a process that merely closes another handle of a file loses its locks on it, so within
/// the process nobody may even look into a file that is in use.
static IN_USE: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// The right of one session of this process to use a file.
#[derive(Debug)]
pub(crate) struct Claim(PathBuf);

impl Claim {
    /// Claims a file that exists.
    pub fn new(path: &Path) -> Result<Claim, FileError> {
        let file = path.canonicalize().map_err(|error| from_io(path, &error))?;
        let is_free = in_use(|files| files.insert(file.clone()));
        match is_free {
            true => Ok(Claim(file)),
            false => Err(FileError::InUse { path: path.to_owned() }),
        }
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        in_use(|files| files.remove(&self.0));
    }
}

fn in_use<R>(change: impl FnOnce(&mut BTreeSet<PathBuf>) -> R) -> R {
    change(&mut IN_USE.lock().unwrap_or_else(PoisonError::into_inner))
}

/// How long an SQLite file's header is.
const HEADER: u64 = 100;

/// Looks at the header of a file before SQLite does, which might change what it takes for its own.
pub(crate) fn check_header(path: &Path) -> Result<(), FileError> {
    let foreign =
        |reason: &str| FileError::Foreign { path: path.to_owned(), reason: reason.to_owned() };
    let damaged = |what: &str| FileError::Damaged { path: path.to_owned(), what: what.to_owned() };
    let mut header = Vec::new();
    // Before it is opened: opening a pipe waits for somebody who writes to it.
    if path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
        return Err(foreign("it is not a file"));
    }
    let file = File::open(path).map_err(|error| from_io(path, &error))?;
    file.take(HEADER).read_to_end(&mut header).map_err(|error| from_io(path, &error))?;
    if header.is_empty() {
        return Err(FileError::Empty { path: path.to_owned() });
    }
    let magic = b"SQLite format 3\0";
    if !header.starts_with(&magic[..header.len().min(magic.len())]) {
        return Err(foreign("it is no SQLite file"));
    }
    if header.len() < HEADER as usize {
        return Err(damaged("it has been cut off"));
    }
    let number = |at: usize| u32::from_be_bytes([0, 1, 2, 3].map(|i| header[at + i]));
    if number(68) != APPLICATION_ID {
        return Err(foreign("it is an SQLite file of another program"));
    }
    let version = number(60);
    if version > VERSION {
        return Err(FileError::Newer { path: path.to_owned(), version, known: VERSION });
    }
    // SQLite would count the pages itself and write down what it finds.
    if number(28) == 0 {
        return Err(damaged("its header does not say how many pages it has"));
    }
    // A write-ahead log, which session files do not have, would be merged into the file.
    if header[18..20] != [1, 1] {
        return Err(damaged("its header asks for a journal that session files do not have"));
    }
    Ok(())
}

/// Opens a file that exists with SQLite, so that the first transaction locks it for good.
pub(crate) fn connect(path: &Path) -> Result<Connection, FileError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connect = || -> Result<Connection, Trouble> {
        let connection = Connection::open_with_flags(path, flags)?;
        // A process that is being killed may need a moment to let go.
        connection.busy_timeout(Duration::from_millis(250))?;
        for (pragma, value) in [
            ("locking_mode", "EXCLUSIVE"),
            ("synchronous", "FULL"),
            ("cell_size_check", "ON"),
            ("trusted_schema", "OFF"),
        ] {
            connection.pragma_update(None, pragma, value)?;
        }
        Ok(connection)
    };
    let connection = connect().map_err(|trouble| trouble.with(path))?;
    match connection.is_readonly("main") {
        Ok(false) => Ok(connection),
        _ => Err(FileError::ReadOnly { path: path.to_owned() }),
    }
}
