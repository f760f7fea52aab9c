//! Running other programs, with the command shown before and an error that
//! names it after.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::project;

/// A command that runs `program` in the root of the repository.
///
/// `cargo` is the very cargo that runs xtask, so that one toolchain does everything.
pub fn command(program: impl AsRef<OsStr>) -> Command {
    let program = program.as_ref();
    let mut command = match std::env::var_os("CARGO") {
        Some(cargo) if program == "cargo" => Command::new(cargo),
        _ => Command::new(program),
    };
    command.current_dir(project::root());
    command
}

/// The cargo of the nightly toolchain, for what only that can do.
pub fn nightly_cargo() -> Command {
    let mut rustup = command("rustup");
    rustup.args(["run", "nightly", "cargo"]);
    // Or else the cargo that runs xtask would be taken further down.
    rustup.env_remove("CARGO");
    rustup
}

/// Show the command, run it, and fail if it fails.
pub fn run(command: &mut Command) -> Result<()> {
    println!("$ {}", shown(command));
    let status =
        command.status().with_context(|| format!("could not start `{}`", shown(command)))?;
    if !status.success() {
        bail!("`{}` failed ({status})", shown(command));
    }
    Ok(())
}

/// Run a command without showing it and return what it printed; `None` if it could not be
/// started or failed.
pub fn output(command: &mut Command) -> Option<String> {
    let output = command.stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The command as one would type it.
fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let program = program.file_name().unwrap_or(program.as_os_str());
    let words = std::iter::once(program).chain(command.get_args());
    words.map(|word| quoted(&word.to_string_lossy())).collect::<Vec<_>>().join(" ")
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=+./:,@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) { word.to_owned() } else { format!("'{word}'") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_shown_as_it_would_be_typed() {
        let mut command = command("/usr/bin/some-tool");
        command.args(["run", "--only=a", "not (a | b)", ""]);
        assert_eq!(shown(&command), "some-tool run --only=a 'not (a | b)' ''");
    }

    #[test]
    fn a_failing_command_is_named() {
        let error = run(command("cargo").arg("no-such-subcommand")).unwrap_err();
        assert!(error.to_string().starts_with("`cargo no-such-subcommand` failed"), "{error}");
    }
}
