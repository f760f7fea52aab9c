//! `cargo xtask bench`: measurements, which live apart from the tests.

use anyhow::Result;

use crate::{firmware, process, setup};

/// What `cargo xtask bench` takes.
#[derive(clap::Args)]
pub struct Arguments {
    /// The benchmark to run, such as kernels, forks or firmware [default: all]
    name: Option<String>,
}

/// Run the benchmarks, built for speed.
pub fn run(arguments: &Arguments) -> Result<()> {
    if arguments.name.as_deref().is_none_or(|name| name == "firmware") {
        setup::firmware_target()?;
        println!("{}", firmware::Size::of(&firmware::build()?)?);
        if arguments.name.is_some() {
            return Ok(());
        }
    }
    process::run(
        process::command("cargo")
            .args(["run", "--release", "--package", "mw-bench", "--"])
            .args(&arguments.name),
    )
}
