//! The machine on the device: it executes what the session executes.

use mw_remote::host::{DeviceChoice, DeviceError};
use mw_remote::message::Reason;
use mw_session::{Answer, Halted, Horizon, IsCancelled, Leg, Target};
use mw_vm::Machine;

use super::{Shared, lock};

/// The machine runs on the device.
#[derive(Debug)]
pub(super) struct InPlace(pub Shared);

/// The device has to be where the session is.
fn check(leg: &Leg<'_>, count: u64, hash: u128) -> Result<(), String> {
    if (count, hash) == (leg.until, leg.hash) {
        return Ok(());
    }
    Err(match count == leg.until {
        true => format!("after {count} instructions its state is another one than here"),
        false => format!("it stopped after {count} instructions instead of {}", leg.until),
    })
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
                    _ => device.replay(0, count, count, &changes(history), &mut || false).map(drop),
                })
            }
            _ => device.restore(from, to).map(drop),
        };
        done.map_err(|error| error.to_string())
    }

    fn advance(&mut self, leg: Leg<'_>, is_cancelled: IsCancelled<'_>) -> Result<u64, String> {
        let mut device = lock(&self.0);
        let (from, answers) = (leg.from.count(), changes(leg.answers));
        let failed = |error: DeviceError| error.to_string();
        let mut stopped =
            device.replay(from, leg.until, from, &answers, is_cancelled).map_err(failed)?;
        if stopped.reason == Reason::Paused && stopped.count < leg.until {
            return Ok(stopped.count);
        }
        if leg.ends && matches!(stopped.reason, Reason::Reached | Reason::Paused) {
            // How a program ends is known only when it has been tried to go on.
            let (from, until) = (leg.until, leg.until + 1);
            stopped = device.replay(from, until, from, &[], &mut || false).map_err(failed)?;
        }
        check(&leg, stopped.count, stopped.hash).map(|()| stopped.count)
    }

    fn run(&mut self, horizon: &Horizon) -> Result<bool, String> {
        let mut device = lock(&self.0);
        let ready = device.set_breakpoints(&horizon.breakpoints);
        let begun = ready.and_then(|()| device.play(horizon.until));
        begun.map(|()| true).map_err(|error| error.to_string())
    }

    fn next(&mut self, is_cancelled: IsCancelled<'_>) -> Result<Option<Answer>, String> {
        let choice = lock(&self.0).wait_for_choice(is_cancelled);
        let choice = choice.map_err(|error| error.to_string())?;
        Ok(choice.map(|choice| (choice.count, choice.slot)))
    }

    fn halt(&mut self) -> Result<Halted, String> {
        let mut device = lock(&self.0);
        let stopped = device.wait(&mut || true).map_err(|error| error.to_string())?;
        let unread = std::iter::from_fn(|| device.next_choice());
        Ok(Halted {
            count: stopped.count,
            hash: stopped.hash,
            ended: matches!(
                stopped.reason,
                Reason::Finished | Reason::Trapped(_) | Reason::Aborted(_)
            ),
            asks: stopped.reason == Reason::Asks,
            unread: unread.map(|choice| (choice.count, choice.slot)).collect(),
        })
    }
}

fn changes(answers: &[Answer]) -> Vec<DeviceChoice> {
    answers.iter().map(|&(count, slot)| DeviceChoice { count, slot }).collect()
}
