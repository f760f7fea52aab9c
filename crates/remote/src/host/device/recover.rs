//! A stream that breaks, and is opened again.
//!
//! An operation waits for a while until the stream is there again. When nothing is to be done,
//! somebody should [look after the link](Device::attend) from time to time: so a device that goes
//! away is noticed, and one that comes back as well.

use std::boxed::Box;
use std::string::{String, ToString};
use std::time::Duration;

use super::{Device, PATIENCE};
use crate::host::DeviceError;

/// Called when the connection is interrupted, with the reason, and when it is there again.
type Watcher = Box<dyn FnMut(Option<&str>) + Send>;

/// The connection, as far as this side knows.
pub(super) struct Connection {
    /// Why there is none at the moment.
    interrupted: Option<String>,
    watcher: Option<Watcher>,
    /// How long to try to get it back.
    patience: Duration,
    /// When to try again, while nothing is to be done.
    again_at: u64,
}

impl Default for Connection {
    fn default() -> Self {
        Connection { interrupted: None, watcher: None, patience: PATIENCE, again_at: 0 }
    }
}

impl Connection {
    /// It is as this says.
    pub(super) fn note(&mut self, interrupted: Option<String>) {
        if self.interrupted != interrupted {
            self.interrupted = interrupted;
            if let Some(watcher) = &mut self.watcher {
                watcher(self.interrupted.as_deref());
            }
        }
    }
}

impl Device {
    /// Why there is no connection at the moment, if there is none.
    pub fn interrupted(&self) -> Option<&str> {
        self.connection.interrupted.as_deref()
    }

    /// Has someone told when the connection is interrupted, with the reason, and when it is there
    /// again; even while an operation waits for that.
    pub fn watch(&mut self, watcher: impl FnMut(Option<&str>) + Send + 'static) {
        self.connection.watcher = Some(Box::new(watcher));
    }

    /// Sees to the link when nothing is to be done. An interruption is no mistake: it may pass. What
    /// is one cannot be mended.
    pub fn attend(&mut self) -> Result<(), DeviceError> {
        let began = self.stream.now();
        if self.interrupted().is_some() && began < self.connection.again_at {
            return Ok(());
        }
        self.connection.patience = Duration::ZERO;
        let result = self.exchange(Duration::ZERO);
        self.connection.patience = PATIENCE;
        // An attempt may take seconds, in which nobody else is served.
        let now = self.stream.now();
        self.connection.again_at = now + ((now - began) * 10).max(1_000_000);
        match result {
            Err(DeviceError::Lost(_)) if self.interrupted().is_some() => Ok(()),
            result => result,
        }
    }

    /// Opens the stream again and agrees with the device on where they are.
    pub(super) fn recover(&mut self, mut error: std::io::Error) -> Result<(), DeviceError> {
        let since = self.stream.now();
        loop {
            match self.stream.reopen() {
                Ok(()) => break,
                Err(again) if again.kind() == std::io::ErrorKind::Unsupported => {
                    return Err(DeviceError::Lost(error));
                }
                Err(again) => error = again,
            }
            self.connection.note(Some(error.to_string()));
            let passed = Duration::from_micros(self.stream.now() - since);
            if passed >= self.connection.patience {
                return Err(DeviceError::Lost(error));
            }
            self.stream.pause(Duration::from_millis(100));
        }
        self.connection.note(Some(error.to_string()));
        let now = self.stream.now();
        self.link.reconnect(now);
        Ok(())
    }
}
