//! Moving: steps and runs.

use mw_session::{Control, Direction, Effect, Halt, Logged, Session, SessionError, Unit};
use mw_world::Call;
use serde::{Deserialize, Serialize};

use crate::ask::{Answered, Ask};
use crate::chronicle::Seen;
use crate::debugger::{Bridge, Debugger};
use crate::error::ApiError;
use crate::event::{EffectView, Event, Listener};
use crate::notation::TriggerRef;
use crate::position::Position;
use crate::views::{OutcomeView, ValueView};
use crate::world_changes::world_changes;

/// Makes steps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// What a step is.
    pub unit: Unit,
    /// Which way.
    pub direction: Direction,
    /// How many.
    #[serde(default = "one")]
    pub count: u64,
}

fn one() -> u64 {
    1
}

impl Ask for Step {
    type Reply = Stopped;

    fn serve(self, debugger: &mut Debugger, listener: &mut dyn Listener) -> Answered<Self> {
        let Step { unit, direction, count } = self;
        // Where no source is known, instructions are what there is to step by.
        let unit = match unit {
            Unit::Line if debugger.sources.is_none() => Unit::Instruction,
            Unit::LineOver if debugger.sources.is_none() => Unit::Over,
            Unit::LineOut if debugger.sources.is_none() => Unit::Out,
            unit => unit,
        };
        debugger.moving(direction, listener, |session, control| {
            session.step(unit, direction, count, control)
        })
    }
}

/// Runs to the next breakpoint or the end; back, to the last one or the start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// Which way.
    pub direction: Direction,
}

impl Ask for Run {
    type Reply = Stopped;

    fn serve(self, debugger: &mut Debugger, listener: &mut dyn Listener) -> Answered<Self> {
        debugger.moving(self.direction, listener, |session, control| {
            session.run(self.direction, control)
        })
    }
}

/// Runs to the next breakpoint or the end: where nothing is recorded, inputs return what was
/// suggested first, as long as something was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunAsSuggested {}

impl Ask for RunAsSuggested {
    type Reply = Stopped;

    fn serve(self, debugger: &mut Debugger, listener: &mut dyn Listener) -> Answered<Self> {
        debugger.moving(Direction::Forward, listener, |session, control| {
            session.run_as_suggested(control)
        })
    }
}

/// Runs to a line, a function or an instruction, unless a breakpoint comes first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunTo {
    /// What is run to, as a breakpoint waits for it.
    pub to: TriggerRef,
    /// Which way.
    pub direction: Direction,
}

impl Ask for RunTo {
    type Reply = Stopped;

    fn serve(self, debugger: &mut Debugger, listener: &mut dyn Listener) -> Answered<Self> {
        let trigger = debugger.read_trigger(&self.to)?;
        debugger.moving(self.direction, listener, |session, control| {
            session.run_until(trigger, self.direction, control)
        })
    }
}

/// Goes back to the beginning of a function that is being executed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RestartFrame {
    /// The frame, as an index of `source-frames`.
    pub frame: usize,
}

impl Ask for RestartFrame {
    type Reply = Stopped;

    fn serve(self, debugger: &mut Debugger, listener: &mut dyn Listener) -> Answered<Self> {
        let depth = debugger.machine_frame(self.frame)?;
        debugger.moving(Direction::Back, listener, |session, control| {
            session.restart_frame(depth, control)
        })
    }
}

/// The session has moved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stopped {
    /// Why it stopped.
    #[serde(flatten)]
    pub halt: HaltView,
    /// Where it stands.
    pub position: Position,
    /// What is different in the world, if it did not get there by just running on: `pin 45: high →
    /// low`.
    pub changes: Vec<String>,
}

/// Why the session stopped moving.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "halt", rename_all = "kebab-case")]
pub enum HaltView {
    /// It got to where it was to go.
    Reached,
    /// A breakpoint was hit.
    Breakpoint {
        /// Its number.
        id: u32,
        /// What it waits for.
        trigger: String,
        /// The value of what is watched, now.
        value: Option<ValueView>,
    },
    /// The program ended.
    Ended {
        /// How.
        outcome: OutcomeView,
    },
    /// The next instruction misuses memory that the program has allocated.
    Misuse {
        /// How: `memory used after it was freed`.
        text: String,
    },
    /// Nobody knows what an input returns: one has to answer.
    Asks,
    /// There is nothing earlier.
    Start,
    /// Somebody stopped it.
    Cancelled,
}

impl Debugger {
    /// Moves, and tells what happened on the way and where it ended.
    pub(crate) fn moving(
        &mut self,
        direction: Direction,
        listener: &mut dyn Listener,
        operation: impl FnOnce(&mut Session, &mut dyn Control) -> Result<Halt, SessionError>,
    ) -> Result<Stopped, ApiError> {
        let before = (direction == Direction::Back).then(|| self.session.world().view());
        self.note_effects();
        let mut bridge = Bridge { listener, keeper: self.keeper.as_mut() };
        let result = operation(&mut self.session, &mut bridge);
        // Cancelled, one is where the device is.
        let brought = self.session.bring_target(&mut bridge);
        let result = result.and_then(|halt| brought.map(|()| halt));
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
        Ok(Stopped { halt, position: self.position(), changes })
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
