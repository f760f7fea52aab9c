//! Numbers as a person wants to see them.

use serde::{Deserialize, Serialize};

use super::number::Number;

/// How a number is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Its bits, as `0xff`.
    Hexadecimal,
    /// With a sign.
    Decimal,
    /// Without one.
    Unsigned,
    /// Its bits, as `0b101`.
    Binary,
    /// The number, and the character that it stands for.
    Character,
}

impl Format {
    /// The letters that gdb has for them.
    const LETTERS: [(char, Format); 5] = [
        ('x', Format::Hexadecimal),
        ('d', Format::Decimal),
        ('u', Format::Unsigned),
        ('t', Format::Binary),
        ('c', Format::Character),
    ];

    /// The format that gdb has a letter for.
    pub fn from_letter(letter: char) -> Option<Format> {
        let found = Format::LETTERS.into_iter().find(|(known, _)| *known == letter);
        found.map(|(_, format)| format)
    }

    /// The letter that gdb has for it.
    pub fn letter(self) -> char {
        let found = Format::LETTERS.into_iter().find(|(_, format)| *format == self);
        found.map_or('x', |(letter, _)| letter)
    }

    pub(super) fn show(self, number: Number) -> String {
        let (bits, width) = match number {
            Number::Integer { value, width, .. } => (value as u128, width),
            Number::Float { value, width: 32 } => ((value as f32).to_bits().into(), 32),
            Number::Float { value, .. } => (value.to_bits().into(), 64),
            Number::Bool(value) => (value.into(), 8),
        };
        let above = 128 - width.clamp(1, 128);
        let unsigned = bits << above >> above;
        let signed = (bits << above) as i128 >> above;
        match self {
            Format::Hexadecimal => format!("{unsigned:#x}"),
            Format::Decimal => signed.to_string(),
            Format::Unsigned => unsigned.to_string(),
            Format::Binary => format!("{unsigned:#b}"),
            Format::Character => match u32::try_from(unsigned).ok().and_then(char::from_u32) {
                Some(character) => format!("{signed} {character:?}"),
                None => signed.to_string(),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_bits_of_their_types() {
        let shown = |letter, number| Format::from_letter(letter).map(|f| f.show(number)).unwrap();
        let byte = Number::Integer { value: -1, width: 8, signed: true };
        let all: Vec<String> = "xdutc".chars().map(|letter| shown(letter, byte)).collect();
        assert_eq!(all, ["0xff", "-1", "255", "0b11111111", "-1 'ÿ'"]);
        let letter = Number::Integer { value: 65, width: 32, signed: false };
        assert_eq!(shown('c', letter), "65 'A'");
        assert_eq!(shown('x', Number::Float { value: 1.0, width: 32 }), "0x3f800000");
        assert_eq!(shown('t', Number::Bool(true)), "0b1");
        assert_eq!(Format::from_letter('q'), None);
    }
}
