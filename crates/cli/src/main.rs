//! `mw`, the command line of Manyworlds.
//!
//! One file per command; what commands share (reading programs and worlds, values as people write
//! them, failures, colours) lies beside them. A front end translates: it turns words into requests
//! and answers into words, and knows nothing that another front end could not know too.
//!
//! Invariants: standard output carries what was asked for and nothing else; whatever is said about
//! it goes to standard error. Nothing that a person, a file or a closed pipe does causes a panic.

mod agent;
mod attach;
mod board;
mod check;
mod completions;
mod console;
mod coverage;
mod dap;
mod debug;
mod explore;
mod failure;
mod files;
mod inspect;
mod program;
mod replay;
mod run;
mod sources;
mod suggest;
mod system;
mod values;
mod world;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use self::failure::{Exit, Failure};

const AFTER_HELP: &str = "\
Examples:
  mw run examples/blink/blink.wat
  mw run --trace --world examples/light-sensor/world.toml examples/light-sensor/light-sensor.wasm
  mw debug examples/light-sensor/light-sensor.wasm
  mw explore examples/while/while.wasm
  mw check examples/while/while.wasm
  mw replay bug.trace program.wasm
  mw inspect examples/breakout/breakout.wasm

Exit codes:
  0  the program finished, or the command did what it was asked to
  1  the program trapped or aborted, mw check found a mistake, or a command of a debugger's
     script failed
  2  wrong usage: an option, an entry, an argument, or an input without a value
  3  a file cannot be read, loaded or bound to the world
  4  the budget was used up
mw check has 2 for \"nothing found, but not everything explored\", and 3 for wrong usage too.

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
    Check(check::Arguments),
    Replay(replay::Arguments),
    Inspect(inspect::Arguments),
    Dap(dap::Arguments),
    Attach(attach::Arguments),
    Agent(agent::Arguments),
    Completions(completions::Arguments),
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return misunderstood(&error).into(),
    };
    let result = match cli.command {
        Command::Run(arguments) => run::run(&arguments),
        Command::Debug(arguments) => debug::run(&arguments),
        Command::Check(arguments) => check::run(&arguments),
        Command::Explore(arguments) => explore::run(&arguments),
        Command::Replay(arguments) => replay::run(&arguments),
        Command::Inspect(arguments) => inspect::run(&arguments),
        Command::Dap(arguments) => dap::run(&arguments),
        Command::Attach(arguments) => attach::run(&arguments),
        Command::Agent(arguments) => agent::run(&arguments),
        Command::Completions(arguments) => completions::run(&arguments),
    };
    result.unwrap_or_else(Failure::report).into()
}

/// Says what is wrong with the command line, or what there is to know about it.
fn misunderstood(error: &clap::Error) -> Exit {
    // If it cannot be written, nobody is there to be told.
    let _ = error.print();
    let is_check = std::env::args_os().nth(1).is_some_and(|command| command == "check");
    match error.use_stderr() {
        false => Exit::Done,
        true if is_check => Exit::Unusable,
        true => Exit::WrongUsage,
    }
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
