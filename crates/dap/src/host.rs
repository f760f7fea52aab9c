//! What the adapter needs of whoever starts it: programs, and the commands of the terminal.

use std::path::PathBuf;

use mw_api::{Client, RunOn};
use serde::Deserialize;

use crate::interrupt::Interrupt;

/// What an editor's launch configuration says.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Launch {
    /// The program; without, the one that the session file has.
    pub program: Option<PathBuf>,
    /// The world: `board`, or a world file.
    pub world: Option<String>,
    /// The exported function to call.
    pub entry: Option<String>,
    /// Its arguments.
    pub args: Vec<String>,
    /// Debug information that was split off the program.
    pub debug_file: Option<PathBuf>,
    /// Folders whose source may be read, beside the program's.
    pub source_dirs: Vec<PathBuf>,
    /// The file that the session is kept in.
    pub session: Option<PathBuf>,
    /// The address of the device that the program runs on; here without.
    pub device: Option<String>,
    /// The file with the key that the device has.
    pub key: Option<PathBuf>,
    /// Where the machine runs of a program on a device.
    pub run_on: Option<RunOn>,
    /// What was printed when the adapter was started, if it listens on a port.
    pub secret: String,
    /// Whether going back over outputs that cannot be undone is all right.
    pub dry: bool,
    /// Files with properties to watch.
    pub properties: Vec<PathBuf>,
    /// Files and functions that steps pass through, beside the languages' own libraries.
    pub skip: Vec<String>,
    /// Whether to stop before the first instruction.
    pub stop_on_entry: bool,
    /// Whether to go on being there when the program has ended, so that one can go back.
    pub stay_at_end: Option<bool>,
}

/// Opens sessions.
pub trait Host {
    /// Opens the session that a launch configuration asks for, or says why it cannot be. What it
    /// does at the console ends when the interrupt is raised.
    fn open(&mut self, launch: &Launch, interrupt: Interrupt) -> Result<Box<dyn Console>, String>;
}

/// A session that takes commands as a terminal does.
pub trait Console {
    /// The line to the debugger.
    fn debugger(&mut self) -> &mut Client;
    /// Carries out a command; returns what it says.
    fn execute(&mut self, line: &str) -> Result<String, String>;
    /// The names of all commands.
    fn commands(&self) -> Vec<String>;
    /// The address of a page that shows the session, if there is one.
    fn page(&self) -> Option<String> {
        None
    }
}
