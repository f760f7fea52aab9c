//! Standard output and error as every command writes them, colours, and the shapes of numbers.
//!
//! Whether colours appear is decided by `anstream` for each stream: a terminal has them, a pipe
//! does not, `NO_COLOR` and `CLICOLOR_FORCE` override both.
//!
//! **Invariant:** what a module, a device or a file calls something cannot command the terminal,
//! nor make a line read otherwise than it is: see [`Visible`].

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};

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

/// Standard output, for what `mw` says.
pub fn stdout() -> Visible<anstream::Stdout> {
    Visible(anstream::stdout())
}

/// Standard error, for what `mw` says.
pub fn stderr() -> Visible<anstream::Stderr> {
    Visible(anstream::stderr())
}

/// Writes what the program printed: into a file or a pipe as it is, on a terminal like everything
/// else.
pub fn write_printed(bytes: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match out.is_terminal() {
        true => Visible(&mut out).write_all(bytes)?,
        false => out.write_all(bytes)?,
    }
    out.flush()
}

/// A stream of text in which nothing but ends of lines, tabs and the colours above has an effect:
/// other characters that are commands, or that change in which order others are read, are written
/// as `\u{202e}`.
pub struct Visible<W>(W);

impl<W: Write> Write for Visible<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        self.0.write_all(visible(&text).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// The text with characters that one would not see written out.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(has_effect) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let length = match colour(rest) {
            Some(length) => {
                shown.push_str(&rest[..length]);
                length
            }
            None => {
                match has_effect(character) {
                    true => shown.extend(character.escape_unicode()),
                    false => shown.push(character),
                }
                character.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    Cow::Owned(shown)
}

/// Whether a character is none to be looked at: a control character, or one that decides how
/// others are read. Joiners are left alone, as many a word is written with them.
fn has_effect(character: char) -> bool {
    match character {
        '\n' | '\t' => false,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{feff}' => {
            true
        }
        '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fff9}'..='\u{fffb}' => true,
        '\u{e0000}'..='\u{e007f}' => true,
        other => other.is_control(),
    }
}

/// The length of a change of colours that the text begins with, if it is one of those above.
fn colour(text: &str) -> Option<usize> {
    let (number, _) = text.strip_prefix("\x1b[")?.split_once('m')?;
    let is_known = ["0", "1", "2", "31", "32", "33", "36"].contains(&number);
    is_known.then(|| "\x1b[m".len() + number.len())
}

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
    fn nothing_but_colours_has_an_effect() {
        for style in [ERROR, NOTE, SUCCESS, TITLE, FAINT, INPUT, OUTPUT] {
            let text = format!("{style}größer\t{style:#}\n");
            assert_eq!(visible(&text), text);
        }
        for (text, shown) in [
            ("a\x1b[2Jb", "a\\u{1b}[2Jb"),
            ("\x1b[8mhidden", "\\u{1b}[8mhidden"),
            ("\x1b]0;title\x07", "\\u{1b}]0;title\\u{7}"),
            ("txt.\u{202e}exe", "txt.\\u{202e}exe"),
            ("a\rb\u{9b}c\u{7f}", "a\\u{d}b\\u{9b}c\\u{7f}"),
            ("\u{2066}x\u{2069}\u{200b}", "\\u{2066}x\\u{2069}\\u{200b}"),
            ("👩\u{200d}🚀 日本語", "👩\u{200d}🚀 日本語"),
        ] {
            assert_eq!(visible(text), shown);
            let mut written = Visible(Vec::new());
            written.write_all(text.as_bytes()).unwrap();
            assert_eq!(written.0, shown.as_bytes());
        }
    }

    #[test]
    fn digits_are_grouped_from_the_right() {
        for (number, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (1234567, "1,234,567")] {
            assert_eq!(grouped(number), text);
        }
        assert_eq!(count_of(1, "choice", "choices"), "1 choice");
        assert_eq!(count_of(2000, "choice", "choices"), "2,000 choices");
    }
}
