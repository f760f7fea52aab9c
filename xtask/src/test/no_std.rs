//! The machine and the agent must build where there is no standard library: a
//! device carries them.

use anyhow::Result;

use super::Outcome;
use crate::{process, setup};

/// Build the machine alone for the host, which always works, and for a bare-metal target, which
/// alone proves that nothing of the standard library is used.
pub fn run() -> Result<Outcome> {
    process::run(&mut build("mw-vm"))?;
    if let Err(error) = setup::bare_metal_target() {
        return Ok(Outcome::Skipped(format!(
            "built for the host only, which proves little: {error:#}"
        )));
    }
    for package in ["mw-vm", "mw-remote"] {
        process::run(build(package).args(["--target", setup::BARE_METAL_TARGET]))?;
    }
    Ok(Outcome::Passed)
}

fn build(package: &str) -> std::process::Command {
    let mut cargo = process::command("cargo");
    cargo.args(["build", "--package", package, "--lib", "--no-default-features"]);
    cargo
}
