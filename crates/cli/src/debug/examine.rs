//! `x`: memory in the formats that gdb has.

use std::fmt::Write;

use mw_api::MemoryView;

/// What part of memory to show, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Examine {
    /// The first address: a number, or an expression of the source.
    pub at: String,
    count: u64,
    format: Format,
    /// Bytes of a unit.
    unit: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Hex,
    Signed,
    Unsigned,
    Characters,
    Text,
}

const HELP: &str = "write: x/16xb 1024 (how many, format x d u c s, unit b h w g, address or \
                    expression)";

impl Examine {
    /// Reads what follows `x`: `/16xb 1024`, or an address alone.
    pub fn parse(text: &str) -> Result<Examine, String> {
        let (format, address) = match text.strip_prefix('/') {
            Some(rest) => rest.split_once(char::is_whitespace).ok_or(HELP)?,
            None => ("64xb", text),
        };
        let at = address.trim().to_owned();
        if at.is_empty() {
            return Err(HELP.into());
        }
        let mut examine = Examine { at, count: 1, format: Format::Hex, unit: 4 };
        let letters = format.trim_start_matches(|c: char| c.is_ascii_digit());
        let digits = &format[..format.len() - letters.len()];
        if !digits.is_empty() {
            examine.count = digits.parse().map_err(|_| HELP)?;
        }
        for letter in letters.chars() {
            match letter {
                'x' => examine.format = Format::Hex,
                'd' => examine.format = Format::Signed,
                'u' => examine.format = Format::Unsigned,
                'c' => (examine.format, examine.unit) = (Format::Characters, 1),
                's' => (examine.format, examine.unit) = (Format::Text, 1),
                'b' => examine.unit = 1,
                'h' => examine.unit = 2,
                'w' => examine.unit = 4,
                'g' => examine.unit = 8,
                _ => return Err(HELP.into()),
            }
        }
        Ok(examine)
    }

    /// The first address, if it is a number.
    pub fn number(&self) -> Option<u64> {
        let at = self.at.replace('_', "");
        match at.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16).ok(),
            None => at.parse().ok(),
        }
    }

    /// How many bytes are needed.
    pub fn length(&self) -> u64 {
        match self.format {
            Format::Text => 4096,
            _ => self.count.saturating_mul(self.unit).max(1),
        }
    }

    /// The lines to show.
    pub fn lines(&self, memory: &MemoryView) -> Vec<String> {
        if self.format == Format::Text {
            let end = memory.bytes.iter().position(|byte| *byte == 0);
            let bytes = &memory.bytes[..end.unwrap_or(memory.bytes.len())];
            return vec![format!("{:#010x}  {:?}", memory.address, String::from_utf8_lossy(bytes))];
        }
        let unit = self.unit as usize;
        let mut address = memory.address;
        let mut lines = Vec::new();
        for row in memory.bytes.chunks(16) {
            let mut line = format!("{address:#010x} ");
            for bytes in row.chunks_exact(unit) {
                let mut slot = [0; 8];
                slot[..unit].copy_from_slice(bytes);
                let number = u64::from_le_bytes(slot);
                let signed = (number << (64 - 8 * unit)) as i64 >> (64 - 8 * unit);
                let _ = match self.format {
                    Format::Hex => write!(line, " {number:0width$x}", width = 2 * unit),
                    Format::Signed => write!(line, " {signed:>width$}", width = 2 * unit + 2),
                    Format::Unsigned => write!(line, " {number:>width$}", width = 2 * unit + 1),
                    _ => write!(line, " {:?}", char::from(number as u8)),
                };
            }
            if self.format == Format::Hex && unit == 1 {
                let printable = |&byte: &u8| match byte {
                    0x20..0x7f => char::from(byte),
                    _ => '.',
                };
                let text: String = row.iter().map(printable).collect();
                let _ = write!(line, "{:gap$}  {text}", "", gap = 3 * (16 - row.len()));
            }
            address += row.len() as u64;
            lines.push(line);
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats() {
        let memory = |bytes: &[u8]| MemoryView {
            address: 16,
            bytes: bytes.to_vec(),
            size: 64,
            changed: vec![],
        };
        for (text, bytes, expected) in [
            (
                "/4xb 16",
                &b"ab\0\xff"[..],
                "0x00000010  61 62 00 ff                                      ab..",
            ),
            ("/2dh 16", &[1, 0, 0xff, 0xff][..], "0x00000010       1     -1"),
            ("/1uw 0x10", &[0xff, 0xff, 0xff, 0xff][..], "0x00000010  4294967295"),
            ("/s 16", &b"hello\0x"[..], "0x00000010  \"hello\""),
            ("/2c 16", &b"hi"[..], "0x00000010  'h' 'i'"),
        ] {
            let examine = Examine::parse(text).unwrap();
            assert_eq!(examine.number(), Some(16), "{text}");
            assert_eq!(examine.lines(&memory(bytes)), [expected], "{text}");
        }
        for text in ["", "/4xb", "/4xb  ", "/4q 1", "/99999999999999999999x 1"] {
            assert!(Examine::parse(text).is_err(), "{text}");
        }
        assert_eq!(Examine::parse("/s jar->label").unwrap().number(), None);
    }
}
