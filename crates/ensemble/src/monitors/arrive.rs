//! Coming to a place: what monitors are told there, in which order.
//!
//! First that time has run out; then what the instruction does that comes next: a line begins, a
//! function is called, a function returns. Of events at one place, each is told if it is needed by
//! then, so that an event may be what makes the next one matter.

use std::sync::Arc;

use mw_monitor::{
    Automaton, Change, Concrete, EventId, Moved, Number, Occasion, Values, expire, step,
};
use mw_vm::Status;

use super::points::{Concern, Told};
use super::{Monitors, News};
use crate::moment::Moment;

impl Monitors {
    /// The machine has come to another instruction, or to its end.
    pub(crate) fn arrive(&mut self, now: &mut Moment) {
        // What the end of a turn sends is sent here.
        now.end_turn();
        self.expire(now);
        self.messages_sent(now);
        if matches!(now.machine.status(), Status::Running | Status::Importing(_))
            && !self.lands(now)
        {
            self.before_instruction(now);
        }
        self.check_end(now);
    }

    /// Time may have run out.
    pub(super) fn expire(&mut self, now: &Moment) {
        let when = now.when();
        for which in 0..self.states.len() {
            let deadline = self.deadline(which);
            // Inputs may have a say in the clock.
            let may_be_over = deadline.is_past(when) || deadline.clock.is_some();
            if may_be_over && self.hold_time(which) {
                continue;
            }
            if deadline.is_past(when) {
                let automaton = &self.watched.automata[which];
                let Ok(moved) = expire(automaton, &mut self.states[which], when, &mut Concrete);
                if !moved.is_empty() {
                    self.note(now, which, None, Values::new(), moved);
                }
            }
        }
    }

    /// Whether the function goes on here that was interrupted: what comes next has been told.
    fn lands(&mut self, now: &Moment) -> bool {
        let (task, depth) = (now.current(), now.machine.call_depth());
        let last = self.interrupted.iter().rposition(|under| under.task == task);
        let Some(last) = last.filter(|last| self.interrupted[*last].depth == depth) else {
            return false;
        };
        self.interrupted.remove(last);
        self.armed = None;
        true
    }

    fn before_instruction(&mut self, now: &mut Moment) {
        let Some(program) = self.program_of(&now.machine) else { return };
        let watched = self.watched.clone();
        let points = &watched.programs[program];
        let mut is_access_told = false;
        for concern in points.at(now.machine.pc()) {
            if !concern.is_before_accesses() && !is_access_told {
                self.before_access(now, program);
                is_access_told = true;
            }
            match concern {
                Concern::Keep => self.keep(now),
                Concern::Frame(_) => self.armed = None,
                Concern::Line(told) | Concern::Call(told) => {
                    self.happened(now, told, &self.occasion(now));
                }
                Concern::Tail(told) => self.is_replaced(now, told),
                Concern::Return(told) => self.returns(now, told),
                Concern::Leave => self.left(now),
            }
        }
        if !is_access_told {
            self.before_access(now, program);
        }
        if !self.tails.is_empty() {
            self.tails_return(now);
        }
        if let Some((import, args)) = now.machine.import_call() {
            for told in points.primitive(import, true) {
                let occasion = Occasion { arguments: Some(&args), ..self.occasion(now) };
                self.happened(now, told, &occasion);
            }
        }
    }

    /// Tells a monitor of an event, if it is needed.
    pub(super) fn happened(&mut self, now: &Moment, told: Told, occasion: &Occasion<'_>) {
        if self.hold(told, occasion, None) {
            return;
        }
        let automaton = &self.watched.automata[told.which];
        let watch = &automaton.watches()[told.watch];
        if self.states[told.which].needed().contains(watch.event) {
            self.step(now, told, occasion);
        }
    }

    /// Tells a monitor of an event.
    pub(super) fn step(&mut self, now: &Moment, told: Told, occasion: &Occasion<'_>) {
        if self.hold(told, occasion, None) {
            return;
        }
        let automaton = &self.watched.automata[told.which];
        let (watch, state) = (&automaton.watches()[told.watch], &mut self.states[told.which]);
        let values = automaton.read(watch, occasion);
        let event = watch.event;
        let Ok(moved) = step(automaton, state, event, &values, now.when(), &mut Concrete);
        self.note(now, told.which, Some(event), values, moved);
    }

    /// Notes what came of an event, as far as it is heeded.
    pub(super) fn note(
        &mut self,
        now: &Moment,
        which: usize,
        event: Option<EventId>,
        values: Values,
        moved: Moved,
    ) {
        if moved.needs_changed {
            self.armed = None;
        }
        let violates = violates(&self.watched.automata[which], &moved);
        let is_heeded = self.heed.is_for(&moved, violates);
        if !is_heeded && !violates {
            return;
        }
        let (count, variables) = (now.machine.count(), self.variables_after(which, &moved));
        let news = News { which, count, event, values, moved, violates, variables };
        if violates {
            self.violation = Some(Arc::new(news.clone()));
        }
        if is_heeded {
            self.news.push(news);
        }
    }

    /// The variables of slices to which something has happened.
    fn variables_after(&self, which: usize, moved: &Moved) -> Vec<Vec<Number>> {
        let of = |change: &Change| {
            let slice = self.states[which].slice(&change.instance);
            slice.map(|slice| slice.variables.to_vec()).unwrap_or_default()
        };
        moved.changes.iter().map(of).collect()
    }
}

/// Whether a slice has come into a state in which the property does not hold.
fn violates(automaton: &Automaton, moved: &Moved) -> bool {
    let is_violation = |state| automaton.state(state).is_violation();
    moved.changes.iter().any(|change| is_violation(change.to) && !is_violation(change.from))
}
