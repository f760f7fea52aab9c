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
        let start = self.at;
        let word = self.word().unwrap_or_default().replace('_', "");
        let fraction = self.rest().strip_prefix('.').is_some_and(|after| {
            !after.starts_with(|next: char| next.is_alphabetic() || next == '.')
        });
        let decimal = word.bytes().all(|byte| byte.is_ascii_digit());
        if decimal && fraction {
            self.at += 1;
            self.word();
            let text = self.text[start..self.at].trim_end_matches(['f', 'F']);
            let text = text.strip_suffix("f32").or(text.strip_suffix("f64")).unwrap_or(text);
            let number = text.parse().map_err(|_| self.error("this is no number"))?;
            return Ok(Tree::Float(number));
        }
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
