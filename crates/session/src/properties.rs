//! Properties of a session: what is watched for, wherever one is.
//!
//! A property is one of the settings, a text that is bound to the programs. The state of its monitor
//! belongs to every place, so one that is loaded late is told of all that has happened: the way to
//! here is replayed for it, and checkpoints, which know nothing of it, are made anew.

use std::sync::Arc;

use mw_ensemble::{Moment, News};
use mw_monitor::{Automaton, Bindings, MonitorState, Property, PropertyError, Verdict};
use serde::{Deserialize, Serialize};

use crate::control::Control;
use crate::error::SessionError;
use crate::program::Program;
use crate::session::Session;

/// A property, by a number that is never used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PropertyId(pub u32);

/// A property as a person has given it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PropertyText {
    /// What it is called.
    pub name: String,
    /// Its text.
    pub text: String,
    /// The file that it was read from, if it was.
    pub path: Option<String>,
}

/// The properties of a session.
#[derive(Clone, Debug, Default)]
pub struct PropertySet {
    properties: Vec<(PropertyId, PropertyText, Arc<Automaton>)>,
    next: u32,
}

impl PropertySet {
    /// All of them, in the order of their monitors.
    pub fn iter(&self) -> impl Iterator<Item = (PropertyId, &PropertyText, &Arc<Automaton>)> {
        self.properties.iter().map(|(id, text, automaton)| (*id, text, automaton))
    }

    /// One of them.
    pub fn get(&self, id: PropertyId) -> Option<(&PropertyText, &Arc<Automaton>)> {
        self.iter().find(|(other, ..)| *other == id).map(|(_, text, automaton)| (text, automaton))
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.properties.is_empty()
    }

    /// Its monitor, by its position.
    pub fn position(&self, id: PropertyId) -> Option<usize> {
        self.properties.iter().position(|(other, ..)| *other == id)
    }

    /// The property of a monitor.
    pub fn at(&self, position: usize) -> Option<PropertyId> {
        self.properties.get(position).map(|(id, ..)| *id)
    }

    fn put(&mut self, id: PropertyId, text: PropertyText, automaton: Arc<Automaton>) {
        self.next = self.next.max(id.0 + 1);
        match self.properties.iter_mut().find(|(other, ..)| *other == id) {
            Some(known) => *known = (id, text, automaton),
            None => self.properties.push((id, text, automaton)),
        }
    }
}

impl Session {
    /// The properties that are watched for.
    pub fn properties(&self) -> &PropertySet {
        &self.settings.properties
    }

    /// Loads a property, or another one in the place of one that is loaded. What has happened up to
    /// here is replayed for it.
    pub fn load_property(
        &mut self,
        text: PropertyText,
        replaces: Option<PropertyId>,
        control: &mut dyn Control,
    ) -> Result<PropertyId, SessionError> {
        let automaton = Arc::new(self.bind(&text)?);
        let mut properties = self.properties().clone();
        // People count from one.
        let id = replaces.unwrap_or(PropertyId(properties.next.max(1)));
        properties.put(id, text, automaton);
        self.watch_for(properties, Some(id), control)?;
        Ok(id)
    }

    /// Puts a property back under the number that it had.
    pub fn restore_property(
        &mut self,
        id: PropertyId,
        text: PropertyText,
        control: &mut dyn Control,
    ) -> Result<(), SessionError> {
        self.load_property(text, Some(id), control).map(drop)
    }

    /// Unloads a property.
    pub fn remove_property(
        &mut self,
        id: PropertyId,
        control: &mut dyn Control,
    ) -> Result<(), SessionError> {
        let mut properties = self.properties().clone();
        properties.properties.retain(|(other, ..)| *other != id);
        if !properties.is_empty() {
            return self.watch_for(properties, None, control);
        }
        self.settings.properties = properties;
        self.known.set_properties(Vec::new(), None);
        self.walk.now.monitors = None;
        self.known.each_checkpoint(|checkpoint| checkpoint.monitors = None);
        Ok(())
    }

    /// Binds a property to the programs.
    fn bind(&self, text: &PropertyText) -> Result<Automaton, PropertyError> {
        let of = |program: &Program| program.own_text.as_ref().unwrap_or(&program.sources).clone();
        let programs: Vec<_> =
            self.programs.iter().map(|program| (program.module.clone(), of(program))).collect();
        let property = Property::parse(&text.name, &text.text)?;
        Automaton::bind(property, &Bindings { programs: &programs })
    }

    /// Watches for properties from the start on, and finds out what they are here.
    fn watch_for(
        &mut self,
        properties: PropertySet,
        new: Option<PropertyId>,
        control: &mut dyn Control,
    ) -> Result<(), SessionError> {
        let mut root = self.known.at_root().now;
        root.watch_for(properties.iter().map(|(.., automaton)| automaton.clone()).collect());
        let former = self.known.begin_anew(root.keep());
        let mut replayer = self.replayer();
        let arrived = replayer.go_to(self.here(), control);
        let (walk, findings) = replayer.arrived();
        if let Err(error) = arrived {
            self.known.go_back(former);
            return Err(error);
        }
        self.known.set_properties(properties.iter().map(|(id, ..)| id).collect(), new);
        let start = self.start();
        for (which, (_, state)) in root.monitors.iter().flat_map(|of| of.iter()).enumerate() {
            if state.verdict() != Verdict::HoldsSoFar {
                self.known.note_verdict(start, which, state.verdict());
            }
        }
        self.known.learn(findings);
        self.known.note_walked(self.here());
        self.walk.now.monitors = walk.now.monitors;
        self.settings.properties = properties;
        Ok(())
    }

    /// The state of the monitor of a property here.
    pub fn monitor(&self, id: PropertyId) -> Option<&MonitorState> {
        monitor_of(&self.walk.now, self.properties(), id)
    }

    /// What has violated a property here, if something has just now.
    pub fn violation_here(&self) -> Option<&News> {
        let monitors = self.walk.now.monitors.as_deref()?;
        monitors.violation().filter(|news| news.count == self.walk.now.machine.count())
    }
}

/// The state of the monitor of a property at a moment.
pub fn monitor_of<'a>(
    now: &'a Moment,
    properties: &PropertySet,
    id: PropertyId,
) -> Option<&'a MonitorState> {
    now.monitors.as_deref()?.get(properties.position(id)?).map(|(_, state)| state)
}
