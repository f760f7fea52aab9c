//! The one entry point for everything that is done *to* the project: set-up,
//! tests, benchmarks, examples and the demo.
//!
//! Invariant: a command installs what it needs by itself, or says exactly what
//! to install. Nothing has to be prepared before `cargo xtask <command>`.

mod bench;
mod debugger;
mod demo;
mod dist;
mod examples;
mod firmware;
mod fuzz;
mod process;
mod project;
mod scratch;
mod setup;
mod source_map;
mod test;
mod types;
mod ui;
mod vscode;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(
    name = "xtask",
    bin_name = "cargo xtask",
    about = "Set up, test, measure and show Manyworlds"
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run an example program on the simulated board, then debug it in the browser
    Demo,
    /// Run everything that must pass, or only the named parts
    Test(test::Arguments),
    /// Measure speed and memory: all benchmarks, or one of them
    Bench(bench::Arguments),
    /// Look for inputs that break something, with each fuzz target or one of them
    Fuzz(fuzz::Arguments),
    /// Rebuild the example modules and the benchmark kernels from their sources
    Examples,
    /// Build mw with its page, and install it where cargo installs programs
    Install,
    /// Make an archive of mw with its page that runs without Rust and Node.js
    Dist,
    /// Build the page, to be part of the next mw that is built
    Ui,
    /// Make the page's TypeScript types from the Rust types
    Types,
    /// Package the extension for VS Code
    Vscode,
    /// Install what is missing on this machine
    Setup,
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Demo => demo::run(),
        Command::Test(arguments) => return test::run(&arguments),
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Fuzz(arguments) => fuzz::run(&arguments),
        Command::Examples => examples::rebuild_all(),
        Command::Install => dist::install(),
        Command::Dist => dist::archive(),
        Command::Ui => ui::build(),
        Command::Types => types::update(),
        Command::Vscode => vscode::package(),
        Command::Setup => setup::install_everything(),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Would `cargo xtask` take these words? Placeholders in angle brackets or capitals end the
/// words that are checked.
fn check_command_line(words: &[&str]) -> Result<(), String> {
    let is_placeholder = |word: &&&str| word.starts_with(['<', '[', '.']) || is_upper_case(word);
    let words: Vec<&str> = words.iter().take_while(|word| !is_placeholder(word)).copied().collect();
    if words.is_empty() {
        return Ok(());
    }
    let line = std::iter::once("cargo xtask").chain(words);
    match Cli::try_parse_from(line) {
        Err(error) if error.use_stderr() => {
            Err(error.to_string().lines().next().unwrap_or_default().to_owned())
        }
        _ => Ok(()),
    }
}

fn is_upper_case(word: &str) -> bool {
    word.chars().all(|c| c.is_ascii_uppercase() || c == '.')
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn command_lines_are_checked_up_to_the_first_placeholder() {
        for good in [&["demo"][..], &["test", "fmt", "docs"], &["test", "PART..."], &["<command>"]]
        {
            assert_eq!(check_command_line(good), Ok(()), "{good:?}");
        }
        for bad in [&["no-such-command"][..], &["test", "no-such-part"], &["demo", "--quickly"]] {
            assert!(check_command_line(bad).is_err(), "{bad:?}");
        }
    }
}
