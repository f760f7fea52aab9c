//! Keeping the session, so that nothing is lost.

use std::path::Path;
use std::time::{Duration, Instant};

use mw_session::Session;
use mw_session_file::{FileError, Program, SessionFile};

use crate::debugger::{Bridge, Debugger};
use crate::error::{ApiError, ErrorKind};
use crate::event::{Event, Listener};
use crate::setup::Setup;

/// Whoever keeps the session.
pub trait Keeper: Send {
    /// Saves what is new. Called after every request that may have changed something; the error
    /// is for the person to read.
    fn keep(&mut self, session: &mut Session) -> Result<(), String>;

    /// Saves what is new if it is time to. Called every few milliseconds in long runs.
    fn keep_in_passing(&mut self, session: &mut Session) -> Result<(), String>;
}

/// How much of a long run may be lost.
const INTERVAL: Duration = Duration::from_millis(200);

/// Keeps a session in a file.
struct InFile {
    file: SessionFile,
    saved: Instant,
}

impl Keeper for InFile {
    fn keep(&mut self, session: &mut Session) -> Result<(), String> {
        let saved = self.file.save(session);
        self.saved = Instant::now();
        saved.map_err(|error| match self.file.unsaved() {
            0 => format!("{error}; what was set since the last save is not in it"),
            1 => format!("{error}; the last choice is not in it"),
            choices => format!("{error}; the last {choices} choices are not in it"),
        })
    }

    fn keep_in_passing(&mut self, session: &mut Session) -> Result<(), String> {
        match self.saved.elapsed() < INTERVAL {
            true => Ok(()),
            false => self.keep(session),
        }
    }
}

impl From<FileError> for ApiError {
    fn from(error: FileError) -> Self {
        ApiError::new(ErrorKind::Unusable, error.to_string())
    }
}

impl Debugger {
    /// A session that is kept in a file: the one that is there, or a new one.
    pub fn in_file(
        setup: Setup,
        path: &Path,
        listener: &mut dyn Listener,
    ) -> Result<Debugger, ApiError> {
        if has_session(path) {
            return Debugger::reopen(Some(setup), path, listener);
        }
        let program = Program {
            path: setup.name.clone(),
            wasm: setup.binary.to_vec(),
            system: setup.system.as_ref().map(|system| system.source.clone()),
            world: setup.source.clone(),
            entry: setup.entry.clone(),
            start: setup.start.clone(),
            options: setup.options,
            sources: setup.source_files.clone(),
        };
        let mut debugger = Debugger::new(setup)?;
        let file = SessionFile::create(path, &program, &mut debugger.session)?;
        debugger.set_keeper(Box::new(InFile { file, saved: Instant::now() }));
        Ok(debugger)
    }

    /// The session that is kept in a file. With a setup, it must be of the same program in the
    /// same world; without, everything comes from the file.
    pub fn reopen(
        setup: Option<Setup>,
        path: &Path,
        listener: &mut dyn Listener,
    ) -> Result<Debugger, ApiError> {
        let (file, recovered) = SessionFile::open(path)?;
        let mut setup = match setup {
            Some(setup) => setup,
            None => Setup::kept(&recovered.program)?,
        };
        let entry = recovered.program.entry.clone();
        let is_other_program = setup.module.fingerprint() != setup_fingerprint(&recovered.program)?;
        if !is_other_program && setup.entry != entry {
            return Err(ApiError::new(
                ErrorKind::Unusable,
                "the session was started with another entry, or with other arguments; give the \
                 same, or start a new session in another file",
            ));
        }
        if !is_other_program {
            // What was recorded holds for these.
            setup.start = recovered.program.start.clone();
            setup.options.limits = recovered.program.options.limits;
        }
        let mut debugger = Debugger::new(setup)?;
        if recovered.has_properties() {
            debugger.prepare_for_properties();
        }
        let mut bridge = Bridge { listener };
        match recovered.restore_into(&mut debugger.session, &mut bridge) {
            Ok(()) => {}
            // Everything else is there.
            Err(error @ FileError::Place(_)) => {
                listener.event(Event::Warning { message: format!("{error}; it is at the start") });
            }
            Err(error @ FileError::Property(_)) => {
                listener.event(Event::Warning { message: error.to_string() });
            }
            Err(error) => return Err(error.into()),
        }
        debugger.note_effects();
        debugger.set_keeper(Box::new(InFile { file, saved: Instant::now() }));
        Ok(debugger)
    }

    /// A session that is kept in a file, if one is named.
    pub(crate) fn opened(
        setup: Setup,
        file: Option<&Path>,
        listener: &mut dyn Listener,
    ) -> Result<Debugger, ApiError> {
        match file {
            Some(file) => Debugger::in_file(setup, file, listener),
            None => Debugger::new(setup),
        }
    }

    /// Saves what could not be saved before. The error is for the person to read.
    pub fn close(&mut self) -> Result<(), String> {
        self.keeper.as_mut().map_or(Ok(()), |keeper| keeper.keep(&mut self.session))
    }

    /// Lets somebody keep the session, from now on.
    pub fn set_keeper(&mut self, keeper: Box<dyn Keeper>) {
        self.keeper = Some(keeper);
    }
}

/// Whether a session is kept there. An empty file is one whose creation was interrupted.
pub(crate) fn has_session(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|found| found.len() > 0)
}

/// The fingerprint of the program in a file.
fn setup_fingerprint(program: &Program) -> Result<u128, ApiError> {
    Ok(Setup::new(&program.wasm)?.module.fingerprint())
}
