//! Numbers in as few bytes as they need, as `postcard` writes them: seven bits each, the lowest
//! first.

use alloc::vec::Vec;
use core::mem::take;

pub(crate) fn write(number: u64, to: &mut Vec<u8>) {
    *to = postcard::to_extend(&number, take(to)).unwrap_or_default();
}

/// Takes a number off the front; `None` if there is none.
pub(crate) fn read(bytes: &mut &[u8]) -> Option<u64> {
    let (number, rest) = postcard::take_from_bytes(bytes).ok()?;
    *bytes = rest;
    Some(number)
}
