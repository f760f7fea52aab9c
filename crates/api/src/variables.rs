//! Single variables: looked at, and set by hand.

use mw_source::Format;
use serde::{Deserialize, Serialize};

use crate::ask::{Answered, Ask};
use crate::debugger::Debugger;
use crate::event::Listener;
use crate::source_views::SourceVariable;
use crate::views::ValueView;

/// The value of a term: `current`, `local 2`, `i32 @ 1024`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Print {
    /// The term.
    pub term: String,
    /// The frame that it is looked for in, as an index of `source-frames`.
    #[serde(default)]
    pub frame: usize,
    /// How its number is written, if otherwise than usual.
    #[serde(default)]
    pub format: Option<Format>,
    /// In this actor, by its name or address; in the one that runs without.
    #[serde(default)]
    pub actor: Option<String>,
}

impl Print {
    /// A term in the innermost frame, as usual.
    pub fn new(term: impl Into<String>) -> Print {
        Print { term: term.into(), frame: 0, format: None, actor: None }
    }
}

impl Ask for Print {
    type Reply = Printed;
    const ONLY_LOOKS: bool = true;

    fn serve(self, debugger: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        debugger.look_at(self.actor.as_deref())?.print(&self)
    }
}

/// What a term stands for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Printed {
    /// A variable of the machine.
    Machine(Variable),
    /// A variable of the source, or the value of an expression.
    Source(SourceVariable),
}

/// A variable and its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variable {
    /// How to refer to it: `global 3`, `local 0`, `i32 @ 1024`.
    pub term: String,
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Its value.
    pub value: ValueView,
}

/// Sets a variable by hand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alter {
    /// The variable: a term like those of `print`.
    pub target: String,
    /// The value.
    pub value: String,
    /// In this actor, which has to be the one that runs.
    #[serde(default)]
    pub actor: Option<String>,
}

impl Ask for Alter {
    type Reply = Variable;

    fn serve(self, debugger: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        debugger.check_running(self.actor.as_deref())?;
        debugger.alter(&self.target, &self.value)
    }
}
