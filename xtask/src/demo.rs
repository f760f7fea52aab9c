//! `cargo xtask demo`: the main job, shown.
//!
//! It uses the modules that are checked in, so it needs no compiler but Rust's.

use anyhow::{Context, Result, bail};

use crate::process;

const BEFORE: &str = "
A program reads a light sensor ten times and switches a red LED on (pin 45) when
it is dark, a blue one (pin 56) when it is bright. Here it runs on the simulated
board, on a day of changing clouds. Each line is a moment at which it meets the
outside: how many instructions it has executed, what it calls, and what the
sensor said out of all that it could have said, or what happened on the board.
";

const AFTER: &str = "
Ten readings of 0 to 100: this was one universe of very many. For another one,
change the seed in examples/light-sensor/world.toml, or decide for yourself:

  cargo run --release --bin mw -- run --trace --set 'color_sensor(0)=80' \\
      examples/light-sensor/light-sensor.wasm

To walk through it, back in time and into other universes (`help` says how):

  cargo run --release --bin mw -- debug examples/light-sensor/light-sensor.wasm

There is more to find in examples/README.md.
";

/// What is run, as one would type it after `mw`.
const COMMAND: [&str; 5] = [
    "run",
    "--world",
    "examples/light-sensor/world.toml",
    "--trace",
    "examples/light-sensor/light-sensor.wasm",
];

/// Build `mw` and run the light sensor on the simulated board.
pub fn run() -> Result<()> {
    process::run(process::command("cargo").args(["build", "--release", "--bin", "mw"]))?;
    println!("{BEFORE}\n$ mw {}", COMMAND.join(" "));
    let mut mw = process::command("cargo");
    mw.args(["run", "--quiet", "--release", "--bin", "mw", "--"]).args(COMMAND);
    if std::env::var_os("NO_COLOR").is_none() {
        // In a log too: it is there to be looked at.
        mw.env("CLICOLOR_FORCE", "1");
    }
    let status = mw.status().context("could not start mw")?;
    if !status.success() {
        bail!("the demo failed ({status})");
    }
    println!("{AFTER}");
    Ok(())
}
