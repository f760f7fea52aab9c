//! Colours and the shapes of numbers, the same in every command.
//!
//! Whether colours appear is decided by `anstream` for each stream: a terminal has them, a pipe
//! does not, `NO_COLOR` and `CLICOLOR_FORCE` override both.

use anstyle::{AnsiColor, Style};

/// What went wrong.
pub const ERROR: Style = AnsiColor::Red.on_default().bold();
/// What one should know.
pub const NOTE: Style = AnsiColor::Yellow.on_default();
/// What went well.
pub const SUCCESS: Style = AnsiColor::Green.on_default().bold();
/// A title, or the thing that a line is about.
pub const TITLE: Style = Style::new().bold();
/// What is there for completeness.
pub const FAINT: Style = Style::new().dimmed();
/// The value of an input: a choice.
pub const INPUT: Style = AnsiColor::Cyan.on_default().bold();
/// The effect of an output.
pub const OUTPUT: Style = AnsiColor::Green.on_default();

/// A number with its digits in groups of three.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number of things.
pub fn count_of(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(number), if number == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped_from_the_right() {
        for (number, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (1234567, "1,234,567")] {
            assert_eq!(grouped(number), text);
        }
        assert_eq!(count_of(1, "choice", "choices"), "1 choice");
        assert_eq!(count_of(2000, "choice", "choices"), "2,000 choices");
    }
}
