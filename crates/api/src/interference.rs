//! What happens between instructions: interrupts, and going on without what interfered.

use mw_session::{Direction, Halt};
use serde::{Deserialize, Serialize};

use crate::ask::{Answered, Ask};
use crate::debugger::Debugger;
use crate::event::Listener;
use crate::movement::Stopped;
use crate::position::Position;

/// Lets an interrupt arrive here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interrupt {
    /// The pin that it comes from.
    pub pin: u8,
}

impl Ask for Interrupt {
    type Reply = Stopped;

    fn serve(self, debugger: &mut Debugger, listener: &mut dyn Listener) -> Answered<Self> {
        debugger.moving(Direction::Forward, listener, |session, _| {
            session.interrupt(self.pin).map(|()| Halt::Reached)
        })
    }
}

/// The interrupts that may arrive here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interrupts {}

impl Ask for Interrupts {
    type Reply = Vec<InterruptView>;
    const ONLY_LOOKS: bool = true;

    fn serve(self, debugger: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        let table = debugger.session.machine().tables().first();
        let view = |interrupt: mw_world::board::Interrupt| {
            let slot = table.and_then(|table| table.get(interrupt.table_index));
            let func = slot.and_then(|slot| (slot as u32).checked_sub(1));
            let function = match func {
                Some(func) => debugger.session.module().func_name(func),
                None => format!("element {} of the table, which is empty", interrupt.table_index),
            };
            InterruptView { pin: interrupt.pin, function }
        };
        Ok(debugger.session.world().pending_interrupts().into_iter().map(view).collect())
    }
}

/// An interrupt that may arrive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InterruptView {
    /// The pin that it comes from.
    pub pin: u8,
    /// The function that it calls.
    pub function: String,
}

/// Goes on without the interrupt or alteration that is recorded here or before the next input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GoWithout {}

impl Ask for GoWithout {
    type Reply = Position;

    fn serve(self, debugger: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        debugger.session.go_without();
        Ok(debugger.position())
    }
}
