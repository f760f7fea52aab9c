//! Scenarios: what the debugger does when a monitor is moved.
//!
//! ```text
//! session { last = 0 }
//!
//! on entering accepting state { last = checkpoint() }
//!
//! on entering non-accepting state {
//!     print("violated:", old_state, "->", new_state)
//!     if last != 0 { restore(last) }
//!     watch("room") { checkpoint() }
//!     bookmark violated-{new_state}
//!     suspend()
//! }
//! ```
//!
//! This is what they are as data: when they react, and with which statements. A statement is an
//! action of the debugger, called like a function or written as a line of the terminal's language
//! with expressions in braces; something that is set; or a condition. Whoever has a debugger carries
//! them out. Variables belong to the session, and keep their values when one goes back, or to the
//! branch, and are what they were there.

mod datum;
mod parse;

pub use datum::{Datum, Formula};

use crate::automaton::Automaton;
use crate::error::{PropertyError, did_you_mean, mistake};
use crate::moved::Change;

/// A scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    name: String,
    text: String,
    /// Variables that keep their values when one goes back, with their first ones.
    pub session: Vec<(String, Formula)>,
    /// Variables that are what they were wherever one goes, with their first values.
    pub branch: Vec<(String, Formula)>,
    /// What is done when.
    pub reactions: Vec<Reaction>,
}

/// What is done when a slice is moved.
#[derive(Clone, Debug, PartialEq)]
pub struct Reaction {
    /// When.
    pub trigger: Trigger,
    /// What.
    pub statements: Vec<Statement>,
    /// Where it is written.
    at: usize,
}

/// When a scenario reacts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trigger {
    /// A slice comes into a state from another one.
    Entering(Which),
    /// A slice leaves a state for another one.
    Leaving(Which),
    /// A slice takes a transition that leads to a state, be it in that state already or not.
    Moving(Which),
    /// The property asks for this action.
    Action(String),
}

/// Which states are meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Which {
    /// All of them.
    Any,
    /// That of a name.
    Named(String),
    /// Those in which the property holds.
    Accepting,
    /// Those in which it is violated.
    NonAccepting,
}

/// A part of what is done.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// The line of the text that it is on, from one.
    pub line: u32,
    /// What it does.
    pub kind: StatementKind,
}

/// What a statement does.
#[derive(Clone, Debug, PartialEq)]
pub enum StatementKind {
    /// An action.
    Do(Action),
    /// Sets a variable to a value.
    Set {
        /// Its name.
        variable: String,
        /// Whether it is the session's or the branch's.
        scope: Scope,
        /// What it is set to.
        value: Formula,
    },
    /// Sets a variable to what an action returns.
    SetToResult {
        /// Its name.
        variable: String,
        /// Whether it is the session's or the branch's.
        scope: Scope,
        /// The action.
        action: Action,
    },
    /// Does the first if a condition holds, else the second.
    If {
        /// The condition.
        condition: Formula,
        /// What is done if it holds.
        then: Vec<Statement>,
        /// What is done if it does not.
        otherwise: Vec<Statement>,
    },
}

/// An action of the debugger.
#[derive(Clone, Debug, PartialEq)]
pub struct Action {
    /// What it is.
    pub what: What,
    /// For a breakpoint or watchpoint: what is done whenever it is come to, instead of stopping.
    pub handler: Option<Vec<Statement>>,
}

/// How an action is written.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// As a call: `print("room:", room)`.
    Call {
        /// The action.
        name: String,
        /// What it is given.
        arguments: Vec<Formula>,
    },
    /// As a line of the terminal's language: `bookmark violated-{new_state}`.
    Command(Vec<Piece>),
}

/// A part of a line.
#[derive(Clone, Debug, PartialEq)]
pub enum Piece {
    /// A text as it is.
    Text(String),
    /// An expression, in place of which its value stands.
    Value(Formula),
}

/// Whose a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// The session's: it keeps its value when one goes back.
    Session,
    /// The branch's: it is what it was there.
    Branch,
}

impl Scenario {
    /// Reads a scenario. The name is what it is called in front of people.
    pub fn parse(name: &str, text: &str) -> Result<Scenario, PropertyError> {
        parse::parse(text)
            .map(|scenario| Scenario { name: name.to_owned(), text: text.to_owned(), ..scenario })
            .map_err(|mistake| mistake.located(name, text))
    }

    /// What a person gets who asks for nothing else: the program is suspended on a violation.
    pub fn suspending() -> Scenario {
        let text = "on entering non-accepting state { suspend() }";
        Scenario::parse("default", text).unwrap_or_else(|error| unreachable!("{error}"))
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// All of it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether the states and actions that it names are there in a property.
    pub fn check(&self, automaton: &Automaton) -> Result<(), PropertyError> {
        for reaction in &self.reactions {
            let (what, name, known): (_, &str, Vec<&str>) = match &reaction.trigger {
                Trigger::Entering(Which::Named(name))
                | Trigger::Leaving(Which::Named(name))
                | Trigger::Moving(Which::Named(name)) => {
                    let states = automaton.states.iter().map(|state| state.name.as_str());
                    ("state", name, states.collect())
                }
                Trigger::Action(name) => ("action", name, automaton.actions().collect()),
                _ => continue,
            };
            if !known.contains(&name) {
                let (of, hint) = (automaton.name(), did_you_mean(name, known));
                let said = mistake::<()>(reaction.at, format!("{of} has no {what} {name}{hint}"));
                return said.map_err(|mistake| mistake.located(&self.name, &self.text));
            }
        }
        Ok(())
    }

    /// What is to be done when a slice was moved, in the order in which it is written.
    pub fn reactions_to<'a, N>(
        &'a self,
        automaton: &'a Automaton,
        change: &'a Change<N>,
    ) -> impl Iterator<Item = &'a Reaction> {
        self.reactions.iter().filter(|reaction| reaction.trigger.fires(automaton, change))
    }
}

impl Trigger {
    /// Whether it is time.
    pub fn fires<N>(&self, automaton: &Automaton, change: &Change<N>) -> bool {
        let is = |which: &Which, state| {
            let state = automaton.state(state);
            match which {
                Which::Any => true,
                Which::Named(name) => state.name == *name,
                Which::Accepting => state.accepting == Some(true),
                Which::NonAccepting => state.is_violation(),
            }
        };
        let goes = change.from != change.to;
        match self {
            Trigger::Entering(which) => goes && is(which, change.to),
            Trigger::Leaving(which) => goes && is(which, change.from),
            Trigger::Moving(which) => is(which, change.to),
            Trigger::Action(name) => {
                let block = automaton.block(change).and_then(|block| block.action.as_ref());
                let state = automaton.state(change.to).action.as_ref().filter(|_| goes);
                block == Some(name) || state == Some(name)
            }
        }
    }
}

impl Automaton {
    /// What a slice did on its way.
    pub fn block<N>(&self, change: &Change<N>) -> Option<&crate::automaton::Block> {
        let transition = self.transition(change.transition);
        match change.outcome {
            crate::moved::Outcome::Failure => transition.failure.as_ref(),
            _ => transition.success.as_ref(),
        }
    }

    /// The actions that the property asks for.
    pub fn actions(&self) -> impl Iterator<Item = &str> {
        let blocks = self.transitions.iter().flat_map(|one| [&one.success, &one.failure]);
        let blocks = blocks.flatten().filter_map(|block| block.action.as_deref());
        blocks.chain(self.states.iter().filter_map(|state| state.action.as_deref()))
    }
}
