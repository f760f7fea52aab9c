//! The state of a device's machine: asking for it, and making it another one.

use std::collections::{BTreeSet, VecDeque};
use std::vec::Vec;

use mw_vm::Machine;

use super::Device;
use crate::agent::PART;
use crate::host::error::DeviceError;
use crate::host::incoming::Snapshot;
use crate::message::Command;
use crate::runs;

impl Device {
    /// Asks for the state: what has changed since the last time, or everything.
    pub fn inspect(&mut self, all: bool) -> Result<Snapshot, DeviceError> {
        self.incoming.asks();
        self.done(&Command::Inspect { all })?;
        let snapshot = self.until(|incoming| incoming.snapshots.pop_front())?;
        self.incoming.has_come();
        Ok(snapshot)
    }

    /// Makes the device's machine another one: `from` is what it is, `to` what it becomes.
    pub fn restore(&mut self, from: &Machine, to: &Machine) -> Result<usize, DeviceError> {
        let delta = Delta::between(from, to);
        self.parts(&delta.state)?;
        self.done(&Command::Restore)?;
        for (memory, page, squeezed) in &delta.pages {
            self.parts(squeezed)?;
            self.done(&Command::RestorePage { memory: *memory, page: *page })?;
        }
        self.done(&Command::Restored)?;
        self.incoming.moves(to.count());
        Ok(delta.size())
    }

    /// Whether restoring a state is cheaper than beginning again and replaying so many choices, by
    /// what the link and the device have been measured to take.
    pub fn prefers_restoring(&self, from: &Machine, to: &Machine, choices: usize) -> bool {
        // Without measurements: a serial line, a slow interpreter.
        let pace = if self.pace > 0.0 { self.pace } else { 1.0 };
        let trip = self.link.counters().round_trip.max(100) as f64;
        // To begin again, and to execute with choices of a few bytes each.
        let replaying = 2 + choices * 4 / PART;
        let restoring = Delta::between(from, to).exchanges();
        restoring as f64 * trip < replaying as f64 * trip + to.count() as f64 * pace
    }
}

/// What makes one machine another.
struct Delta {
    state: Vec<u8>,
    pages: VecDeque<(u32, u32, Vec<u8>)>,
}

impl Delta {
    fn between(from: &Machine, to: &Machine) -> Delta {
        let mut pages = VecDeque::new();
        for (index, (before, after)) in from.memories().iter().zip(to.memories()).enumerate() {
            let unshared: BTreeSet<usize> = after.unshared_pages(before).collect();
            let exists: BTreeSet<usize> = before.written_pages().map(|(page, _)| page).collect();
            for (page, content) in after.written_pages() {
                if unshared.contains(&page) || !exists.contains(&page) {
                    pages.push_back((index as u32, page as u32, runs::squeeze(content)));
                }
            }
        }
        Delta { state: to.save_without_pages(), pages }
    }

    /// How often the device is waited for, with one packet on the way at a time.
    fn exchanges(&self) -> usize {
        let pages = self.pages.iter().map(|(.., page)| page.len().div_ceil(PART) + 1);
        self.state.len().div_ceil(PART) + 2 + pages.sum::<usize>()
    }

    fn size(&self) -> usize {
        self.state.len() + self.pages.iter().map(|(.., page)| page.len() + 8).sum::<usize>()
    }
}
