//! The shape of what was found: what comes after what.

use mw_api::{ConditionView, Suggested};

/// What comes after what.
pub struct Shape<'a> {
    suggested: &'a Suggested,
    /// The options after each option.
    after: Vec<Vec<usize>>,
    first: Vec<usize>,
}

impl<'a> Shape<'a> {
    /// The shape of what was found.
    pub fn new(suggested: &'a Suggested) -> Self {
        let mut after = vec![Vec::new(); suggested.options.len()];
        let mut first = Vec::new();
        for (at, option) in suggested.options.iter().enumerate() {
            match option.parent {
                Some(parent) => after[parent].push(at),
                None => first.push(at),
            }
        }
        Shape { suggested, after, first }
    }

    /// The options after an option; the first ones for `None`.
    pub fn after(&self, from: Option<usize>) -> &[usize] {
        match from {
            Some(from) => &self.after[from],
            None => &self.first,
        }
    }

    /// What the program decides between an option and the next choice, or the end.
    pub fn conditions(&self, at: usize) -> &'a [ConditionView] {
        let option = &self.suggested.options[at];
        match option.leaves.first() {
            Some(leaf) if self.after[at].is_empty() => &self.suggested.leaves[*leaf].conditions,
            _ => &option.conditions,
        }
    }
}
