//! A property as a text.

use crate::error::PropertyError;
use crate::syntax::{self, Syntax};

/// The longest text that is read.
const LONGEST: usize = 1 << 20;

/// A property as it is written. It knows nothing of a program.
#[derive(Clone, Debug, Default)]
pub struct Property {
    name: String,
    text: String,
    pub(crate) syntax: Syntax,
}

impl Property {
    /// Reads a property. The name is what it is called in front of people.
    pub fn parse(name: &str, text: &str) -> Result<Property, PropertyError> {
        let parsed = match text.len() > LONGEST {
            true => crate::error::mistake(0, format!("a property has at most {LONGEST} bytes")),
            false => syntax::parse(text),
        };
        let syntax = parsed.map_err(|mistake| mistake.located(name, text))?;
        Ok(Property { name: name.to_owned(), text: text.to_owned(), syntax })
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// All of it.
    pub fn text(&self) -> &str {
        &self.text
    }
}
