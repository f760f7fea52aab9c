//! Commands and their answers, over a stream that may break.

use std::string::ToString;
use std::time::Duration;
use std::vec::Vec;

use super::{Device, PATIENCE, unexpected};
use crate::agent::PART;
use crate::host::error::DeviceError;
use crate::host::incoming::Incoming;
use crate::message::{Command, Reply};

/// How long to wait for an answer before greeting the device again: one that has been restarted
/// does not know whom it is to answer.
const GREETING: Duration = Duration::from_secs(3);

impl Device {
    pub(super) fn parts(&mut self, bytes: &[u8]) -> Result<(), DeviceError> {
        self.settle()?;
        for part in bytes.chunks(PART) {
            self.send(&Command::Part(part))?;
        }
        // All are answered, also those after one that was refused.
        let mut refused = Ok(());
        for _ in bytes.chunks(PART) {
            match self.reply().and_then(expect_done) {
                Err(DeviceError::Refused(refusal)) => refused = refused.and(Err(refusal.into())),
                answered => answered?,
            }
        }
        refused
    }

    pub(super) fn done(&mut self, command: &Command<'_>) -> Result<(), DeviceError> {
        self.call(command).and_then(expect_done)
    }

    pub(super) fn call(&mut self, command: &Command<'_>) -> Result<Reply, DeviceError> {
        self.settle()?;
        self.send(command)?;
        self.reply()
    }

    /// Waits for the answers to commands that were given up, so that none of them is taken for the
    /// answer to what is asked next.
    pub(super) fn settle(&mut self) -> Result<(), DeviceError> {
        while self.unanswered > 0 {
            match self.reply() {
                Err(DeviceError::Refused(_)) | Ok(_) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    pub(super) fn send(&mut self, command: &Command<'_>) -> Result<(), DeviceError> {
        let bytes = postcard::to_allocvec(command).expect("a vector takes everything");
        let mut quiet = Quiet::new(self);
        loop {
            let now = self.stream.now();
            match self.link.send(&bytes, true, now) {
                Ok(()) => break,
                Err(crate::link::SendError::Full) => self.exchange(Duration::from_millis(5))?,
                Err(error) => return Err(DeviceError::nonsense(error.to_string())),
            }
            if quiet.lasts_unanswered(self) {
                return Err(DeviceError::Silent);
            }
        }
        self.unanswered += 1;
        self.exchange(Duration::ZERO)
    }

    pub(super) fn reply(&mut self) -> Result<Reply, DeviceError> {
        let reply = self.until(|incoming| incoming.replies.pop_front())?;
        self.unanswered = self.unanswered.saturating_sub(1);
        match reply {
            Reply::Refused(refusal) => Err(refusal.into()),
            reply => Ok(reply),
        }
    }

    /// Waits for something to arrive.
    pub(super) fn until<T>(
        &mut self,
        mut arrived: impl FnMut(&mut Incoming) -> Option<T>,
    ) -> Result<T, DeviceError> {
        let mut quiet = Quiet::new(self);
        loop {
            if let Some(found) = arrived(&mut self.incoming) {
                return Ok(found);
            }
            self.exchange(Duration::from_millis(20))?;
            if quiet.lasts_unanswered(self) {
                return Err(DeviceError::Silent);
            }
        }
    }

    /// Writes what is to be written, waits for bytes for so long, and sorts what has arrived.
    pub(super) fn exchange(&mut self, wait: Duration) -> Result<(), DeviceError> {
        self.write()?;
        let wake = self.link.wake_at().map_or(wait, |at| {
            Duration::from_micros(at.saturating_sub(self.stream.now())).min(wait)
        });
        match self.stream.read(wake) {
            Ok(bytes) => {
                let now = self.stream.now();
                self.link.receive(&bytes, now);
            }
            Err(error) => self.recover(error)?,
        }
        if let Some(broken) = self.link.broken() {
            return Err(broken.clone().into());
        }
        if self.link.is_connected() {
            self.connection.note(None);
        }
        let now = self.stream.now();
        while let Some(payload) = self.link.take(now) {
            self.incoming.payload(&payload)?;
        }
        if self.incoming.replies.len() > self.unanswered {
            return Err(DeviceError::nonsense("it answers what nobody asked"));
        }
        self.write()
    }

    pub(super) fn write(&mut self) -> Result<(), DeviceError> {
        let mut bytes = Vec::new();
        let now = self.stream.now();
        while self.link.transmit(now, &mut bytes) {}
        if bytes.is_empty() {
            return Ok(());
        }
        match self.stream.write(&bytes) {
            Ok(()) => Ok(()),
            Err(error) => self.recover(error),
        }
    }
}

/// Since when no message has arrived.
pub(super) struct Quiet {
    since: u64,
    has_greeted: bool,
    packets: u64,
}

impl Quiet {
    pub(super) fn new(device: &Device) -> Self {
        let packets = device.link.counters().packets_received;
        Quiet { since: device.stream.now(), packets, has_greeted: false }
    }

    pub(super) fn lasts(&mut self, device: &Device) -> bool {
        if device.link.counters().packets_received != self.packets {
            *self = Quiet::new(device);
        }
        let (now, patience) = (device.stream.now(), PATIENCE.as_micros() as u64);
        let heard_at = device.link.heard_at().unwrap_or(0).max(self.since);
        // On a bad line, acknowledgements are a sign of life, but not for ever.
        now.saturating_sub(heard_at) > patience || now.saturating_sub(self.since) > 3 * patience
    }

    /// The same where an answer is due.
    pub(super) fn lasts_unanswered(&mut self, device: &mut Device) -> bool {
        let (lasts, now) = (self.lasts(device), device.stream.now());
        if !self.has_greeted && now.saturating_sub(self.since) > GREETING.as_micros() as u64 {
            self.has_greeted = true;
            device.link.reconnect(now);
        }
        lasts
    }
}

fn expect_done(reply: Reply) -> Result<(), DeviceError> {
    match reply {
        Reply::Done => Ok(()),
        _ => Err(unexpected()),
    }
}
