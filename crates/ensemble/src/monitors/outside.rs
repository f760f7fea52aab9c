//! What monitors are told of the outside: primitives, interrupts, messages, turns, and the end.

use mw_monitor::{MessageKind, Moved, Occasion, Point, Values};
use mw_vm::{Status, Value};
use mw_world::Event;

use super::points::Told;
use super::{Monitors, Under};
use crate::moment::Moment;
use crate::next::Next;
use crate::task::{Message, TaskId};

/// A call of a primitive that is being answered.
pub(crate) struct Calling {
    program: usize,
    import: u32,
    args: Vec<Value>,
    /// How deep calls were nested, if the call was the last thing that its function did.
    was_last_at: Option<usize>,
}

impl Monitors {
    /// What has to be known of a call when it has returned, if that is of concern.
    pub(crate) fn calling(&self, now: &Moment) -> Option<Calling> {
        let program = self.program_of(&now.machine)?;
        let (import, args) = now.machine.import_call()?;
        let was_last_at = now.machine.is_at_last_call().then(|| now.machine.call_depth());
        Some(Calling { program, import, args, was_last_at })
    }

    /// A primitive has returned, and the machine has gone on after its call.
    pub(crate) fn called(&mut self, now: &mut Moment, calling: &Calling, results: &[Value]) {
        self.expire(now);
        self.messages_sent(now);
        self.is_by_call(true);
        let watched = self.watched.clone();
        for told in watched.programs[calling.program].primitive(calling.import, false) {
            let frame = match calling.was_last_at {
                Some(_) => self.nowhere(now),
                None => self.occasion(now),
            };
            let occasion = Occasion { arguments: Some(&calling.args), results, ..frame };
            self.happened(now, told, &occasion);
        }
        if let Some(depth) = calling.was_last_at {
            self.end_tails(now, depth, results);
        }
        self.is_by_call(false);
        self.arrive(now);
    }

    /// An interrupt has arrived, before an instruction that has been told.
    pub(crate) fn interrupted(&mut self, now: &mut Moment, under: Under, event: Event) {
        self.interrupted.push(under);
        self.armed = None;
        self.interrupt(now, event);
        self.arrive(now);
    }

    fn interrupt(&mut self, now: &Moment, event: Event) {
        let Event::Interrupt { pin, .. } = event;
        let occasion = Occasion { pin: Some(pin.into()), ..self.nowhere(now) };
        self.everywhere(now, |point| *point == Point::Interrupt, &occasion);
    }

    /// The turn under way may have sent messages.
    pub(super) fn messages_sent(&mut self, now: &Moment) {
        let Some(ensemble) = now.ensemble.as_deref() else { return };
        let new = ensemble.footprint.sent.get(self.sent..).unwrap_or_default();
        self.sent = ensemble.footprint.sent.len();
        for &(to, number) in new {
            let inbox = ensemble.task(to).and_then(|task| task.inbox.get(&ensemble.current()));
            let message = inbox.into_iter().flatten().find(|message| message.number == number);
            if let Some(message) = message {
                self.message(now, MessageKind::Sent, to, message);
            }
        }
    }

    /// Something has become of a message.
    fn message(&mut self, now: &Moment, of: MessageKind, to: TaskId, message: &Message) {
        let (between, bytes) = (Some((message.from.0, to.0)), &*message.bytes);
        let occasion = Occasion { between, bytes, ..self.nowhere(now) };
        let is_it = |point: &Point| match point {
            Point::Message { kind, name } => {
                *kind == of && name.as_deref().is_none_or(|name| name == &*message.name)
            }
            _ => false,
        };
        self.is_about(Some((message.from, message.number)));
        self.everywhere(now, is_it, &occasion);
        self.is_about(None);
    }

    /// Somebody has the next turn after another one, with a message; or something has gone wrong
    /// instead.
    pub(crate) fn taken(
        &mut self,
        now: &mut Moment,
        next: Next,
        before: TaskId,
        message: Option<&Message>,
    ) {
        (self.armed, self.has_ended, self.sent) = (None, false, 0);
        if let Next::Crash(task) = next {
            self.forget(task);
        }
        self.switched(now, before);
        if let Some(message) = message {
            let kind = match next {
                Next::Lose { .. } => MessageKind::Dropped,
                _ => MessageKind::Received,
            };
            self.message(now, kind, next.task(), message);
        }
        if let Next::Interrupt { event, .. } = next {
            self.interrupt(now, event);
        }
        match next {
            // What comes next has been told when it was paused.
            Next::Resume(_) | Next::Lose { .. } => self.check_end(now),
            _ => self.arrive(now),
        }
    }

    /// A task goes on after another one.
    fn switched(&mut self, now: &Moment, from: TaskId) {
        let to = now.current();
        if from != to {
            let occasion = Occasion { between: Some((from.0, to.0)), ..self.nowhere(now) };
            self.everywhere(now, |point| *point == Point::Switch, &occasion);
        }
    }

    /// The program has trapped, or the world has ended it; or all that was to be done is done.
    pub(super) fn check_end(&mut self, now: &Moment) {
        let is_over = match now.machine.status() {
            Status::Running | Status::Importing(_) => false,
            Status::Trapped(_) => true,
            Status::Idle => self.needs_end() && !now.is_alive(),
        };
        if !is_over || std::mem::replace(&mut self.has_ended, true) {
            return;
        }
        let has_failed = now.aborted.is_some() || now.machine.status() != Status::Idle;
        let point = if has_failed { Point::Trap } else { Point::End };
        // That nothing more comes matters in every state.
        for told in self.with(|other| *other == point) {
            self.step(now, told, &self.occasion(now));
            let (automaton, state) =
                (&self.watched.automata[told.which], &mut self.states[told.which]);
            let before = state.verdict();
            state.end(automaton);
            let verdict = (before, state.verdict());
            if verdict.0 != verdict.1 {
                let (changes, faults) = Default::default();
                let moved = Moved { changes, faults, needs_changed: false, verdict };
                let event = Some(self.watched.event_of(told));
                self.note(now, told.which, event, Values::new(), moved);
            }
        }
    }

    /// Whether any monitor has to know that the program is over.
    fn needs_end(&self) -> bool {
        let mut watches = self.iter().flat_map(|(automaton, _)| automaton.watches());
        watches.any(|watch| matches!(watch.point, Point::End | Point::Trap))
    }

    /// Tells all monitors that have a point of some kind.
    fn everywhere(&mut self, now: &Moment, is_it: impl Fn(&Point) -> bool, at: &Occasion<'_>) {
        for told in self.with(is_it) {
            self.happened(now, told, at);
        }
    }

    /// What monitors watch for at points of some kind.
    fn with(&self, is_it: impl Fn(&Point) -> bool) -> Vec<Told> {
        let mut all = Vec::new();
        for (which, automaton) in self.watched.automata.iter().enumerate() {
            let watches = automaton.watches().iter().enumerate();
            let found = watches.filter(|(_, watch)| is_it(&watch.point));
            all.extend(found.map(|(watch, _)| Told { which, watch }));
        }
        all
    }
}
