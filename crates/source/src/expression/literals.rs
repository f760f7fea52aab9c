//! The words of an expression: names, numbers and texts.

use super::parse::{Parsed, Parser, Tree};

impl<'a> Parser<'a> {
    /// A word of letters, digits and underscores.
    pub(super) fn word(&mut self) -> Option<&'a str> {
        let rest = self.rest();
        let is_part = |next: char| next.is_alphanumeric() || next == '_' || next == '$';
        let end = rest.find(|next| !is_part(next)).unwrap_or(rest.len());
        self.at += end;
        (end > 0).then(|| &rest[..end])
    }

    /// A name, with the path to it.
    pub(super) fn path(&mut self) -> Option<String> {
        let mut path = self.word()?.to_owned();
        while self.rest().starts_with("::") {
            self.at += 2;
            path.push_str("::");
            path.push_str(self.word()?);
        }
        Some(path)
    }

    pub(super) fn quoted(&mut self, quote: char) -> Parsed<String> {
        let mut text = String::new();
        let mut characters = self.rest().char_indices().skip(1);
        while let Some((at, character)) = characters.next() {
            match character {
                '\\' => text.push(match characters.next() {
                    Some((_, 'n')) => '\n',
                    Some((_, 't')) => '\t',
                    Some((_, 'r')) => '\r',
                    Some((_, '0')) => '\0',
                    Some((_, other)) => other,
                    None => break,
                }),
                _ if character == quote => {
                    self.at += at + quote.len_utf8();
                    return Ok(text);
                }
                other => text.push(other),
            }
        }
        Err(self.error("the text has no end"))
    }

    pub(super) fn number(&mut self) -> Parsed<Tree> {
        let (start, rest) = (self.at, self.rest());
        let digits =
            |text: &str| text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let whole = digits(rest);
        let mut end = whole;
        if let Some(after) = rest[end..].strip_prefix('.')
            && !after.starts_with(|next: char| next.is_alphabetic() || next == '.')
        {
            end += 1 + digits(after);
        }
        if let Some(after) = rest[end..].strip_prefix(['e', 'E']) {
            let unsigned = after.strip_prefix(['+', '-']).unwrap_or(after);
            let exponent = digits(unsigned);
            end += if exponent > 0 { 1 + after.len() - unsigned.len() + exponent } else { 0 };
        }
        if end > whole {
            let number = rest[..end].parse().map_err(|_| self.error("this is no number"))?;
            let after = &rest[end..];
            let suffix = ["f32", "f64", "f", "F"].into_iter().find(|s| after.starts_with(s));
            self.at += end + suffix.map_or(0, str::len);
            return Ok(Tree::Float(number));
        }
        let word = self.word().unwrap_or_default().replace('_', "");
        let (digits, base) = match word.get(..2) {
            Some("0x" | "0X") => (&word[2..], 16),
            Some("0b" | "0B") => (&word[2..], 2),
            Some("0o") => (&word[2..], 8),
            _ => (&*word, 10),
        };
        // Suffixes only say what the type is.
        let digits = match base {
            16 => digits.trim_end_matches(['u', 'U', 'l', 'L']),
            _ => digits.split(['u', 'U', 'l', 'L', 'i']).next().unwrap_or_default(),
        };
        match i128::from_str_radix(digits, base) {
            Ok(number) if number <= u64::MAX.into() => Ok(Tree::Integer(number)),
            _ => {
                self.at = start;
                Err(self.error("this is no number of up to 64 bits"))
            }
        }
    }
}
