//! Choices as bytes: what each input returned, and how many instructions after the one before.
//!
//! A choice is the number of instructions since the choice before, its own call included, and the
//! slot that was returned. A loop that polls a sensor makes the same choice over and over; such a
//! run takes the room of one. On the wire and in a device's recording a choice takes two to four
//! bytes, and the arguments and types that a tree keeps with it follow from running the program.

use alloc::vec::Vec;

use crate::varint;

/// What an input returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// Instructions since the choice before; the call that made this one is the last of them.
    pub after: u64,
    /// The value, as a slot.
    pub slot: u64,
}

/// Packs choices one by one.
#[derive(Clone, Debug, Default)]
pub struct Packer {
    bytes: Vec<u8>,
    last: Option<Reading>,
    /// How often the last one came again.
    again: u64,
    count: u64,
}

impl Packer {
    /// One that allocates nothing while what it packs takes no more than so many bytes.
    pub fn with_capacity(bytes: usize) -> Packer {
        Packer { bytes: Vec::with_capacity(bytes), ..Packer::default() }
    }

    /// Adds a choice.
    pub fn push(&mut self, choice: Reading) {
        self.count += 1;
        if self.last == Some(choice) {
            self.again += 1;
            return;
        }
        self.flush();
        self.last = Some(choice);
    }

    fn flush(&mut self) {
        if let Some(Reading { after, slot }) = self.last.take() {
            // Counts stay far below what this cuts off.
            varint::write(after << 1 | u64::from(self.again > 0), &mut self.bytes);
            varint::write(slot, &mut self.bytes);
            if self.again > 0 {
                varint::write(core::mem::take(&mut self.again), &mut self.bytes);
            }
        }
    }

    /// How many choices there are.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// How many bytes they take at most.
    pub fn size(&self) -> usize {
        self.bytes.len() + if self.last.is_some() { 30 } else { 0 }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Takes what has been packed.
    pub fn take(&mut self) -> Vec<u8> {
        self.flush();
        self.count = 0;
        core::mem::take(&mut self.bytes)
    }
}

/// The choices that were packed into these bytes; stops where they are damaged.
#[derive(Clone, Copy, Debug)]
pub struct Unpacker<'a> {
    bytes: &'a [u8],
    again: Option<(Reading, u64)>,
}

impl<'a> Unpacker<'a> {
    /// The choices in these bytes.
    pub fn new(bytes: &'a [u8]) -> Self {
        Unpacker { bytes, again: None }
    }

    /// What has not been unpacked; empty at a proper end.
    pub fn rest(&self) -> &'a [u8] {
        self.bytes
    }
}

/// Choices that are unpacked one by one from bytes of one's own.
#[derive(Clone, Debug, Default)]
pub struct Supply {
    bytes: Vec<u8>,
    used: usize,
    again: Option<(Reading, u64)>,
}

impl Supply {
    /// The choices in these bytes.
    pub fn new(bytes: Vec<u8>) -> Self {
        Supply { bytes, used: 0, again: None }
    }
}

impl Iterator for Supply {
    type Item = Reading;

    fn next(&mut self) -> Option<Reading> {
        let mut unpacker = Unpacker { bytes: &self.bytes[self.used..], again: self.again };
        let choice = unpacker.next();
        (self.used, self.again) = (self.bytes.len() - unpacker.bytes.len(), unpacker.again);
        choice
    }
}

impl Iterator for Unpacker<'_> {
    type Item = Reading;

    fn next(&mut self) -> Option<Reading> {
        if let Some((choice, again)) = self.again.take() {
            self.again = (again > 1).then_some((choice, again - 1));
            return Some(choice);
        }
        let mut bytes = self.bytes;
        let first = varint::read(&mut bytes)?;
        let choice = Reading { after: first >> 1, slot: varint::read(&mut bytes)? };
        if first & 1 == 1 {
            let again = varint::read(&mut bytes)?;
            self.again = (again > 0).then_some((choice, again));
        }
        self.bytes = bytes;
        Some(choice)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn choices_come_back(choices in prop::collection::vec((1..5u64, prop_oneof![0..3u64, any::<u64>()]), 0..60)) {
            let mut packer = Packer::default();
            let choices: Vec<Reading> =
                choices.into_iter().map(|(after, slot)| Reading { after, slot }).collect();
            choices.iter().for_each(|choice| packer.push(*choice));
            prop_assert_eq!(packer.count(), choices.len() as u64);
            let most = packer.size();
            let bytes = packer.take();
            prop_assert!(bytes.len() <= most);
            let mut unpacker = Unpacker::new(&bytes);
            prop_assert_eq!(unpacker.by_ref().collect::<Vec<_>>(), choices);
            prop_assert!(unpacker.rest().is_empty());
            prop_assert!(Supply::new(bytes.clone()).eq(Unpacker::new(&bytes)));
            prop_assert!(packer.is_empty());
        }

        #[test]
        fn noise_is_survived(bytes: Vec<u8>) {
            let _ = Unpacker::new(&bytes).take(1000).count();
        }
    }

    #[test]
    fn polling_takes_the_room_of_one_choice() {
        let mut packer = Packer::default();
        (0..10_000).for_each(|_| packer.push(Reading { after: 12, slot: 0 }));
        assert_eq!(packer.take().len(), 4);
    }
}
