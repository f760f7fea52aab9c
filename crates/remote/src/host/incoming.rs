//! What a device says, sorted. Nothing of it is trusted.

use std::collections::{BTreeSet, VecDeque};
use std::format;
use std::string::ToString;
use std::vec::Vec;

use mw_vm::{Machine, PAGE_SIZE};

use super::device::{Captured, Stopped};
use super::error::DeviceError;
use crate::choices::Unpacker;
use crate::message::{Event, FromDevice, Reply};
use crate::runs;

/// Something long may not be longer than this.
const PARTS: usize = 64 << 20;
/// A device that sends more choices than this without stopping is not taken seriously in one go.
const CHOICES: usize = 1 << 22;

/// A machine as a device sends it: all but its pages, and pages that have changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snapshot {
    /// What [`Machine::restore_without_pages`](mw_vm::Machine::restore_without_pages) takes.
    pub state: Vec<u8>,
    /// Memory, page and content.
    pub pages: Vec<(u32, u32, std::boxed::Box<[u8; PAGE_SIZE]>)>,
    /// The bytes that it took on the wire, but for what goes round them.
    pub size: usize,
}

impl Snapshot {
    /// The machine, if this is all of one: a fresh machine of the same program becomes it.
    pub fn machine(&self, mut fresh: Machine) -> Result<Machine, DeviceError> {
        let restored = fresh.restore_without_pages(&self.state);
        restored.map_err(|error| DeviceError::Nonsense(format!("its state is none: {error}")))?;
        for (memory, page, content) in &self.pages {
            if !fresh.restore_page(*memory, *page, content) {
                return Err(DeviceError::nonsense("it sends a page that it does not have"));
            }
        }
        let written = fresh.memories().iter().enumerate().flat_map(|(memory, content)| {
            content.written_pages().map(move |(page, _)| (memory as u32, page as u32))
        });
        let sent: BTreeSet<(u32, u32)> = self.pages.iter().map(|(m, p, _)| (*m, *p)).collect();
        // Pages that it claims to have are all there, and none is left over from the fresh machine.
        let is_whole = written.collect::<BTreeSet<_>>() == sent;
        match is_whole && fresh.save_without_pages() == self.state {
            true => Ok(fresh),
            false => Err(DeviceError::nonsense("it leaves out pages of its memory")),
        }
    }
}

/// A choice that a device has made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// How many instructions had been executed before the call.
    pub count: u64,
    /// What it returned, as a slot.
    pub slot: u64,
}

/// What has arrived and not been looked at.
#[derive(Default)]
pub(super) struct Incoming {
    pub replies: VecDeque<Reply>,
    pub choices: VecDeque<Change>,
    pub stopped: Option<Stopped>,
    pub captured: Vec<Captured>,
    parts: Vec<u8>,
    snapshot: Snapshot,
    pub snapshots: VecDeque<Snapshot>,
    pub trace: Vec<Change>,
    /// Whether a trace has ended: whether it began with a state, until where it goes, what is lost.
    pub trace_ended: Option<(bool, u64, u64)>,
}

impl Incoming {
    pub fn payload(&mut self, mut payload: &[u8]) -> Result<(), DeviceError> {
        while !payload.is_empty() {
            let (message, rest) = postcard::take_from_bytes::<FromDevice<'_>>(payload)
                .map_err(|_| DeviceError::nonsense("it says something that is no message"))?;
            payload = rest;
            match message {
                FromDevice::Reply(reply) => self.replies.push_back(reply),
                FromDevice::Event(event) => self.event(event)?,
            }
        }
        Ok(())
    }

    fn event(&mut self, event: Event<'_>) -> Result<(), DeviceError> {
        match event {
            Event::Choices { from, choices } => {
                let mut into = std::mem::take(&mut self.choices);
                unpack(from, choices, |change| into.push_back(change), CHOICES)?;
                self.choices = into;
                if self.choices.len() >= CHOICES {
                    return Err(DeviceError::nonsense("it reads inputs without end"));
                }
            }
            Event::Stopped { count, reason, hash } => {
                self.stopped = Some(Stopped { count, reason, hash });
            }
            Event::Captured { count, primitive, captured } => {
                self.captured.push(Captured { count, primitive, captured: captured.to_vec() });
            }
            Event::Part(bytes) => {
                if self.parts.len() + bytes.len() > PARTS {
                    return Err(DeviceError::nonsense("it sends something without end"));
                }
                self.parts.extend_from_slice(bytes);
            }
            Event::State => {
                self.snapshot = Snapshot::default();
                self.snapshot.size = self.parts.len();
                self.snapshot.state = std::mem::take(&mut self.parts);
            }
            Event::Page { memory, page } => {
                let mut content = std::boxed::Box::new([0; PAGE_SIZE]);
                let squeezed = std::mem::take(&mut self.parts);
                if !runs::expand(&squeezed, &mut content) {
                    return Err(DeviceError::nonsense("it sends a page that is none"));
                }
                self.snapshot.size += squeezed.len();
                self.snapshot.pages.push((memory, page, content));
            }
            Event::StateEnds => self.snapshots.push_back(std::mem::take(&mut self.snapshot)),
            Event::Trace { from } => {
                let choices = std::mem::take(&mut self.parts);
                let mut into = std::mem::take(&mut self.trace);
                unpack(from, &choices, |change| into.push(change), CHOICES)?;
                self.trace = into;
            }
            Event::TraceEnds { has_state, until, lost } => {
                self.trace_ended = Some((has_state, until, lost));
            }
        }
        Ok(())
    }
}

/// Packed choices with the counts at which they were made.
fn unpack(
    from: u64,
    choices: &[u8],
    mut push: impl FnMut(Change),
    most: usize,
) -> Result<(), DeviceError> {
    let mut unpacker = Unpacker::new(choices);
    let mut after = from;
    for choice in unpacker.by_ref().take(most) {
        let next = after.checked_add(choice.after).filter(|_| choice.after > 0);
        after = next.ok_or_else(|| DeviceError::nonsense("it counts instructions backwards"))?;
        push(Change { count: after - 1, slot: choice.slot });
    }
    match unpacker.rest().is_empty() {
        true => Ok(()),
        false => Err(DeviceError::Nonsense("it sends choices that are none".to_string())),
    }
}
