//! Moving: steps, runs, slides.

use mw_session::{
    Control, Direction, Effect, Halt, Journey, Logged, Place, Session, SessionError, Trigger, Unit,
};
use mw_world::Call;

use crate::chronicle::Seen;
use crate::debugger::{Bridge, Debugger};
use crate::error::{ApiError, ErrorKind};
use crate::event::{EffectView, Event, Listener};
use crate::reply::{HaltView, JourneyView, Reply, Stopped};
use crate::request::{PlaceRef, TriggerRef};
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
        // Where no source is known, instructions are what there is to step by.
        let unit = match unit {
            Unit::Line if self.sources.is_none() => Unit::Instruction,
            Unit::LineOver if self.sources.is_none() => Unit::Over,
            Unit::LineOut if self.sources.is_none() => Unit::Out,
            unit => unit,
        };
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

    pub(crate) fn run_as_suggested(
        &mut self,
        listener: &mut dyn Listener,
    ) -> Result<Reply, ApiError> {
        self.moving(Direction::Forward, false, listener, |session, control| {
            session.run_as_suggested(control)
        })
    }

    /// Runs to what a breakpoint could wait for.
    pub(crate) fn run_to(
        &mut self,
        to: &TriggerRef,
        direction: Direction,
        confirm: bool,
        listener: &mut dyn Listener,
    ) -> Result<Reply, ApiError> {
        let trigger = self.read_trigger(to)?;
        self.moving(direction, confirm, listener, |session, control| {
            session.run_until(trigger, direction, control)
        })
    }

    /// Goes back to where a function that is being executed began.
    pub(crate) fn restart_frame(
        &mut self,
        frame: usize,
        confirm: bool,
        listener: &mut dyn Listener,
    ) -> Result<Reply, ApiError> {
        let depth = self.machine_frame(frame)?;
        let stack = self.session.machine().call_stack();
        let Some(func) = stack.get(depth).map(|frame| frame.func) else {
            return Err(ApiError::not_here(format!("there is no frame {frame} here")));
        };
        let is_outermost = depth + 1 == stack.len();
        let start = self.session.module().func_code(func).start;
        self.moving(Direction::Back, confirm, listener, |session, control| {
            if !is_outermost {
                // Back to the call, and into it again.
                let halt = session.step(Unit::Out, Direction::Back, depth as u64 + 1, control)?;
                if halt == Halt::Edge {
                    return Ok(halt);
                }
                return session.step(Unit::Instruction, Direction::Forward, 1, control);
            }
            session.slide(session.start(), confirm, control)?;
            if session.machine().pc() == start {
                return Ok(Halt::Reached);
            }
            let outermost = session.machine().call_stack().last().map(|frame| frame.func);
            if !session.has_whole_past() && outermost == Some(func) {
                // It began before the session did.
                return Ok(Halt::Edge);
            }
            // What the machine runs first is not what was asked for.
            session.run_until(Trigger::Function(func), Direction::Forward, control)
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

    pub(crate) fn plan(
        &mut self,
        to: &PlaceRef,
        listener: &mut dyn Listener,
    ) -> Result<Reply, ApiError> {
        let to = self.resolve(to)?;
        let journey = self.journey(to, listener)?;
        Ok(Reply::Planned(self.journey_view(&journey)))
    }

    /// What sliding to a place takes, if one can.
    pub(crate) fn journey(
        &mut self,
        to: Place,
        listener: &mut dyn Listener,
    ) -> Result<Journey, ApiError> {
        let journey = self.session.plan(to, &mut Bridge { listener, keeper: None });
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
        // Cancelled, one is where the device is.
        let brought = self.session.bring_target(&mut bridge);
        let result = result.and_then(|halt| brought.map(|()| halt));
        self.session.set_dry(was_dry);
        let (effects, logged) = (self.note_effects(), self.session.take_logged());
        let log = |logged: Logged| (logged.count, Event::Log { message: logged.text });
        let mut events: Vec<(u64, Event)> = logged.into_iter().map(log).collect();
        // Where one did not come by just running on, what is different says more than what
        // happened on a way that nobody saw.
        if before.is_none() {
            events.extend(effects.into_iter().map(|effect| (effect.count, Event::Effect(effect))));
            events.sort_by_key(|(count, _)| *count);
        }
        for (_, event) in events {
            listener.event(event);
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
                if self.session.breakpoints().get(id).is_some_and(|known| known.temporary) {
                    self.session.breakpoints_mut().remove(id);
                }
                HaltView::Breakpoint { id: id.0, trigger: text.unwrap_or_default(), value }
            }
            Halt::Ended(outcome) => {
                let count = self.session.here().count;
                HaltView::Ended { outcome: self.outcome_view(count, &outcome) }
            }
            Halt::Misuse(error) => HaltView::Misuse { text: error.to_string() },
            Halt::Asks => HaltView::Asks,
            Halt::Edge => HaltView::Start,
        }
    }
}
