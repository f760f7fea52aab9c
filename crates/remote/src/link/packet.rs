//! What a frame carries.

use serde::{Deserialize, Serialize};

/// The versions of the protocol that this program speaks.
pub const OLDEST: u16 = 2;
/// The newest of them.
pub const NEWEST: u16 = 2;

/// Begins every greeting, so that what answers on a wrong port is not taken for an agent.
pub const MAGIC: [u8; 4] = *b"MWLK";

/// A packet. The layout of the first four never changes: they settle which version is spoken.
///
/// The handshake has three steps, so that a greeting that was under way for long cannot undo what
/// has been agreed since: only who has seen the latest [`Welcome`](Packet::Welcome) can begin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Packet<'a> {
    /// The host would like to begin or resume a session.
    Hello {
        magic: [u8; 4],
        /// The versions that the host speaks.
        oldest: u16,
        newest: u16,
        session: u64,
        /// Counts the connections of a session.
        attempt: u32,
    },
    /// The device agrees.
    Welcome {
        magic: [u8; 4],
        /// Whom it answers.
        session: u64,
        attempt: u32,
        /// The version to be spoken.
        version: u16,
        /// To be returned, so that the device knows that it is heard.
        nonce: u32,
        /// Whether the device remembers the session.
        remembers: bool,
        /// The packet of that session that it expects next.
        expects: u64,
        /// The packet of that session that it has no room for.
        limit: u64,
    },
    /// The device speaks none of the host's versions.
    Incompatible { magic: [u8; 4], session: u64, attempt: u32, oldest: u16, newest: u16 },
    /// The host begins: packets of the session follow.
    Begin {
        magic: [u8; 4],
        session: u64,
        nonce: u32,
        /// The packet that the host expects next.
        expects: u64,
        /// The packet that it has no room for.
        limit: u64,
    },
    /// Messages.
    Data {
        sequence: u64,
        expects: u64,
        limit: u64,
        #[serde(borrow)]
        payload: &'a [u8],
    },
    /// What has arrived, and what there is room for.
    Ack {
        expects: u64,
        limit: u64,
        /// Something is missing: send again from `expects` on.
        gap: bool,
    },
    /// Please acknowledge: the sender has something to send, but no room at the other side.
    Ask { expects: u64, limit: u64 },
}

impl Packet<'_> {
    /// Whether it is part of the handshake, which has no session yet.
    pub fn is_handshake(&self) -> bool {
        matches!(
            self,
            Packet::Hello { .. }
                | Packet::Welcome { .. }
                | Packet::Incompatible { .. }
                | Packet::Begin { .. }
        )
    }
}
