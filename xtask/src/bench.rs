//! `cargo xtask bench`: measurements, which live apart from the tests.

use anyhow::Result;

use crate::{process, ui};

/// The one that needs a browser.
const UI: &str = "ui";

/// What `cargo xtask bench` takes.
#[derive(clap::Args)]
pub struct Arguments {
    /// The benchmark to run, such as kernels, forks or ui [default: all]
    name: Option<String>,
}

/// Run the benchmarks, built for speed.
pub fn run(arguments: &Arguments) -> Result<()> {
    if arguments.name.as_deref() != Some(UI) {
        process::run(
            process::command("cargo")
                .args(["run", "--release", "--package", "mw-bench", "--"])
                .args(&arguments.name),
        )?;
    }
    match arguments.name.as_deref() {
        None | Some(UI) => ui::bench(),
        Some(_) => Ok(()),
    }
}
