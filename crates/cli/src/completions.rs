//! `mw completions`: a script that lets a shell complete the words of `mw`.

use std::io::Write;

use clap::CommandFactory;
use clap_complete::Shell;

use crate::failure::{Exit, Failure};

const AFTER_HELP: &str = "\
Examples:
  mw completions bash > ~/.local/share/bash-completion/completions/mw
  mw completions zsh > ~/.zfunc/_mw
  mw completions fish > ~/.config/fish/completions/mw.fish";

/// Print a script that lets a shell complete the words of mw
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// The shell that the script is for
    shell: Shell,
}

/// Prints the script.
pub fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    // Into memory first: the generator panics where it cannot write.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut crate::Cli::command(), "mw", &mut script);
    let mut out = std::io::stdout().lock();
    out.write_all(&script)?;
    out.flush()?;
    Ok(Exit::Done)
}
