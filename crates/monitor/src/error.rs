//! What is wrong with a property, and where.

use std::fmt;

pub(crate) use mw_source::did_you_mean;

/// A mistake in a property, with its place in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropertyError {
    /// What the property is called.
    pub name: String,
    /// The line, from one.
    pub line: u32,
    /// The character in the line, from one.
    pub column: u32,
    /// What is wrong, and what to do.
    pub message: String,
}

impl fmt::Display for PropertyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}: {}", self.name, self.line, self.column, self.message)
    }
}

impl std::error::Error for PropertyError {}

/// A mistake at a byte of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mistake {
    pub at: usize,
    pub message: String,
}

pub(crate) type Checked<T> = Result<T, Mistake>;

/// A mistake.
pub(crate) fn mistake<T>(at: usize, message: impl Into<String>) -> Checked<T> {
    Err(Mistake { at, message: message.into() })
}

impl Mistake {
    pub fn located(self, name: &str, text: &str) -> PropertyError {
        let mut at = self.at.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        let before = &text[..at];
        let line = before.matches('\n').count() as u32 + 1;
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let column = before[start..].chars().count() as u32 + 1;
        PropertyError { name: name.to_owned(), line, column, message: self.message }
    }
}
