//! Receiving: packets in their order, each once, as many as there is room for.

use alloc::{collections::VecDeque, vec::Vec};

use super::Config;
use super::counters::Counters;

/// The receiving half of a link.
pub(super) struct Receiver {
    /// Payloads that nobody has taken yet.
    inbox: VecDeque<Vec<u8>>,
    /// The packet that comes next.
    expects: u64,
    /// The packet for which the other side was last told that there is no room.
    told: u64,
    /// When an acknowledgement is due.
    ack_due: Option<u64>,
    gap: bool,
}

impl Receiver {
    pub fn new() -> Self {
        Receiver { inbox: VecDeque::new(), expects: 0, told: 0, ack_due: None, gap: false }
    }

    pub fn packet(
        &mut self,
        config: &Config,
        counters: &mut Counters,
        sequence: u64,
        payload: &[u8],
        now: u64,
    ) {
        if sequence < self.expects {
            counters.duplicates += 1;
            self.ack_due = Some(now);
        } else if sequence > self.expects {
            counters.early += 1;
            self.gap = true;
            self.ack_due = Some(now);
        } else if self.inbox.len() >= config.inbox || payload.len() > config.payload {
            counters.overruns += 1;
            self.ack_due = Some(now);
        } else {
            counters.packets_received += 1;
            self.inbox.push_back(payload.to_vec());
            self.expects += 1;
            self.gap = false;
            self.ack_due.get_or_insert(now + config.delay);
        }
    }

    pub fn take(&mut self, config: &Config, now: u64) -> Option<Vec<u8>> {
        let payload = self.inbox.pop_front()?;
        // Worth a packet of its own when the other side may be waiting for it.
        if self.told.saturating_sub(self.expects) <= config.inbox as u64 / 2 {
            self.ack_due = Some(now);
        }
        Some(payload)
    }

    /// The packet that comes next and the one that there is no room for, to be told now.
    pub fn tell(&mut self, config: &Config) -> (u64, u64, bool) {
        self.ack_due = None;
        self.told = self.expects + (config.inbox - self.inbox.len().min(config.inbox)) as u64;
        (self.expects, self.told, core::mem::take(&mut self.gap))
    }

    pub fn owe_ack(&mut self, now: u64) {
        self.ack_due = Some(now);
    }

    pub fn ack_due(&self) -> Option<u64> {
        self.ack_due
    }

    pub fn is_empty(&self) -> bool {
        self.inbox.is_empty()
    }
}
