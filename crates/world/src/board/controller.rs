//! The controller of an ST7735-style display: what the bytes on SPI mean.
//!
//! A byte is a command or data by the level of the D/C pin. Commands understood: SWRESET, SLPIN,
//! SLPOUT, DISPOFF, DISPON, CASET, RASET, RAMWR, MADCTL (directions and exchange of rows and
//! columns). Every other command is accepted and its data ignored.
//!
//! Not modelled: power and gamma settings, inversion, reading back, the order of red and blue,
//! colour depths other than 16 bits (COLMOD), and the D/C pin's sibling CS: there is one display
//! and it listens. After a reset the directions are those of a display held upright, so that a
//! program that never sends MADCTL is not shown upside down.

use serde::{Deserialize, Serialize};

use super::screen::Rect;

const SWRESET: u8 = 0x01;
const SLPIN: u8 = 0x10;
const SLPOUT: u8 = 0x11;
const DISPOFF: u8 = 0x28;
const DISPON: u8 = 0x29;
const CASET: u8 = 0x2A;
const RASET: u8 = 0x2B;
const RAMWR: u8 = 0x2C;
const MADCTL: u8 = 0x36;

/// Bits of MADCTL: rows upwards, columns leftwards, rows and columns exchanged.
const MY: u8 = 0x80;
const MX: u8 = 0x40;
const MV: u8 = 0x20;

/// The MADCTL values of the four quarter turns, upright first.
const TURNS: [u8; 4] = [MX | MY, MY | MV, 0, MX | MV];

/// The state of the controller, small enough to be captured whole for every byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Controller {
    command: u8,
    /// The data bytes of the command so far: their number and the last four of them.
    received: u8,
    argument: u32,
    /// First and last column and row of the window that RAMWR fills.
    columns: (u16, u16),
    rows: (u16, u16),
    /// Where in the window the next pixel goes, counted row by row.
    next: u32,
    /// The first half of a pixel whose second half has not arrived.
    half: Option<u8>,
    directions: u8,
    pub(super) awake: bool,
    pub(super) on: bool,
}

/// A rectangle to paint, in the coordinates of the present directions.
pub(super) type Stroke = ((i64, i64, i64, i64), u16);

impl Controller {
    /// A controller after power-up, for a display of this size.
    pub(super) fn new((width, height): (u16, u16)) -> Controller {
        Controller {
            command: 0,
            received: 0,
            argument: 0,
            columns: (0, width.saturating_sub(1)),
            rows: (0, height.saturating_sub(1)),
            next: 0,
            half: None,
            directions: TURNS[0],
            awake: false,
            on: false,
        }
    }

    /// A controller that shows what is painted, for a display of this size.
    pub(super) fn ready(size: (u16, u16)) -> Controller {
        Controller { awake: true, on: true, ..Controller::new(size) }
    }

    /// The same controller with the display turned by so many quarters from upright.
    pub(super) fn turned(self, quarters: i32) -> Controller {
        Controller { directions: TURNS[quarters.rem_euclid(4) as usize], ..self }
    }

    /// The size that the program sees: rows and columns may be exchanged.
    pub(super) fn seen(&self, (width, height): (u16, u16)) -> (u16, u16) {
        if self.directions & MV == 0 { (width, height) } else { (height, width) }
    }

    /// The place on the glass of a pixel that the program addresses.
    pub(super) fn place(&self, x: u16, y: u16, (width, height): (u16, u16)) -> (u16, u16) {
        let (x, y) = if self.directions & MV == 0 { (x, y) } else { (y, x) };
        let flip = |v: u16, size: u16, straight: bool| {
            if straight { v } else { size.saturating_sub(1).saturating_sub(v) }
        };
        (flip(x, width, self.directions & MX != 0), flip(y, height, self.directions & MY != 0))
    }

    /// The rectangle on the glass of one that the program addresses, as far as it is visible.
    pub(super) fn visible(&self, area: (i64, i64, i64, i64), size: (u16, u16)) -> Option<Rect> {
        let rect = Rect::clipped(area, self.seen(size))?;
        let (x0, y0) = self.place(rect.x, rect.y, size);
        let (x1, y1) = self.place(rect.x + rect.width - 1, rect.y + rect.height - 1, size);
        Some(Rect {
            x: x0.min(x1),
            y: y0.min(y1),
            width: x0.abs_diff(x1) + 1,
            height: y0.abs_diff(y1) + 1,
        })
    }

    /// Takes one byte; `data` is the level of the D/C pin. Adds what it paints to `strokes`.
    pub(super) fn byte(
        &mut self,
        data: bool,
        byte: u8,
        size: (u16, u16),
        strokes: &mut Vec<Stroke>,
    ) {
        match data {
            false => self.start(byte, size),
            true => self.data(byte, strokes),
        }
    }

    /// Takes `times` pixels of one colour, most significant byte first.
    pub(super) fn words(
        &mut self,
        data: bool,
        times: u32,
        color: u16,
        size: (u16, u16),
        strokes: &mut Vec<Stroke>,
    ) {
        let [first, second] = color.to_be_bytes();
        if !(data && self.command == RAMWR) {
            // Commands without data, or data of a command that takes four bytes at most: more of
            // the same changes nothing.
            for _ in 0..times.min(4) {
                self.byte(data, first, size, strokes);
                self.byte(data, second, size, strokes);
            }
        } else if self.half.is_none() {
            self.pixels(times, color, strokes);
        } else if times > 0 {
            self.data(first, strokes);
            self.pixels(times - 1, u16::from_be_bytes([second, first]), strokes);
            self.data(second, strokes);
        }
    }

    fn start(&mut self, command: u8, size: (u16, u16)) {
        match command {
            SWRESET => *self = Controller::new(size),
            SLPIN => self.awake = false,
            SLPOUT => self.awake = true,
            DISPOFF => self.on = false,
            DISPON => self.on = true,
            RAMWR => self.next = 0,
            _ => {}
        }
        (self.command, self.received, self.argument, self.half) = (command, 0, 0, None);
    }

    fn data(&mut self, byte: u8, strokes: &mut Vec<Stroke>) {
        self.argument = self.argument << 8 | u32::from(byte);
        self.received = self.received.saturating_add(1);
        let ends = ((self.argument >> 16) as u16, self.argument as u16);
        match (self.command, self.received) {
            (CASET, 4) => self.columns = ends,
            (RASET, 4) => self.rows = ends,
            (MADCTL, 1) => self.directions = byte & (MX | MY | MV),
            (RAMWR, _) => match self.half.take() {
                None => self.half = Some(byte),
                Some(first) => self.pixels(1, u16::from_be_bytes([first, byte]), strokes),
            },
            _ => {}
        }
    }

    /// Fills the window onwards from the next pixel, over its end to its beginning.
    fn pixels(&mut self, times: u32, color: u16, strokes: &mut Vec<Stroke>) {
        let side = |(low, high): (u16, u16)| u32::from(high.saturating_sub(low)) + 1;
        let (width, height) = (side(self.columns), side(self.rows));
        let area = u64::from(width) * u64::from(height);
        let from = u64::from(self.next) % area;
        let end = from + u64::from(times);
        if u64::from(times) >= area {
            self.stretch(0, area, width, color, strokes);
        } else {
            self.stretch(from, end.min(area), width, color, strokes);
            self.stretch(0, end.saturating_sub(area), width, color, strokes);
        }
        self.next = (end % area) as u32;
    }

    /// The pixels `from..to` of the window as at most three rectangles: the rest of a row, whole
    /// rows, the start of a row.
    fn stretch(&self, from: u64, to: u64, width: u32, color: u16, strokes: &mut Vec<Stroke>) {
        let width = u64::from(width);
        let mut at = from;
        while at < to {
            let (x, y) = (at % width, at / width);
            let rows = (to - at) / width;
            let (w, h) = match x == 0 && rows > 0 {
                true => (width, rows),
                false => ((width - x).min(to - at), 1),
            };
            let corner = (x as i64 + i64::from(self.columns.0), y as i64 + i64::from(self.rows.0));
            strokes.push(((corner.0, corner.1, w as i64, h as i64), color));
            at += w * h;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: (u16, u16) = (4, 6);

    /// Sends a script: `cXX` is a command, `dXX` data, `wTIMES*COLOR` a run; returns the glass
    /// after painting, row by row.
    fn glass(script: &str) -> Vec<String> {
        let mut controller = Controller::new(SIZE);
        let mut glass = vec![vec![0u16; usize::from(SIZE.0)]; usize::from(SIZE.1)];
        let byte = |text: &str| u8::from_str_radix(text, 16).unwrap();
        for word in script.split_whitespace() {
            let mut strokes = Vec::new();
            let (kind, rest) = word.split_at(1);
            match (kind, rest.split_once('*')) {
                ("c", _) => controller.byte(false, byte(rest), SIZE, &mut strokes),
                ("d", _) => controller.byte(true, byte(rest), SIZE, &mut strokes),
                ("w", Some((times, color))) => {
                    let color = u16::from_str_radix(color, 16).unwrap();
                    controller.words(true, times.parse().unwrap(), color, SIZE, &mut strokes);
                }
                _ => panic!("no such word: {word}"),
            }
            for (area, color) in strokes {
                let Some(rect) = controller.visible(area, SIZE) else { continue };
                for y in rect.y..rect.y + rect.height {
                    for x in rect.x..rect.x + rect.width {
                        glass[usize::from(y)][usize::from(x)] = color;
                    }
                }
            }
        }
        glass.iter().map(|row| row.iter().map(|c| format!("{c:x}")).collect()).collect()
    }

    /// Columns 1 to 2, rows 1 to 3.
    const WINDOW: &str = "c2A d00 d01 d00 d02 c2B d00 d01 d00 d03 c2C";

    #[test]
    fn pixels_fill_the_window() {
        for (sent, rows_1_to_3) in [
            ("d00 d05", ["0500", "0000", "0000"]),
            ("d00", ["0000", "0000", "0000"]),
            ("w1*5 w2*6", ["0560", "0600", "0000"]),
            ("w6*7", ["0770", "0770", "0770"]),
            ("w5*7 w2*8", ["0870", "0770", "0780"]),
            ("w1*1 w4*2", ["0120", "0220", "0200"]),
            // 4,000,000,000 is 4 more than a multiple of 6.
            ("w4000000000*9 w1*1", ["0990", "0990", "0190"]),
            // Out of step by one byte: 00 00, 0a 00, 0a 0b.
            ("d00 w2*A d0B", ["00a000", "0a0b00", "0000"]),
        ] {
            let glass = glass(&format!("{WINDOW} {sent}"));
            assert_eq!(glass[1..4], rows_1_to_3, "{sent}");
            assert_eq!([&glass[0], &glass[4], &glass[5]], ["0000"; 3], "{sent}");
        }
    }

    #[test]
    fn directions_turn_the_picture() {
        for (directions, expected) in [
            ("C0", ["1200", "0000", "0000", "0000", "0000", "0000"]),
            ("A0", ["0001", "0002", "0000", "0000", "0000", "0000"]),
            ("00", ["0000", "0000", "0000", "0000", "0000", "0021"]),
            ("60", ["0000", "0000", "0000", "0000", "2000", "1000"]),
        ] {
            let script = format!("c36 d{directions} c2A d00 d00 d00 d03 c2C w1*1 w1*2");
            assert_eq!(glass(&script), expected, "MADCTL {directions}");
        }
    }

    #[test]
    fn nothing_sent_is_refused() {
        for script in [
            "c2A dFF dFF d00 d00 c2C w9*1",
            "c2A d00 d00 dFF dFF c2B d00 d00 dFF dFF c2C w4294967295*1 d01",
            "dFF cFF dFF w4294967295*FFFF",
            "c01 c11 c29 c28 c10 cB1 d01 d2C",
        ] {
            glass(script);
        }
        let far = glass("c2A d00 d09 d00 d09 c2C w1*1");
        assert!(far.iter().all(|row| row == "0000"), "outside the glass");
    }
}
