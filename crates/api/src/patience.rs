//! Waiting only so long for what a person has asked for.

use std::time::{Duration, Instant};

use mw_session::{Control, Progress};

use crate::debugger::Bridge;
use crate::event::Listener;

/// Whoever made a request, if they wait only so long.
pub(crate) struct Patience<'a> {
    bridge: Bridge<'a>,
    until: Instant,
}

impl<'a> Patience<'a> {
    pub fn new(listener: &'a mut dyn Listener, time: Duration) -> Patience<'a> {
        Patience { bridge: Bridge { listener }, until: Instant::now() + time }
    }
}

impl Control for Patience<'_> {
    fn is_cancelled(&mut self) -> bool {
        self.bridge.is_cancelled() || Instant::now() >= self.until
    }

    fn progress(&mut self, progress: Progress) {
        self.bridge.progress(progress);
    }
}
