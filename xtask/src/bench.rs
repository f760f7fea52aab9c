//! `cargo xtask bench`: measurements, which live apart from the tests.

use anyhow::Result;

use crate::{firmware, process, setup, ui};

/// The one that needs a browser.
const UI: &str = "ui";
/// The one that needs another target.
const FIRMWARE: &str = "firmware";

/// What `cargo xtask bench` takes.
#[derive(clap::Args)]
pub struct Arguments {
    /// The benchmark to run, such as kernels, remote, firmware or ui [default: all]
    name: Option<String>,
}

/// Run the benchmarks, built for speed.
pub fn run(arguments: &Arguments) -> Result<()> {
    let name = arguments.name.as_deref();
    if !matches!(name, Some(UI | FIRMWARE)) {
        process::run(
            process::command("cargo")
                .args(["run", "--release", "--package", "mw-bench", "--"])
                .args(&arguments.name),
        )?;
    }
    if matches!(name, None | Some(FIRMWARE)) {
        setup::firmware_target()?;
        println!("{}", firmware::Size::of(&firmware::build()?)?);
        setup::qemu()?;
        firmware::measure()?;
    }
    match name {
        None | Some(UI) => ui::bench(),
        Some(_) => Ok(()),
    }
}
