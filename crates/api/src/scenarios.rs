//! Scenarios: what is done when a property changes its state.

use mw_session::{ScenarioId, ScenarioText};
use serde::{Deserialize, Serialize};

use crate::ask::{Answered, Ask};
use crate::debugger::Debugger;
use crate::error::ApiError;
use crate::event::Listener;

/// Loads a scenario: what is done when a property changes its state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoadScenario {
    /// What it is called: the stem of its file.
    pub name: String,
    /// Its text.
    pub text: String,
    /// The file that it was read from, if it was: only who may name files can say so.
    #[serde(skip)]
    pub path: Option<String>,
    /// The property that it is about; all without.
    #[serde(default)]
    pub property: Option<u32>,
}

/// Unloads a scenario.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemoveScenario {
    /// Its number.
    pub scenario: u32,
}

/// All scenarios.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scenarios {}

/// A scenario.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScenarioView {
    /// Its number.
    pub id: u32,
    /// What it is called.
    pub name: String,
    /// Its text.
    pub text: String,
    /// The file that it was read from, if it was.
    pub path: Option<String>,
    /// The property that it is about, if it is about one.
    pub property: Option<u32>,
}

impl Ask for LoadScenario {
    type Reply = ScenarioView;

    fn serve(self, debugger: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        let property = self.property.map(|number| debugger.property(number)).transpose()?;
        let LoadScenario { name, text, path, .. } = self;
        let kept = ScenarioText { name, text, path, property };
        let id = debugger.session.load_scenario(kept.clone(), None)?;
        Ok(view(id, &kept))
    }
}

impl Ask for RemoveScenario {
    type Reply = ();

    fn serve(self, debugger: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        match debugger.session.scenarios_mut().remove(ScenarioId(self.scenario)) {
            true => Ok(()),
            false => Err(ApiError::unknown(format!(
                "there is no scenario {}; `scenario list` shows them",
                self.scenario
            ))),
        }
    }
}

impl Ask for Scenarios {
    type Reply = Vec<ScenarioView>;
    const ONLY_LOOKS: bool = true;

    fn serve(self, debugger: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        let all = debugger.session.scenarios().iter();
        Ok(all.map(|(id, text, _)| view(id, text)).collect())
    }
}

fn view(id: ScenarioId, of: &ScenarioText) -> ScenarioView {
    let ScenarioText { name, text, path, property } = of.clone();
    ScenarioView { id: id.0, name, text, path, property: property.map(|id| id.0) }
}
