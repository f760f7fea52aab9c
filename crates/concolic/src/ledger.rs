//! How many bytes an exploration holds, in all its parts: whatever is kept is charged here, and
//! given back when it goes.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The bytes held altogether. A clone is the same ledger.
#[derive(Clone, Debug, Default)]
pub struct Ledger(Arc<AtomicUsize>);

impl Ledger {
    /// How many bytes are held, roughly.
    pub fn held(&self) -> usize {
        self.0.load(Relaxed)
    }

    /// Charges some bytes.
    pub fn charge(&self, bytes: usize) -> Charge {
        self.0.fetch_add(bytes, Relaxed);
        Charge { ledger: self.clone(), bytes }
    }
}

/// Bytes that are held as long as this is.
#[derive(Debug)]
pub struct Charge {
    ledger: Ledger,
    bytes: usize,
}

impl Charge {
    /// There are so many more now.
    pub fn add(&mut self, bytes: usize) {
        self.set(self.bytes + bytes);
    }

    /// There are so many now.
    pub fn set(&mut self, bytes: usize) {
        self.ledger.0.fetch_add(bytes, Relaxed);
        self.ledger.0.fetch_sub(self.bytes, Relaxed);
        self.bytes = bytes;
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        self.ledger.0.fetch_sub(self.bytes, Relaxed);
    }
}
