//! Mocks: what inputs return from now on.

use mw_session::MockId;
use mw_world::Port;
use serde::{Deserialize, Serialize};

use crate::ask::{Answered, Ask};
use crate::debugger::Debugger;
use crate::error::ApiError;
use crate::event::Listener;
use crate::inputs::CallPattern;
use crate::notation::{CallRef, Which};

/// Decides what an input returns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mock {
    /// Which calls.
    pub call: CallRef,
    /// The value.
    pub value: String,
    /// Whether for the next call only.
    #[serde(default)]
    pub once: bool,
    /// Whether instead of the mocks that stay and are for the same calls.
    #[serde(default)]
    pub replace: bool,
}

impl Ask for Mock {
    type Reply = MockView;
    const IN_PASSING: bool = true;

    fn serve(self, debugger: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        let pattern = debugger.find_input(&self.call)?;
        let answer = debugger.possible_answer(&pattern, &self.value)?;
        let CallPattern { import, args, .. } = pattern;
        let port = debugger.port_in_system(import);
        let mock = mw_session::Mock { port, import, args, answer, once: self.once };
        if self.replace {
            debugger.session.mocks_mut().forget_lasting(&mock);
        }
        let id = debugger.session.mocks_mut().add(mock.clone());
        Ok(debugger.mock_view(id, &mock))
    }
}

impl Mock {
    /// One that stays.
    pub fn new(call: &str, value: &str) -> Mock {
        Mock { call: call.into(), value: value.into(), once: false, replace: false }
    }
}

/// A mock.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MockView {
    /// Its number.
    pub id: u32,
    /// The calls that it answers.
    pub call: String,
    /// The value.
    pub value: String,
    /// Whether it is good for one call only.
    pub once: bool,
}

/// Removes mocks: one, those of a call, or all.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unmock {
    /// Its number, or the call as `mock` has it.
    #[serde(default)]
    pub id: Option<Which>,
}

impl Ask for Unmock {
    type Reply = Vec<MockView>;
    const IN_PASSING: bool = true;

    fn serve(self, debugger: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        let which = self.id.as_ref();
        let pattern = match which {
            Some(Which::Name(call)) => Some(debugger.find_input(&call.as_str().into())?),
            _ => None,
        };
        let is_meant = |(id, mock): &(MockId, &mw_session::Mock)| match (which, &pattern) {
            (Some(Which::Number(number)), _) => id.0 == *number,
            (_, Some(pattern)) => {
                mock.import == pattern.import
                    && (pattern.args.is_none() || mock.args == pattern.args)
            }
            _ => true,
        };
        let chosen: Vec<MockId> =
            debugger.session.mocks().iter().filter(is_meant).map(|(id, _)| id).collect();
        let name = match (which, &pattern) {
            (Some(Which::Number(number)), _) => Some(number.to_string()),
            (_, pattern) => pattern.as_ref().map(|pattern| format!("of {}", pattern.text())),
        };
        if let Some(name) = name.filter(|_| chosen.is_empty()) {
            let problem = format!("there is no mock {name}; `info mocks` lists them");
            return Err(ApiError::unknown(problem));
        }
        for id in chosen {
            debugger.session.mocks_mut().remove(id);
        }
        Ok(debugger.mocks())
    }
}

/// All mocks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mocks {}

impl Ask for Mocks {
    type Reply = Vec<MockView>;
    const ONLY_LOOKS: bool = true;

    fn serve(self, debugger: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        Ok(debugger.mocks())
    }
}

impl Debugger {
    fn mocks(&self) -> Vec<MockView> {
        self.session.mocks().iter().map(|(id, mock)| self.mock_view(id, mock)).collect()
    }

    /// The primitive behind an import of the program that runs, where several run.
    fn port_in_system(&self, import: u32) -> Option<Port> {
        let system = self.ensemble()?.system();
        let port = self.session.world().port(import).ok();
        port.filter(|_| !system.is_alone())
    }

    fn mock_view(&self, id: MockId, mock: &mw_session::Mock) -> MockView {
        let name = match mock.port {
            Some(port) => {
                let worlds = self.session.now().worlds_on(port.device()).next();
                let known = worlds.and_then(|world| world.description().port(port));
                Ok(known.map(|(primitive, _)| primitive.full_name()).unwrap_or_default())
            }
            None => self.session.world().primitive(mock.import).map(|p| p.full_name()),
        };
        let pattern = CallPattern {
            import: mock.import,
            name: name.unwrap_or_default(),
            args: mock.args.clone(),
        };
        let value = self.answer_text(mock.import, &mock.answer);
        MockView { id: id.0, call: pattern.text(), value, once: mock.once }
    }
}
