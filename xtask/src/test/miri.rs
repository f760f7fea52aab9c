//! The machine's tests in Miri, which executes them by the rules of the language and reports what
//! no compiler has to honour. Rust has two proposals for the rules of aliasing: both are kept.

use anyhow::Result;

use super::Outcome;
use crate::{process, setup};

const MODELS: [(&str, &str); 2] =
    [("Stacked Borrows", ""), ("Tree Borrows", "-Zmiri-tree-borrows")];

/// Those of the property tests that between them use all that is unsafe: pages of one's own and
/// shared ones, calls and tables, forks on other threads, machines that are saved and restored.
/// Miri takes thousands of times as long as the processor, so there is no time for the others, and
/// none for unit tests of what is safe.
const TESTS: [&str; 4] = [
    "memory::",
    "machines_and_modules_can_go_to_other_threads",
    "machine_can_be_saved_while_it_waits_for_the_outside",
    "pages_that_did_not_exist_are_gone_and_memories_shrink",
];

/// Run the tests under each model.
pub fn run() -> Result<Outcome> {
    if let Err(error) = setup::miri() {
        return Ok(Outcome::Skipped(format!("nothing was run in Miri: {error:#}")));
    }
    for (model, flag) in MODELS {
        println!("{model}");
        let mut miri = process::nightly_cargo();
        miri.args(["miri", "test", "--package=mw-vm", "--test=properties", "--"]);
        process::run(miri.args(TESTS).env("MIRIFLAGS", flag))?;
    }
    Ok(Outcome::Passed)
}
