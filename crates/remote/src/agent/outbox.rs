//! What the agent has to say: messages that wait for room, and long things that are cut to size.

use alloc::{collections::VecDeque, vec::Vec};

use mw_vm::Machine;

use super::recorder::Recording;
use crate::link::{Link, PAYLOAD};
use crate::message::{Event, FromDevice, Reply};
use crate::runs;

/// Bytes of a part: what a packet holds, less what goes round it.
pub(crate) const PART: usize = PAYLOAD - 16;

/// A message that waits for room.
struct Waiting {
    bytes: Vec<u8>,
    urgent: bool,
}

/// Something long, of which the rest is still to be said.
enum Long {
    /// Bytes, and what they are.
    Bytes {
        bytes: Vec<u8>,
        sent: usize,
        what: Event<'static>,
    },
    /// A page of the machine: it is squeezed when its turn comes.
    Page {
        memory: u32,
        page: u32,
    },
    Event(Event<'static>),
}

/// See the [module](self).
#[derive(Default)]
pub(super) struct Outbox {
    waiting: VecDeque<Waiting>,
    long: VecDeque<Long>,
}

impl Outbox {
    pub fn clear(&mut self) {
        *self = Outbox::default();
    }

    /// Whether all has been handed to the link.
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty() && self.long.is_empty()
    }

    pub fn reply(&mut self, reply: Reply) {
        self.push(&FromDevice::Reply(reply), true);
    }

    pub fn event(&mut self, event: Event<'_>, urgent: bool) {
        self.push(&FromDevice::Event(event), urgent);
    }

    fn push(&mut self, message: &FromDevice<'_>, urgent: bool) {
        let bytes = postcard::to_allocvec(message).expect("a vector takes everything");
        self.waiting.push_back(Waiting { bytes, urgent });
    }

    /// Says all of a machine but its pages, and these pages.
    pub fn state(&mut self, machine: &Machine, pages: impl IntoIterator<Item = (u32, u32)>) {
        self.bytes(machine.save_without_pages(), Event::State);
        for (memory, page) in pages {
            self.long.push_back(Long::Page { memory, page });
        }
        self.long.push_back(Long::Event(Event::StateEnds));
    }

    /// Says what was recorded, up to a count.
    pub fn recording(&mut self, recording: Recording, until: u64) {
        let has_state = recording.checkpoint.is_some();
        if let Some(checkpoint) = recording.checkpoint {
            self.bytes(checkpoint.state, Event::State);
            for (memory, page, squeezed) in checkpoint.pages {
                self.bytes(squeezed, Event::Page { memory, page });
            }
            self.long.push_back(Long::Event(Event::StateEnds));
        }
        for (from, choices) in recording.choices {
            self.bytes(choices, Event::Trace { from });
        }
        let (until, lost) = (recording.until.unwrap_or(until), recording.lost);
        self.long.push_back(Long::Event(Event::TraceEnds { has_state, until, lost }));
    }

    fn bytes(&mut self, bytes: Vec<u8>, what: Event<'static>) {
        self.long.push_back(Long::Bytes { bytes, sent: 0, what });
    }

    /// Hands on what the link has room for.
    pub fn flush(&mut self, link: &mut Link, machine: Option<&Machine>, now: u64) {
        loop {
            while let Some(waiting) = self.waiting.front() {
                if !link.has_room(waiting.bytes.len()) {
                    return;
                }
                // A message that fits no packet was never made here.
                let _ = link.send(&waiting.bytes, waiting.urgent, now);
                self.waiting.pop_front();
            }
            match self.long.pop_front() {
                None => return,
                Some(Long::Event(event)) => self.event(event, true),
                Some(Long::Page { memory, page }) => {
                    let memories = machine.map(Machine::memories).unwrap_or_default();
                    let pages = memories.get(memory as usize).map(|m| m.written_pages());
                    let content =
                        pages.and_then(|mut p| p.find(|(index, _)| *index == page as usize));
                    if let Some((_, content)) = content {
                        let what = Event::Page { memory, page };
                        let bytes = runs::squeeze(content);
                        self.long.push_front(Long::Bytes { bytes, sent: 0, what });
                    }
                }
                Some(Long::Bytes { bytes, sent, what }) => {
                    let end = (sent + PART).min(bytes.len());
                    if sent < end {
                        self.event(Event::Part(&bytes[sent..end]), false);
                        self.long.push_front(Long::Bytes { bytes, sent: end, what });
                    } else {
                        self.event(what, false);
                    }
                }
            }
        }
    }
}
