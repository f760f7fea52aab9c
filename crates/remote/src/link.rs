//! The link: messages over any stream of bytes, each exactly once and in order.
//!
//! A [`Link`] is one side. It does no I/O and knows no clock: it is fed bytes and the time and says
//! what to write, so it runs on bare metal and under tests that lose, damage, repeat, delay and
//! cut off what is under way.
//!
//! - Messages are packed together for at most [`Config::delay`] and sent as numbered packets.
//!   What is not acknowledged is sent again; what arrives twice or too early is noticed and dropped.
//! - Each side tells how many packets it has room for, and no more are sent.
//! - A *session* outlives connections: after [`Link::reconnect`] both sides tell which packet they
//!   expect, and go on from there. A device that does not remember the session says so.
//!
//! The host [initiates](Link::initiator), the device [responds](Link::responder).

mod counters;
mod packet;
mod receive;
mod send;
#[cfg(test)]
mod tests;

use alloc::vec::Vec;

pub use self::counters::Counters;
use self::packet::{MAGIC, NEWEST, OLDEST, Packet};
use self::receive::Receiver;
use self::send::{Next, Sender};
use crate::frame::{self, MAX_BODY, Reader};

/// How much a side keeps, and how long. Times are in microseconds, as all in this module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// The longest payload of a packet, which is also the longest message. Both sides have the
    /// same.
    pub payload: usize,
    /// Packets that are kept until they are acknowledged.
    pub queue: usize,
    /// Packets that are kept until they are taken.
    pub inbox: usize,
    /// How long a message may wait for others.
    pub delay: u64,
}

impl Config {
    /// For a device with little memory: at most `(queue + inbox) * payload` bytes.
    pub const DEVICE: Config = Config { payload: PAYLOAD, queue: 6, inbox: 2, delay: 5_000 };
    /// For the desk.
    pub const HOST: Config = Config { payload: PAYLOAD, queue: 64, inbox: 64, delay: 1_000 };
}

/// The longest message.
pub const PAYLOAD: usize = 512;
const _: () = assert!(PAYLOAD + 64 <= MAX_BODY);

/// How long to wait for an answer in the handshake.
const GREETING: u64 = 100_000;
/// How often to begin before greeting again.
const BEGINNINGS: u32 = 3;
/// The tag of packets that belong to no session.
const NO_SESSION: u64 = 0;

/// A message that is not taken now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SendError {
    /// What was sent before has not been acknowledged yet.
    #[error("the other side has no room; try again later")]
    Full,
    /// It does not fit a packet.
    #[error("a message of {0} bytes; the most is {PAYLOAD}")]
    TooLong(usize),
}

/// Why there is no connection and will not be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Broken {
    /// The two sides speak different versions of the protocol.
    #[error(
        "the device speaks versions {oldest} to {newest} of the protocol, this program {OLDEST} \
         to {NEWEST}; update the older of the two"
    )]
    Incompatible {
        /// The oldest version of the other side.
        oldest: u16,
        /// The newest version of the other side.
        newest: u16,
    },
    /// The device has started anew.
    #[error("the device has restarted and remembers nothing of this session")]
    Forgotten,
}

enum Phase {
    /// A device that nobody has spoken to, or a host that has no stream.
    Idle,
    /// The host greets until it is answered.
    Greeting {
        at: u64,
    },
    /// The host begins until a packet of the session arrives.
    Beginning {
        at: u64,
        nonce: u32,
        tries: u32,
    },
    Connected,
    Broken(Broken),
}

/// A host that has been welcomed, but has not begun.
struct Welcomed {
    session: u64,
    attempt: u32,
    nonce: u32,
}

enum Role {
    Host {
        /// Whether this session has ever been connected.
        begun: bool,
        attempt: u32,
    },
    Device {
        welcomed: Option<Welcomed>,
        /// What to answer a greeting with.
        answer: Option<Vec<u8>>,
        nonces: u32,
    },
}

/// One side of a link. See the [module](self).
pub struct Link {
    config: Config,
    role: Role,
    state: Phase,
    session: u64,
    sender: Sender,
    receiver: Receiver,
    reader: Reader,
    counters: Counters,
    /// When something last arrived.
    heard_at: Option<u64>,
    /// The session has begun anew since that was last asked.
    is_new: bool,
}

impl Link {
    /// The host's side of a new session. The number should differ from that of every session
    /// before, and not be zero.
    pub fn initiator(session: u64, config: Config) -> Link {
        Link::new(session.max(1), config, Role::Host { begun: false, attempt: 0 })
    }

    /// The device's side. The number should differ from one start of the device to the next.
    pub fn responder(boot: u32, config: Config) -> Link {
        let role = Role::Device { welcomed: None, answer: None, nonces: boot };
        Link::new(NO_SESSION, config, role)
    }

    fn new(session: u64, config: Config, role: Role) -> Link {
        Link {
            config,
            role,
            state: Phase::Idle,
            session,
            sender: Sender::new(),
            receiver: Receiver::new(),
            reader: Reader::default(),
            counters: Counters::default(),
            heard_at: None,
            is_new: false,
        }
    }

    /// There is a stream, or another one than before.
    pub fn reconnect(&mut self, now: u64) {
        self.reader.clear();
        if let Role::Host { attempt, .. } = &mut self.role {
            *attempt += 1;
            self.state = Phase::Greeting { at: now };
        }
    }

    /// Whether both sides have agreed on where they are.
    pub fn is_connected(&self) -> bool {
        matches!(self.state, Phase::Connected)
    }

    /// Why there will be no connection, if that is so.
    pub fn broken(&self) -> Option<&Broken> {
        match &self.state {
            Phase::Broken(reason) => Some(reason),
            _ => None,
        }
    }

    /// Whether a session has begun since this was last asked: what was said before concerns
    /// another host.
    pub fn take_new_session(&mut self) -> bool {
        core::mem::take(&mut self.is_new)
    }

    /// The figures of this side.
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    /// When anything of the other side last arrived.
    pub fn heard_at(&self) -> Option<u64> {
        self.heard_at
    }

    /// Whether everything that was sent has been acknowledged.
    pub fn is_idle(&self) -> bool {
        self.sender.is_idle()
    }

    /// Whether a message of this size would be taken.
    pub fn has_room(&self, size: usize) -> bool {
        self.sender.has_room(&self.config, size)
    }

    /// Takes a message for sending; an urgent one does not wait for others.
    pub fn send(&mut self, message: &[u8], urgent: bool, now: u64) -> Result<(), SendError> {
        if message.len() > self.config.payload {
            return Err(SendError::TooLong(message.len()));
        }
        if !self.has_room(message.len()) {
            return Err(SendError::Full);
        }
        self.counters.messages_sent += 1;
        self.sender.push(&self.config, message, urgent, now);
        Ok(())
    }

    /// The next payload that has arrived: one message or several, as they were sent.
    pub fn take(&mut self, now: u64) -> Option<Vec<u8>> {
        self.receiver.take(&self.config, now)
    }

    /// Whether there is a payload to take.
    pub fn has_arrivals(&self) -> bool {
        !self.receiver.is_empty()
    }

    /// Bytes have arrived.
    pub fn receive(&mut self, bytes: &[u8], now: u64) {
        self.counters.bytes_received += bytes.len() as u64;
        for &byte in bytes {
            match self.reader.push(byte) {
                Some(Ok(frame)) if self.frame(&frame, now) => {}
                Some(_) => self.counters.damaged += 1,
                None => {}
            }
        }
    }

    /// A frame has arrived; says whether it makes sense.
    fn frame(&mut self, frame: &frame::Received, now: u64) -> bool {
        let parse = |body| postcard::from_bytes::<Packet<'_>>(body).ok();
        let of_session = frame.body(self.session).filter(|_| self.session != NO_SESSION);
        if let Some(packet) = of_session.and_then(parse).filter(|packet| !packet.is_handshake()) {
            return self.packet(packet, now);
        }
        match frame.body(NO_SESSION).and_then(parse).filter(Packet::is_handshake) {
            Some(packet) => self.handshake(packet, now),
            None => false,
        }
    }

    fn packet(&mut self, packet: Packet<'_>, now: u64) -> bool {
        match self.state {
            // The device has heard that the session begins.
            Phase::Beginning { .. } => self.connected(),
            Phase::Connected => {}
            // Left over from before the connection broke.
            _ => return true,
        }
        self.heard_at = Some(now);
        let (expects, limit, gap) = match packet {
            Packet::Data { expects, limit, .. } | Packet::Ask { expects, limit } => {
                (expects, limit, false)
            }
            Packet::Ack { expects, limit, gap } => (expects, limit, gap),
            _ => return false,
        };
        if !self.sender.acknowledge(expects, limit, gap, &mut self.counters, now) {
            return false;
        }
        match packet {
            Packet::Data { sequence, payload, .. } => {
                self.receiver.packet(&self.config, &mut self.counters, sequence, payload, now);
            }
            Packet::Ask { .. } => self.receiver.owe_ack(now),
            _ => {}
        }
        true
    }

    fn connected(&mut self) {
        self.state = Phase::Connected;
        self.counters.connections += 1;
        if let Role::Host { begun, .. } = &mut self.role {
            *begun = true;
        }
    }

    fn handshake(&mut self, packet: Packet<'_>, now: u64) -> bool {
        let is_host = matches!(self.role, Role::Host { .. });
        match packet {
            Packet::Hello { magic: MAGIC, oldest, newest, session, attempt } if !is_host => {
                self.welcome(oldest, newest, session, attempt)
            }
            Packet::Begin { magic: MAGIC, session, nonce, expects, limit } if !is_host => {
                self.begin(session, nonce, expects, limit, now)
            }
            Packet::Welcome {
                magic: MAGIC,
                session,
                attempt,
                version,
                nonce,
                remembers,
                expects,
                limit,
            } => {
                let Role::Host { begun, attempt: current } = self.role else { return false };
                if session != self.session || attempt != current {
                    return false;
                }
                if !matches!(self.state, Phase::Greeting { .. }) {
                    return true;
                }
                if !(OLDEST..=NEWEST).contains(&version) {
                    let reason = Broken::Incompatible { oldest: version, newest: version };
                    self.state = Phase::Broken(reason);
                } else if begun && !remembers {
                    self.state = Phase::Broken(Broken::Forgotten);
                } else {
                    if !self.sender.acknowledge(expects, limit, false, &mut self.counters, now) {
                        return false;
                    }
                    self.sender.rewind(now);
                    self.state = Phase::Beginning { at: now, nonce, tries: 0 };
                }
                true
            }
            Packet::Incompatible { magic: MAGIC, session, attempt, oldest, newest } => {
                let Role::Host { attempt: current, .. } = self.role else { return false };
                if session == self.session && attempt == current {
                    self.state = Phase::Broken(Broken::Incompatible { oldest, newest });
                }
                true
            }
            _ => false,
        }
    }

    /// The device answers a greeting. What it has agreed with another host stands until the new
    /// one begins.
    fn welcome(&mut self, oldest: u16, newest: u16, session: u64, attempt: u32) -> bool {
        let Role::Device { welcomed, answer, nonces } = &mut self.role else { return false };
        if session == NO_SESSION || oldest > newest {
            return false;
        }
        let version = newest.min(NEWEST);
        let packet = if version < oldest || version < OLDEST {
            let (oldest, newest) = (OLDEST, NEWEST);
            Packet::Incompatible { magic: MAGIC, session, attempt, oldest, newest }
        } else {
            let known = welcomed.take().filter(|w| (w.session, w.attempt) == (session, attempt));
            let nonce = known.map_or_else(
                || {
                    *nonces = nonces.wrapping_add(1);
                    *nonces
                },
                |known| known.nonce,
            );
            *welcomed = Some(Welcomed { session, attempt, nonce });
            let remembers = session == self.session;
            let (expects, limit) = match remembers {
                true => {
                    let (expects, limit, _) = self.receiver.tell(&self.config);
                    (expects, limit)
                }
                false => (0, self.config.inbox as u64),
            };
            let magic = MAGIC;
            Packet::Welcome { magic, session, attempt, version, nonce, remembers, expects, limit }
        };
        *answer = postcard::to_allocvec(&packet).ok();
        true
    }

    /// The device has heard that the host begins.
    fn begin(&mut self, session: u64, nonce: u32, expects: u64, limit: u64, now: u64) -> bool {
        let Role::Device { welcomed, .. } = &mut self.role else { return false };
        if welcomed.as_ref().is_none_or(|w| (w.session, w.nonce) != (session, nonce)) {
            return false;
        }
        if session != self.session {
            self.session = session;
            (self.sender, self.receiver) = (Sender::new(), Receiver::new());
            self.is_new = true;
        }
        if !self.sender.acknowledge(expects, limit, false, &mut self.counters, now) {
            return false;
        }
        // A host that begins again has not heard the answer, which is all that it waits for.
        if !matches!(self.state, Phase::Connected) || self.is_new {
            self.connected();
        }
        self.sender.rewind(now);
        self.receiver.owe_ack(now);
        self.heard_at = Some(now);
        true
    }

    /// When [`transmit`](Self::transmit) has something to do next, if nothing arrives before.
    pub fn wake_at(&self) -> Option<u64> {
        if let Role::Device { answer: Some(_), .. } = self.role {
            return Some(0);
        }
        match &self.state {
            Phase::Idle | Phase::Broken(_) => None,
            Phase::Greeting { at } | Phase::Beginning { at, .. } => Some(*at),
            Phase::Connected => {
                let sends = self.sender.wake_at(&self.config);
                [sends, self.receiver.ack_due()].into_iter().flatten().min()
            }
        }
    }

    /// Appends what is to be written now, a packet at a time; says whether there was anything.
    pub fn transmit(&mut self, now: u64, to: &mut Vec<u8>) -> bool {
        let before = to.len();
        if let Role::Device { answer, .. } = &mut self.role
            && let Some(answer) = answer.take()
        {
            frame::encode(&answer, NO_SESSION, to);
        } else {
            match self.state {
                Phase::Greeting { at } if at <= now => self.greet(now, to),
                Phase::Beginning { at, nonce, tries } if at <= now => {
                    self.say_begin(nonce, tries, now, to);
                }
                Phase::Connected => self.transmit_packet(now, to),
                _ => {}
            }
        }
        self.counters.bytes_sent += (to.len() - before) as u64;
        to.len() > before
    }

    fn greet(&mut self, now: u64, to: &mut Vec<u8>) {
        let Role::Host { attempt, .. } = self.role else { return };
        let (magic, oldest, newest, session) = (MAGIC, OLDEST, NEWEST, self.session);
        self.state = Phase::Greeting { at: now + GREETING };
        write(&Packet::Hello { magic, oldest, newest, session, attempt }, NO_SESSION, to);
    }

    fn say_begin(&mut self, nonce: u32, tries: u32, now: u64, to: &mut Vec<u8>) {
        if tries == BEGINNINGS {
            // The device may have welcomed somebody else since.
            self.reconnect(now);
            return self.greet(now, to);
        }
        self.state = Phase::Beginning { at: now + GREETING, nonce, tries: tries + 1 };
        let (expects, limit, _) = self.receiver.tell(&self.config);
        let (magic, session) = (MAGIC, self.session);
        write(&Packet::Begin { magic, session, nonce, expects, limit }, NO_SESSION, to);
    }

    fn transmit_packet(&mut self, now: u64, to: &mut Vec<u8>) {
        let ack_due = self.receiver.ack_due().is_some_and(|due| due <= now);
        let packet = match self.sender.next(&self.config, &mut self.counters, now) {
            Some(Next::Packet(sequence, payload)) => {
                // Data cannot say that something is missing; what owes that is told first.
                let (expects, limit, gap) = self.receiver.tell(&self.config);
                if gap {
                    write(&Packet::Ack { expects, limit, gap }, self.session, to);
                }
                Packet::Data { sequence, expects, limit, payload }
            }
            Some(Next::Ask) => {
                let (expects, limit, _) = self.receiver.tell(&self.config);
                Packet::Ask { expects, limit }
            }
            None if ack_due => {
                let (expects, limit, gap) = self.receiver.tell(&self.config);
                Packet::Ack { expects, limit, gap }
            }
            None => return,
        };
        write(&packet, self.session, to);
    }
}

fn write(packet: &Packet<'_>, tag: u64, to: &mut Vec<u8>) {
    let body = postcard::to_allocvec(packet).expect("a vector takes everything");
    frame::encode(&body, tag, to);
}
