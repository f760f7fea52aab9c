//! Things that have a number and can be named: `2`, or as they were set.

use serde::{Deserialize, Serialize};

/// A mock or a breakpoint that there is: what was set by name is found by name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Which {
    /// By its number.
    Number(u32),
    /// By what a person wrote to set it: `chip_analog_read(12)`, `main.ts:12`, `watch total`. A
    /// primitive without arguments is meant with whatever arguments.
    Name(String),
}

impl From<u32> for Which {
    fn from(number: u32) -> Self {
        Which::Number(number)
    }
}

impl From<&str> for Which {
    fn from(text: &str) -> Self {
        text.parse().map_or_else(|_| Which::Name(text.into()), Which::Number)
    }
}
