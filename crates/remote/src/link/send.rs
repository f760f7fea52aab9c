//! Sending: messages become packets, and packets stay until they are acknowledged.

use alloc::{collections::VecDeque, vec::Vec};

use super::Config;
use super::counters::Counters;

/// The shortest and longest time to wait for an acknowledgement, in microseconds.
const PATIENCE: (u64, u64) = (20_000, 2_000_000);

struct Waiting {
    payload: Vec<u8>,
    sent_at: Option<u64>,
    again: bool,
}

/// The sending half of a link.
pub(super) struct Sender {
    /// Sent or not, but not acknowledged.
    queue: VecDeque<Waiting>,
    /// The sequence number of the first in the queue.
    first: u64,
    /// How many of the queue have been sent since the last rewind.
    sent: usize,
    /// The packet that the other side has no room for.
    limit: u64,
    /// Messages of the packet that is not closed yet, and since when there are any.
    batch: Vec<u8>,
    since: Option<u64>,
    /// What is in the batch is not to wait.
    urgent: bool,
    /// How long to wait for an acknowledgement.
    patience: u64,
    last_rewind: u64,
    /// Since when nothing could be sent for want of room.
    blocked_since: Option<u64>,
}

/// What to send next.
pub(super) enum Next<'a> {
    Packet(u64, &'a [u8]),
    /// There is something, but no room at the other side: ask for it.
    Ask,
}

impl Sender {
    pub fn new() -> Self {
        Sender {
            queue: VecDeque::new(),
            first: 0,
            sent: 0,
            limit: 0,
            batch: Vec::new(),
            since: None,
            urgent: false,
            patience: 200_000,
            last_rewind: 0,
            blocked_since: None,
        }
    }

    /// Whether a message of this size is taken now.
    pub fn has_room(&self, config: &Config, size: usize) -> bool {
        self.batch.len() + size <= config.payload || self.queue.len() < config.queue
    }

    /// Adds a message, which is never split.
    pub fn push(&mut self, config: &Config, message: &[u8], urgent: bool, now: u64) {
        if self.batch.len() + message.len() > config.payload {
            self.close();
        }
        self.batch.extend_from_slice(message);
        self.since.get_or_insert(now);
        self.urgent |= urgent;
    }

    fn close(&mut self) {
        if !self.batch.is_empty() {
            let payload = core::mem::take(&mut self.batch);
            self.queue.push_back(Waiting { payload, sent_at: None, again: false });
        }
        (self.since, self.urgent) = (None, false);
    }

    /// Whether everything that was pushed has been acknowledged.
    pub fn is_idle(&self) -> bool {
        self.queue.is_empty() && self.batch.is_empty()
    }

    fn batch_due(&self, config: &Config) -> Option<u64> {
        let since = self.since?;
        Some(if self.urgent { since } else { since + config.delay })
    }

    /// When the first packet is to be sent again.
    fn rewind_due(&self) -> Option<u64> {
        let waiting = self.queue.front().filter(|_| self.sent > 0)?;
        Some(waiting.sent_at? + self.patience)
    }

    fn is_blocked(&self) -> bool {
        self.sent < self.queue.len() && self.first + self.sent as u64 >= self.limit
    }

    /// When [`next`](Self::next) should be called again.
    pub fn wake_at(&self, config: &Config) -> Option<u64> {
        if self.sent < self.queue.len() && !self.is_blocked() {
            return Some(0);
        }
        let blocked = self.blocked_since.filter(|_| self.sent == 0).map(|at| at + self.patience);
        let closes = self.batch_due(config).filter(|_| self.queue.len() < config.queue);
        [self.rewind_due(), blocked, closes].into_iter().flatten().min()
    }

    /// What to send now.
    pub fn next(&mut self, config: &Config, counters: &mut Counters, now: u64) -> Option<Next<'_>> {
        if self.batch_due(config).is_some_and(|due| due <= now) && self.queue.len() < config.queue {
            self.close();
        }
        if self.rewind_due().is_some_and(|due| due <= now) {
            self.patience = (self.patience * 2).min(PATIENCE.1);
            self.rewind(now);
        }
        if self.is_blocked() {
            // Something under way will be acknowledged, and more room told with that.
            let since = *self.blocked_since.get_or_insert_with(|| {
                counters.waits += 1;
                now
            });
            if self.sent == 0 && since + self.patience <= now {
                self.blocked_since = Some(now);
                return Some(Next::Ask);
            }
            return None;
        }
        let sequence = self.first + self.sent as u64;
        let waiting = self.queue.get_mut(self.sent)?;
        counters.packets_sent += 1;
        counters.resent += u64::from(waiting.sent_at.is_some());
        waiting.again = waiting.sent_at.is_some();
        waiting.sent_at = Some(now);
        self.sent += 1;
        Some(Next::Packet(sequence, &waiting.payload))
    }

    /// Everything from the first packet on is to be sent again.
    pub fn rewind(&mut self, now: u64) {
        self.sent = 0;
        self.last_rewind = now;
        self.blocked_since = None;
    }

    /// The other side has everything before `expects`, and room for what comes before `limit`.
    /// Says whether that can be true.
    pub fn acknowledge(
        &mut self,
        expects: u64,
        limit: u64,
        gap: bool,
        counters: &mut Counters,
        now: u64,
    ) -> bool {
        let Some(done) = expects.checked_sub(self.first) else { return true };
        // Packets that were sent before a rewind may be acknowledged after it.
        let ever_sent = self.queue.iter().take_while(|w| w.sent_at.is_some()).count();
        if done > ever_sent as u64 {
            return false;
        }
        for _ in 0..done {
            let Some(waiting) = self.queue.pop_front() else { break };
            // What was sent twice does not tell which of the two was acknowledged.
            if let Some(sent_at) = waiting.sent_at.filter(|_| !waiting.again) {
                let measured = now.saturating_sub(sent_at);
                counters.round_trip = match counters.round_trip {
                    0 => measured,
                    before => (before * 7 + measured) / 8,
                };
                self.patience = (counters.round_trip * 4).clamp(PATIENCE.0, PATIENCE.1);
            }
        }
        self.first = expects;
        self.sent = self.sent.saturating_sub(done as usize);
        if limit > self.limit {
            self.limit = limit;
            self.blocked_since = None;
        }
        // Packets that were under way when it was noticed report the same gap again.
        if gap && self.sent > 0 && now.saturating_sub(self.last_rewind) >= counters.round_trip {
            self.rewind(now);
        }
        true
    }
}
