//! An automaton for Graphviz.

use std::fmt::Write as _;

use super::{Marks, annotations};
use crate::automaton::{Automaton, StateId};

impl Automaton {
    /// The automaton in the language of Graphviz.
    pub fn to_dot(&self, marks: &Marks) -> String {
        let mut text = format!("digraph {} {{\n", quoted(self.name()));
        text.push_str("  node [shape=ellipse, style=filled, fontname=monospace, fontsize=12];\n");
        text.push_str("  edge [fontname=monospace, fontsize=10];\n");
        text.push_str("  start [shape=point, label=\"\"];\n  start -> 0;\n");
        for (state, number) in self.states.iter().zip(0..) {
            let mut lines = vec![state.name.clone()];
            lines.extend(annotations(state));
            let fill = marks.fill(StateId(number), state);
            let around = if state.is_final { ", peripheries=2" } else { "" };
            let label = quoted(&lines.join("\n"));
            // Writing to a text cannot fail.
            let _ = writeln!(text, "  {number} [label={label}, fillcolor=\"{fill}\"{around}];");
        }
        for edge in self.edges(marks) {
            let style = if edge.fails { ", style=dashed" } else { "" };
            let colour = if edge.last { ", color=\"#8d6e63\", penwidth=3" } else { "" };
            let (from, to, label) = (edge.from.0, edge.to.0, quoted(&edge.label));
            let _ = writeln!(text, "  {from} -> {to} [label={label}{style}{colour}];");
        }
        text.push_str("}\n");
        text
    }
}

/// A text in quotes.
fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    format!("\"{escaped}\"")
}
