//! The workspace's own tests.

use anyhow::Result;

use super::Outcome;
use crate::{process, setup};

/// All but the test binaries that are parts of their own.
/// nextest refuses the filter if there is no binary of such a name, so it cannot go stale.
const NOT_APART: &str = "not (binary(=spec) | binary(=differential))";

/// Generated cases are the same in each run, so that a failure tells about the change and not about
/// luck. `cargo test` generates new ones each time.
const SEED: &str = "20261115";

/// Run all tests, with nextest where it is installed.
pub fn run() -> Result<Outcome> {
    if let Err(error) = setup::solvers() {
        println!("SKIPPED  second opinions on the solver: {error:#}");
    }
    let mut tests = process::command("cargo");
    tests.env("PROPTEST_RNG_SEED", SEED);
    if setup::is_there("cargo-nextest") {
        tests.args(["nextest", "run", "--workspace", "--no-tests=pass", "-E", NOT_APART]);
    } else {
        tests.args(["test", "--workspace", "--lib", "--bins", "--tests"]);
    }
    process::run(&mut tests)?;
    // Examples in the documentation are tests that only cargo's own runner finds.
    process::run(process::command("cargo").args(["test", "--workspace", "--doc"]))?;
    Ok(Outcome::Passed)
}
