//! Moving: steps and runs.

use mw_session::{
    Control, Direction, Effect, Halt, Logged, NodeId, Session, SessionError, Site, Unit,
};
use mw_world::Call;
use serde::{Deserialize, Serialize};

use crate::ask::{Answered, Ask};
use crate::chronicle::Seen;
use crate::debugger::{Debugger, Lending};
use crate::error::ApiError;
use crate::event::{EffectView, Event, Listener, ReadView};
use crate::notation::TriggerRef;
use crate::position::Position;
use crate::property_events::PropertyEvent;
use crate::views::{OutcomeView, ValueView};
use crate::world_changes::world_changes;

/// More readings than this are not told of one movement: the last ones are.
const READINGS: u64 = 10_000;

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
            Unit::Line if debugger.sources().is_none() => Unit::Instruction,
            Unit::LineOver if debugger.sources().is_none() => Unit::Over,
            Unit::LineOut if debugger.sources().is_none() => Unit::Out,
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
        debugger.run_reacting(self.direction, listener)
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
        let breakpoint = debugger.new_breakpoint(&self.to)?;
        debugger.moving(self.direction, listener, |session, control| {
            session.run_to_breakpoint(breakpoint, self.direction, control)
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
        let depth = debugger.running().machine_frame(self.frame)?;
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
        /// The value of what is watched, before it is written.
        before: Option<ValueView>,
        /// Its value afterwards.
        value: Option<ValueView>,
    },
    /// The program ended.
    Ended {
        /// How.
        outcome: OutcomeView,
    },
    /// A property is violated from here on.
    Violated {
        /// What happened, and what became of slices by it.
        event: Box<PropertyEvent>,
    },
    /// The next instruction misuses memory that the program has allocated.
    Misuse {
        /// How: `memory used after it was freed`.
        text: String,
    },
    /// Nobody knows what an input returns: one has to answer.
    Asks,
    /// Everybody who could have the next turn is to wait: one has to let somebody go on.
    Paused,
    /// There is nothing earlier.
    Start,
    /// Somebody stopped it.
    Cancelled,
}

impl HaltView {
    /// What became of what is watched: `: 1 → 2`; nothing, if nothing is.
    pub fn change(&self) -> String {
        let HaltView::Breakpoint { before, value, .. } = self else { return String::new() };
        match (before, value) {
            (Some(before), Some(value)) => format!(": {} → {}", before.text, value.text),
            (None, Some(value)) => format!(", now {}", value.text),
            (Some(before), None) => format!(", was {}", before.text),
            (None, None) => String::new(),
        }
    }
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
        let from = self.session.here().node;
        let stand_in = self.session.stand_in();
        let mut session = std::mem::replace(&mut self.session, stand_in);
        let mut lending = Lending { debugger: self, listener };
        let result = operation(&mut session, &mut lending);
        // Cancelled, one is where the device is.
        let brought = session.bring_target(&mut lending);
        self.session = session;
        let result = result.and_then(|halt| brought.map(|()| halt));
        let forgotten = self.session.forgotten_effects();
        let (effects, logged) = (self.note_effects(), self.session.take_logged());
        let log = |logged: Logged| (logged.count, Event::Log { message: logged.text });
        let mut events: Vec<(u64, Event)> = logged.into_iter().map(log).collect();
        // Where one did not come by just running on, what is different says more than what
        // happened on a way that nobody saw.
        if before.is_none() {
            events.extend(effects.into_iter().map(|effect| (effect.count, Event::Effect(effect))));
            let (readings, unread) = self.readings_since(from);
            let reading = |reading: ReadView| (reading.count, Event::Reading(reading));
            events.extend(readings.into_iter().map(reading));
            if forgotten + unread > 0 {
                events.push((0, Event::Omitted { count: forgotten + unread }));
            }
            events.sort_by_key(|(count, _)| *count);
        }
        for (_, event) in events {
            listener.event(event);
        }
        let halt = match result {
            Ok(halt) => self.halt_view(halt, direction),
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
            let Effect { node, count, import, args, call, effect, printed } = effect;
            let show = || self.session.world().show(Call { import, args: &args });
            let call = call.unwrap_or_else(show);
            let seen = Seen { count, call: call.clone(), effect: effect.clone(), printed };
            self.chronicle.output(node, seen);
            EffectView { count, call, effect }
        });
        effects.collect()
    }

    /// What inputs returned on the way from a node to here, and how many of the first of these are
    /// left out.
    fn readings_since(&self, from: NodeId) -> (Vec<ReadView>, u64) {
        let (multiverse, here) = (self.session.multiverse(), self.session.here().node);
        if !multiverse.is_ancestor(from, here) {
            return Default::default();
        }
        let new = multiverse.depth(here) - multiverse.depth(from);
        let told = multiverse.ancestors(here).take(new.min(READINGS) as usize);
        let reading = |node| {
            let choice = multiverse.choice(node)?;
            let is_input = matches!(choice.site, Site::Input { .. });
            is_input.then(|| ReadView { count: choice.count, text: self.choice_text(node) })
        };
        (told.filter_map(reading).collect(), new.saturating_sub(READINGS))
    }

    fn halt_view(&mut self, halt: Halt, direction: Direction) -> HaltView {
        match halt {
            Halt::Reached => HaltView::Reached,
            Halt::Paused => HaltView::Paused,
            Halt::Breakpoint(id) => {
                self.chronicle.hit(self.session.here(), id.0);
                let found = self.session.breakpoints().iter().find(|(other, _)| *other == id);
                let found = found.map(|(_, breakpoint)| breakpoint.clone());
                let text = found.as_ref().map(|breakpoint| self.trigger_text(breakpoint));
                let change = found.map(|found| self.watched_change(&found.trigger, direction));
                let (before, value) = change.unwrap_or_default();
                if self.session.breakpoints().get(id).is_some_and(|known| known.temporary) {
                    self.session.breakpoints_mut().remove(id);
                }
                let trigger = text.unwrap_or_default();
                HaltView::Breakpoint { id: id.0, trigger, before, value }
            }
            Halt::Ended(outcome) => {
                let count = self.session.here().count;
                HaltView::Ended { outcome: self.outcome_view(count, &outcome) }
            }
            Halt::Violated => match self.violation() {
                Some(event) => HaltView::Violated { event: Box::new(event) },
                None => HaltView::Reached,
            },
            Halt::Misuse(error) => HaltView::Misuse { text: error.to_string() },
            Halt::Asks => HaltView::Asks,
            Halt::Edge => HaltView::Start,
        }
    }
}
