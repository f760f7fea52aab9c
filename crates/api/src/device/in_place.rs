//! The machine on the device: it executes what the session executes.

use mw_remote::host::{Change, Device, DeviceError};
use mw_remote::message::Reason;
use mw_session::{Answer, Leg, Target};
use mw_vm::{Machine, Value};
use mw_world::Call;

use super::{Shared, lock};

/// The machine runs on the device.
#[derive(Debug)]
pub(super) struct InPlace(pub Shared);

impl InPlace {
    /// Runs to the end of a stretch.
    fn go(device: &mut Device, leg: &Leg<'_>) -> Result<(), DeviceError> {
        let from = leg.from.count();
        // How a program ends is known only when it has been tried to go on.
        let until = leg.until.saturating_add(leg.ends.into());
        let stopped = device.replay(from, until, from, &changes(leg.answers))?;
        check(leg, stopped.count, stopped.hash)
    }
}

/// The device has to be where the session is.
fn check(leg: &Leg<'_>, count: u64, hash: u128) -> Result<(), DeviceError> {
    if (count, hash) == (leg.until, leg.hash) {
        return Ok(());
    }
    Err(DeviceError::Nonsense(match count == leg.until {
        true => format!("after {count} instructions its state is another one than here"),
        false => format!("it stopped after {count} instructions instead of {}", leg.until),
    }))
}

impl Target for InPlace {
    fn undo(&mut self, to: u64) -> Result<(), String> {
        lock(&self.0).undo(to).map_err(|error| error.to_string())
    }

    fn restore(
        &mut self,
        from: &Machine,
        to: &Machine,
        history: Option<&[Answer]>,
    ) -> Result<(), String> {
        let mut device = lock(&self.0);
        let count = to.count();
        let done = match history {
            Some(history) if !device.prefers_restoring(from, to, history.len()) => {
                let begun = device.reset();
                begun.and_then(|()| match count {
                    0 => Ok(()),
                    _ => device.replay(0, count, count, &changes(history)).map(drop),
                })
            }
            _ => device.restore(from, to).map(drop),
        };
        done.map_err(|error| error.to_string())
    }

    fn advance(&mut self, leg: Leg<'_>) -> Result<(), String> {
        InPlace::go(&mut lock(&self.0), &leg).map_err(|error| error.to_string())
    }

    fn read(&mut self, leg: Leg<'_>, _: Call<'_>) -> Result<Option<Value>, String> {
        let mut device = lock(&self.0);
        let read = |device: &mut Device| -> Result<Option<Value>, DeviceError> {
            if !leg.answers.is_empty() {
                InPlace::go(device, &leg)?;
            }
            device.play(leg.until + 1)?;
            let stopped = device.wait(&mut || false)?;
            if stopped.reason == Reason::Asks && stopped.count == leg.until {
                return Ok(None);
            }
            let nonsense = || {
                DeviceError::Nonsense(match &stopped.reason {
                    Reason::Reached => "it did not read the input that comes next".into(),
                    reason => format!("it ended with {reason:?} instead of reading an input"),
                })
            };
            let choice = device.next_choice().filter(|choice| choice.count == leg.until);
            let choice = choice.ok_or_else(nonsense)?;
            let ty = leg.result.ok_or_else(nonsense)?;
            Ok(Some(Value::from_slot(ty, choice.slot)))
        };
        read(&mut device).map_err(|error| error.to_string())
    }
}

fn changes(answers: &[Answer]) -> Vec<Change> {
    answers.iter().map(|&(count, slot)| Change { count, slot }).collect()
}
