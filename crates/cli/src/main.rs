//! `mw`, the command line of Manyworlds.
//!
//! One file per command; what commands share (reading programs and worlds, values as people write
//! them, failures, colours) lies beside them. A front end translates: it turns words into requests
//! and answers into words, and knows nothing that another front end could not know too.
//!
//! Invariants: standard output carries what was asked for and nothing else; whatever is said about
//! it goes to standard error. Nothing that a person, a file or a closed pipe does causes a panic.

mod completions;
mod console;
mod debug;
mod entry;
mod explore;
mod failure;
mod inspect;
mod program;
mod replay;
mod run;
mod sources;
mod suggest;
mod values;
mod world;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use self::failure::Failure;

const AFTER_HELP: &str = "\
Examples:
  mw run examples/blink/blink.wat
  mw run --trace --world examples/light-sensor/world.toml examples/light-sensor/light-sensor.wasm
  mw debug examples/light-sensor/light-sensor.wasm
  mw replay bug.trace program.wasm
  mw inspect examples/breakout/breakout.wasm

Exit codes:
  0  the program finished, or the command did what it was asked to
  1  the program trapped or aborted, or a command of a debugger's script failed
  2  wrong usage: an option, an entry, an argument, or an input without a value
  3  a file cannot be read, loaded or bound to the world
  4  the budget was used up

Colours appear on a terminal; NO_COLOR=1 switches them off, CLICOLOR_FORCE=1 on.";

#[derive(Parser)]
#[command(
    name = "mw",
    version,
    about = "Manyworlds: a multiverse debugger for WebAssembly",
    after_help = AFTER_HELP
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Run(run::Arguments),
    Debug(debug::Arguments),
    Explore(explore::Arguments),
    Replay(replay::Arguments),
    Inspect(inspect::Arguments),
    Completions(completions::Arguments),
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Run(arguments) => run::run(&arguments),
        Command::Debug(arguments) => debug::run(&arguments),
        Command::Explore(arguments) => explore::run(&arguments),
        Command::Replay(arguments) => replay::run(&arguments),
        Command::Inspect(arguments) => inspect::run(&arguments),
        Command::Completions(arguments) => completions::run(&arguments),
    };
    result.unwrap_or_else(Failure::report).into()
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::Cli;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
