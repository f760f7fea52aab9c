//! Memory, and which of its bytes have changed.
//!
//! Whoever looks at memory wants to see what the last step did to it. So once somebody has looked,
//! the machine is kept as it was before each request that moves; it shares its pages with the one
//! that goes on, so that costs little.

use mw_session::Place;
use mw_vm::Machine;
use serde::{Deserialize, Serialize};

use crate::ask::{Answered, Ask};
use crate::debugger::Debugger;
use crate::error::ApiError;
use crate::event::Listener;

/// More bytes than this are not read at once.
const LIMIT: u64 = 1 << 20;

/// A stretch of memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadMemory {
    /// The first address.
    pub address: u64,
    /// How many bytes.
    pub length: u64,
    /// Of this actor, by its name or address; of the one that runs without.
    #[serde(default)]
    pub actor: Option<String>,
}

impl Ask for ReadMemory {
    type Reply = MemoryView;
    const ONLY_LOOKS: bool = true;

    fn serve(self, debugger: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        debugger.read_memory(&self)
    }
}

/// A stretch of memory.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemoryView {
    /// The first address.
    pub address: u64,
    /// The bytes.
    pub bytes: Vec<u8>,
    /// How large the memory is.
    pub size: u64,
    /// Stretches of these bytes that were otherwise before the session last moved: the first
    /// address and how many. Known from the second reading on.
    pub changed: Vec<(u64, u64)>,
}

/// The machine before the session last moved.
#[derive(Default)]
pub(crate) struct Earlier {
    /// Whether anybody looks at memory.
    is_wanted: bool,
    machine: Option<Machine>,
}

impl Debugger {
    pub(crate) fn read_memory(&mut self, asked: &ReadMemory) -> Result<MemoryView, ApiError> {
        self.earlier.is_wanted = true;
        let ReadMemory { address, length, .. } = *asked;
        let looked = self.look_at(asked.actor.as_deref())?;
        let Some(memory) = looked.machine.memories().first() else {
            return Ok(MemoryView::default());
        };
        let size = memory.byte_size();
        // All of an empty one can be looked at.
        if (address, size) == (0, 0) {
            return Ok(MemoryView::default());
        }
        if address >= size {
            return Err(looked.out_of_memory(address));
        }
        let length = length.min(size - address).min(LIMIT);
        let bytes = memory.read_vec(address, length).map_err(|_| looked.out_of_memory(address))?;
        // What was before is known of the machine that ran.
        let is_running = std::ptr::eq(looked.machine, self.session.machine());
        let changed = if is_running { self.changed(address, &bytes) } else { Vec::new() };
        Ok(MemoryView { address, bytes, size, changed })
    }

    /// The stretches of these bytes that were otherwise before.
    fn changed(&self, address: u64, bytes: &[u8]) -> Vec<(u64, u64)> {
        let Some(memory) = self.earlier.machine.as_ref().and_then(|m| m.memories().first()) else {
            return Vec::new();
        };
        // What was not there before was nothing, which is what new memory has.
        let there = memory.byte_size().saturating_sub(address).min(bytes.len() as u64);
        let mut before = memory.read_vec(address, there).unwrap_or_default();
        before.resize(bytes.len(), 0);
        let mut changed: Vec<(u64, u64)> = Vec::new();
        for (at, _) in (address..).zip(bytes.iter().zip(&before)).filter(|(_, (a, b))| a != b) {
            match changed.last_mut() {
                Some((first, length)) if *first + *length == at => *length += 1,
                _ => changed.push((at, 1)),
            }
        }
        changed
    }

    /// What is to be kept, if anybody wants it.
    pub(crate) fn before_change(&mut self) -> Option<(Place, Machine)> {
        self.earlier.is_wanted.then(|| (self.session.here(), self.session.fork_machine()))
    }

    /// Keeps the machine from before, if the session is somewhere else now.
    pub(crate) fn after_change(&mut self, before: Option<(Place, Machine)>) {
        if let Some((place, machine)) = before
            && place != self.session.here()
        {
            self.earlier.machine = Some(machine);
        }
    }
}
