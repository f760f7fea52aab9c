//! What differs between two states of a world, in a few words each.

use std::collections::BTreeSet;

use mw_world::View;
use mw_world::board::{BoardView, MotorView, PinView};

/// The differences: `pin 45: high → low`.
pub(crate) fn world_changes(before: &View, after: &View) -> Vec<String> {
    let mut changes = Changes(Vec::new());
    let names: BTreeSet<&String> = before.registers.keys().chain(after.registers.keys()).collect();
    for name in names {
        let text = |view: &View| view.registers.get(name).map(ToString::to_string);
        changes.compare(name, text(before), text(after));
    }
    if let (Some(before), Some(after)) = (&before.board, &after.board) {
        changes.board(before, after);
    }
    changes.0
}

struct Changes(Vec<String>);

impl Changes {
    /// Notes a difference; `None` stands for nothing in particular.
    fn compare(&mut self, what: &str, before: Option<String>, after: Option<String>) {
        if before != after {
            let text = |text: Option<String>| text.unwrap_or_else(|| "nothing".into());
            self.0.push(format!("{what}: {} → {}", text(before), text(after)));
        }
    }

    fn board(&mut self, before: &BoardView, after: &BoardView) {
        let pins: BTreeSet<u8> = before.pins.keys().chain(after.pins.keys()).copied().collect();
        for pin in pins {
            let text = |view: &BoardView| view.pins.get(&pin).and_then(pin_text);
            self.compare(&format!("pin {pin}"), text(before), text(after));
        }
        let motors = before.motors.keys().chain(after.motors.keys()).copied();
        for motor in motors.collect::<BTreeSet<u8>>() {
            let text = |view: &BoardView| view.motors.get(&motor).map(motor_text);
            self.compare(&format!("motor {motor}"), text(before), text(after));
        }
        let tone = |view: &BoardView| view.tone_hz.map(|hz| format!("{hz} Hz"));
        self.compare("tone", tone(before), tone(after));
        let pixels = |view: &BoardView| Some(format!("{} lit", view.pixels.len()));
        if before.pixels != after.pixels {
            match before.pixels.len() == after.pixels.len() {
                true => self.0.push("pixels: other colours".into()),
                false => self.compare("pixels", pixels(before), pixels(after)),
            }
        }
        self.display(before, after);
        self.transcript(&before.transcript, &after.transcript);
        let clock = |view: &BoardView| Some(format!("{:.3} s", view.clock_us as f64 / 1e6));
        self.compare("clock", clock(before), clock(after));
    }

    fn display(&mut self, before: &BoardView, after: &BoardView) {
        let (before, after) = (&before.display, &after.display);
        let on = |on: bool| Some(if on { "on" } else { "off" }.to_owned());
        self.compare("display", on(before.on), on(after.on));
        let pairs = before.pixels.iter().zip(&after.pixels);
        let differing = pairs.filter(|(a, b)| a != b).count();
        if differing > 0 || before.pixels.len() != after.pixels.len() {
            self.0.push(format!("display: {differing} of {} pixels differ", after.pixels.len()));
        }
    }

    /// What was printed more, or not any more.
    fn transcript(&mut self, before: &str, after: &str) {
        if before == after {
            return;
        }
        self.0.push(match (after.strip_prefix(before), before.strip_prefix(after)) {
            (Some(more), _) => format!("printed: {}", shortened(more)),
            (_, Some(less)) => format!("not printed any more: {}", shortened(less)),
            _ => "printed something else".into(),
        });
    }
}

/// So many characters of what was printed are told.
const MOST_PRINTED: usize = 200;

/// The last of a text, and how many lines there are before it.
fn shortened(text: &str) -> String {
    let before = text.char_indices().rev().nth(MOST_PRINTED).map_or(0, |(at, _)| at);
    match text[before..].find('\n').filter(|_| before > 0) {
        // From the beginning of a line on.
        Some(end) => {
            let (before, last) = text.split_at(before + end + 1);
            format!("{} lines, then {last:?}", before.lines().count())
        }
        None if before > 0 => format!("{:?} and {before} bytes before it", &text[before..]),
        None => format!("{text:?}"),
    }
}

fn pin_text(pin: &PinView) -> Option<String> {
    let parts = pin.settings();
    match parts.is_empty() {
        true => pin.mode_name(),
        false => Some(parts.join(", ")),
    }
}

fn motor_text(motor: &MotorView) -> String {
    let angle = motor.angle_millidegrees as f64 / 1000.0;
    match motor.speed {
        0 => format!("at {angle}°"),
        speed => format!("at {angle}°, speed {speed}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_long_text_the_last_lines_are_told() {
        assert_eq!(shortened("7\n14\n"), r#""7\n14\n""#);
        let line = |number: usize| format!("line {number:04}\n");
        let text: String = (0..1000).map(line).collect();
        let last: String = (980..1000).map(line).collect();
        assert_eq!(shortened(&text), format!("980 lines, then {last:?}"));
        let long = "é".repeat(1000);
        assert_eq!(shortened(&long), format!("{:?} and 1598 bytes before it", "é".repeat(201)));
    }
}
