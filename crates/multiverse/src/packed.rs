//! Choices in a row, in a few bytes each.
//!
//! A choice is three numbers: how many instructions after the one before it, which site, which
//! value. Bytes that came with it are kept elsewhere, once; then which ones is a fourth number, after
//! a site that there is not. Small numbers take one byte (LEB128); every sixteenth choice is indexed,
//! so that any of them is found by reading at most fifteen others.

use serde::{Deserialize, Serialize};

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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// When it was made.
    pub count: u64,
    /// The number of the site.
    pub site: u32,
    /// The value, as a slot.
    pub slot: u64,
    /// Which bytes came with it, if any did.
    pub bytes: Option<u32>,
}

impl Record {
    /// Writes it, where the one before was made at a count.
    pub fn write(&self, after: u64, to: &mut Vec<u8>) {
        write(to, self.count - after);
        if let Some(bytes) = self.bytes {
            write(to, WITH_BYTES.into());
            write(to, bytes.into());
        }
        write(to, self.site.into());
        write(to, self.slot);
    }

    /// Reads one that was written so; `None` where the bytes are damaged.
    pub fn read(after: u64, from: &mut &[u8]) -> Option<Record> {
        let count = after.checked_add(read(from)?)?;
        let number = |from: &mut &[u8]| u32::try_from(read(from)?).ok();
        let mut site = number(from)?;
        let mut bytes = None;
        if site == WITH_BYTES {
            bytes = Some(number(from)?);
            site = number(from)?;
        }
        Some(Record { count, site, slot: read(from)?, bytes })
    }
}

/// The site that says that bytes came with a choice, and is none.
const WITH_BYTES: u32 = u32::MAX;

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
        record.write(self.last, &mut self.bytes);
        self.last = record.count;
        self.len += 1;
    }

    pub fn get(&self, index: u32) -> Option<Record> {
        if index >= self.len {
            return None;
        }
        let (start, mut count) = self.index[(index / INTERVAL) as usize];
        let mut bytes = &self.bytes[start as usize..];
        for _ in 0..index % INTERVAL {
            count = Record::read(count, &mut bytes)?.count;
        }
        Record::read(count, &mut bytes)
    }

    /// Leaves the first choices, so many of them.
    pub fn truncate(&mut self, len: u32) {
        if len >= self.len {
            return;
        }
        self.index.truncate(len.div_ceil(INTERVAL) as usize);
        let (start, mut count) = self.index.last().copied().unwrap_or_default();
        let mut rest = &self.bytes[start as usize..];
        for _ in (self.index.len() as u32).saturating_sub(1) * INTERVAL..len {
            count = Record::read(count, &mut rest).map_or(count, |record| record.count);
        }
        self.bytes.truncate(self.bytes.len() - rest.len());
        (self.len, self.last) = (len, count);
    }

    /// The bytes that it holds in memory.
    pub fn bytes_held(&self) -> usize {
        self.bytes.capacity() + self.index.capacity() * size_of::<(u32, u64)>()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_pushed_is_found(
            records in prop::collection::vec(
                (0..1u64 << 40, 0..300u32, any::<u64>(), any::<Option<u32>>()), 0..100
            ),
        ) {
            let mut packed = Packed::default();
            let mut expected = Vec::new();
            let mut count = 0;
            for (delta, site, slot, bytes) in records {
                count += delta;
                expected.push(Record { count, site, slot, bytes });
                packed.push(Record { count, site, slot, bytes });
            }
            for (index, record) in expected.iter().enumerate() {
                prop_assert_eq!(packed.get(index as u32), Some(*record));
            }
            prop_assert_eq!(packed.get(expected.len() as u32), None);
        }

        #[test]
        fn what_is_cut_off_goes_on_as_if_it_had_never_been(
            deltas in prop::collection::vec(0..1u64 << 40, 0..60), kept in 0..60u32,
        ) {
            let mut count = 0;
            let mut records = deltas.into_iter().map(|delta| {
                count += delta;
                Record { count, site: 0, slot: delta, bytes: None }
            }).collect::<Vec<_>>();
            let mut packed = Packed::default();
            records.iter().for_each(|record| packed.push(*record));
            packed.truncate(kept);
            records.truncate(kept as usize);
            let last = Record { count: 1 << 50, site: 1, slot: 7, bytes: None };
            packed.push(last);
            records.push(last);
            prop_assert_eq!(packed.len() as usize, records.len());
            for (index, record) in records.iter().enumerate() {
                prop_assert_eq!(packed.get(index as u32), Some(*record));
            }
        }
    }

    #[test]
    fn a_choice_takes_few_bytes() {
        let mut packed = Packed::default();
        for i in 1..=10_000u64 {
            packed.push(Record { count: i * 1000, site: 3, slot: i % 4096, bytes: None });
        }
        let per_choice = packed.bytes_held() as f64 / 10_000.0;
        assert!(per_choice < 16.0, "{per_choice} bytes");
    }
}
