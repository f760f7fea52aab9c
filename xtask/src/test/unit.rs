//! The workspace's own tests.

use anyhow::Result;

use super::Outcome;
use crate::{process, setup};

/// The test binaries that are parts of their own and run there with optimisation.
const APART: &str = "not (binary(/^(spec|differential)$/))";

/// Run all tests, with nextest where it is installed.
pub fn run() -> Result<Outcome> {
    let mut tests = process::command("cargo");
    if setup::is_there("cargo-nextest") {
        tests.args(["nextest", "run", "--workspace", "--no-tests=pass", "-E", APART]);
    } else {
        tests.args(["test", "--workspace", "--all-targets"]);
    }
    process::run(&mut tests)?;
    // Examples in the documentation are tests that only cargo's own runner finds.
    process::run(process::command("cargo").args(["test", "--workspace", "--doc"]))?;
    Ok(Outcome::Passed)
}
