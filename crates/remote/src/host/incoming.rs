//! What a device says, sorted. Nothing of it is trusted: what cannot be, or is of no use to anybody,
//! is an error, and what waits here to be looked at takes no more than so much memory.

use std::collections::{BTreeSet, VecDeque};
use std::format;
use std::vec::Vec;

use mw_vm::{Machine, PAGE_SIZE};

use super::device::{Captured, Stopped};
use super::error::DeviceError;
use crate::choices::Unpacker;
use crate::message::{Event, FromDevice, Reply};
use crate::runs;

/// Something long may not be longer than this, and pages may not be more than this.
const PARTS: usize = 64 << 20;
/// What devices give to keep may not take more than this.
const KEPT: usize = 256 << 20;
/// A recording has two pieces; some day it may have more.
const PIECES: usize = 64;
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
pub struct DeviceChoice {
    /// How many instructions had been executed before the call.
    pub count: u64,
    /// What it returned, as a slot.
    pub slot: u64,
}

/// What has arrived and not been looked at.
#[derive(Default)]
pub(super) struct Incoming {
    pub replies: VecDeque<Reply>,
    pub choices: VecDeque<DeviceChoice>,
    pub stopped: Option<Stopped>,
    /// Compensations that the host keeps, oldest first, and the bytes that they take.
    captured: Vec<Captured>,
    kept: usize,
    parts: Vec<u8>,
    snapshot: Snapshot,
    pub snapshots: VecDeque<Snapshot>,
    pub trace: Vec<DeviceChoice>,
    pieces: usize,
    /// Whether a trace has ended: whether it began with a state, until where it goes, what is lost.
    pub trace_ended: Option<(bool, u64, u64)>,
    /// Something long has been asked for.
    is_asked: bool,
    /// Where the machine of the device is known to have been last.
    at: Option<u64>,
    /// The program runs, no further than this.
    until: Option<u64>,
}

impl Incoming {
    /// The device is about to be asked for something long.
    pub fn asks(&mut self) {
        self.is_asked = true;
        (self.pieces, self.trace_ended) = (0, None);
        self.trace.clear();
        self.snapshots.clear();
    }

    /// The device is about to run: to a count, or by one instruction. Returns how far it ran
    /// before that, if it did.
    pub fn runs(&mut self, until: Option<u64>) -> Option<u64> {
        let by_one = self.at.map_or(u64::MAX, |at| at.saturating_add(1));
        self.stopped = None;
        self.until.replace(until.unwrap_or(by_one))
    }

    /// It has refused to: it does what it did before.
    pub fn runs_on(&mut self, before: Option<u64>) {
        self.until = before;
    }

    /// The machine of the device is somewhere else now.
    pub fn moves(&mut self, to: u64) {
        self.at = Some(to);
    }

    /// The newest of the compensations, if it was made at a count or later.
    pub fn take_captured(&mut self, to: u64) -> Option<Captured> {
        let last = self.captured.pop_if(|captured| captured.count >= to)?;
        self.kept -= size(&last);
        Some(last)
    }

    pub fn payload(&mut self, mut payload: &[u8]) -> Result<(), DeviceError> {
        if payload.is_empty() {
            return Err(DeviceError::nonsense("it says nothing, over and over"));
        }
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
            Event::Choices { from, choices } => self.choices(from, choices),
            Event::Stopped { count, reason, hash } => {
                let Some(until) = self.until.take() else {
                    return Err(DeviceError::nonsense("it stops without having run"));
                };
                self.check(count, until)?;
                self.at = Some(count);
                self.stopped = Some(Stopped { count, reason, hash });
                Ok(())
            }
            Event::Captured { count, primitive, captured } => {
                let captured = Captured { count, primitive, captured: captured.to_vec() };
                self.kept += size(&captured);
                if self.kept > KEPT {
                    return Err(DeviceError::nonsense("it gives more to keep than there is room"));
                }
                self.captured.push(captured);
                Ok(())
            }
            _ if !self.is_asked => {
                Err(DeviceError::nonsense("it sends something that nobody asked for"))
            }
            event => self.long(event),
        }
    }

    fn choices(&mut self, from: u64, choices: &[u8]) -> Result<(), DeviceError> {
        let Some(until) = self.until else {
            return Err(DeviceError::nonsense("it reads inputs without running"));
        };
        if choices.is_empty() || self.at.is_some_and(|at| at != from) {
            return Err(DeviceError::nonsense("it tells of inputs that were not read"));
        }
        let into = &mut self.choices;
        let after = unpack(from, choices, CHOICES, |change| into.push_back(change))?;
        if self.choices.len() >= CHOICES {
            return Err(DeviceError::nonsense("it reads inputs without end"));
        }
        self.check(after, until)?;
        self.at = Some(after);
        Ok(())
    }

    /// Whether a device that runs can be there.
    fn check(&self, count: u64, until: u64) -> Result<(), DeviceError> {
        if self.at.is_some_and(|at| count < at) {
            return Err(DeviceError::nonsense("it counts instructions backwards"));
        }
        if count > until {
            return Err(DeviceError::Nonsense(format!(
                "it executed {count} instructions and was to stop after {until}"
            )));
        }
        Ok(())
    }

    /// Pieces of something long.
    fn long(&mut self, event: Event<'_>) -> Result<(), DeviceError> {
        let endless = || Err(DeviceError::nonsense("it sends something without end"));
        match event {
            Event::Part(bytes) => {
                if bytes.is_empty() || self.parts.len() + bytes.len() > PARTS {
                    return endless();
                }
                self.parts.extend_from_slice(bytes);
            }
            Event::State if self.parts.is_empty() || !self.snapshot.state.is_empty() => {
                return Err(DeviceError::nonsense("it sends a state that is none"));
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
                if self.snapshot.pages.len() >= PARTS / PAGE_SIZE {
                    return endless();
                }
                self.snapshot.size += squeezed.len();
                self.snapshot.pages.push((memory, page, content));
            }
            Event::StateEnds if !self.snapshots.is_empty() => return endless(),
            Event::StateEnds => self.snapshots.push_back(std::mem::take(&mut self.snapshot)),
            Event::Trace { from } => {
                self.pieces += 1;
                let choices = std::mem::take(&mut self.parts);
                let into = &mut self.trace;
                unpack(from, &choices, CHOICES, |change| into.push(change))?;
                if self.trace.len() >= CHOICES || self.pieces > PIECES {
                    return endless();
                }
            }
            Event::TraceEnds { has_state, until, lost } => {
                if has_state && self.snapshots.is_empty() {
                    return Err(DeviceError::nonsense("its recording begins with no state"));
                }
                self.trace_ended = Some((has_state, until, lost));
            }
            Event::Choices { .. } | Event::Stopped { .. } | Event::Captured { .. } => {}
        }
        Ok(())
    }

    /// What was asked for has come.
    pub fn has_come(&mut self) {
        self.is_asked = false;
    }
}

fn size(captured: &Captured) -> usize {
    size_of::<Captured>() + captured.captured.len()
}

/// Packed choices with the counts at which they were made; returns the count after the last.
fn unpack(
    from: u64,
    choices: &[u8],
    most: usize,
    mut push: impl FnMut(DeviceChoice),
) -> Result<u64, DeviceError> {
    let mut unpacker = Unpacker::new(choices);
    let mut after = from;
    for choice in unpacker.by_ref().take(most) {
        let next = after.checked_add(choice.after).filter(|_| choice.after > 0);
        after = next.ok_or_else(|| DeviceError::nonsense("it counts instructions backwards"))?;
        push(DeviceChoice { count: after - 1, slot: choice.slot });
    }
    match unpacker.rest().is_empty() {
        true => Ok(after),
        false => Err(DeviceError::nonsense("it sends choices that are none")),
    }
}
