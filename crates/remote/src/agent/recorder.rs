//! The recording of a device that nobody watches: its last choices, and the state before them.
//!
//! There are two *generations*. When the newer one is full, a checkpoint is made, the older one is
//! forgotten, and the newer one becomes the older. So between half and all of the room is choices
//! that can be replayed, however long the device has been running.

use alloc::vec::Vec;

use mw_vm::Machine;

use crate::choices::{Packer, Reading};
use crate::runs;

/// A machine, saved: all but its pages, and the pages.
pub(super) struct Checkpoint {
    pub state: Vec<u8>,
    pub pages: Vec<(u32, u32, Vec<u8>)>,
}

impl Checkpoint {
    /// The machine, if it does not take more than so many bytes.
    fn of(machine: &Machine, limit: usize) -> Option<Checkpoint> {
        let state = machine.save_without_pages();
        let mut size = state.len();
        let mut pages = Vec::new();
        for (index, memory) in machine.memories().iter().enumerate() {
            for (page, content) in memory.written_pages() {
                let squeezed = runs::squeeze(content);
                size += squeezed.len() + 16;
                if size > limit {
                    return None;
                }
                pages.push((index as u32, page as u32, squeezed));
            }
        }
        (size <= limit).then_some(Checkpoint { state, pages })
    }
}

struct Generation {
    /// Where it begins; at the start of the program if there is no checkpoint.
    checkpoint: Option<Checkpoint>,
    from: u64,
    choices: Packer,
    /// The count of the last choice.
    last: u64,
}

impl Generation {
    fn new(machine: &Machine, limit: usize, choices: usize) -> Option<Generation> {
        let from = machine.count();
        let checkpoint = match from {
            0 => None,
            _ => Some(Checkpoint::of(machine, limit)?),
        };
        let choices = Packer::with_capacity(choices);
        Some(Generation { checkpoint, from, choices, last: from })
    }
}

/// The recording.
pub(super) struct Recorder {
    generations: Vec<Generation>,
    /// Bytes of the choices of a generation, and of a checkpoint.
    choices: usize,
    checkpoint: usize,
    /// Choices that could not be recorded.
    lost: u64,
    /// The count up to which it is complete.
    until: Option<u64>,
}

/// What was recorded.
pub(super) struct Recording {
    pub checkpoint: Option<Checkpoint>,
    /// The choices of each generation, with the count from which they are counted.
    pub choices: Vec<(u64, Vec<u8>)>,
    pub until: Option<u64>,
    pub lost: u64,
}

impl Recorder {
    pub fn new(choices: usize, checkpoint: usize) -> Self {
        Recorder { generations: Vec::new(), choices: choices / 2, checkpoint, lost: 0, until: None }
    }

    /// Begins, and forgets what was recorded before.
    pub fn begin(&mut self, machine: &Machine) {
        self.generations.clear();
        (self.lost, self.until) = (0, None);
        match Generation::new(machine, self.checkpoint, self.choices) {
            Some(generation) => self.generations.push(generation),
            None => self.until = Some(machine.count()),
        }
    }

    /// A debugger takes over: what comes now is not recorded.
    pub fn end(&mut self, count: u64) {
        self.until = self.until.or(Some(count));
    }

    /// Forgets what was recorded.
    pub fn forget(&mut self) {
        self.generations = Vec::new();
    }

    /// Whether there is a recording.
    pub fn has_any(&self) -> bool {
        !self.generations.is_empty()
    }

    /// Notes a choice. The machine has been answered: the call is the last instruction that it
    /// executed.
    pub fn push(&mut self, machine: &Machine, slot: u64) {
        let count = machine.count();
        let Some(newest) = self.generations.last_mut().filter(|_| self.until.is_none()) else {
            self.lost += 1;
            return;
        };
        newest.choices.push(Reading { after: count - newest.last, slot });
        newest.last = count;
        if newest.choices.size() <= self.choices {
            return;
        }
        match Generation::new(machine, self.checkpoint, self.choices) {
            Some(generation) => {
                if self.generations.len() == 2 {
                    self.generations.remove(0);
                }
                self.generations.push(generation);
            }
            // Better the beginning of the story than none.
            None => self.until = Some(count),
        }
    }

    /// Takes what was recorded.
    pub fn take(&mut self) -> Option<Recording> {
        let mut generations = core::mem::take(&mut self.generations).into_iter();
        let mut first = generations.next()?;
        let mut choices = Vec::from([(first.from, first.choices.take())]);
        choices.extend(generations.map(|mut later| (later.from, later.choices.take())));
        let (until, lost) = (self.until, self.lost);
        Some(Recording { checkpoint: first.checkpoint, choices, until, lost })
    }
}
