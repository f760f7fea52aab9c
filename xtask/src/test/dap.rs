//! A client that nobody here wrote drives the debugger: VS Code's own, against the real binary.

use anyhow::Result;

use super::Outcome;
use crate::{debugger, process, setup, vscode};

/// Compile the extension and let the client of its tests talk to `mw dap`.
pub fn run() -> Result<Outcome> {
    if let Err(error) = setup::vscode() {
        return Ok(Outcome::Skipped(format!("no client to test with: {error:#}")));
    }
    vscode::compile()?;
    let mw = debugger::build()?;
    process::run(vscode::npm().args(["run", "--silent", "test"]).env("MW", mw))?;
    Ok(Outcome::Passed)
}
