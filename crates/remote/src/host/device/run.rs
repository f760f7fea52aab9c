//! Letting a program run, and hearing of it.

use std::time::Duration;

use mw_vm::Value;

use super::talk::Quiet;
use super::{Device, Stopped, unexpected};
use crate::agent::PART;
use crate::choices::{Packer, Reading};
use crate::host::error::DeviceError;
use crate::host::incoming::DeviceChoice;
use crate::message::{Activity, Command, Reason, Refusal};

impl Device {
    /// Executes until so many instructions have been executed, or something else stops it: a
    /// breakpoint, or an output that cannot be taken back, unless it begins right there.
    pub fn play(&mut self, until: u64) -> Result<(), DeviceError> {
        self.begin(&Command::Play { until }, Some(until))
    }

    /// Lets it run: to a count, or by one instruction.
    pub(super) fn begin(
        &mut self,
        command: &Command<'_>,
        until: Option<u64>,
    ) -> Result<(), DeviceError> {
        let before = self.incoming.runs(until);
        let begun = self.done(command);
        if begun.is_err() {
            self.incoming.runs_on(before);
        }
        begun
    }

    /// Executes one instruction; an input returns the value given.
    pub fn mock(&mut self, value: Value) -> Result<Stopped, DeviceError> {
        self.begin(&Command::Mock { slot: value.to_slot() }, None)?;
        self.wait(&mut || false)
    }

    /// Executes one instruction.
    pub fn step(&mut self) -> Result<Stopped, DeviceError> {
        self.begin(&Command::Step, None)?;
        self.wait(&mut || false)
    }

    /// Tells a running program to stop.
    pub fn pause(&mut self) -> Result<(), DeviceError> {
        match self.done(&Command::Pause) {
            // It has stopped by itself in the meantime.
            Err(DeviceError::Refused(Refusal::NotNow(_))) => Ok(()),
            result => result,
        }
    }

    /// Runs to a count with these choices, unless it is cancelled. Outputs before `perform_from`
    /// still stand.
    pub fn replay(
        &mut self,
        from: u64,
        until: u64,
        perform_from: u64,
        choices: &[DeviceChoice],
        cancelled: &mut dyn FnMut() -> bool,
    ) -> Result<Stopped, DeviceError> {
        let started = self.stream.now();
        let mut last = from;
        let mut rest = choices;
        let mut stopped = None;
        while stopped.is_none() || !rest.is_empty() {
            let mut packer = Packer::default();
            while let Some((choice, others)) = rest.split_first() {
                if packer.size() > PART - 80 {
                    break;
                }
                packer.push(Reading { after: choice.count + 1 - last, slot: choice.slot });
                last = choice.count + 1;
                rest = others;
            }
            let until = if rest.is_empty() { until } else { last };
            let choices = packer.take();
            self.begin(&Command::Replay { until, perform_from, choices: &choices }, Some(until))?;
            let now = self.wait(cancelled)?;
            if now.reason == Reason::Diverged {
                return Err(DeviceError::nonsense("it does not go the way that it went before"));
            }
            let is_early = now.count < until;
            stopped = Some(now);
            if is_early {
                break;
            }
        }
        self.measure(until.saturating_sub(from), self.stream.now().saturating_sub(started));
        stopped.ok_or_else(unexpected)
    }

    /// Waits until the program stops; pauses it if the person does not want to wait.
    pub fn wait(&mut self, cancelled: &mut dyn FnMut() -> bool) -> Result<Stopped, DeviceError> {
        let mut quiet = Quiet::new(self);
        loop {
            if let Some(stopped) = self.incoming.stopped.take() {
                return Ok(stopped);
            }
            if cancelled() {
                self.pause()?;
                // It says where it has stopped before it says that it has.
                let stopped = self.incoming.stopped.take();
                return stopped.ok_or_else(|| DeviceError::nonsense("it does not stop"));
            }
            self.listen(&mut quiet)?;
        }
    }

    /// Waits for the next choice of a program that plays; `None` if it has stopped before, or the
    /// person does not want to wait.
    pub fn wait_for_choice(
        &mut self,
        cancelled: &mut dyn FnMut() -> bool,
    ) -> Result<Option<DeviceChoice>, DeviceError> {
        let mut quiet = Quiet::new(self);
        loop {
            let choice = self.next_choice();
            if choice.is_some() || self.incoming.stopped.is_some() || cancelled() {
                return Ok(choice);
            }
            self.listen(&mut quiet)?;
        }
    }

    /// Looks at what a program has to say that plays. It may run for long without anything; asked,
    /// the device answers.
    pub(super) fn listen(&mut self, quiet: &mut Quiet) -> Result<(), DeviceError> {
        self.exchange(Duration::from_millis(20))?;
        if quiet.lasts(self) {
            let status = self.status()?;
            if status.activity != Activity::Running && self.incoming.stopped.is_none() {
                return Err(DeviceError::nonsense("it does not say where it has stopped"));
            }
            *quiet = Quiet::new(self);
        }
        Ok(())
    }

    /// The next choice that the program has made, if it has been told.
    pub fn next_choice(&mut self) -> Option<DeviceChoice> {
        self.incoming.choices.pop_front()
    }

    /// Notes how many microseconds executing took.
    pub(super) fn measure(&mut self, instructions: u64, took: u64) {
        let trip = self.link.counters().round_trip;
        // What takes hardly longer than asking for it tells nothing.
        if took > 4 * trip && instructions > 0 {
            let pace = (took - 2 * trip) as f64 / instructions as f64;
            self.pace = if self.pace > 0.0 { (self.pace + pace) / 2.0 } else { pace };
        }
    }
}
