//! A board for people: what is on it, line by line.

use std::fmt::Display;
use std::io::{self, Write};

use mw_api::BoardView;

use crate::console::{FAINT, count_of};

/// A line about a part of the world.
pub fn line(out: &mut dyn Write, name: &str, value: impl Display) -> io::Result<()> {
    writeln!(out, "  {FAINT}{name:9}{FAINT:#} {value}")
}

/// Everything about a board but the picture on its display and what was printed. What has not
/// been used is left out unless `all` is wanted.
pub fn write(out: &mut dyn Write, board: &BoardView, all: bool) -> io::Result<()> {
    if all || board.clock_us > 0 {
        line(out, "clock", format!("{:.3} s", board.clock_us as f64 / 1e6))?;
    }
    for (number, pin) in &board.pins {
        let mut parts = pin.settings();
        parts.extend(pin.mode_name().filter(|_| all));
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
    for part in &board.network {
        line(out, "network", part)?;
    }
    if board.display.on {
        let (width, height) = (board.display.width, board.display.height);
        let drawn = board.display.pixels.iter().filter(|pixel| **pixel != 0).count() as u64;
        let drawn = count_of(drawn, "pixel is", "pixels are");
        line(out, "display", format!("on, {width}×{height}, {drawn} not black"))?;
    }
    Ok(())
}
