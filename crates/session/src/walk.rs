//! Being on the way: the program at a place, and what it has done to the world to get there.

use std::collections::VecDeque;

use mw_ensemble::{Checkpoint, Ensemble, Moment};
use mw_multiverse::{NodeId, Place, Site};
use mw_vm::{Breakpoints, Status, Value};
use mw_world::{Answer, Call, Kind, Undo};
use serde::{Deserialize, Serialize};

use crate::error::SessionError;

/// Something that the program did to the world.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Effect {
    /// The last choice before it.
    pub node: NodeId,
    /// How many instructions had been executed before.
    pub count: u64,
    /// The imported function, by its index.
    pub import: u32,
    /// Its arguments.
    pub args: Vec<Value>,
    /// The call, for people, where several programs run: imports are numbered by each.
    pub call: Option<String>,
    /// What it did, for people.
    pub effect: String,
    /// What it printed, if it did.
    pub printed: Option<Vec<u8>>,
}

/// An input that was read.
pub(crate) struct Read<'a> {
    /// How many instructions had been executed before.
    pub count: u64,
    pub call: Call<'a>,
    pub answer: Answer,
    pub undo: Undo,
}

/// A change of the world on the way.
#[derive(Clone, Debug)]
pub(crate) struct Undoable {
    pub count: u64,
    /// The world that was changed, of several.
    pub device: u16,
    pub undo: Undo,
}

/// More effects than this are not kept for whoever asks what happened.
const EFFECTS_LIMIT: usize = 10_000;

/// Of what one call prints, more bytes than these, which are the last, are not told with it.
const PRINTED: usize = 4096;

/// More changes of the world than this are not kept for undoing one by one.
const LOG_LIMIT: usize = 1 << 14;

/// Somebody on the way through the multiverse: a session, or a replayer beside it.
#[derive(Debug)]
pub(crate) struct Walk {
    /// The program in its world.
    pub now: Moment,
    /// The last choice on the way; the machine knows the count.
    pub node: NodeId,
    /// Changes of the world on the way, oldest first, from `log_start` on.
    pub log: Vec<Undoable>,
    /// The count from which the log is complete.
    pub log_start: u64,
    /// Outputs on the way that cannot be undone: when, and which import.
    pub irreversible: Vec<(u64, u32)>,
    /// What the program did since somebody last asked; the newest, if it is too much to keep.
    pub effects: VecDeque<Effect>,
    /// How many it did before these.
    pub forgotten: u64,
    /// The count of the last checkpoint on the way.
    pub last_checkpoint: u64,
}

impl Walk {
    /// One that begins at a node.
    pub fn new(now: Moment, node: NodeId) -> Walk {
        let count = now.machine.count();
        Walk {
            now,
            node,
            log: Vec::new(),
            log_start: count,
            irreversible: Vec::new(),
            effects: VecDeque::new(),
            forgotten: 0,
            last_checkpoint: count,
        }
    }

    /// Where it is.
    pub fn here(&self) -> Place {
        Place { node: self.node, count: self.now.machine.count() }
    }

    /// Whether the next instruction has a breakpoint.
    pub fn is_at(&self, breakpoints: &Breakpoints) -> bool {
        let is_running = matches!(self.now.machine.status(), Status::Running);
        is_running && breakpoints.contains(self.now.machine.pc())
    }

    /// The count at which the next checkpoint is due, if they lie so far apart.
    pub fn due(&self, interval: u64) -> u64 {
        self.last_checkpoint.saturating_add(interval)
    }

    /// Keeps the moment if a checkpoint is due here.
    pub fn keep_if_due(&mut self, interval: u64) -> Option<(Place, Checkpoint)> {
        let here = self.here();
        if here.count < self.due(interval) || !self.is_alive() {
            return None;
        }
        self.last_checkpoint = here.count;
        Some((here, self.now.keep()))
    }

    /// Whether the program goes on from here.
    pub fn is_alive(&self) -> bool {
        self.now.is_alive()
    }

    /// An input was read, which leads to a node.
    pub fn has_read(&mut self, read: Read<'_>, node: NodeId) {
        self.node = node;
        self.remember(read.count, read.call.import, read.undo);
    }

    /// An output was performed after so many instructions.
    pub fn has_performed(&mut self, count: u64, call: Call<'_>, undo: Undo, effect: String) {
        let printed = self.now.world.printed_by(&undo, PRINTED);
        self.remember(count, call.import, undo);
        if self.effects.len() == EFFECTS_LIMIT {
            self.effects.pop_front();
            self.forgotten += 1;
        }
        let (node, import, args) = (self.node, call.import, call.args.to_vec());
        let has_several = |ensemble: &Ensemble| ensemble.system().programs.len() > 1;
        let is_one_of_several = self.now.ensemble.as_deref().is_some_and(has_several);
        let call = is_one_of_several.then(|| self.now.world.show(call));
        self.effects.push_back(Effect { node, count, import, args, call, effect, printed });
    }

    fn remember(&mut self, count: u64, import: u32, undo: Undo) {
        if matches!(self.now.world.kind(import), Ok(Kind::Output { irreversible: true })) {
            self.irreversible.push((count, import));
        }
        if undo.is_empty() {
            return;
        }
        if self.log.len() >= LOG_LIMIT {
            // Farther back, the world comes from a checkpoint.
            self.log.drain(..LOG_LIMIT / 2);
            self.log_start = self.log.first().map_or(count, |undoable| undoable.count);
        }
        self.log.push(Undoable { count, device: self.now.world.device(), undo });
    }

    /// Does to the machine what a choice between two instructions says.
    pub fn apply(&mut self, site: &Site, slot: u64) -> Result<(), SessionError> {
        let impossible = |what: String| Err(SessionError::Unknown(what));
        match site {
            Site::Input { .. } => impossible("an input is not read between instructions".into()),
            Site::Event(event) => Ok(self.now.happen(*event)?),
            Site::Schedule(schedule) => Ok(self.now.take(schedule.next)?),
            &Site::Alteration(cell) => match self.now.machine.write(cell, slot) {
                true => Ok(()),
                false => impossible(self.now.machine.why_missing(cell)),
            },
        }
    }
}
