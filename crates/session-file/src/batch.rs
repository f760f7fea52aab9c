//! Choices in a row, as they stand in one row of the table `choices`.
//!
//! A choice is a [`Record`], in the bytes that the tree keeps it in. The n-th choice of a batch follows the node with the n-th index after the first
//! one's in the same segment, so that a batch says only where it begins.

use mw_multiverse::{Addition, NodeId, Record};

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
    pub fn push(&mut self, after: NodeId, record: Record) -> bool {
        let follows = nth(self.after, self.length) == Some(after) && record.count >= self.last;
        if !follows || self.length == LARGEST {
            return false;
        }
        record.write(self.last, &mut self.body);
        self.last = record.count;
        self.length += 1;
        true
    }

    /// The choices; `None` if the bytes are something else.
    pub fn changes(&self) -> Option<Vec<Addition>> {
        let mut bytes = self.body.as_slice();
        let mut count = 0u64;
        let mut changes = Vec::new();
        for n in 0..self.length {
            // Counts are kept clear of the end, so that nobody need mind adding to them.
            let record = Record::read(count, &mut bytes).filter(|r| r.count < i64::MAX as u64)?;
            count = record.count;
            changes.push(Addition::Choice { after: nth(self.after, n)?, record });
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
            let bytes = (n % 3 == 0).then_some(n);
            let record = Record { count, site: n % 5, slot, bytes };
            assert!(batch.push(after, record));
            expected.push(Addition::Choice { after, record });
        }
        let elsewhere = Record { count: 1 << 40, site: 0, slot: 0, bytes: None };
        assert!(!batch.push(NodeId::from_parts(4, 107), elsewhere));
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
