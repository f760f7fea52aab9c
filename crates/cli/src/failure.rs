//! How a command ends, and how it says why it could not do what it was asked to.

use std::io::{self, Write};
use std::process::ExitCode;

use crate::console::{self, ERROR};

/// How a command ended. The numbers are documented in `mw --help`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// It did what it was asked to; a program that was run finished.
    Done,
    /// The program trapped or aborted, a mistake was found in it, or a command of a script failed.
    ProgramFailed,
    /// Nothing was found, but not everything was explored.
    BoundsReached,
    /// What was asked for makes no sense.
    WrongUsage,
    /// A file cannot be read, loaded or bound to the world.
    Unusable,
    /// The budget was used up.
    BudgetUsedUp,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(match exit {
            Exit::Done => 0,
            Exit::ProgramFailed => 1,
            // Of `mw check`, where wrong usage is 3, so that scripts can tell them apart.
            Exit::BoundsReached => 2,
            Exit::WrongUsage => 2,
            Exit::Unusable => 3,
            Exit::BudgetUsedUp => 4,
        })
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

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failure::Usage(message) | Failure::Unusable(message) => f.write_str(message.trim_end()),
            Failure::Output(error) => write!(f, "the output cannot be written: {error}"),
        }
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
        let _ = writeln!(console::stderr(), "{ERROR}error:{ERROR:#} {}", message.trim_end());
        exit
    }
}
