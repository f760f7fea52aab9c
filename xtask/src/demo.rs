//! `cargo xtask demo`: the main job, shown.
//!
//! It uses the modules that are checked in, so it needs no compiler but Rust's, and npm for the
//! page; without the page, the terminal does everything too.

use std::io::IsTerminal;

use anyhow::{Context, Result, bail};

use crate::{process, ui};

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
";

const DEBUGGING: &str = "
Now walk through it: back in time and into other universes, in the browser and
here, on the same session. `help` lists the commands, `quit` leaves.
";

const NOT_DEBUGGING: &str = "
To walk through it, back in time and into other universes, in the browser and in
the terminal:

  cargo run --release --bin mw -- debug examples/light-sensor/light-sensor.wasm
";

const MORE: &str = "There is more to find in examples/README.md.";

const PROGRAM: &str = "examples/light-sensor/light-sensor.wasm";
const WORLD: &str = "examples/light-sensor/world.toml";

/// Build the page and `mw`, run the light sensor on the simulated board, and debug it.
pub fn run() -> Result<()> {
    if let Err(error) = ui::build() {
        println!("CAUTION: there will be no page, only the terminal: {error:#}");
    }
    process::run(process::command("cargo").args(["build", "--release", "--bin", "mw"]))?;
    println!("{BEFORE}");
    mw(&["run", "--world", WORLD, "--trace", PROGRAM])?;
    println!("{AFTER}");
    // Where nobody sits, nobody could leave.
    if std::io::stdin().is_terminal() {
        println!("{DEBUGGING}");
        mw(&["debug", "--world", WORLD, PROGRAM])?;
    } else {
        println!("{NOT_DEBUGGING}");
    }
    println!("{MORE}");
    Ok(())
}

/// Runs `mw`, as one would type it.
fn mw(words: &[&str]) -> Result<()> {
    println!("$ mw {}", words.join(" "));
    let mut mw = process::command("cargo");
    mw.args(["run", "--quiet", "--release", "--bin", "mw", "--"]).args(words);
    if std::env::var_os("NO_COLOR").is_none() {
        // In a log too: it is there to be looked at.
        mw.env("CLICOLOR_FORCE", "1");
    }
    let status = mw.status().context("could not start mw")?;
    if !status.success() {
        bail!("the demo failed ({status})");
    }
    Ok(())
}
