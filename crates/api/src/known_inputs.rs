//! The inputs of the program, for a front end that lets people decide them: each call that was or
//! may be read, and what was never read by the name of its primitive alone.

use std::collections::HashSet;

use mw_session::Site;
use mw_vm::Value;
use mw_world::{Call, Kind, Sample};
use serde::{Deserialize, Serialize};

use crate::ask::{Answered, Ask};
use crate::debugger::Debugger;
use crate::event::Listener;
use crate::inputs::CallPattern;

/// More than so many nobody looks through.
const MOST: usize = 200;

/// The inputs of the program: every call that is known, and primitives before the first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inputs {}

impl Ask for Inputs {
    type Reply = Vec<KnownInput>;
    const ONLY_LOOKS: bool = true;

    fn serve(self, debugger: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        let world = debugger.session.world();
        let read = debugger.session.multiverse().sites().iter().filter_map(|site| match site {
            Site::Input { port, args } => {
                let import = world.import_of(*port)?;
                Some((import, Some(debugger.arguments(import, args))))
            }
            _ => None,
        });
        let pending = debugger.session.pending_input().map(|(import, args)| (import, Some(args)));
        let mocked =
            debugger.session.mocks().iter().map(|(_, mock)| (mock.import, mock.args.clone()));
        let set = world.view().readings.into_iter().filter_map(|reading| {
            let call = debugger.find_call(&reading.call.as_str().into()).ok()?;
            Some((call.import, call.args))
        });
        let mut known: Vec<(u32, Option<Vec<Value>>)> =
            read.chain(pending).chain(mocked).chain(set).collect();
        let seen: HashSet<u32> = known.iter().map(|(import, _)| *import).collect();
        for (import, (_, ty)) in (0..).zip(world.imports()) {
            if matches!(world.kind(import), Ok(Kind::Input)) && !seen.contains(&import) {
                known.push((import, ty.params.is_empty().then(Vec::new)));
            }
        }
        let mut calls = HashSet::new();
        let inputs = known.into_iter().map(|(import, args)| debugger.known_input(import, args));
        Ok(inputs.filter(|input| calls.insert(input.call.clone())).take(MOST).collect())
    }
}

/// An input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownInput {
    /// The call, such as `chip_analog_read(12)`; the primitive alone if it was never called.
    pub call: String,
    /// All that it can return, or nothing if that depends on more than the input.
    pub domain: Option<String>,
    /// What it returns here by itself, if that is known.
    pub value: Option<String>,
}

impl Debugger {
    fn known_input(&self, import: u32, args: Option<Vec<Value>>) -> KnownInput {
        let world = self.session.world();
        let name = world.primitive(import).map(|primitive| primitive.full_name());
        let value = args.as_ref().and_then(|args| match world.sample(Call { import, args }) {
            Ok(Sample::Answer(answer)) => Some(self.answer_text(import, &answer)),
            _ => None,
        });
        KnownInput {
            call: CallPattern { import, name: name.unwrap_or_default(), args }.text(),
            domain: self.usual_domain(import).map(|domain| domain.to_string()),
            value,
        }
    }
}
