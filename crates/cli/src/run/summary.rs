//! What is said about a run when it is over.

use std::io::{self, Write};

use mw_vm::TrapReport;

use super::drive::{Ending, Run};
use crate::board::{self, line};
use crate::console::{ERROR, NOTE, SUCCESS, count_of};

/// Writes how the program ended, what it did and how it left the world.
pub fn write(out: &mut impl Write, run: &Run, ending: &Ending) -> io::Result<()> {
    let (style, said) = match ending {
        Ending::Finished(_) => (SUCCESS, "finished"),
        Ending::BudgetUsedUp => (NOTE, "budget used up"),
        Ending::Trapped(report) => {
            let (kind, stack) = told(report);
            writeln!(out, "{ERROR}{kind}{ERROR:#}{stack}")?;
            (ERROR, "trapped")
        }
        Ending::Aborted { message, report } => {
            let stack = report.as_ref().map(|report| told(report).1).unwrap_or_default();
            writeln!(out, "{ERROR}abort: {message}{ERROR:#}{stack}")?;
            (ERROR, "aborted")
        }
        Ending::Stuck { kind, text } => {
            let what = if *kind == "unhandled" { "nobody handles" } else { "these wait for ever:" };
            writeln!(out, "{ERROR}{what} {text}{ERROR:#}")?;
            (ERROR, *kind)
        }
    };
    writeln!(
        out,
        "{style}{said}{style:#} after {}: {}, {}",
        count_of(run.now.machine.count(), "instruction", "instructions"),
        count_of(run.choices, "choice", "choices"),
        count_of(run.outputs, "output", "outputs"),
    )?;
    if run.turns > 0 {
        line(out, "turns", run.turns)?;
    }
    if let Ending::Finished(results) = ending {
        for result in results {
            line(out, "result", format!("{result} ({})", result.ty()))?;
        }
    }
    let view = run.now.world.view();
    for (name, value) in &view.registers {
        line(out, name, value)?;
    }
    match view.board {
        Some(board) => board::write(out, &board, false),
        None => Ok(()),
    }
}

/// What a report says: what happened, and where, which starts a new line.
fn told(report: &TrapReport) -> (String, String) {
    let mut kind = report.to_string();
    let stack = kind.split_off(kind.find('\n').unwrap_or(kind.len()));
    (kind, stack)
}
