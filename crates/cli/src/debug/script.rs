//! Commands from a file or a pipe: each is shown, then what it says.

use std::io::{BufRead, Write};

use super::listener::catch_interrupts;
use super::shell::{Flow, Problem, Shell};
use crate::console::{ERROR, FAINT};
use crate::failure::{Exit, Failure};

/// Carries out all lines, or those up to the first that fails and is not marked with `-`.
pub fn run(shell: &mut Shell, name: &str, lines: &mut dyn BufRead) -> Result<Exit, Failure> {
    catch_interrupts();
    let mut out = anstream::stdout();
    shell.greet(&mut out)?;
    for (index, line) in lines.lines().enumerate() {
        let line = line.map_err(|error| {
            Failure::Unusable(format!("{name} cannot be read as text: {error}"))
        })?;
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        if line.starts_with('#') {
            writeln!(out, "{FAINT}{line}{FAINT:#}")?;
            continue;
        }
        writeln!(out, "{FAINT}>{FAINT:#} {line}")?;
        let (may_fail, command) = match line.strip_prefix('-') {
            Some(command) => (true, command),
            None => (false, line),
        };
        match shell.execute(command, &mut out, &mut |_| None) {
            Ok(Flow::On) => {}
            Ok(Flow::Quit) => break,
            Err(Problem::Output(error)) => return Err(Failure::Output(error)),
            Err(Problem::Refused(message)) => {
                writeln!(out, "{ERROR}error:{ERROR:#} {message}")?;
                if !may_fail {
                    out.flush()?;
                    let mut err = anstream::stderr();
                    let _ =
                        writeln!(err, "{FAINT}stopped at line {} of {name}{FAINT:#}", index + 1);
                    return Ok(Exit::ProgramFailed);
                }
            }
        }
        out.flush()?;
    }
    Ok(Exit::Done)
}
