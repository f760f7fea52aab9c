//! The machine must build where there is no standard library: a device will
//! carry it.

use anyhow::Result;

use super::Outcome;
use crate::{process, setup};

/// Build the machine alone for the host, which always works, and for a bare-metal target, which
/// alone proves that nothing of the standard library is used.
pub fn run() -> Result<Outcome> {
    process::run(&mut build())?;
    if let Err(error) = setup::bare_metal_target() {
        return Ok(Outcome::Skipped(format!(
            "built for the host only, which proves little: {error:#}"
        )));
    }
    process::run(build().args(["--target", setup::BARE_METAL_TARGET]))?;
    Ok(Outcome::Passed)
}

fn build() -> std::process::Command {
    let mut cargo = process::command("cargo");
    cargo.args(["build", "--package=mw-vm", "--lib", "--no-default-features"]);
    cargo
}
