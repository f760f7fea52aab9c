//! What type something has, and what a type is made of.

use mw_source::{EvaluateError, MachineFrame, TypeDescription};
use serde::{Deserialize, Serialize};

use crate::ask::{Answered, Ask};
use crate::debugger::Debugger;
use crate::event::Listener;

/// The type of an expression, or a type by its name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TypeOf {
    /// The expression, or the type as its language writes it.
    pub text: String,
    /// The frame, as an index of `source-frames`.
    #[serde(default)]
    pub frame: usize,
    /// In this actor, by its name or address; in the one that runs without.
    #[serde(default)]
    pub actor: Option<String>,
}

impl Ask for TypeOf {
    type Reply = TypeView;
    const ONLY_LOOKS: bool = true;

    fn serve(self, debugger: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        let looked = debugger.look_at(self.actor.as_deref())?;
        let (sources, depth, frame) = looked.where_to_ask(self.frame)?;
        let storage = MachineFrame::new(looked.machine, depth);
        let described = looked.with_names(&sources, (depth, &frame), |names| {
            TypeDescription::of(&self.text, names, &sources, &frame, &storage)
        });
        let missing = |error: EvaluateError| looked.not_found(&self.text, error);
        let TypeDescription { name, size, definition } = described.map_err(missing)?;
        Ok(TypeView { name, size, definition })
    }
}

/// A type of the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TypeView {
    /// As its language writes it.
    pub name: String,
    /// Bytes of a value, if that is known.
    pub size: Option<u64>,
    /// What it is made of, on as many lines as that takes.
    pub definition: String,
}
