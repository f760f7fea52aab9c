//! `cargo xtask demo`: the main job, shown.
//!
//! It uses the modules that are checked in, so it needs no compiler but Rust's.

use anyhow::Result;

use crate::process;

/// Build `mw` and run the light sensor on the simulated board.
pub fn run() -> Result<()> {
    process::run(process::command("cargo").args(["build", "--release", "--bin", "mw"]))?;
    show_light_sensor()
}

fn show_light_sensor() -> Result<()> {
    process::run(
        process::command("cargo")
            .args(["run", "--quiet", "--release", "--bin", "mw", "--"])
            .args(["run", "--world", "board", "--trace"])
            .arg("examples/light-sensor/light-sensor.wasm"),
    )
}
