//! The agent on a Cortex-M, in QEMU, driven by the real host side over its serial port.

use anyhow::Result;

use super::Outcome;
use crate::{firmware, process, setup};

/// Build the firmware, see that it fits, and play sessions on it.
pub fn run() -> Result<Outcome> {
    for requirement in [setup::firmware_target(), setup::qemu()] {
        if let Err(error) = requirement {
            return Ok(Outcome::Skipped(format!("the firmware was not tried: {error:#}")));
        }
    }
    let kernel = firmware::build()?;
    println!("{}", firmware::Size::of(&kernel)?);
    let mut cargo = process::command("cargo");
    // As a part of the workspace, whose crates are built already.
    cargo.args(["test", "--workspace", "--features=mw-cli/firmware", "--test=firmware"]);
    process::run(cargo.env("MW_FIRMWARE", &kernel))?;
    Ok(Outcome::Passed)
}
