//! An automaton as plain text.

use std::fmt::Write as _;

use super::{annotations, condition};
use crate::automaton::{Automaton, Block, StateId};

impl Automaton {
    /// The automaton, a state after the other.
    pub fn to_text(&self) -> String {
        let mut text = format!("{}\n", self.name());
        // Writing to a text cannot fail.
        if !self.slice_on.is_empty() {
            let _ = writeln!(text, "  sliced on {}", self.slice_on.join(", "));
        }
        if !self.variables.is_empty() {
            let variables = self.variables.iter().zip(&self.initial);
            let variables = variables.map(|(name, value)| format!("{name} = {value}"));
            let _ = writeln!(text, "  at first {}", variables.collect::<Vec<_>>().join(", "));
        }
        for (state, number) in self.states.iter().zip(0..) {
            let said = annotations(state);
            let said =
                if said.is_empty() { String::new() } else { format!(" ({})", said.join(", ")) };
            let _ = writeln!(text, "  {}{said}", state.name);
            let own = self.transitions.iter().filter(|one| one.from == StateId(number));
            for transition in own {
                let guard = transition.guard.as_deref().map(condition);
                let _ = match guard {
                    Some(guard) => writeln!(text, "    {}, {guard}", transition.text),
                    None => writeln!(text, "    {}", transition.text),
                };
                let (yes, no) = match (guard, transition.event) {
                    (Some(_), _) => ("yes ", "no "),
                    (None, Some(_)) => ("", ""),
                    (None, None) => ("else ", ""),
                };
                for (word, block) in [(yes, &transition.success), (no, &transition.failure)] {
                    if let Some(block) = block {
                        let _ = writeln!(text, "      {word}→ {}", self.block_text(block));
                    }
                }
            }
        }
        text
    }

    fn block_text(&self, block: &Block) -> String {
        let mut text = self.state(block.to).name.clone();
        if !block.text.is_empty() {
            let _ = write!(text, ", {}", block.text);
        }
        if let Some(action) = &block.action {
            let _ = write!(text, ", do {action}");
        }
        text
    }
}
