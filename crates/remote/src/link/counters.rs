//! What a side of a link has seen.

use serde::{Deserialize, Serialize};

/// The figures of one side of a link, since it was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counters {
    /// Bytes written to the stream.
    pub bytes_sent: u64,
    /// Bytes read from the stream.
    pub bytes_received: u64,
    /// Packets with messages that were sent, again or not.
    pub packets_sent: u64,
    /// Packets with messages that arrived in order.
    pub packets_received: u64,
    /// Messages that were handed over for sending.
    pub messages_sent: u64,
    /// Packets that were sent again.
    pub resent: u64,
    /// Frames that arrived damaged, cut off, or from another session.
    pub damaged: u64,
    /// Packets that arrived once more.
    pub duplicates: u64,
    /// Packets that arrived before one that comes first.
    pub early: u64,
    /// Packets that arrived although there was no room for them.
    pub overruns: u64,
    /// How often the two sides have agreed on where they are.
    pub connections: u32,
    /// How often sending had to wait because the other side had no room.
    pub waits: u64,
    /// The time from sending a packet until it was acknowledged, smoothed, in microseconds.
    pub round_trip: u64,
}
