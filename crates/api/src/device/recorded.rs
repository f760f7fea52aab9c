//! What a device has recorded while nobody watched.

use std::collections::VecDeque;

use mw_remote::host::DeviceChoice;
use mw_session::{Answer, IsCancelled, Leg, Target};
use mw_vm::Machine;
use mw_world::Call;

/// No device any more, but what it has recorded.
#[derive(Debug)]
pub(super) struct Recorded {
    pub choices: VecDeque<DeviceChoice>,
}

impl Target for Recorded {
    fn undo(&mut self, _: u64) -> Result<(), String> {
        Ok(())
    }

    fn restore(&mut self, _: &Machine, _: &Machine, _: Option<&[Answer]>) -> Result<(), String> {
        Ok(())
    }

    fn advance(&mut self, leg: Leg<'_>, _: IsCancelled<'_>) -> Result<u64, String> {
        Ok(leg.until)
    }

    fn read(&mut self, _: Call<'_>, count: u64) -> Result<Option<u64>, String> {
        let Some(choice) = self.choices.pop_front() else { return Ok(None) };
        if choice.count != count {
            return Err(format!(
                "it recorded an input after {} instructions, but the program reads one after {count}",
                choice.count
            ));
        }
        Ok(Some(choice.slot))
    }
}
