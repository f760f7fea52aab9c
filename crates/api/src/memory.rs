//! Memory, and which of its bytes have changed.
//!
//! Whoever looks at memory wants to see what the last step did to it. So once somebody has looked,
//! the machine is kept as it was before each request that moves; it shares its pages with the one
//! that goes on, so that costs little.

use mw_session::Place;
use mw_vm::Machine;

use crate::debugger::Debugger;
use crate::error::ApiError;
use crate::reply::{MemoryView, Reply};

/// More bytes than this are not read at once.
const LIMIT: u64 = 1 << 20;

/// The machine before the session last moved.
#[derive(Default)]
pub(crate) struct Earlier {
    /// Whether anybody looks at memory.
    is_wanted: bool,
    machine: Option<Machine>,
}

impl Debugger {
    pub(crate) fn read_memory(&mut self, address: u64, length: u64) -> Result<Reply, ApiError> {
        self.earlier.is_wanted = true;
        let Some(memory) = self.session.machine().memories().first() else {
            return Ok(Reply::Memory(MemoryView::default()));
        };
        let size = memory.byte_size();
        if address >= size {
            return Err(self.out_of_memory(address));
        }
        let length = length.min(size - address).min(LIMIT);
        let bytes = memory.read_vec(address, length).map_err(|_| self.out_of_memory(address))?;
        let changed = self.changed(address, &bytes);
        Ok(Reply::Memory(MemoryView { address, bytes, size, changed }))
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
