//! Why a slice is where it is: the events that moved it.
//!
//! A monitor's state does not remember them, so that universes which come to the same are the same.
//! Whoever wants to know replays, keeps what was moved with its places, and asks here.

use crate::instance::Instance;
use crate::moved::Change;

/// Of all that was moved, oldest first, what moved a slice; also what had moved the slices that it
/// was copied from, before it was. A slice that has been forgotten since has begun anew.
pub fn explanation<'a, N: 'a, P>(
    moved: impl DoubleEndedIterator<Item = (P, &'a Change<N>)>,
    slice: &Instance,
) -> Vec<(P, &'a Change<N>)> {
    let mut wanted = slice.clone();
    let mut found: Vec<(P, &Change<N>)> = Vec::new();
    for (place, change) in moved.rev() {
        if change.instance != wanted || (change.forgotten && !found.is_empty()) {
            if change.instance == wanted {
                break;
            }
            continue;
        }
        if let Some(from) = &change.copied_from {
            wanted = from.clone();
        }
        found.push((place, change));
    }
    found.reverse();
    found
}
