//! Sliding: to any place, and what that takes.

use mw_session::{Direction, Halt, Journey, Place};
use serde::{Deserialize, Serialize};

use crate::ask::{Answered, Ask};
use crate::debugger::{Bridge, Debugger};
use crate::error::{ApiError, ErrorKind};
use crate::event::Listener;
use crate::movement::Stopped;
use crate::notation::PlaceRef;
use crate::views::PlaceView;

/// More choices than this are not listed for a journey.
const CHOICES_SHOWN: usize = 100;

/// Goes to any place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Slide {
    /// Where to.
    pub to: PlaceRef,
}

impl Ask for Slide {
    type Reply = Stopped;

    fn serve(self, debugger: &mut Debugger, listener: &mut dyn Listener) -> Answered<Self> {
        let place = debugger.resolve(&self.to)?;
        debugger.slide_to(place, listener)
    }
}

/// Goes to the beginning of the line that is under way at a place; to the place itself where no
/// line of the source is known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SlideToLine {
    /// The place.
    pub to: PlaceRef,
}

impl Ask for SlideToLine {
    type Reply = Stopped;

    fn serve(self, debugger: &mut Debugger, listener: &mut dyn Listener) -> Answered<Self> {
        let to = debugger.resolve(&self.to)?;
        let slid = debugger.moving(Direction::Back, listener, |session, control| {
            session.slide_to_line(to, false, control).map(|()| Halt::Reached)
        });
        slid.map_err(|error| debugger.unreachable(&[to], error))
    }
}

/// Goes back to the start of the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reset {}

impl Ask for Reset {
    type Reply = Stopped;

    fn serve(self, debugger: &mut Debugger, listener: &mut dyn Listener) -> Answered<Self> {
        debugger.slide_to(debugger.session.start(), listener)
    }
}

/// What a slide would take, without making it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// Where to.
    pub to: PlaceRef,
}

impl Ask for Plan {
    type Reply = JourneyView;
    const ONLY_LOOKS: bool = true;

    fn serve(self, debugger: &mut Debugger, listener: &mut dyn Listener) -> Answered<Self> {
        let to = debugger.resolve(&self.to)?;
        let journey = debugger.journey(to, listener)?;
        Ok(debugger.journey_view(&journey))
    }
}

/// What a slide takes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JourneyView {
    /// Where it starts.
    pub from: PlaceView,
    /// The last place that start and goal have in common.
    pub common: PlaceView,
    /// Where it leads.
    pub to: PlaceView,
    /// How many changes of the world are undone.
    pub undone: u64,
    /// How many instructions are replayed.
    pub replayed: u64,
    /// Outputs that cannot be undone but are crossed on the way back.
    pub irreversible: Vec<String>,
    /// The choices from the common place on.
    pub choices: Vec<String>,
}

impl Debugger {
    pub(crate) fn slide_to(
        &mut self,
        to: Place,
        listener: &mut dyn Listener,
    ) -> Result<Stopped, ApiError> {
        let slid = self.moving(Direction::Back, listener, |session, control| {
            session.slide(to, false, control).map(|_| Halt::Reached)
        });
        slid.map_err(|error| self.unreachable(&[to], error))
    }

    /// Says better why a place cannot be reached: nothing is known of what comes after the last
    /// choice of a universe, until one has been there.
    pub(crate) fn unreachable(&self, places: &[Place], error: ApiError) -> ApiError {
        let multiverse = self.session.multiverse();
        let is_open = |place: &&Place| {
            multiverse.contains(place.node)
                && multiverse.steps(place.node).next().is_none()
                && multiverse.ended(place.node).is_none()
                && place.count > multiverse.start(place.node)
        };
        let wrong = [ErrorKind::Diverged, ErrorKind::Unknown].contains(&error.kind);
        let Some(&place) = places.iter().find(is_open).filter(|_| wrong) else { return error };
        let end = Place { node: place.node, count: multiverse.start(place.node) };
        ApiError::unknown(format!(
            "nothing is recorded as far as {}: on the way the program ends, or reads an input that \
             nobody has decided; slide to {} and go on from there",
            self.place_view(place).text,
            self.place_view(end).text
        ))
    }

    /// What sliding to a place takes, if one can.
    pub(crate) fn journey(
        &mut self,
        to: Place,
        listener: &mut dyn Listener,
    ) -> Result<Journey, ApiError> {
        let journey = self.session.plan(to, &mut Bridge { listener });
        journey.map_err(|error| self.unreachable(&[to], error.into()))
    }

    fn journey_view(&self, journey: &Journey) -> JourneyView {
        let Journey { from, common, to, undone, replayed, ref irreversible } = *journey;
        let multiverse = self.session.multiverse();
        let new = multiverse.ancestors(to.node).take_while(|node| *node != common.node);
        let mut choices: Vec<String> =
            new.take(CHOICES_SHOWN).map(|node| self.choice_text(node)).collect();
        choices.reverse();
        JourneyView {
            from: self.place_view(from),
            common: self.place_view(common),
            to: self.place_view(to),
            undone: undone as u64,
            replayed,
            irreversible: irreversible.clone(),
            choices,
        }
    }
}
