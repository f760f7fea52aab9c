//! Writing a stretch of memory by hand.

use mw_vm::{Cell, Value};
use serde::{Deserialize, Serialize};

use crate::ask::{Answered, Ask};
use crate::debugger::Debugger;
use crate::error::ApiError;
use crate::event::Listener;
use crate::memory::{MemoryView, ReadMemory};

/// More bytes than this are not written at once: each few of them are a choice of the tree.
const MOST: usize = 1 << 12;

/// Writes a stretch of memory by hand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WriteMemory {
    /// The first address.
    pub address: u64,
    /// The bytes.
    pub bytes: Vec<u8>,
    /// In this actor, which has to be the one that runs.
    #[serde(default)]
    pub actor: Option<String>,
}

/// All bytes are written, or none.
impl Ask for WriteMemory {
    type Reply = MemoryView;

    fn serve(self, debugger: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        debugger.check_running(self.actor.as_deref())?;
        let WriteMemory { address, bytes, .. } = self;
        let size = debugger.session.machine().memories().first().map_or(0, |m| m.byte_size());
        let end = address.checked_add(bytes.len() as u64).filter(|end| *end <= size);
        let start = u32::try_from(address).ok().filter(|_| end.is_some());
        let Some(start) = start else { return Err(debugger.running().out_of_memory(address)) };
        if bytes.len() > MOST {
            return Err(ApiError::unknown(format!(
                "{} bytes are too many to set at once; write {MOST} at most",
                bytes.len()
            )));
        }
        let mut written = 0;
        while written < bytes.len() {
            let rest = &bytes[written..];
            let size = [8, 4, 2, 1].into_iter().find(|size| *size <= rest.len()).unwrap_or(1);
            let mut slot = [0; 8];
            slot[..size].copy_from_slice(&rest[..size]);
            let slot = u64::from_le_bytes(slot);
            let value = if size == 8 { Value::I64(slot as i64) } else { Value::I32(slot as i32) };
            let cell = Cell::bytes(start + written as u32, size as u32);
            debugger.session.alter(cell, value)?;
            written += size;
        }
        debugger.read_memory(&ReadMemory { address, length: bytes.len() as u64, actor: None })
    }
}
