//! Commands from a file or a pipe: each is shown, then what it says.

use std::io::{self, BufRead, Read, Write};

use super::listener::catch_interrupts;
use super::shell::{Flow, Problem, Shell};
use crate::console::{self, ERROR, FAINT};
use crate::failure::{Exit, Failure};

/// Carries out all lines, or those up to the first that fails and is not marked with `-`.
pub fn run(shell: &mut Shell, name: &str, lines: &mut dyn BufRead) -> Result<Exit, Failure> {
    catch_interrupts();
    let mut out = console::stdout();
    shell.greet(&mut out)?;
    for number in 1u64.. {
        let line = next_line(lines).map_err(|error| {
            let why = format!("line {number} of {name} cannot be read as text: {error}");
            Failure::Unusable(why)
        })?;
        let Some(line) = line else { break };
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
                    let mut err = console::stderr();
                    let _ = writeln!(err, "{FAINT}stopped at line {number} of {name}{FAINT:#}");
                    return Ok(Exit::ProgramFailed);
                }
            }
        }
        out.flush()?;
    }
    Ok(Exit::Done)
}

/// No command is longer than this.
const LONGEST: u64 = 1 << 20;

/// The next line; `None` at the end.
fn next_line(lines: &mut dyn BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    lines.take(LONGEST + 1).read_until(b'\n', &mut line)?;
    if line.len() as u64 > LONGEST {
        return Err(io::Error::other(format!("it is longer than {LONGEST} bytes")));
    }
    let line = String::from_utf8(line).map_err(io::Error::other)?;
    Ok((!line.is_empty()).then_some(line))
}
