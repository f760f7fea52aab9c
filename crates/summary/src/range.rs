//! What a slot of a frame may hold: an interval, seen in three ways.
//!
//! A slot has 64 bits and no type. The same bits are an unsigned number, a signed one of 64 bits,
//! and, in their lower half, a signed one of 32 bits; a range keeps an interval for each of these,
//! and what one of them excludes the others do too. So a copy needs no type, and neither `x < 0`
//! nor `x < 10 (unsigned)` is lost. Floats and references are slots like others, of which only
//! constants are known.
//!
//! Invariant: no interval of a range is empty. What cannot be is `None`.

use mw_vm::ValType;

/// The values that a slot may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    unsigned: (u64, u64),
    signed: (i64, i64),
    /// Of the lower 32 bits.
    narrow: (i32, i32),
}

/// Where bounds that keep moving come to rest on the way to the end of their type.
const RESTS: [i128; 10] =
    [-0x8000_0000, -0x8000, -0x80, -1, 0, 1, 0xff, 0xffff, 0x7fff_ffff, 0xffff_ffff];

impl Range {
    /// Anything.
    pub const ANY: Range = Range {
        unsigned: (0, u64::MAX),
        signed: (i64::MIN, i64::MAX),
        narrow: (i32::MIN, i32::MAX),
    };

    /// One value.
    pub fn exact(slot: u64) -> Range {
        let (signed, narrow) = (slot as i64, slot as i32);
        Range { unsigned: (slot, slot), signed: (signed, signed), narrow: (narrow, narrow) }
    }

    /// All values of a type.
    pub fn of_type(ty: ValType) -> Range {
        match ty {
            ValType::I32 | ValType::F32 => Range::below(u64::from(u32::MAX)),
            // References are their index plus one.
            ValType::FuncRef | ValType::ExternRef => Range::below(u64::from(u32::MAX) + 1),
            ValType::I64 | ValType::F64 => Range::ANY,
        }
    }

    /// From zero to `last`.
    pub(crate) fn below(last: u64) -> Range {
        Range { unsigned: (0, last), ..Range::ANY }.reduced().unwrap_or(Range::exact(0))
    }

    /// From `first` on.
    pub(crate) fn at_least(first: u64) -> Range {
        Range { unsigned: (first, u64::MAX), ..Range::ANY }.reduced().unwrap_or(Range::ANY)
    }

    /// The integers of a signed interval, of so many bits.
    pub(crate) fn of_signed(bits: u32, signed: (i128, i128)) -> Option<Range> {
        Integer::of_signed(bits, signed).range()
    }

    /// Whether a slot may hold this.
    pub fn contains(&self, slot: u64) -> bool {
        let within = |(low, high): (i128, i128), value: i128| low <= value && value <= high;
        within(wide(self.unsigned), slot.into())
            && within(wide(self.signed), (slot as i64).into())
            && within(wide(self.narrow), (slot as i32).into())
    }

    /// The only value that there is, if there is only one.
    pub fn single(&self) -> Option<u64> {
        (self.unsigned.0 == self.unsigned.1).then_some(self.unsigned.0)
    }

    /// The least and the greatest value, as unsigned numbers.
    pub fn unsigned(&self) -> (u64, u64) {
        self.unsigned
    }

    /// The least and the greatest value, as signed numbers of an integer type.
    pub fn signed(&self, ty: ValType) -> (i64, i64) {
        match ty {
            ValType::I32 => (self.narrow.0.into(), self.narrow.1.into()),
            _ => self.signed,
        }
    }

    /// What either of them has.
    pub fn join(self, other: Range) -> Range {
        Range {
            unsigned: hull(self.unsigned, other.unsigned),
            signed: hull(self.signed, other.signed),
            narrow: hull(self.narrow, other.narrow),
        }
    }

    /// What both of them have.
    pub fn meet(self, other: Range) -> Option<Range> {
        Range {
            unsigned: common(self.unsigned, other.unsigned),
            signed: common(self.signed, other.signed),
            narrow: common(self.narrow, other.narrow),
        }
        .reduced()
    }

    /// What either of them has and, where a bound has moved, more: after few moves nothing is left
    /// to move.
    pub fn widen(self, next: Range) -> Range {
        fn bounds(old: (i128, i128), new: (i128, i128), all: (i128, i128)) -> (i128, i128) {
            let below = |value: i128| RESTS.into_iter().rfind(|&rest| rest <= value);
            let above = |value: i128| RESTS.into_iter().find(|&rest| rest >= value);
            let low = match new.0 < old.0 {
                true => below(new.0).unwrap_or(all.0).max(all.0),
                false => old.0,
            };
            let high = match new.1 > old.1 {
                true => above(new.1).unwrap_or(all.1).min(all.1),
                false => old.1,
            };
            (low, high)
        }
        let all = Range::ANY;
        let unsigned = bounds(wide(self.unsigned), wide(next.unsigned), wide(all.unsigned));
        let signed = bounds(wide(self.signed), wide(next.signed), wide(all.signed));
        let narrow = bounds(wide(self.narrow), wide(next.narrow), wide(all.narrow));
        Range {
            unsigned: (unsigned.0 as u64, unsigned.1 as u64),
            signed: (signed.0 as i64, signed.1 as i64),
            narrow: (narrow.0 as i32, narrow.1 as i32),
        }
    }

    /// The same values as an integer of so many bits, 32 or 64.
    pub(crate) fn integer(self, bits: u32) -> Integer {
        if bits == 64 {
            return Integer { bits, signed: wide(self.signed), unsigned: wide(self.unsigned) };
        }
        let all = (0, u32::MAX.into());
        let unsigned = if self.unsigned.1 > all.1 { all } else { self.unsigned };
        Integer { bits, signed: wide(self.narrow), unsigned: wide(unsigned) }
    }

    /// Lets each interval exclude what another one does. `None` if nothing is left.
    fn reduced(mut self) -> Option<Range> {
        const HALF: u64 = i64::MAX as u64;
        const NARROW: u64 = u32::MAX as u64;
        const NARROW_HALF: u64 = i32::MAX as u64;
        // What is learned from the narrow interval may be news for the signed one.
        for _ in 0..2 {
            let (low, high) = self.unsigned;
            if high <= HALF || low > HALF {
                self.signed = common(self.signed, (low as i64, high as i64));
            }
            if high <= NARROW && (high <= NARROW_HALF || low > NARROW_HALF) {
                self.narrow = common(self.narrow, (low as i32, high as i32));
            }
            let (low, high) = self.signed;
            if low >= 0 || high < 0 {
                self.unsigned = common(self.unsigned, (low as u64, high as u64));
            }
            let (low, high) = self.narrow;
            if self.unsigned.1 <= NARROW && (low >= 0 || high < 0) {
                self.unsigned = common(self.unsigned, (low as u32 as u64, high as u32 as u64));
            }
            let is_empty = self.unsigned.0 > self.unsigned.1
                || self.signed.0 > self.signed.1
                || self.narrow.0 > self.narrow.1;
            if is_empty {
                return None;
            }
        }
        Some(self)
    }
}

/// A range as an integer of 32 or 64 bits, with room to compute.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Integer {
    pub bits: u32,
    pub signed: (i128, i128),
    pub unsigned: (i128, i128),
}

impl Integer {
    /// Any integer of so many bits.
    pub fn any(bits: u32) -> Integer {
        let (all, half) = (1i128 << bits, 1i128 << (bits - 1));
        Integer { bits, signed: (-half, half - 1), unsigned: (0, all - 1) }
    }

    /// What two intervals of numbers that may have overflowed come to, the one computed from
    /// signed operands and the other from unsigned ones. `None` is not known.
    pub fn wrapped(
        bits: u32,
        signed: Option<(i128, i128)>,
        unsigned: Option<(i128, i128)>,
    ) -> Integer {
        let any = Integer::any(bits);
        let wrap = |bounds: Option<(i128, i128)>, all: (i128, i128)| {
            let Some((low, high)) = bounds else { return all };
            // As far as the lower bound has to be moved to be where it belongs.
            let turns = (low - all.0).div_euclid(1 << bits) << bits;
            let (low, high) = (low - turns, high - turns);
            if high > all.1 { all } else { (low, high) }
        };
        Integer { bits, signed: wrap(signed, any.signed), unsigned: wrap(unsigned, any.unsigned) }
    }

    /// The integers of an unsigned interval.
    pub fn of_unsigned(bits: u32, unsigned: (i128, i128)) -> Integer {
        Integer { unsigned, ..Integer::any(bits) }
    }

    /// The integers of a signed interval.
    pub fn of_signed(bits: u32, signed: (i128, i128)) -> Integer {
        Integer { signed, ..Integer::any(bits) }
    }

    /// As a slot holds them; `None` if there are none.
    pub fn range(self) -> Option<Range> {
        let is_empty = self.unsigned.0 > self.unsigned.1 || self.signed.0 > self.signed.1;
        let unsigned = (self.unsigned.0 as u64, self.unsigned.1 as u64);
        let range = match self.bits {
            32 => {
                let narrow = (self.signed.0 as i32, self.signed.1 as i32);
                Range { unsigned, narrow, ..Range::ANY }
            }
            _ => Range {
                unsigned,
                signed: (self.signed.0 as i64, self.signed.1 as i64),
                ..Range::ANY
            },
        };
        if is_empty { None } else { range.reduced() }
    }
}

fn wide<T: Into<i128>>((low, high): (T, T)) -> (i128, i128) {
    (low.into(), high.into())
}

fn hull<T: Ord>(a: (T, T), b: (T, T)) -> (T, T) {
    (a.0.min(b.0), a.1.max(b.1))
}

fn common<T: Ord>(a: (T, T), b: (T, T)) -> (T, T) {
    (a.0.max(b.0), a.1.min(b.1))
}
