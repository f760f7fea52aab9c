//! Reaching into the program: cells set by hand, events that happen because one says so.
//!
//! Both are choices like any other, so they replay. What comes after a cell set by hand has
//! not happened by itself: the universe is *altered* from there on.

use mw_ensemble::{Next, Rest, Schedule};
use mw_multiverse::{Outcome, Site, Step};
use mw_vm::{Cell, Status, Value};
use mw_world::Event;

use crate::error::SessionError;
use crate::session::Session;

impl Session {
    /// Sets a cell by hand, here.
    pub fn alter(&mut self, cell: Cell, value: Value) -> Result<(), SessionError> {
        self.choose_between(&Site::Alteration(cell.untyped()), value.to_slot())
    }

    /// Lets an interrupt arrive here: one that the program has subscribed to, by its pin. Between two
    /// turns, it is that of the one actor that has.
    pub fn interrupt(&mut self, pin: u8) -> Result<(), SessionError> {
        let of_pin = |next: &Next| matches!(next, Next::Interrupt { event: Event::Interrupt { pin: of, .. }, .. } if *of == pin);
        let waiting: Vec<Next> = self.interrupt_options().into_iter().filter(of_pin).collect();
        let Some(ensemble) = self.ensemble() else {
            return self.happen(self.walk.now.world.interrupt_of(pin)?);
        };
        let schedules: Vec<Schedule> =
            waiting.into_iter().map(|next| ensemble.schedule(next)).collect();
        match &schedules[..] {
            [] => self.happen(self.walk.now.world.interrupt_of(pin)?),
            [one] => self.choose_between(&Site::Schedule(one.clone()), 0),
            several => {
                let labels: Vec<&str> = several.iter().map(|one| &*one.label).collect();
                Err(SessionError::Unknown(format!(
                    "several actors have asked for it; say which, with `schedule`:\n  {}",
                    labels.join("\n  ")
                )))
            }
        }
    }

    /// Lets something happen here that the outside could do by itself.
    pub fn happen(&mut self, event: Event) -> Result<(), SessionError> {
        self.choose_between(&Site::Event(event), 0)
    }

    /// Goes on without the event or the alteration that is recorded here or further on, before
    /// the next input: what comes is what happens by itself.
    pub fn go_without(&mut self) {
        let here = self.here();
        let is_input = |step: &Step<'_>| matches!(step.choice.site, Site::Input { .. });
        if self.multiverse().preferred(here.node).is_some_and(|step| !is_input(&step)) {
            self.known.prefer_last(here.node, is_input);
        }
    }

    /// Makes a choice between two instructions.
    pub(crate) fn choose_between(&mut self, site: &Site, slot: u64) -> Result<(), SessionError> {
        // Nothing comes after. And where a program fails is also where it has not failed yet, which
        // is where a replay would make the choice.
        let goes_on = match site {
            // Whoever waits for ever can be interrupted.
            Site::Schedule(Schedule { next: Next::Interrupt { .. }, .. }) => {
                self.walk.now.aborted.is_none() && self.walk.now.machine.status() == Status::Idle
            }
            Site::Schedule(_) => self.walk.is_alive(),
            _ => self.walk.now.rest() == Rest::Busy,
        };
        if !goes_on {
            let what = "the program has ended here; step back first";
            return Err(SessionError::Unknown(what.into()));
        }
        let count = self.walk.now.machine.count();
        self.walk.apply(site, slot)?;
        let from = self.walk.node;
        self.walk.node = self.multiverse_mut().follow_or_create(from, count, site, slot);
        // There may be no room for a call of what handles it.
        if let Status::Trapped(kind) = self.walk.now.machine.status() {
            let node = self.walk.node;
            self.multiverse_mut().end(node, count, Outcome::Trapped(kind));
        }
        Ok(())
    }
}
