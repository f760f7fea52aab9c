//! What the outside does by itself, between two instructions.
//!
//! Whether that happens, and when, is a choice like the value of an input. The event itself changes
//! nothing in the world: it calls a function of the program, and what that does comes back through
//! inputs and outputs like everything else.

use std::fmt;
use std::str::FromStr;

use mw_vm::{Machine, Value};
use serde::{Deserialize, Serialize};

use crate::board::Interrupt;
use crate::state::State;
use crate::world::World;

/// Something that the outside does by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Event {
    /// An interrupt arrives.
    Interrupt {
        /// The pin that it comes from.
        pin: u8,
        /// The function that is called, as an index into the module's table.
        table_index: u32,
    },
}

/// An event that cannot happen.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum EventError {
    #[error(
        "the program has not subscribed to interrupts of pin {pin} here; {}",
        subscribed(.pins)
    )]
    NoSuchPin { pin: u8, pins: Vec<u8> },
    #[error(
        "the program has not subscribed element {table_index} of the table to interrupts of pin \
         {pin} here"
    )]
    NotSubscribed { pin: u8, table_index: u32 },
    #[error(
        "the interrupt of pin {pin} calls element {table_index} of the table, which is not there"
    )]
    NoFunction { pin: u8, table_index: u32 },
    #[error(transparent)]
    Entry(#[from] mw_vm::CallError),
}

fn subscribed(pins: &[u8]) -> String {
    let pins: Vec<String> = pins.iter().map(ToString::to_string).collect();
    match pins.is_empty() {
        true => "it has subscribed to none".into(),
        false => format!("it has to pins {}", pins.join(", ")),
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Event::Interrupt { pin, table_index } = self;
        write!(f, "interrupt of pin {pin}, element {table_index}")
    }
}

/// What was written is not an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoEvent;

impl FromStr for Event {
    type Err = NoEvent;

    fn from_str(text: &str) -> Result<Event, NoEvent> {
        let rest = text.strip_prefix("interrupt of pin ").and_then(|r| r.split_once(", element "));
        let (pin, table_index) = rest.ok_or(NoEvent)?;
        let pin = pin.parse().map_err(|_| NoEvent)?;
        let table_index = table_index.parse().map_err(|_| NoEvent)?;
        Ok(Event::Interrupt { pin, table_index })
    }
}

impl From<Interrupt> for Event {
    fn from(Interrupt { pin, table_index, .. }: Interrupt) -> Event {
        Event::Interrupt { pin, table_index }
    }
}

impl State {
    /// The interrupts that a program has asked for and that may therefore arrive.
    pub fn pending_interrupts(&self) -> Vec<Interrupt> {
        self.board().map(|board| board.interrupts().collect()).unwrap_or_default()
    }
}

impl World {
    /// The interrupts that the program has asked for and that may therefore arrive.
    pub fn pending_interrupts(&self) -> Vec<Interrupt> {
        self.state.pending_interrupts()
    }

    /// The arrival of the first interrupt of a pin.
    pub fn interrupt_of(&self, pin: u8) -> Result<Event, EventError> {
        let pending = self.pending_interrupts();
        match pending.iter().find(|interrupt| interrupt.pin == pin) {
            Some(&Interrupt { pin, table_index, .. }) => Ok(Event::Interrupt { pin, table_index }),
            None => {
                let pins = pending.iter().map(|interrupt| interrupt.pin).collect();
                Err(EventError::NoSuchPin { pin, pins })
            }
        }
    }

    /// Lets an event happen to a machine in this world before its next instruction: WARDuino calls
    /// the function that the program has subscribed, with zeros for whatever parameters it has.
    pub fn happen(&self, event: Event, machine: &mut Machine) -> Result<(), EventError> {
        let func = self.handler_of(event, machine)?;
        Ok(machine.interrupt(func)?)
    }

    /// The same where nothing is interrupted: the function is the next that the machine calls.
    pub fn happen_at_rest(&self, event: Event, machine: &mut Machine) -> Result<(), EventError> {
        let func = self.handler_of(event, machine)?;
        let module = machine.module().clone();
        let decl = module.funcs().get(func as usize).ok_or(mw_vm::CallError::NoFunction(func))?;
        let zeros = module.func_type(decl).params.iter().map(|&ty| Value::zero(ty));
        Ok(machine.call_next(func, &zeros.collect::<Vec<_>>())?)
    }

    /// The function that an event calls.
    fn handler_of(&self, event: Event, machine: &Machine) -> Result<u32, EventError> {
        let Event::Interrupt { pin, table_index } = event;
        let mut pending = self.pending_interrupts().into_iter();
        if !pending.any(|i| (i.pin, i.table_index) == (pin, table_index)) {
            return Err(EventError::NotSubscribed { pin, table_index });
        }
        let table = machine.tables().first();
        let func = table.and_then(|table| table.get(table_index));
        let func = func.and_then(|slot| (slot as u32).checked_sub(1));
        func.ok_or(EventError::NoFunction { pin, table_index })
    }
}
