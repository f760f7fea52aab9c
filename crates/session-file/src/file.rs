//! The file while its session lives.

use std::fs::OpenOptions;
use std::path::{Path, PathBuf};

use mw_multiverse::Addition;
use mw_session::Session;
use rusqlite::{Connection, TransactionBehavior};

use crate::connection::{Claim, check_header, connect};
use crate::error::{FileError, Trouble, damaged, from_io};
use crate::load;
use crate::program::Program;
use crate::recovered::Recovered;
use crate::schema::{self, MIGRATIONS};
use crate::snapshot::Snapshot;
use crate::write::{self, Written};

/// A session file, locked for as long as this lives. See the [crate].
#[derive(Debug)]
pub struct SessionFile {
    // Closed before the claim is given up.
    connection: Connection,
    _claim: Claim,
    path: PathBuf,
    written: Written,
    /// What was saved last.
    saved: Snapshot,
    /// Additions to the tree that could not be written yet.
    pending: Vec<Addition>,
}

impl SessionFile {
    /// Makes a file for a session that has just been started with `program`. Nothing that exists
    /// is overwritten, except for an empty file.
    pub fn create(
        path: &Path,
        program: &Program,
        session: &mut Session,
    ) -> Result<SessionFile, FileError> {
        let is_new = match OpenOptions::new().write(true).create_new(true).open(path) {
            Ok(_) => true,
            // The creation of a session that was interrupted leaves an empty file.
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => false,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                let problem = "its folder does not exist; make it first".into();
                return Err(FileError::Io { path: path.to_owned(), problem });
            }
            Err(error) => return Err(from_io(path, &error)),
        };
        let created = Self::fill(path, program, session);
        if is_new && created.is_err() {
            // Nobody has anything in it.
            let _ = std::fs::remove_file(path);
        }
        created
    }

    fn fill(
        path: &Path,
        program: &Program,
        session: &mut Session,
    ) -> Result<SessionFile, FileError> {
        let claim = Claim::new(path)?;
        match check_header(path) {
            Err(FileError::Empty { .. }) => {}
            Ok(()) => return Err(FileError::Exists { path: path.to_owned() }),
            Err(other) => return Err(other),
        }
        let mut connection = connect(path)?;
        let pending = session.multiverse_mut().take_changes();
        let saved = Snapshot::of(session, None);
        let mut written = Written { starts: program.start.is_some().into(), ..Written::default() };
        let mut create = || -> Result<(), Trouble> {
            let within = connection.transaction_with_behavior(TransactionBehavior::Exclusive)?;
            if schema::version(&within)? != 0 {
                // Another process was quicker.
                return Err(Trouble::Exists);
            }
            schema::migrate(&within, MIGRATIONS)?;
            write::program(&within, program, session)?;
            write::changes(&within, &mut written, &pending)?;
            write::snapshot(&within, &written, None, &saved)?;
            Ok(within.commit()?)
        };
        create().map_err(|trouble| trouble.with(path))?;
        let path = path.to_owned();
        Ok(SessionFile { connection, _claim: claim, path, written, saved, pending: Vec::new() })
    }

    /// Opens a file, reads all of it, and brings it up to the newest version of the format. A file
    /// that is refused is left as it is.
    pub fn open(path: &Path) -> Result<(SessionFile, Recovered), FileError> {
        let claim = Claim::new(path)?;
        check_header(path)?;
        let mut connection = connect(path)?;
        let mut read = || -> Result<load::Contents, Trouble> {
            let within = connection.transaction_with_behavior(TransactionBehavior::Exclusive)?;
            if schema::version(&within)? == 0 {
                return Err(Trouble::Empty);
            }
            check_length(&within, path)?;
            schema::migrate(&within, MIGRATIONS)?;
            schema::check(&within, MIGRATIONS)?;
            let contents = load::contents(&within)?;
            within.commit()?;
            Ok(contents)
        };
        let contents = read().map_err(|trouble| trouble.with(path))?;
        let file = SessionFile {
            connection,
            _claim: claim,
            path: path.to_owned(),
            written: contents.written.clone(),
            saved: contents.snapshot.clone(),
            pending: Vec::new(),
        };
        Ok((file, Recovered::new(path.to_owned(), contents)))
    }

    /// How many additions to the tree could not be written.
    pub fn unsaved(&self) -> usize {
        self.pending.len()
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes what has changed since the last time: all of it, or, with an error, nothing. What
    /// could not be written is written by the next save that succeeds. Cheap if nothing has
    /// changed.
    pub fn save(&mut self, session: &mut Session) -> Result<(), FileError> {
        let now = Snapshot::of(session, Some(&self.saved));
        // What was removed may be in the middle of what is written.
        match now.cuts == self.saved.cuts {
            true => self.pending.extend(session.multiverse_mut().take_changes()),
            false => self.pending = session.multiverse_mut().take_all_changes(),
        }
        if self.pending.is_empty() && now == self.saved {
            return Ok(());
        }
        let mut written = self.written.clone();
        self.write(&mut written, &now).map_err(|trouble| trouble.with(&self.path))?;
        self.written = written;
        self.saved = now;
        self.pending.clear();
        Ok(())
    }

    fn write(&mut self, written: &mut Written, now: &Snapshot) -> Result<(), Trouble> {
        let within = self.connection.transaction_with_behavior(TransactionBehavior::Exclusive)?;
        if now.cuts != self.saved.cuts {
            write::clear_tree(&within, written)?;
        }
        write::changes(&within, written, &self.pending)?;
        write::snapshot(&within, written, Some(&self.saved), now)?;
        Ok(within.commit()?)
    }
}

/// Checks that a file has all of its pages. SQLite would make up the end of the last one.
fn check_length(within: &Connection, path: &Path) -> Result<(), Trouble> {
    let number = |pragma| within.pragma_query_value(None, pragma, |row| row.get::<_, u64>(0));
    let expected = number("page_count")? * number("page_size")?;
    match std::fs::metadata(path).map(|facts| facts.len()) {
        Ok(length) if length == expected => Ok(()),
        Ok(length) => Err(damaged(format!("it has {length} bytes instead of {expected}"))),
        Err(error) => Err(damaged(format!("its length cannot be known: {error}"))),
    }
}

#[cfg(test)]
mod tests;
