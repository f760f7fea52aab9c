//! Frames: pieces of a byte stream that are whole or noticed not to be.
//!
//! A frame is a body and its CRC-32, made free of zeros by COBS, and a zero. So a reader that has
//! lost its way finds the start of the next frame whatever went before, and a body that arrives is
//! the body that was sent. The CRC is also taken over a *tag* that both sides know and that does
//! not travel: what was sent under another tag counts as damaged.

use alloc::{vec, vec::Vec};

use crc::{CRC_32_ISO_HDLC, Crc, Table};

/// The longest body of a frame.
pub const MAX_BODY: usize = 1100;
/// The longest frame: CRC, COBS and the zero included.
pub const MAX_FRAME: usize = cobs::max_encoding_length(MAX_BODY + 4) + 1;

static CRC: Crc<u32, Table<1>> = Crc::<u32, Table<1>>::new(&CRC_32_ISO_HDLC);

fn checksum(body: &[u8], tag: u64) -> u32 {
    let mut digest = CRC.digest();
    digest.update(body);
    digest.update(&tag.to_le_bytes());
    digest.finalize()
}

/// Appends a body as a frame.
pub fn encode(body: &[u8], tag: u64, to: &mut Vec<u8>) {
    debug_assert!(body.len() <= MAX_BODY);
    let mut checked = Vec::with_capacity(body.len() + 4);
    checked.extend_from_slice(body);
    checked.extend(checksum(body, tag).to_le_bytes());
    let start = to.len();
    to.resize(start + cobs::max_encoding_length(checked.len()), 0);
    let length = cobs::encode(&checked, &mut to[start..]);
    to.truncate(start + length);
    to.push(0);
}

/// A frame whose bytes have arrived, but not yet checked under a tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Received(Vec<u8>);

impl Received {
    /// The body, if it is the one that was sent under this tag.
    pub fn body(&self, tag: u64) -> Option<&[u8]> {
        let (body, crc) = self.0.split_at_checked(self.0.len().checked_sub(4)?)?;
        (checksum(body, tag).to_le_bytes() == *crc).then_some(body)
    }
}

/// Finds frames in a stream of bytes.
#[derive(Clone, Debug, Default)]
pub struct Reader {
    bytes: Vec<u8>,
    /// The frame under way is longer than any may be.
    overlong: bool,
}

impl Reader {
    /// Takes one byte; returns a frame, or an error, where one ends.
    pub fn push(&mut self, byte: u8) -> Option<Result<Received, Damaged>> {
        if byte != 0 {
            match self.bytes.len() < MAX_FRAME {
                true => self.bytes.push(byte),
                false => self.overlong = true,
            }
            return None;
        }
        let bytes = core::mem::take(&mut self.bytes);
        if core::mem::take(&mut self.overlong) {
            return Some(Err(Damaged));
        }
        // Zeros between frames separate nothing.
        if bytes.is_empty() {
            return None;
        }
        let mut decoded = vec![0; bytes.len()];
        match cobs::decode(&bytes, &mut decoded) {
            Ok(length) => {
                decoded.truncate(length);
                Some(Ok(Received(decoded)))
            }
            Err(_) => Some(Err(Damaged)),
        }
    }

    /// Forgets the frame under way: the stream is another one.
    pub fn clear(&mut self) {
        *self = Reader::default();
    }
}

/// Bytes that are no frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Damaged;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read_all(bytes: &[u8], tag: u64) -> Vec<Option<Vec<u8>>> {
        let mut reader = Reader::default();
        let frames = bytes.iter().filter_map(|&byte| reader.push(byte));
        frames.map(|frame| frame.ok()?.body(tag).map(<[u8]>::to_vec)).collect()
    }

    proptest! {
        #[test]
        fn bodies_come_back(bodies in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..MAX_BODY), 0..4), tag: u64) {
            let mut bytes = Vec::new();
            bodies.iter().for_each(|body| encode(body, tag, &mut bytes));
            let expected: Vec<_> = bodies.into_iter().map(Some).collect();
            prop_assert_eq!(read_all(&bytes, tag), expected);
        }

        #[test]
        fn a_flipped_bit_is_noticed_and_the_next_frame_found(body in prop::collection::vec(any::<u8>(), 0..64), at: prop::sample::Index, bit in 0..8u32) {
            let mut bytes = Vec::new();
            encode(&body, 7, &mut bytes);
            let at = at.index(bytes.len() - 1);
            bytes[at] ^= 1 << bit;
            encode(b"next", 7, &mut bytes);
            let frames = read_all(&bytes, 7);
            prop_assert!(!frames.contains(&Some(body)));
            prop_assert_eq!(frames.last().cloned().flatten(), Some(b"next".to_vec()));
        }

        #[test]
        fn noise_is_survived(noise in prop::collection::vec(any::<u8>(), 0..5000)) {
            let mut bytes = noise;
            bytes.push(0);
            encode(b"next", 1, &mut bytes);
            prop_assert_eq!(read_all(&bytes, 1).last().cloned().flatten(), Some(b"next".to_vec()));
        }
    }

    #[test]
    fn another_tag_counts_as_damage() {
        let mut bytes = Vec::new();
        encode(b"body", 1, &mut bytes);
        assert_eq!(read_all(&bytes, 2), [None]);
    }
}
