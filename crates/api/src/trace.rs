//! Universes as text.

use mw_session::{Direction, Halt, Place, Trace};
use serde::{Deserialize, Serialize};

use crate::ask::{Answered, Ask};
use crate::debugger::Debugger;
use crate::error::ApiError;
use crate::event::Listener;
use crate::movement::Stopped;
use crate::notation::PlaceRef;

/// A universe as text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceText(pub String);

/// The universe up to here as text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExportTrace {}

impl Ask for ExportTrace {
    type Reply = TraceText;
    const ONLY_LOOKS: bool = true;

    fn serve(self, debugger: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        debugger.trace_text(debugger.session.here())
    }
}

/// The universe of a path that exploring has found, as text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceOf {
    /// Its number among the leaves.
    pub path: usize,
    /// A place on its way, to go no further than that.
    #[serde(default)]
    pub until: Option<PlaceRef>,
}

impl Ask for TraceOf {
    type Reply = TraceText;
    const ONLY_LOOKS: bool = true;

    fn serve(self, debugger: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        let places = debugger.exploring.as_ref().map(|exploring| exploring.places.as_slice());
        let places = places.unwrap_or_default();
        let Some(&place) = places.get(self.path) else {
            let problem =
                format!("there is no path {}: {} have been found", self.path, places.len());
            return Err(ApiError::unknown(problem));
        };
        let place = match &self.until {
            Some(until) => debugger.resolve(until)?,
            None => place,
        };
        debugger.trace_text(place)
    }
}

/// Adds the universe that a text describes, and goes to its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReplayTrace {
    /// The text.
    pub text: String,
}

impl Ask for ReplayTrace {
    type Reply = Stopped;

    fn serve(self, debugger: &mut Debugger, listener: &mut dyn Listener) -> Answered<Self> {
        let trace = debugger.session.read_trace(&self.text)?;
        debugger.moving(Direction::Back, listener, |session, control| {
            let place = session.replay_trace(&trace, control)?;
            let ended = session.multiverse().ended(place.node);
            let ended = ended.filter(|(count, _)| *count == place.count);
            if let Some((_, outcome)) = ended {
                return Ok(Halt::Ended(outcome.clone()));
            }
            Ok(session.misuse_here(control).map_or(Halt::Reached, Halt::Misuse))
        })
    }
}

impl Debugger {
    /// The universe up to a place.
    pub(crate) fn trace_text(&self, place: Place) -> Result<TraceText, ApiError> {
        self.session.check_traceable()?;
        // A line has room for what has no breaks in it.
        let name = self.program_name().replace(char::is_control, "?");
        let name = Some(name).filter(|name| !name.is_empty());
        let trace = Trace { name, ..self.session.trace_to(place) };
        Ok(TraceText(self.session.write_trace(&trace)))
    }
}
