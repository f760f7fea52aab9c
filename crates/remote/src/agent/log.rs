//! What was done to the outside and how to take it back, newest last.

use alloc::{collections::VecDeque, vec::Vec};

/// A call that can be taken back.
pub(super) struct Entry {
    /// The machine's count before it.
    pub count: u64,
    pub primitive: u32,
    pub captured: Vec<u8>,
}

impl Entry {
    fn size(&self) -> usize {
        size_of::<Entry>() + self.captured.len()
    }
}

/// The log, of limited size.
pub(super) struct Log {
    entries: VecDeque<Entry>,
    size: usize,
    limit: usize,
    /// What was done before this count is not here.
    from: u64,
}

impl Log {
    pub fn new(limit: usize) -> Self {
        Log { entries: VecDeque::new(), size: 0, limit, from: 0 }
    }

    pub fn clear(&mut self) {
        self.entries.clear();
        (self.size, self.from) = (0, 0);
    }

    pub fn push(&mut self, entry: Entry) {
        self.size += entry.size();
        self.entries.push_back(entry);
    }

    /// The oldest entry, if there are more than there is room for. Somebody else has to keep it.
    pub fn overflow(&mut self) -> Option<Entry> {
        if self.size <= self.limit {
            return None;
        }
        let entry = self.entries.pop_front()?;
        self.size -= entry.size();
        self.from = entry.count + 1;
        Some(entry)
    }

    /// Takes the newest entry off, if it was made at `to` or later.
    pub fn pop(&mut self, to: u64) -> Option<Entry> {
        let entry = self.entries.pop_back_if(|entry| entry.count >= to)?;
        self.size -= entry.size();
        Some(entry)
    }

    /// How far back everything has been taken back, if `to` was asked for.
    pub fn undone_to(&mut self, to: u64) -> u64 {
        let reached = to.max(self.from);
        // The host takes back what is older: the log is complete again from there.
        self.from = self.from.min(to);
        reached
    }
}
