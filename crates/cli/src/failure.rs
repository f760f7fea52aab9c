//! How a command ends, and how it says why it could not do what it was asked to.

use std::io::{self, Write};
use std::process::ExitCode;

use crate::console::ERROR;

/// How a command ended. The numbers are documented in `mw --help`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// It did what it was asked to; a program that was run finished.
    Done = 0,
    /// The program trapped or aborted, or a command of a script failed.
    ProgramFailed = 1,
    /// What was asked for makes no sense.
    WrongUsage = 2,
    /// A file cannot be read, loaded or bound to the world.
    Unusable = 3,
    /// The budget was used up.
    BudgetUsedUp = 4,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}

/// Why a command stopped. Messages say what happened, where, and what to do about it.
#[derive(Debug)]
pub enum Failure {
    /// What was asked for makes no sense.
    Usage(String),
    /// A file cannot be read, loaded or bound to the world.
    Unusable(String),
    /// What was to be said could not be written.
    Output(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Output(error)
    }
}

impl Failure {
    /// Tells the person, and says how the command ended.
    pub fn report(self) -> Exit {
        let (message, exit) = match self {
            Failure::Usage(message) => (message, Exit::WrongUsage),
            Failure::Unusable(message) => (message, Exit::Unusable),
            // Whoever was reading has seen enough: `mw run … | head` is no failure.
            Failure::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                return Exit::Done;
            }
            Failure::Output(error) => {
                (format!("the output cannot be written: {error}"), Exit::Unusable)
            }
        };
        // If even this cannot be written, nobody is there to be told.
        let _ = writeln!(anstream::stderr(), "{ERROR}error:{ERROR:#} {}", message.trim_end());
        exit
    }
}
