//! What the program printed, over the serial line.
//!
//! Kept in pieces of one size that clones share, so that a checkpoint of a talkative program costs
//! little. **Invariant:** every piece but the tail is full, so equal texts have equal pieces.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

const PIECE: usize = 1024;

/// Printed bytes, in order. Not necessarily UTF-8: programs print what they like.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<u8>", into = "Vec<u8>")]
pub struct Transcript {
    full: Vec<Arc<[u8; PIECE]>>,
    tail: Vec<u8>,
}

impl Transcript {
    /// How many bytes have been printed.
    pub fn len(&self) -> usize {
        self.full.len() * PIECE + self.tail.len()
    }

    /// Whether nothing has been printed.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All that was printed.
    pub fn bytes(&self) -> Vec<u8> {
        let full = self.full.iter().flat_map(|piece| piece.iter());
        full.chain(&self.tail).copied().collect()
    }

    /// What was printed after the first `length` bytes.
    pub fn since(&self, length: usize) -> Vec<u8> {
        let first = (length / PIECE).min(self.full.len());
        let pieces = self.full[first..].iter().flat_map(|piece| piece.iter());
        pieces.chain(&self.tail).copied().skip(length - first * PIECE).collect()
    }

    /// All that was printed, as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes()).into_owned()
    }

    pub(super) fn print(&mut self, bytes: &[u8]) {
        self.tail.extend_from_slice(bytes);
        let (whole, _) = self.tail.as_chunks::<PIECE>();
        self.full.extend(whole.iter().map(|piece| Arc::new(*piece)));
        self.tail.drain(..self.tail.len() / PIECE * PIECE);
    }

    /// Takes back what was printed after the first `len` bytes.
    pub(super) fn truncate(&mut self, len: usize) -> Vec<u8> {
        let mut rest = Vec::new();
        while self.len() > len {
            if self.tail.is_empty()
                && let Some(piece) = self.full.pop()
            {
                self.tail = piece.to_vec();
            }
            let keep = len.saturating_sub(self.full.len() * PIECE);
            let cut = self.tail.split_off(keep.min(self.tail.len()));
            rest.splice(0..0, cut);
        }
        rest
    }
}

impl From<Vec<u8>> for Transcript {
    fn from(bytes: Vec<u8>) -> Self {
        let mut transcript = Transcript::default();
        transcript.print(&bytes);
        transcript
    }
}

impl From<Transcript> for Vec<u8> {
    fn from(transcript: Transcript) -> Self {
        transcript.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_a_byte_string_that_can_be_cut() {
        let (mut transcript, mut oracle) = (Transcript::default(), Vec::new());
        for (step, size) in [1, 1023, 1, 5000, 0, 1024, 2047, 3].into_iter().enumerate() {
            let bytes = vec![b'a' + step as u8; size];
            transcript.print(&bytes);
            oracle.extend(bytes);
            assert_eq!(transcript.bytes(), oracle);
            for length in [0, oracle.len() / 2, oracle.len()] {
                assert_eq!(transcript.since(length), oracle[length..]);
            }
            assert_eq!(transcript, Transcript::from(oracle.clone()), "one shape for one text");
        }
        for len in [9098, 9000, 8192, 8191, 1025, 1024, 1023, 1, 1, 0] {
            let rest = transcript.truncate(len);
            assert_eq!(rest, oracle.split_off(len), "after {len}");
            assert_eq!(transcript, Transcript::from(oracle.clone()));
        }
    }
}
