//! Where a session begins: at the start of its program, or in the middle of a run.
//!
//! A device that has been running for long can tell what it is now, or what it was some time ago,
//! but not how it came to that. A session that begins there has no past before it: that place is
//! its [start](Session::start), behind which nothing goes. Its world is the one that was described:
//! what the program did to it before is not known.

use std::sync::Arc;

use mw_multiverse::{NodeId, Outcome};
use mw_vm::{Limits, Machine, Module, RestoreError, Status};
use mw_world::Description;

use crate::error::SessionError;
use crate::session::Session;
use crate::settings::Options;

/// A machine in the middle of a run, as bytes, to begin a session with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    count: u64,
    state: Vec<u8>,
    message: Option<String>,
}

/// Bytes that no session can begin with.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// They are no machine of this program.
    #[error("{0}")]
    Machine(#[from] RestoreError),
    /// The machine was made with other limits.
    #[error("the machine runs within other limits than the session")]
    Limits,
    /// The machine has another count than it should have.
    #[error("the machine has executed an impossible number of instructions: {0}")]
    Count(u64),
}

/// More instructions than this nobody executes: some centuries' worth. Whoever adds to a count need
/// not mind its end.
const MOST: u64 = 1 << 62;

impl Start {
    /// This machine; if the world has ended the program, it did with this message.
    pub fn of(machine: &Machine, message: Option<String>) -> Start {
        Start { count: machine.count(), state: machine.save(), message }
    }

    /// What was kept; it is believed when a machine is made of it.
    pub fn kept(count: u64, state: Vec<u8>, message: Option<String>) -> Start {
        Start { count, state, message }
    }

    /// How many instructions have been executed.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The machine, as [`Machine::save`] writes it.
    pub fn state(&self) -> &[u8] {
        &self.state
    }

    /// The message with which the world has ended the program, if it has.
    pub fn message(&self) -> Option<&str> {
        self.message.as_deref()
    }

    /// The machine.
    pub fn machine(&self, module: &Arc<Module>, limits: &Limits) -> Result<Machine, StartError> {
        let machine = Machine::restore(module.clone(), &self.state)?;
        match machine.count() {
            _ if machine.limits() != limits => Err(StartError::Limits),
            count if count != self.count || count > MOST => Err(StartError::Count(count)),
            _ => Ok(machine),
        }
    }
}

impl Session {
    /// A session that begins in the middle of a run.
    pub fn begin(
        module: &Arc<Module>,
        world: &Arc<Description>,
        start: &Start,
        options: Options,
    ) -> Result<Session, SessionError> {
        let machine = start.machine(module, &options.limits)?;
        let mut session = Session::with(machine, false, world, options)?;
        let outcome = match (session.walk.now.machine.status(), &start.message) {
            (Status::Trapped(_), Some(message)) => Outcome::Aborted(message.clone()),
            (Status::Trapped(kind), None) => Outcome::Trapped(kind),
            (Status::Idle, _) => Outcome::Finished,
            _ => return Ok(session),
        };
        if let Outcome::Aborted(message) = &outcome {
            session.walk.now.aborted = Some(message.clone());
            session.known.rebase(session.walk.now.keep());
        }
        session.multiverse_mut().end(NodeId::ROOT, start.count, outcome);
        Ok(session)
    }

    /// Whether nothing has happened yet.
    pub fn is_fresh(&self) -> bool {
        self.multiverse().is_empty() && self.here() == self.start()
    }
}
