//! Choices in a row, as they stand in one row of the table `choices`.
//!
//! A choice is three numbers in LEB128: how many instructions after the one before it, which site,
//! which value. The n-th choice of a batch follows the node with the n-th index after the first
//! one's in the same segment, so that a batch says only where it begins.

use mw_multiverse::leb128::{read, write};
use mw_multiverse::{Change, NodeId};

/// More choices than this are not put into one row.
const LARGEST: u32 = 4096;

/// Choices in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Batch {
    /// How many choices there are in the file before it.
    pub first: u64,
    /// The node that its first choice follows.
    pub after: NodeId,
    /// How many choices it has.
    pub length: u32,
    /// The choices.
    pub body: Vec<u8>,
    /// The count of the last choice.
    last: u64,
}

impl Batch {
    pub fn new(first: u64, after: NodeId) -> Batch {
        Batch { first, after, length: 0, body: Vec::new(), last: 0 }
    }

    /// A batch as it was read, not yet believed.
    pub fn from_row(first: u64, after: NodeId, length: u32, body: Vec<u8>) -> Batch {
        Batch { first, after, length, body, last: 0 }
    }

    /// Adds a choice if it belongs here.
    pub fn push(&mut self, after: NodeId, count: u64, site: u32, slot: u64) -> bool {
        let follows = nth(self.after, self.length) == Some(after) && count >= self.last;
        if !follows || self.length == LARGEST {
            return false;
        }
        write(&mut self.body, count - self.last);
        write(&mut self.body, site.into());
        write(&mut self.body, slot);
        self.last = count;
        self.length += 1;
        true
    }

    /// The choices; `None` if the bytes are something else.
    pub fn changes(&self) -> Option<Vec<Change>> {
        let mut bytes = self.body.as_slice();
        let mut count = 0u64;
        let mut changes = Vec::new();
        for n in 0..self.length {
            // Counts are kept clear of the end, so that nobody need mind adding to them.
            count = count.checked_add(read(&mut bytes)?).filter(|&c| c < i64::MAX as u64)?;
            let site = u32::try_from(read(&mut bytes)?).ok()?;
            let slot = read(&mut bytes)?;
            changes.push(Change::Choice { after: nth(self.after, n)?, count, site, slot });
        }
        bytes.is_empty().then_some(changes)
    }
}

fn nth(first: NodeId, n: u32) -> Option<NodeId> {
    let (segment, index) = first.parts();
    Some(NodeId::from_parts(segment, index.checked_add(n)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_pushed_is_read() {
        let mut batch = Batch::new(0, NodeId::from_parts(3, 7));
        let mut expected = Vec::new();
        for n in 0..100u32 {
            let after = NodeId::from_parts(3, 7 + n);
            let (count, slot) = (u64::from(n) * 977, u64::MAX >> (n % 64));
            assert!(batch.push(after, count, n % 5, slot));
            expected.push(Change::Choice { after, count, site: n % 5, slot });
        }
        assert!(!batch.push(NodeId::from_parts(4, 107), 1 << 40, 0, 0));
        assert_eq!(batch.changes(), Some(expected));
    }

    #[test]
    fn other_bytes_are_refused() {
        let batch = |length, body: &[u8]| Batch::from_row(0, NodeId::ROOT, length, body.into());
        assert_eq!(batch(1, &[1, 1]).changes(), None);
        assert_eq!(batch(1, &[1, 1, 1, 1]).changes(), None);
        assert_eq!(batch(1, &[0xff; 30]).changes(), None);
        assert_eq!(batch(u32::MAX, &[1, 1, 1]).changes(), None);
    }
}
