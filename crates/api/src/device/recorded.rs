//! What a device has recorded while nobody watched.

use std::collections::VecDeque;

use mw_remote::host::Change;
use mw_session::{Answer, Leg, Target};
use mw_vm::{Machine, Value};
use mw_world::Call;

/// No device any more, but what it has recorded.
#[derive(Debug)]
pub(super) struct Recorded {
    pub choices: VecDeque<Change>,
}

impl Target for Recorded {
    fn undo(&mut self, _: u64) -> Result<(), String> {
        Ok(())
    }

    fn restore(&mut self, _: &Machine, _: &Machine, _: Option<&[Answer]>) -> Result<(), String> {
        Ok(())
    }

    fn advance(&mut self, _: Leg<'_>) -> Result<(), String> {
        Ok(())
    }

    fn read(&mut self, leg: Leg<'_>, _: Call<'_>) -> Result<Option<Value>, String> {
        let Some(choice) = self.choices.pop_front() else { return Ok(None) };
        if choice.count != leg.until {
            return Err(format!(
                "it recorded an input after {} instructions, but the program reads one after {}",
                choice.count, leg.until
            ));
        }
        Ok(leg.result.map(|ty| Value::from_slot(ty, choice.slot)))
    }
}
