//! A machine that is looked at, with the program that it runs: mostly that of the task that runs, but
//! in a program of several actors that of any of them.
//!
//! **Invariant:** looking moves nothing. What is altered, stepped or broken at is the machine that
//! runs.

use std::sync::Arc;

use mw_ensemble::Ensemble;
use mw_source::Sources;
use mw_vm::{Machine, Module};

use crate::debugger::Debugger;
use crate::error::ApiError;
use crate::listing::Listing;
use crate::program_text::ProgramText;

/// A machine with its program. See the [module](self).
#[derive(Clone, Copy)]
pub(crate) struct Looked<'a> {
    pub machine: &'a Machine,
    /// The program that it runs, as text.
    pub text: &'a ProgramText,
    /// Whose it is, in a program of several actors.
    pub actor: Option<&'a str>,
}

impl<'a> Looked<'a> {
    /// The program that it runs.
    pub fn module(self) -> &'a Module {
        self.machine.module()
    }

    /// The source that its program was built from, if it is known.
    pub fn sources(self) -> Option<&'a Sources> {
        self.text.sources.as_deref()
    }

    /// The sources; for a program without debug information, its own text.
    pub fn code(self) -> Arc<Sources> {
        self.text.code(self.module())
    }

    /// The instructions of its program.
    pub fn listing(self) -> &'a Listing {
        self.text.listing()
    }

    /// Whether no function is being executed.
    pub fn has_left_all_functions(self) -> bool {
        self.machine.call_stack().is_empty()
    }

    /// That something is in no function, because none is under way.
    pub fn left(self) -> ApiError {
        ApiError::not_here(match self.actor {
            Some(name) => format!(
                "no function of {name} is being executed: it has no turn under way, and only what is \
                 outside of functions has values"
            ),
            None => LEFT.to_owned(),
        })
    }

    /// That a name meant something only as long as a function was under way.
    pub fn gone(self, name: &str) -> ApiError {
        ApiError::not_here(match self.actor {
            Some(actor) => format!(
                "there is no {name} here: {actor} has no turn under way, so only what is outside of \
                 its functions has values"
            ),
            None => format!(
                "there is no {name} any more: the program has finished and left its functions, so \
                 only what is outside of them has values; `reverse-step` goes back into the last one"
            ),
        })
    }
}

const LEFT: &str = "no function is being executed: the program has finished; `reverse-step` goes \
                    back into the last one";

impl Debugger {
    /// A machine of one of the programs.
    pub(crate) fn looked<'a>(&'a self, machine: &'a Machine, actor: Option<&'a str>) -> Looked<'a> {
        let mut programs = self.session.programs();
        let number = programs.position(|(module, _)| Arc::ptr_eq(module, machine.module()));
        Looked { machine, text: &self.texts[number.unwrap_or(0)], actor }
    }

    /// The machine that runs.
    pub(crate) fn running(&self) -> Looked<'_> {
        let task = self.ensemble().and_then(|all| all.task(all.current()));
        self.looked(self.session.machine(), task.map(|task| &*task.name))
    }

    /// Whether an actor, if one is named, is the one that runs: no other is reached into.
    pub(crate) fn check_running(&self, actor: Option<&str>) -> Result<(), ApiError> {
        let Some(actor) = actor else { return Ok(()) };
        let (id, name) = self.find_actor(actor)?;
        match self.ensemble().map(Ensemble::current) == Some(id) {
            true => Ok(()),
            false => Err(ApiError::not_here(format!(
                "only the actor that runs can be reached into, and that is not {name}; `schedule \
                 {name}` gives it a turn"
            ))),
        }
    }

    /// The machine of an actor, by its name or address; without one, that of the one that runs.
    pub(crate) fn look_at(&self, actor: Option<&str>) -> Result<Looked<'_>, ApiError> {
        let Some(actor) = actor else { return Ok(self.running()) };
        let (id, _) = self.find_actor(actor)?;
        let task = self.ensemble().and_then(|all| all.task(id));
        // The machine of the one that runs is not parked.
        Ok(match task.and_then(|task| Some((task.machine()?, task))) {
            Some((machine, task)) => self.looked(machine, Some(&task.name)),
            None => self.running(),
        })
    }
}
