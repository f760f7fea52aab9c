//! Scenarios of a session: what is to be done when a property moves, as texts that have been read.
//!
//! Carrying them out takes a debugger's commands, which are above this crate; here is when there is
//! something to be done. A property without a scenario has the default: a run stops where it is
//! violated.

use mw_ensemble::News;
use mw_monitor::scenario::{Reaction, Scenario};
use serde::{Deserialize, Serialize};

use crate::error::SessionError;
use crate::properties::PropertyId;
use crate::session::Session;

/// A scenario, by a number that is never used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ScenarioId(pub u32);

/// A scenario as a person has given it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScenarioText {
    /// What it is called.
    pub name: String,
    /// Its text.
    pub text: String,
    /// The file that it was read from, if it was.
    pub path: Option<String>,
    /// The property that it is about; all without.
    pub property: Option<PropertyId>,
}

/// The scenarios of a session.
#[derive(Clone, Debug, Default)]
pub struct ScenarioSet {
    scenarios: Vec<(ScenarioId, ScenarioText, Scenario)>,
    next: u32,
}

impl ScenarioSet {
    /// All of them, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = (ScenarioId, &ScenarioText, &Scenario)> {
        self.scenarios.iter().map(|(id, text, scenario)| (*id, text, scenario))
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.scenarios.is_empty()
    }

    /// Removes one; says whether it was there.
    pub fn remove(&mut self, id: ScenarioId) -> bool {
        let before = self.scenarios.len();
        self.scenarios.retain(|(other, ..)| *other != id);
        self.scenarios.len() < before
    }

    /// Those that are about a property.
    pub fn of(&self, property: PropertyId) -> impl Iterator<Item = (ScenarioId, &Scenario)> {
        let about = self
            .iter()
            .filter(move |(_, text, _)| text.property.is_none_or(|about| about == property));
        about.map(|(id, _, scenario)| (id, scenario))
    }
}

impl Session {
    /// The scenarios.
    pub fn scenarios(&self) -> &ScenarioSet {
        &self.settings.scenarios
    }

    /// The same, to remove some.
    pub fn scenarios_mut(&mut self) -> &mut ScenarioSet {
        &mut self.settings.scenarios
    }

    /// Loads a scenario; under the number that it had, if it had one.
    pub fn load_scenario(
        &mut self,
        text: ScenarioText,
        id: Option<ScenarioId>,
    ) -> Result<ScenarioId, SessionError> {
        let scenario = Scenario::parse(&text.name, &text.text)?;
        if let Some((_, automaton)) = text.property.and_then(|id| self.properties().get(id)) {
            scenario.check(automaton)?;
        }
        let scenarios = &mut self.settings.scenarios;
        // People count from one.
        let id = id.unwrap_or(ScenarioId(scenarios.next.max(1)));
        scenarios.next = scenarios.next.max(id.0 + 1);
        scenarios.scenarios.push((id, text, scenario));
        Ok(id)
    }

    /// Whether something is to be done about what a monitor has noted.
    pub(crate) fn is_to_react(&self, news: &News) -> bool {
        let Some(property) = self.properties().at(news.which) else { return false };
        match self.scenarios().of(property).next().is_some() {
            true => !self.reactions_to(news).is_empty(),
            false => news.violates,
        }
    }

    /// What scenarios do about what a monitor has noted: for each slice that was moved, by its
    /// position among these.
    pub fn reactions_to(&self, news: &News) -> Vec<(ScenarioId, usize, Reaction)> {
        let Some(property) = self.properties().at(news.which) else { return Vec::new() };
        let Some((_, automaton)) = self.properties().get(property) else { return Vec::new() };
        let mut reactions = Vec::new();
        for (id, scenario) in self.scenarios().of(property) {
            for (at, change) in news.moved.changes.iter().enumerate() {
                let own = scenario.reactions_to(automaton, change);
                reactions.extend(own.map(|reaction| (id, at, reaction.clone())));
            }
        }
        reactions
    }

    /// Takes what scenarios have to do something about here.
    pub fn take_news(&mut self) -> Vec<News> {
        self.walk.now.take_news()
    }
}
