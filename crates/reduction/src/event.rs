//! An act with its outcome, and when two of them depend on one another.

use crate::system::Footprint;

/// Something that happened: an act with one of its outcomes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event<A> {
    /// What was scheduled.
    pub act: A,
    /// What came of it.
    pub outcome: u64,
    /// What it had to do with; each list in order.
    pub footprint: Footprint,
    /// Whether nothing is scheduled afterwards.
    pub ends: bool,
    masks: Masks,
}

/// One bit for each number of a list, some sharing one: most events have nothing in common, and
/// that shows here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Masks {
    reads: u64,
    writes: u64,
    needs: u64,
    makes: u64,
}

fn mask(list: &[u64]) -> u64 {
    list.iter().fold(0, |mask, &x| mask | 1 << (x.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 58))
}

impl<A> Event<A> {
    pub(crate) fn new(act: A, outcome: u64, mut footprint: Footprint, ends: bool) -> Event<A> {
        let Footprint { reads, writes, needs, makes } = &mut footprint;
        for list in [&mut *reads, writes, needs, makes] {
            list.sort_unstable();
            list.dedup();
        }
        let masks = Masks {
            reads: mask(reads),
            writes: mask(writes),
            needs: mask(needs),
            makes: mask(makes),
        };
        Event { act, outcome, footprint, ends, masks }
    }

    /// Whether one changes what the other looks at or changes, so that their order matters.
    ///
    /// An end is in conflict with everything, as it decides what happens at all.
    pub fn conflicts(&self, other: &Event<A>) -> bool {
        let (ours, others) = (&self.masks, &other.masks);
        self.ends
            || other.ends
            || (ours.writes & (others.reads | others.writes) != 0
                && (meet(&self.footprint.writes, &other.footprint.writes)
                    || meet(&self.footprint.writes, &other.footprint.reads)))
            || (ours.reads & others.writes != 0
                && meet(&self.footprint.reads, &other.footprint.writes))
    }

    /// Whether this could not happen without the other.
    pub fn needs(&self, other: &Event<A>) -> bool {
        self.masks.needs & other.masks.makes != 0
            && meet(&self.footprint.needs, &other.footprint.makes)
    }

    /// Whether this, when it comes later than the other, comes after it in all equivalent
    /// executions.
    pub fn follows(&self, other: &Event<A>) -> bool {
        self.conflicts(other) || self.needs(other)
    }
}

/// Whether two ordered lists have something in common.
fn meet(a: &[u64], b: &[u64]) -> bool {
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    while let (Some(x), Some(y)) = (a.peek(), b.peek()) {
        match x.cmp(y) {
            std::cmp::Ordering::Less => _ = a.next(),
            std::cmp::Ordering::Greater => _ = b.next(),
            std::cmp::Ordering::Equal => return true,
        }
    }
    false
}
