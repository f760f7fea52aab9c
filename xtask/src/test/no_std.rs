//! The machine and the agent must build where there is no standard library: a
//! device carries them. So must actors in Rust, with and without.

use anyhow::Result;

use super::Outcome;
use crate::{process, project, setup};

/// Check both for a bare-metal target, where there is no standard library that could be used; or
/// at least for the host, which always works. The part `firmware` builds them all the way.
pub fn run() -> Result<Outcome> {
    if let Err(error) = setup::bare_metal_target() {
        process::run(&mut check())?;
        let reason = format!("checked for the host only, which proves little: {error:#}");
        return Ok(Outcome::Skipped(reason));
    }
    process::run(check().args(["--target", setup::BARE_METAL_TARGET]))?;
    if let Err(error) = setup::wasm_target() {
        return Ok(Outcome::Skipped(format!("actors in Rust not checked: {error:#}")));
    }
    for features in ["panic", "std"] {
        process::run(check_bindings().args(["--features", features]))?;
    }
    Ok(Outcome::Passed)
}

fn check_bindings() -> std::process::Command {
    let mut cargo = process::command("cargo");
    cargo.arg("check").arg("--manifest-path").arg(project::rust_bindings().join("Cargo.toml"));
    cargo.args(["--target", setup::WASM_TARGET]);
    cargo
}

fn check() -> std::process::Command {
    let mut cargo = process::command("cargo");
    cargo.args(["check", "--package=mw-vm", "--package=mw-remote", "--lib"]);
    cargo.arg("--no-default-features");
    cargo
}
