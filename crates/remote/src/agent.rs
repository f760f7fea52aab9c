//! The agent: a machine on a device, driven over a link.
//!
//! It follows the server of seed 000. *Running* (Fig. 19), it counts instructions and tells what
//! inputs returned; it stops at a breakpoint or when told to (Fig. 21) and tells how far it came.
//! *Paused* (Figs. 8, 20 and 22), it steps, mocks, adds and removes breakpoints, sends its state and
//! begins again; and it takes back what it did to the outside (seed 001). A command that does not
//! fit is refused and nothing of it sticks.
//!
//! An agent does nothing by itself: whoever owns it feeds it bytes and the time
//! ([`Agent::receive`]), lets it work ([`Agent::work`]) and writes what it says
//! ([`Agent::transmit`]). It allocates no more than its [`Config`] says.

mod command;
mod fit;
mod log;
mod outbox;
mod outside;
mod primitives;
mod recorder;
mod run;

use alloc::{collections::BTreeMap, vec::Vec};

use mw_vm::Breakpoints;

use self::log::Log;
use self::outbox::Outbox;
pub(crate) use self::outbox::PART;
pub use self::outside::{Answer, Call, Fault, Outside, ProgramMemory};
pub use self::primitives::{Captured, Primitives};
use self::recorder::Recorder;
use self::run::{Program, Run};
use crate::choices::Packer;
use crate::link::{self, Link};
use crate::message::Activity;

pub use self::fit::Needs;

/// What an agent may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// What it calls itself.
    pub name: &'static str,
    /// Bytes for a program: its image while it is loaded, the module, its stack and its memory.
    pub memory: usize,
    /// Slots of 8 bytes of a program's stack.
    pub stack_slots: u32,
    /// Calls nested within one another.
    pub call_depth: u32,
    /// Bytes for how to take outputs back; beyond that, the host keeps it.
    pub log: usize,
    /// Bytes for choices that are recorded when nobody watches.
    pub recording: usize,
    /// Bytes for each of the two checkpoints of such a recording.
    pub checkpoint: usize,
    /// Instructions to execute before looking at the link again.
    pub slice: u64,
    /// The link.
    pub link: link::Config,
}

impl Config {
    /// For a microcontroller with 64 KiB of RAM.
    pub const SMALL: Config = Config {
        name: "agent",
        memory: 36 << 10,
        stack_slots: 256,
        call_depth: 48,
        log: 1 << 10,
        recording: 1 << 10,
        checkpoint: 2 << 10,
        slice: 2_000,
        link: link::Config::DEVICE,
    };
}

/// The agent. See the [module](self).
pub struct Agent<W> {
    config: Config,
    link: Link,
    outside: W,
    outbox: Outbox,
    /// Bytes that have arrived for the next command.
    parts: Vec<u8>,
    /// How many bytes of an image are expected.
    expected: Option<usize>,
    program: Option<Program>,
    /// The program runs.
    run: Option<Run>,
    /// Pages are being restored.
    restoring: bool,
    log: Log,
    /// Choices that have not been told.
    untold: Packer,
    /// The counts before the first and after the last of them.
    told: (u64, u64),
    untold_since: u64,
    /// Nobody watches: choices are recorded.
    detached: bool,
    recorder: Recorder,
    /// The hashes of pages that the host has.
    known_pages: BTreeMap<(u32, u32), u64>,
    /// How often the program had to wait for the link.
    stalls: u64,
    is_stalled: bool,
}

impl<W: Outside> Agent<W> {
    /// An agent without a program. `boot` should differ from one start of the device to the next.
    pub fn new(outside: W, boot: u32, config: Config) -> Self {
        Agent {
            link: Link::responder(boot, config.link),
            outside,
            outbox: Outbox::default(),
            parts: Vec::new(),
            expected: None,
            program: None,
            run: None,
            restoring: false,
            log: Log::new(config.log),
            untold: Packer::default(),
            told: (0, 0),
            untold_since: 0,
            detached: false,
            recorder: Recorder::new(config.recording, config.checkpoint),
            known_pages: BTreeMap::new(),
            stalls: 0,
            is_stalled: false,
            config,
        }
    }

    /// The outside.
    pub fn outside(&mut self) -> &mut W {
        &mut self.outside
    }

    /// How many instructions the program has executed; 0 without one.
    pub fn count(&self) -> u64 {
        self.program.as_ref().map_or(0, |program| program.machine.count())
    }

    /// The link, to look at.
    pub fn link(&self) -> &Link {
        &self.link
    }

    /// The stream is another one than before.
    pub fn reconnect(&mut self, now: u64) {
        self.link.reconnect(now);
    }

    /// Bytes have arrived.
    pub fn receive(&mut self, bytes: &[u8], now: u64) {
        self.link.receive(bytes, now);
    }

    /// Appends what is to be written now; says whether there is anything.
    pub fn transmit(&mut self, now: u64, to: &mut Vec<u8>) -> bool {
        self.link.transmit(now, to)
    }

    /// When there is something to do, if nothing arrives before: a time that may have passed.
    pub fn wake_at(&self, now: u64) -> Option<u64> {
        if self.run.is_some() && !self.is_stalled || self.link.has_arrivals() {
            return Some(now);
        }
        let flush = (!self.untold.is_empty()).then(|| self.untold_since + self.config.link.delay);
        [self.link.wake_at(), flush].into_iter().flatten().min()
    }

    /// Does what is to be done: obeys commands, and executes a slice of the program.
    pub fn work(&mut self, now: u64) {
        if self.link.take_new_session() {
            self.attach();
        }
        self.tell_choices(false, now);
        self.flush(now);
        // What has been said has to be taken before more is asked.
        while self.outbox.is_empty() {
            let Some(payload) = self.link.take(now) else { break };
            self.obey(&payload, now);
            self.flush(now);
        }
        if self.run.is_some() && self.outbox.is_empty() {
            self.run_slice(now);
        }
        self.flush(now);
    }

    /// Another host has come: what was to be said does not concern it.
    fn attach(&mut self) {
        self.outbox.clear();
        self.parts = Vec::new();
        self.expected = None;
        self.known_pages.clear();
        self.run = None;
        self.untold.take();
        self.detached = false;
        if let Some(program) = &mut self.program {
            program.pcs.clear();
            program.breakpoints = Breakpoints::default();
            self.recorder.end(program.machine.count());
        }
    }

    fn flush(&mut self, now: u64) {
        let machine = self.program.as_ref().map(|program| &program.machine);
        self.outbox.flush(&mut self.link, machine, now);
    }

    fn activity(&self) -> Activity {
        match &self.program {
            _ if self.expected.is_some() => Activity::Loading,
            None => Activity::Empty,
            Some(_) if self.restoring => Activity::Restoring,
            Some(_) if self.run.is_some() => Activity::Running,
            Some(_) => Activity::Paused,
        }
    }
}
