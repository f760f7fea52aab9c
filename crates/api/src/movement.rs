//! Moving: steps, runs, slides.

use mw_session::{Control, Direction, Effect, Halt, Journey, Place, Session, SessionError, Unit};
use mw_world::Call;

use crate::chronicle::Seen;
use crate::debugger::{Bridge, Debugger};
use crate::error::{ApiError, ErrorKind};
use crate::event::{EffectView, Event, Listener};
use crate::reply::{HaltView, JourneyView, Reply, Stopped};
use crate::request::PlaceRef;
use crate::world_changes::world_changes;

/// More choices than this are not listed for a journey.
const CHOICES_SHOWN: usize = 100;

impl Debugger {
    pub(crate) fn step(
        &mut self,
        unit: Unit,
        direction: Direction,
        count: u64,
        confirm: bool,
        listener: &mut dyn Listener,
    ) -> Result<Reply, ApiError> {
        self.moving(direction, confirm, listener, |session, control| {
            session.step(unit, direction, count, control)
        })
    }

    pub(crate) fn run(
        &mut self,
        direction: Direction,
        confirm: bool,
        listener: &mut dyn Listener,
    ) -> Result<Reply, ApiError> {
        self.moving(direction, confirm, listener, |session, control| {
            session.run(direction, control)
        })
    }

    pub(crate) fn slide_to(
        &mut self,
        place: Place,
        confirm: bool,
        listener: &mut dyn Listener,
    ) -> Result<Reply, ApiError> {
        let slid = self.moving(Direction::Back, confirm, listener, |session, control| {
            session.slide(place, confirm, control).map(|_| Halt::Reached)
        });
        slid.map_err(|error| self.unreachable(&[place], error))
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

    pub(crate) fn plan(&mut self, to: &PlaceRef) -> Result<Reply, ApiError> {
        let to = self.resolve(to)?;
        let journey = self.session.plan(to)?;
        Ok(Reply::Planned(self.journey_view(&journey)))
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

    /// Moves, and tells what happened on the way and where it ended.
    pub(crate) fn moving(
        &mut self,
        direction: Direction,
        confirm: bool,
        listener: &mut dyn Listener,
        operation: impl FnOnce(&mut Session, &mut dyn Control) -> Result<Halt, SessionError>,
    ) -> Result<Reply, ApiError> {
        let before = (direction == Direction::Back).then(|| self.session.world().view());
        self.note_effects();
        let was_dry = self.session.options().dry;
        self.session.set_dry(was_dry || confirm);
        let mut bridge = Bridge { listener, keeper: self.keeper.as_mut() };
        let result = operation(&mut self.session, &mut bridge);
        self.session.set_dry(was_dry);
        let effects = self.note_effects();
        // Where one did not come by just running on, what is different says more than what
        // happened on a way that nobody saw.
        if before.is_none() {
            for effect in effects {
                listener.event(Event::Effect(effect));
            }
        }
        let halt = match result {
            Ok(halt) => self.halt_view(halt),
            Err(SessionError::Cancelled) => HaltView::Cancelled,
            Err(error) => return Err(error.into()),
        };
        let changes = match before {
            Some(before) => world_changes(&before, &self.session.world().view()),
            None => Vec::new(),
        };
        Ok(Reply::Stopped(Box::new(Stopped { halt, position: self.position(), changes })))
    }

    /// Notes what the program did since this was last called, and tells it.
    pub(crate) fn note_effects(&mut self) -> Vec<EffectView> {
        let effects = self.session.take_effects().into_iter().map(|effect| {
            let Effect { node, count, import, args, effect, printed } = effect;
            let call = self.session.world().show(Call { import, args: &args });
            let seen = Seen { count, call: call.clone(), effect: effect.clone(), printed };
            self.chronicle.output(node, seen);
            EffectView { count, call, effect }
        });
        effects.collect()
    }

    fn halt_view(&mut self, halt: Halt) -> HaltView {
        match halt {
            Halt::Reached => HaltView::Reached,
            Halt::Breakpoint(id) => {
                self.chronicle.hit(self.session.here(), id.0);
                let found = self.session.breakpoints().iter().find(|(other, _)| *other == id);
                let trigger = found.map(|(_, breakpoint)| breakpoint.trigger.clone());
                let text = trigger.as_ref().map(|trigger| self.trigger_text(trigger));
                let value = trigger.as_ref().and_then(|trigger| self.watched_value(trigger));
                if self.temporary.remove(&id) {
                    self.session.breakpoints_mut().remove(id);
                }
                HaltView::Breakpoint { id: id.0, trigger: text.unwrap_or_default(), value }
            }
            Halt::Ended(outcome) => {
                let count = self.session.here().count;
                HaltView::Ended { outcome: self.outcome_view(count, &outcome) }
            }
            Halt::Asks => HaltView::Asks,
            Halt::Edge => HaltView::Start,
        }
    }
}
