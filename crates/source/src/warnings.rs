//! What was wrong with debug information, in words for the person who debugs.

use std::fmt::Display;

/// More than anyone reads; damaged information can have one for each byte.
const KEPT: usize = 20;

/// A list of complaints that cannot grow without bound.
#[derive(Clone, Debug, Default)]
pub(crate) struct Warnings {
    kept: Vec<String>,
    full: bool,
}

impl Warnings {
    /// Adds a complaint, once.
    pub fn add(&mut self, warning: impl Display) {
        if self.full {
            return;
        }
        if self.kept.len() == KEPT {
            self.kept.push("and more of the kind".to_owned());
            self.full = true;
            return;
        }
        let warning = warning.to_string();
        if !self.kept.contains(&warning) {
            self.kept.push(warning);
        }
    }

    /// All of them, in the order in which they came up.
    pub fn as_slice(&self) -> &[String] {
        &self.kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complaints_are_listed_once_and_not_without_end() {
        let mut warnings = Warnings::default();
        for number in 0..100 {
            warnings.add(number);
            warnings.add(0);
        }
        assert_eq!(warnings.as_slice().len(), KEPT + 1);
        assert_eq!(warnings.as_slice()[..2], ["0", "1"]);
        assert_eq!(warnings.as_slice()[KEPT], "and more of the kind");
    }
}
