//! `cargo xtask bench`: measurements, which live apart from the tests.

use anyhow::Result;

use crate::process;

/// What `cargo xtask bench` takes.
#[derive(clap::Args)]
pub struct Arguments {
    /// The benchmark to run, such as kernels or forks [default: all]
    name: Option<String>,
}

/// Run the benchmarks, built for speed.
pub fn run(arguments: &Arguments) -> Result<()> {
    process::run(
        process::command("cargo")
            .args(["run", "--release", "--package", "mw-bench", "--"])
            .args(&arguments.name),
    )
}
