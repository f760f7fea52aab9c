//! The world as it is here.

use std::io::{self, Write};

use mw_api::WorldView;

use crate::board::{self, line};
use crate::console::{FAINT, TITLE, count_of};

/// Everything about the world but the picture on its display.
pub fn show(out: &mut dyn Write, view: &WorldView) -> io::Result<()> {
    writeln!(out, "{TITLE}{}{TITLE:#}", view.world)?;
    for (name, value) in &view.registers {
        line(out, name, value)?;
    }
    for reading in &view.readings {
        line(out, "set", format!("{} reads {}", reading.call, reading.value))?;
    }
    let Some(board) = &view.board else { return Ok(()) };
    board::write(out, board, true)?;
    if !board.transcript.is_empty() {
        line(out, "printed", count_of(board.transcript.lines().count() as u64, "line", "lines"))?;
    }
    Ok(())
}

/// What has been printed.
pub fn transcript(out: &mut dyn Write, view: &WorldView) -> io::Result<()> {
    let text = view.board.as_ref().map(|board| board.transcript.as_str()).unwrap_or_default();
    match text {
        "" => writeln!(out, "nothing has been printed"),
        text if text.ends_with('\n') => write!(out, "{text}"),
        text => writeln!(out, "{text}"),
    }
}

/// How many characters the picture is wide.
const COLUMNS: usize = 64;

/// The picture on the display: a character for some pixels, by how bright they are.
pub fn display(out: &mut dyn Write, view: &WorldView) -> io::Result<()> {
    let Some(board) = view.board.as_ref().filter(|board| board.display.on) else {
        return writeln!(out, "the board's display is off, or it has none");
    };
    let display = &board.display;
    let (width, height) = (usize::from(display.width), usize::from(display.height));
    let across = width.div_ceil(COLUMNS).max(1);
    // A character is about twice as high as it is wide.
    let down = across * 2;
    for top in (0..height).step_by(down) {
        let row = (0..width).step_by(across).map(|left| {
            let pixels = (top..(top + down).min(height))
                .flat_map(|y| (left..(left + across).min(width)).map(move |x| y * width + x));
            let brightest = pixels.filter_map(|at| display.pixels.get(at)).map(|p| brightness(*p));
            match brightest.max().unwrap_or(0) {
                0 => ' ',
                1..24 => '.',
                24..48 => 'o',
                _ => '#',
            }
        });
        let row: String = row.collect();
        writeln!(out, "{FAINT}│{FAINT:#}{row}{FAINT}│{FAINT:#}")?;
    }
    Ok(())
}

/// From 0 to 62 or so: the mean of red, green and blue, of 5, 6 and 5 bits.
fn brightness(pixel: u16) -> u16 {
    let (red, green, blue) = (pixel >> 11, (pixel >> 5) & 0x3f, pixel & 0x1f);
    (2 * red + green + 2 * blue).div_ceil(3)
}
