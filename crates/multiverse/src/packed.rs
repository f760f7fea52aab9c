//! Choices in a row, in a few bytes each.
//!
//! A choice is three numbers: how many instructions after the one before it, which site, which
//! value. Small numbers take one byte (LEB128); every sixteenth choice is indexed, so that any of
//! them is found by reading at most fifteen others.

use crate::leb128::{read, write};

/// Choices that follow one another without a branch.
#[derive(Clone, Debug, Default)]
pub(crate) struct Packed {
    bytes: Vec<u8>,
    len: u32,
    /// For every sixteenth choice: where it starts in `bytes`, and the count before it.
    index: Vec<(u32, u64)>,
    /// The count of the last choice.
    last: u64,
}

/// A choice by its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    pub count: u64,
    pub site: u32,
    pub slot: u64,
}

const INTERVAL: u32 = 16;

impl Packed {
    pub fn len(&self) -> u32 {
        self.len
    }

    /// Appends a choice, whose count must not be before the last one's.
    pub fn push(&mut self, record: Record) {
        if self.len.is_multiple_of(INTERVAL) {
            self.index.push((self.bytes.len() as u32, self.last));
        }
        write(&mut self.bytes, record.count - self.last);
        write(&mut self.bytes, record.site.into());
        write(&mut self.bytes, record.slot);
        self.last = record.count;
        self.len += 1;
    }

    pub fn get(&self, index: u32) -> Option<Record> {
        if index >= self.len {
            return None;
        }
        let (start, count) = self.index[(index / INTERVAL) as usize];
        let mut reader = Reader { bytes: &self.bytes[start as usize..], count };
        (0..index % INTERVAL).for_each(|_| {
            reader.next();
        });
        reader.next()
    }

    /// The bytes that it holds in memory.
    pub fn bytes_held(&self) -> usize {
        self.bytes.capacity() + self.index.capacity() * size_of::<(u32, u64)>()
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    count: u64,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<Record> {
        self.count += read(&mut self.bytes)?;
        let site = read(&mut self.bytes)? as u32;
        let slot = read(&mut self.bytes)?;
        Some(Record { count: self.count, site, slot })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_pushed_is_found(
            records in prop::collection::vec((0..1u64 << 40, 0..300u32, any::<u64>()), 0..100),
        ) {
            let mut packed = Packed::default();
            let mut expected = Vec::new();
            let mut count = 0;
            for (delta, site, slot) in records {
                count += delta;
                expected.push(Record { count, site, slot });
                packed.push(Record { count, site, slot });
            }
            for (index, record) in expected.iter().enumerate() {
                prop_assert_eq!(packed.get(index as u32), Some(*record));
            }
            prop_assert_eq!(packed.get(expected.len() as u32), None);
        }
    }

    #[test]
    fn a_choice_takes_few_bytes() {
        let mut packed = Packed::default();
        for i in 1..=10_000u64 {
            packed.push(Record { count: i * 1000, site: 3, slot: i % 4096 });
        }
        let per_choice = packed.bytes_held() as f64 / 10_000.0;
        assert!(per_choice < 16.0, "{per_choice} bytes");
    }
}
