//! The shape of what was found: what comes after what.
//!
//! A path is told by the options on its way; each condition belongs to the stretch between one
//! choice and the next, so that what paths have in common is there once.

use mw_api::{ConditionView, LeafView, Suggested};

/// What comes after what.
pub struct Shape<'a> {
    suggested: &'a Suggested,
    /// The options after each option.
    after: Vec<Vec<usize>>,
    first: Vec<usize>,
    /// A path that goes through each option.
    through: Vec<usize>,
}

impl<'a> Shape<'a> {
    /// The shape of what was found.
    pub fn new(suggested: &'a Suggested) -> Self {
        let options = &suggested.options;
        let mut after = vec![Vec::new(); options.len()];
        let mut first = Vec::new();
        let mut through: Vec<usize> =
            options.iter().map(|option| option.leaves.first().copied().unwrap_or(0)).collect();
        for (at, option) in options.iter().enumerate() {
            match option.parent {
                Some(parent) => after[parent].push(at),
                None => first.push(at),
            }
        }
        for (at, option) in options.iter().enumerate().rev() {
            if let Some(parent) = option.parent.filter(|p| options[*p].leaves.is_empty()) {
                through[parent] = through[at];
            }
        }
        Shape { suggested, after, first, through }
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
        let from = self.suggested.options[at].count;
        let to = self.after[at].first().map(|next| self.suggested.options[*next].count);
        between(&self.suggested.leaves[self.through[at]], Some(from), to)
    }

    /// What the program decides between the last choice of a path and its end.
    pub fn last_conditions(
        &self,
        leaf: &'a LeafView,
        option: Option<usize>,
    ) -> &'a [ConditionView] {
        between(leaf, option.map(|option| self.suggested.options[option].count), None)
    }
}

/// The conditions on a path after one count of instructions, up to another.
fn between(leaf: &LeafView, from: Option<u64>, to: Option<u64>) -> &[ConditionView] {
    let before = |count: u64| leaf.conditions.partition_point(|c| c.count <= count);
    let begin = from.map_or(0, before);
    let end = to.map_or(leaf.conditions.len(), before);
    leaf.conditions.get(begin..end).unwrap_or_default()
}
