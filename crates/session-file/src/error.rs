//! What can be wrong with a session file, and what to do about it.

use std::path::{Path, PathBuf};

use mw_session::SessionError;
use rusqlite::ErrorCode;

/// A session file that cannot be created, opened or written. Whatever it is, a session goes on in
/// memory, and the file stays as it was.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// There is no such file.
    #[error("there is no session file {}; create one, or check the path", path.display())]
    NotFound {
        /// The file.
        path: PathBuf,
    },
    /// There is nothing in the file: its creation was interrupted.
    #[error("{} is empty: its creation was interrupted; create it anew", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// A new session would overwrite something.
    #[error("{} exists already; open it, or choose another name", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// The file is something else.
    #[error("{} is not a session file: {reason}; it is left as it is", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What it is instead.
        reason: String,
    },
    /// The file was written by a newer Manyworlds.
    #[error(
        "{} has version {version} of the format, and this Manyworlds knows versions up to {known}; \
         open it with a newer Manyworlds", path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: u32,
        /// The newest version that is known here.
        known: u32,
    },
    /// Another session has the file open.
    #[error("{} is in use by another session; close that one first", path.display())]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// What is in the file does not fit together.
    #[error(
        "{} is damaged: {what}; it is left as it is, restore a copy or start a new session",
        path.display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        what: String,
    },
    /// The file may not be written.
    #[error("{} cannot be written; give yourself the right to, or copy it", path.display())]
    ReadOnly {
        /// The file.
        path: PathBuf,
    },
    /// There is no room left.
    #[error(
        "there is no room to write {}; the session goes on in memory, and is saved as soon as \
         there is room", path.display()
    )]
    Full {
        /// The file.
        path: PathBuf,
    },
    /// The file cannot be reached.
    #[error("{}: {problem}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What happened.
        problem: String,
    },
    /// The session to restore into runs another program.
    #[error("the session was recorded with another program; use the module that is in its file")]
    OtherProgram,
    /// The session to restore into has another world.
    #[error(
        "the session was recorded in another world, or by a Manyworlds whose built-in world was \
         another one; use the world that is in its file"
    )]
    OtherWorld,
    /// The session to restore into has a history of its own.
    #[error("a session can only be restored into one that has not begun")]
    NotFresh,
    /// The program or world cannot be used.
    #[error("{0}")]
    Unusable(String),
    /// The session cannot be started.
    #[error("{0}")]
    Start(SessionError),
    /// A property or a scenario cannot be loaded. Everything else has been restored.
    #[error("a property or scenario that the session had cannot be loaded: {0}")]
    Property(SessionError),
    /// The saved place cannot be reached. Everything else has been restored.
    #[error("the place where the session stood cannot be reached: {0}")]
    Place(SessionError),
}

/// What goes wrong while reading or writing, before it is said of which file.
#[derive(Debug)]
pub(crate) enum Trouble {
    Damaged(String),
    Newer(u32, u32),
    Empty,
    Exists,
    Sqlite(rusqlite::Error),
}

impl From<rusqlite::Error> for Trouble {
    fn from(error: rusqlite::Error) -> Self {
        Trouble::Sqlite(error)
    }
}

/// What does not fit together, for people.
pub(crate) fn damaged(what: impl Into<String>) -> Trouble {
    Trouble::Damaged(what.into())
}

impl Trouble {
    pub fn with(self, path: &Path) -> FileError {
        let path = path.to_owned();
        match self {
            Trouble::Damaged(what) => FileError::Damaged { path, what },
            Trouble::Newer(version, known) => FileError::Newer { path, version, known },
            Trouble::Empty => FileError::Empty { path },
            Trouble::Exists => FileError::Exists { path },
            Trouble::Sqlite(error) => from_sqlite(path, &error),
        }
    }
}

fn from_sqlite(path: PathBuf, error: &rusqlite::Error) -> FileError {
    let problem = error.to_string();
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => FileError::InUse { path },
        Some(ErrorCode::DiskFull) => FileError::Full { path },
        Some(ErrorCode::ReadOnly) => FileError::ReadOnly { path },
        Some(ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
            let problem = format!("{problem}; its folder must exist and be writable");
            FileError::Io { path, problem }
        }
        Some(ErrorCode::SystemIoFailure | ErrorCode::OutOfMemory) => {
            FileError::Io { path, problem }
        }
        // Values of another type, missing rows, pages that make no sense.
        _ => FileError::Damaged { path, what: problem },
    }
}

/// An error of the file system.
pub(crate) fn from_io(path: &Path, error: &std::io::Error) -> FileError {
    let path = path.to_owned();
    match error.kind() {
        std::io::ErrorKind::NotFound => FileError::NotFound { path },
        std::io::ErrorKind::AlreadyExists => FileError::Exists { path },
        std::io::ErrorKind::PermissionDenied | std::io::ErrorKind::ReadOnlyFilesystem => {
            FileError::ReadOnly { path }
        }
        std::io::ErrorKind::StorageFull => FileError::Full { path },
        _ => FileError::Io { path, problem: error.to_string() },
    }
}
