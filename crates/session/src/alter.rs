//! Reaching into the program: cells set by hand, events that happen because one says so.
//!
//! Both are choices like any other, so they replay. What comes after a cell set by hand has
//! not happened by itself: the universe is *altered* from there on.

use mw_ensemble::Rest;
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

    /// Lets an interrupt arrive here: one that the program has subscribed to, by its pin.
    pub fn interrupt(&mut self, pin: u8) -> Result<(), SessionError> {
        self.happen(self.walk.now.world.interrupt_of(pin)?)
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
        let is_turn = matches!(site, Site::Schedule(_));
        let goes_on = match is_turn {
            true => self.walk.is_alive(),
            false => self.walk.now.rest() == Rest::Busy,
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
