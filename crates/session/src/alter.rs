//! Reaching into the program: variables set by hand, interrupts that arrive because one says so.
//!
//! Both are choices like any other, so they replay. What comes after a variable set by hand has
//! not happened by itself: the universe is *altered* from there on.

use mw_multiverse::{Alteration, Site, Step};
use mw_vm::{Status, Value};

use crate::error::SessionError;
use crate::session::Session;

impl Session {
    /// Sets a variable by hand, here.
    pub fn alter(&mut self, alteration: Alteration, value: Value) -> Result<(), SessionError> {
        self.choose_between(&Site::Alteration(alteration), value.to_slot())
    }

    /// Lets an interrupt arrive here: one that the program has subscribed to, by its pin.
    pub fn interrupt(&mut self, pin: u8) -> Result<(), SessionError> {
        let pending = self.now.world.pending_interrupts();
        let found = pending.iter().find(|interrupt| interrupt.pin == pin);
        let Some(interrupt) = found else {
            let pins: Vec<String> = pending.iter().map(|i| i.pin.to_string()).collect();
            let known = match pins.is_empty() {
                true => "it has subscribed to none".into(),
                false => format!("it has to pins {}", pins.join(", ")),
            };
            return Err(SessionError::Unknown(format!(
                "the program has not subscribed to interrupts of pin {pin} here; {known}"
            )));
        };
        let site = Site::Interrupt { pin, table_index: interrupt.table_index };
        self.choose_between(&site, 0)
    }

    /// Goes on without the interrupt or the alteration that is recorded here or further on, before
    /// the next input: what comes is what happens by itself.
    pub fn go_without(&mut self) {
        let here = self.here();
        let is_input = |step: &Step<'_>| matches!(step.choice.site, Site::Input { .. });
        if self.multiverse.preferred(here.node).is_none_or(|step| is_input(&step)) {
            return;
        }
        let inputs = self.multiverse.steps(here.node).filter(is_input);
        let recorded = inputs.filter(|step| self.multiverse.is_visited(step.node));
        match recorded.last().map(|step| step.node) {
            Some(next) => self.multiverse.prefer_path_to(next),
            None => self.multiverse.prefer_no_choice(here.node),
        }
    }

    /// Makes a choice between two instructions.
    pub(crate) fn choose_between(&mut self, site: &Site, slot: u64) -> Result<(), SessionError> {
        // Nothing comes after. And where a program fails is also where it has not failed yet, which
        // is where a replay would make the choice.
        if matches!(self.now.machine.status(), Status::Idle | Status::Trapped(_)) {
            let what = "the program has ended here; step back first";
            return Err(SessionError::Unknown(what.into()));
        }
        let count = self.now.machine.count();
        self.apply_site(site, slot)?;
        self.node = self.multiverse.follow_or_create(self.node, count, site, slot);
        Ok(())
    }

    /// Does to the machine what a choice between two instructions says.
    pub(crate) fn apply_site(&mut self, site: &Site, slot: u64) -> Result<(), SessionError> {
        let impossible = |what: String| Err(SessionError::Unknown(what));
        match *site {
            Site::Input { .. } => impossible("an input is not read between instructions".into()),
            Site::Interrupt { pin, table_index } => {
                let mut pending = self.now.world.pending_interrupts().into_iter();
                if !pending.any(|i| (i.pin, i.table_index) == (pin, table_index)) {
                    return impossible(format!(
                        "the program has not subscribed element {table_index} of the table to \
                         interrupts of pin {pin} here"
                    ));
                }
                let table = self.now.machine.tables().first();
                let func = table.and_then(|table| table.get(table_index));
                let Some(func) = func.and_then(|slot| (slot as u32).checked_sub(1)) else {
                    return impossible(format!(
                        "the interrupt of pin {pin} calls element {table_index} of the table, \
                         which is not there"
                    ));
                };
                self.now.machine.interrupt(func).map_err(SessionError::Entry)
            }
            Site::Alteration(Alteration::Global(global)) => {
                let ty = self.module.globals().get(global as usize).map(|global| global.ty);
                let value = ty.map(|ty| Value::from_slot(ty, slot));
                match value.is_some_and(|value| self.now.machine.set_global(global, value)) {
                    true => Ok(()),
                    false => impossible(format!("there is no global {global}")),
                }
            }
            Site::Alteration(Alteration::Local { depth, local }) => {
                let frame =
                    self.now.machine.call_stack().get(depth as usize).map(|frame| frame.func);
                let types = frame.map(|func| self.module.local_types(func)).unwrap_or_default();
                let value = types.get(local as usize).map(|&ty| Value::from_slot(ty, slot));
                let set = |value| self.now.machine.set_local(depth as usize, local, value);
                match value.is_some_and(set) {
                    true => Ok(()),
                    false => impossible(format!("frame {depth} has no local {local}")),
                }
            }
            Site::Alteration(Alteration::Memory { address, size }) => {
                let bytes = slot.to_le_bytes();
                let Some(bytes) = bytes.get(..usize::from(size)) else {
                    return impossible(format!("{size} bytes are too many to set at once"));
                };
                let memory = self.now.machine.memory_mut(0);
                match memory.map(|memory| memory.write(address.into(), bytes)) {
                    Some(Ok(())) => Ok(()),
                    Some(Err(error)) => impossible(error.to_string()),
                    None => impossible("the module has no memory".into()),
                }
            }
        }
    }
}
