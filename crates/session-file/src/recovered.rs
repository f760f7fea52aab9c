//! What was found in a file, to be made a session again.

use std::path::PathBuf;

use mw_multiverse::{Multiverse, NodeId, Place};
use mw_session::{
    BreakpointId, Control, MockId, PropertyId, PropertyText, ScenarioId, ScenarioText, Session,
    SessionError, SkipSet,
};
use mw_world::{Call, ReadingView};

use crate::error::{FileError, Trouble, damaged};
use crate::load::{Contents, from_json};
use crate::program::Program;
use crate::snapshot::{KeptBreakpoint, Snapshot};

/// A session as it was saved.
#[derive(Debug)]
pub struct Recovered {
    /// What it takes to start it.
    pub program: Program,
    path: PathBuf,
    fingerprints: (String, String),
    multiverse: Multiverse,
    snapshot: Snapshot,
}

impl Recovered {
    pub(crate) fn new(path: PathBuf, contents: Contents) -> Recovered {
        let Contents { program, fingerprints, multiverse, snapshot, .. } = contents;
        Recovered { program, path, fingerprints, multiverse, snapshot }
    }

    /// The tree of universes.
    pub fn multiverse(&self) -> &Multiverse {
        &self.multiverse
    }

    /// Where the session stood.
    pub fn place(&self) -> Place {
        self.snapshot.place
    }

    /// Makes a session of the same program, which has not begun, what the saved one was: tree,
    /// bookmarks, labels, breakpoints, mocks, skips, and the place, to which it replays.
    ///
    /// If only the place cannot be reached ([`FileError::Place`], which includes being cancelled),
    /// the session has everything else and is at the start.
    pub fn restore_into(
        self,
        session: &mut Session,
        control: &mut dyn Control,
    ) -> Result<(), FileError> {
        let (of_program, of_world) = session.fingerprints();
        let fingerprint = format!("{of_program:032x}");
        if fingerprint != self.fingerprints.0 {
            return Err(FileError::OtherProgram);
        }
        let fingerprint = format!("{of_world:032x}");
        if fingerprint != self.fingerprints.1 {
            return Err(FileError::OtherWorld);
        }
        if !session.is_fresh() || session.start() != self.multiverse.beginning() {
            return Err(FileError::NotFresh);
        }
        let path = self.path.clone();
        let place = self.snapshot.place;
        let preferences: Vec<(NodeId, Option<NodeId>)> =
            self.snapshot.preferences.iter().map(|(node, next)| (*node, *next)).collect();
        let watched = self.watched().map_err(|trouble| trouble.with(&path))?;
        self.restore_all_but_place(session).map_err(|trouble| trouble.with(&path))?;
        let loaded = watched.load(session, control);
        let arrived = session.slide(place, true, control);
        // Sliding prefers the way that it takes.
        session.multiverse_mut().set_preferences(&preferences);
        arrived.map_err(FileError::Place)?;
        loaded.map_err(FileError::Property)
    }

    /// Whether there are properties, which are bound to the programs' texts.
    pub fn has_properties(&self) -> bool {
        !self.snapshot.properties.is_empty()
    }

    fn watched(&self) -> Result<Watched, Trouble> {
        let properties = self.snapshot.properties.iter();
        let properties = properties.map(|(id, json)| Ok((*id, from_json("property", json)?)));
        let scenarios = self.snapshot.scenarios.iter();
        let scenarios = scenarios.map(|(id, json)| Ok((*id, from_json("scenario", json)?)));
        Ok(Watched {
            properties: properties.collect::<Result<_, Trouble>>()?,
            scenarios: scenarios.collect::<Result<_, Trouble>>()?,
        })
    }

    fn restore_all_but_place(self, session: &mut Session) -> Result<(), Trouble> {
        let Snapshot {
            preferences,
            bookmarks,
            labels,
            unvisited,
            furthest,
            breakpoints,
            mocks,
            readings,
            skips,
            ..
        } = self.snapshot;
        // First whatever may not fit, so that a session is restored or left as it is.
        let breakpoints = breakpoints.into_iter().map(|(id, json)| {
            let kept: KeptBreakpoint = from_json("breakpoint", &json)?;
            Ok((BreakpointId(id), kept.restore(session)))
        });
        let breakpoints = breakpoints.collect::<Result<Vec<_>, Trouble>>()?;
        let mocks = mocks.into_iter().map(|(id, json)| Ok((MockId(id), from_json("mock", &json)?)));
        let mocks = mocks.collect::<Result<Vec<_>, Trouble>>()?;
        let mut multiverse = self.multiverse;
        let preferences: Vec<(NodeId, Option<NodeId>)> = preferences.into_iter().collect();
        if !multiverse.set_preferences(&preferences) {
            return Err(damaged("the preferred ways do not fit the tree"));
        }
        let skips = SkipSet::kept(from_json("meta", &skips)?)
            .ok_or_else(|| damaged("what steps pass through has no numbers"))?;
        set_readings(session, &from_json::<Vec<ReadingView>>("meta", &readings)?)?;

        *session.multiverse_mut() = multiverse;
        *session.skips_mut() = skips;
        for (id, breakpoint) in breakpoints {
            session.breakpoints_mut().restore(id, breakpoint);
        }
        for (id, mock) in mocks {
            session.mocks_mut().restore(id, mock);
        }
        for (name, place) in &bookmarks {
            session.bookmarks_mut().set(name, *place);
        }
        session.restore_labels(labels);
        session.multiverse_mut().restore_unvisited(unvisited.into_keys());
        session.restore_furthest(furthest);
        Ok(())
    }
}

/// What the session watches for.
struct Watched {
    properties: Vec<(u32, PropertyText)>,
    scenarios: Vec<(u32, ScenarioText)>,
}

impl Watched {
    /// Loads all that can be; says what the first that cannot is.
    fn load(self, session: &mut Session, control: &mut dyn Control) -> Result<(), SessionError> {
        let mut loaded = Ok(());
        for (id, text) in self.properties {
            let one = session.restore_property(PropertyId(id), text, control);
            loaded = loaded.and(one);
        }
        for (id, text) in self.scenarios {
            let one = session.load_scenario(text, Some(ScenarioId(id)));
            loaded = loaded.and(one.map(drop));
        }
        loaded
    }
}

/// Sets inputs to what a person had set them to before the program began.
fn set_readings(session: &mut Session, readings: &[ReadingView]) -> Result<(), Trouble> {
    let Some(world) = session.world_mut().filter(|_| !readings.is_empty()) else { return Ok(()) };
    for reading in readings {
        let name = reading.call.split('(').next().unwrap_or_default();
        let set = world.find(name).map(|import| {
            world.set_reading(Call { import, args: &reading.args }, Some(reading.value))
        });
        match set {
            Some(Ok(_)) => {}
            Some(Err(error)) => return Err(damaged(format!("a reading is impossible: {error}"))),
            None => return Err(damaged(format!("the program has no input {name}"))),
        }
    }
    session.rebase_world();
    Ok(())
}

#[cfg(test)]
mod tests;
