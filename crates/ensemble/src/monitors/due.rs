//! Holding back: what monitors are to be told waits until whoever explores tells them.
//!
//! What moves a monitor may depend on inputs that are not decided. So whoever follows many universes
//! at once has states of monitors of its own, in terms of the inputs, and needs from here what happens
//! and in which order. A run stops where something has happened, and goes on when all of it has been
//! told.
//!
//! **Invariant:** everything is held back that any state of a property could need: an event that
//! nobody needs now may be one that would have been needed had another come before it.

use std::collections::VecDeque;

use mw_monitor::{Deadline, Occasion, Values};

use super::Monitors;
use super::points::Told;
use crate::moment::Moment;
use crate::task::TaskId;

/// Something that a monitor is to be told.
#[derive(Clone, Debug)]
pub enum Due {
    /// Time may have run out for a property, by its position.
    Time(usize),
    /// An event has happened.
    Event(DueEvent),
    /// The parameters of the function that begins are to be kept under this number: it may write
    /// them before it is told that it returns.
    Keep(u32),
}

/// An event that a monitor is to be told of.
#[derive(Clone, Debug)]
pub struct DueEvent {
    /// The property, by its position.
    pub which: usize,
    /// What it watches for, by its position.
    pub watch: usize,
    /// The values of its parameters as the machine has them.
    pub values: Values,
    /// The program of the machine that it happens in.
    pub program: u16,
    /// How many calls the frame of the event is out from the innermost.
    pub depth: usize,
    /// The number under which the arguments have been kept, if they have.
    pub kept: Option<u32>,
    /// Whether arguments and results are those of the call of the outside that was answered last.
    pub by_call: bool,
    /// The message that it is about: who sent it, and which of theirs it is.
    pub message: Option<(TaskId, u64)>,
}

/// What is held back.
#[derive(Clone, Debug)]
pub(crate) struct HeldBack {
    waiting: VecDeque<Due>,
    /// When something happens by itself, for each property.
    deadlines: Vec<Deadline>,
    /// How often something has been kept.
    kept: u32,
    /// What the next events have in common.
    by_call: bool,
    message: Option<(TaskId, u64)>,
}

impl Monitors {
    /// Whether something waits to be told.
    pub(super) fn is_due(&self) -> bool {
        self.held_back.as_deref().is_some_and(|held| !held.waiting.is_empty())
    }

    /// When something happens by itself for a property.
    pub(super) fn deadline(&self, which: usize) -> Deadline {
        match &self.held_back {
            Some(held) => held.deadlines[which],
            None => self.states[which].deadline(),
        }
    }

    /// Holds an event back, if that is wanted.
    pub(super) fn hold(&mut self, told: Told, at: &Occasion<'_>, kept: Option<u32>) -> bool {
        let Some(held) = self.held_back.as_deref_mut() else { return false };
        let automaton = &self.watched.automata[told.which];
        held.waiting.push_back(Due::Event(DueEvent {
            which: told.which,
            watch: told.watch,
            values: automaton.read(&automaton.watches()[told.watch], at),
            program: at.program,
            depth: at.depth,
            kept,
            by_call: held.by_call,
            message: held.message,
        }));
        true
    }

    /// Holds back that time may have run out, if that is wanted.
    pub(super) fn hold_time(&mut self, which: usize) -> bool {
        let Some(held) = self.held_back.as_deref_mut() else { return false };
        if !matches!(held.waiting.back(), Some(Due::Time(other)) if *other == which) {
            held.waiting.push_back(Due::Time(which));
        }
        true
    }

    /// The number under which the parameters of the function under way are kept from now on.
    pub(super) fn keep_number(&mut self) -> u32 {
        let Some(held) = self.held_back.as_deref_mut() else { return 0 };
        held.kept += 1;
        held.waiting.push_back(Due::Keep(held.kept));
        held.kept
    }

    /// Whether the next events come of the call of the outside that has been answered.
    pub(super) fn is_by_call(&mut self, is_by_call: bool) {
        if let Some(held) = self.held_back.as_deref_mut() {
            held.by_call = is_by_call;
        }
    }

    /// Which message the next events are about.
    pub(super) fn is_about(&mut self, message: Option<(TaskId, u64)>) {
        if let Some(held) = self.held_back.as_deref_mut() {
            held.message = message;
        }
    }

    /// What is to be told next.
    pub fn due(&self) -> Option<&Due> {
        self.held_back.as_deref()?.waiting.front()
    }

    /// It has been told, and something happens to these properties by itself then.
    pub fn told(&mut self, deadlines: impl IntoIterator<Item = Deadline>) {
        if let Some(held) = self.held_back.as_deref_mut() {
            held.waiting.pop_front();
            held.deadlines = deadlines.into_iter().collect();
        }
    }
}

impl Moment {
    /// From now on, monitors are told nothing: it waits for whoever explores.
    pub fn hold_back(&mut self) {
        if let Some(monitors) = &mut self.monitors {
            let deadlines = monitors.states.iter().map(|state| state.deadline()).collect();
            monitors.armed = None;
            monitors.held_back = Some(Box::new(HeldBack {
                waiting: VecDeque::new(),
                deadlines,
                kept: 0,
                by_call: false,
                message: None,
            }));
        }
    }

    /// Whether monitors are to be told something.
    pub fn is_due(&self) -> bool {
        self.monitors.as_deref().is_some_and(Monitors::is_due)
    }
}
