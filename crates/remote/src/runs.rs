//! Pages, squeezed: how many zeros, how many bytes that are none, those bytes, and so on.
//!
//! Simple enough for a device, which needs no memory for it, and good at what memories of small
//! programs are: mostly zeros.

use alloc::vec::Vec;

use mw_vm::PAGE_SIZE;

use crate::varint;

/// Fewer zeros than this are not worth ending a run of other bytes.
const WORTH: usize = 3;

/// The page in fewer bytes, mostly.
pub fn squeeze(page: &[u8; PAGE_SIZE]) -> Vec<u8> {
    let mut squeezed = Vec::new();
    let mut at = 0;
    while at < PAGE_SIZE {
        let zeros = page[at..].iter().take_while(|byte| **byte == 0).count();
        at += zeros;
        if at == PAGE_SIZE {
            break;
        }
        let rest = &page[at..];
        let ends = |start: &usize| rest[*start..].iter().take(WORTH).all(|byte| *byte == 0);
        let length = (1..rest.len()).find(ends).unwrap_or(rest.len());
        varint::write(zeros as u64, &mut squeezed);
        varint::write(length as u64, &mut squeezed);
        squeezed.extend_from_slice(&rest[..length]);
        at += length;
    }
    squeezed
}

/// Writes the page that was squeezed into these bytes; says whether they are one.
#[must_use]
pub fn expand(mut squeezed: &[u8], page: &mut [u8; PAGE_SIZE]) -> bool {
    page.fill(0);
    let mut at = 0usize;
    while !squeezed.is_empty() {
        let (Some(zeros), Some(length)) =
            (varint::read(&mut squeezed), varint::read(&mut squeezed))
        else {
            return false;
        };
        if zeros > PAGE_SIZE as u64 || length > squeezed.len() as u64 {
            return false;
        }
        at += zeros as usize;
        let (bytes, rest) = squeezed.split_at(length as usize);
        let Some(room) = page.get_mut(at..at + bytes.len()) else { return false };
        room.copy_from_slice(bytes);
        at += bytes.len();
        squeezed = rest;
    }
    true
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn pages_come_back(islands in prop::collection::vec((0..PAGE_SIZE, prop::collection::vec(any::<u8>(), 0..200)), 0..10)) {
            let mut page = [0; PAGE_SIZE];
            for (at, bytes) in islands {
                let end = (at + bytes.len()).min(PAGE_SIZE);
                page[at..end].copy_from_slice(&bytes[..end - at]);
            }
            let squeezed = squeeze(&page);
            prop_assert!(squeezed.len() <= PAGE_SIZE + 8);
            let mut back = [1; PAGE_SIZE];
            prop_assert!(expand(&squeezed, &mut back));
            prop_assert_eq!(back, page);
        }

        #[test]
        fn noise_is_survived(bytes: Vec<u8>) {
            let _ = expand(&bytes, &mut [0; PAGE_SIZE]);
        }
    }

    #[test]
    fn a_page_with_little_in_it_takes_little() {
        let mut page = [0; PAGE_SIZE];
        assert_eq!(squeeze(&page).len(), 0);
        page[1000] = 7;
        assert_eq!(squeeze(&page).len(), 4);
        assert_eq!(squeeze(&[9; PAGE_SIZE]).len(), PAGE_SIZE + 3);
    }
}
