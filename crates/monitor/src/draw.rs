//! An automaton for people: as text, for Graphviz, and as a picture.

mod dot;
mod svg;
mod text;

pub use svg::TooLarge;

use std::collections::BTreeMap;

use crate::automaton::{Automaton, Block, StateId, StateInfo, Transition, TransitionId};

/// What is pointed out in a picture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// The states that slices are in.
    pub current: Vec<StateId>,
    /// The states that slices were in before.
    pub former: Vec<StateId>,
    /// The transition that was taken last.
    pub last: Option<TransitionId>,
}

/// How something is filled or drawn, as a colour of the web.
type Colour = &'static str;

impl Marks {
    fn fill(&self, state: StateId, info: &StateInfo) -> Colour {
        let violation = info.is_violation();
        match () {
            _ if self.current.contains(&state) && violation => "#e53935",
            _ if self.current.contains(&state) => "#81c784",
            _ if self.former.contains(&state) => "#cfd8dc",
            _ if violation => "#ffcdd2",
            _ => "#ffffff",
        }
    }
}

/// All ways from one state to another.
struct Edge {
    from: StateId,
    to: StateId,
    /// A line for each way.
    label: String,
    /// Whether only failures lead there.
    fails: bool,
    /// Whether the last transition is one of them.
    last: bool,
}

impl Automaton {
    /// The ways between states; those between the same two are one.
    fn edges(&self, marks: &Marks) -> Vec<Edge> {
        let mut edges: BTreeMap<(StateId, StateId), Edge> = BTreeMap::new();
        for (transition, number) in self.transitions.iter().zip(0..) {
            for (block, failed) in [(&transition.success, false), (&transition.failure, true)] {
                let Some(block) = block else { continue };
                let (from, to) = (transition.from, block.to);
                let edge = edges.entry((from, to)).or_insert_with(|| Edge {
                    from,
                    to,
                    label: String::new(),
                    fails: true,
                    last: false,
                });
                if !edge.label.is_empty() {
                    edge.label.push('\n');
                }
                edge.label.push_str(&label(transition, block, failed));
                edge.fails &= failed;
                edge.last |= marks.last == Some(TransitionId(number));
            }
        }
        edges.into_values().collect()
    }
}

/// A way in a few lines: the event, the guard, what is set.
fn label(transition: &Transition, block: &Block, failed: bool) -> String {
    let mut lines = vec![transition.text.clone()];
    if let Some(guard) = &transition.guard {
        let guard = condition(guard);
        lines.push(if failed { format!("if not ({guard})") } else { format!("if {guard}") });
    }
    if !block.text.is_empty() {
        lines.push(block.text.clone());
    }
    if let Some(action) = &block.action {
        lines.push(format!("do {action}"));
    }
    lines.join("\n")
}

/// A guard without the word that only its syntax asks for.
fn condition(guard: &str) -> &str {
    guard.strip_prefix("return ").unwrap_or(guard).trim_end_matches([';', ' '])
}

/// What is said of a state beside its name.
fn annotations(state: &StateInfo) -> Vec<String> {
    let accepting = state.accepting.map(|accepting| match accepting {
        true => "accepting".to_owned(),
        false => "non-accepting".to_owned(),
    });
    let within = state.within.map(|within| format!("within {within}"));
    let action = state.action.as_ref().map(|action| format!("do {action}"));
    let is_final = state.is_final.then(|| "final".to_owned());
    accepting.into_iter().chain(is_final).chain(within).chain(action).collect()
}
