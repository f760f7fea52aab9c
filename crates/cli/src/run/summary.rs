//! What is said about a run when it is over.

use std::fmt::Display;
use std::io::{self, Write};

use mw_vm::TrapReport;
use mw_world::board::BoardView;

use super::drive::{Ending, Run};
use crate::console::{ERROR, FAINT, NOTE, SUCCESS, count_of};

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
    };
    writeln!(
        out,
        "{style}{said}{style:#} after {}: {}, {}",
        count_of(run.machine.count(), "instruction", "instructions"),
        count_of(run.choices, "choice", "choices"),
        count_of(run.outputs, "output", "outputs"),
    )?;
    if let Ending::Finished(results) = ending {
        for result in results {
            line(out, "result", format!("{result} ({})", result.ty()))?;
        }
    }
    let view = run.world.view();
    for (name, value) in &view.registers {
        line(out, name, value)?;
    }
    match view.board {
        Some(board) => write_board(out, &board),
        None => Ok(()),
    }
}

/// What a report says: what happened, and where, which starts a new line.
fn told(report: &TrapReport) -> (String, String) {
    let mut kind = report.to_string();
    let stack = kind.split_off(kind.find('\n').unwrap_or(kind.len()));
    (kind, stack)
}

fn line(out: &mut impl Write, name: &str, value: impl Display) -> io::Result<()> {
    writeln!(out, "  {FAINT}{name:9}{FAINT:#} {value}")
}

fn write_board(out: &mut impl Write, board: &BoardView) -> io::Result<()> {
    if board.clock_us > 0 {
        line(out, "clock", format!("{:.3} s", board.clock_us as f64 / 1e6))?;
    }
    for (number, pin) in &board.pins {
        let parts = pin.settings();
        if !parts.is_empty() {
            line(out, &format!("pin {number}"), parts.join(", "))?;
        }
    }
    for (number, motor) in &board.motors {
        let angle = motor.angle_millidegrees as f64 / 1000.0;
        line(out, &format!("motor {number}"), format!("at {angle}°, speed {}", motor.speed))?;
    }
    if !board.pixels.is_empty() {
        line(out, "pixels", count_of(board.pixels.len() as u64, "is lit", "are lit"))?;
    }
    if let Some(frequency) = board.tone_hz {
        line(out, "tone", format!("{frequency} Hz"))?;
    }
    if board.display.on {
        let (width, height) = (board.display.width, board.display.height);
        line(out, "display", format!("on, {width}×{height}"))?;
    }
    Ok(())
}
