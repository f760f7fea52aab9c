//! IEEE 754 floats as bits, in any format: the operations of WebAssembly, rounding to nearest,
//! ties to even.
//!
//! **Invariant:** a NaN that an operation brings forth is the canonical one; only what the machine
//! defines on bits (absolute value, negation, copied signs) keeps the payload of another.

mod arithmetic;
mod convert;
mod integral;
mod round;

use super::gates::{Bit, Gates, Word};
use super::integers::{constant, sign, zero_extended};

pub use arithmetic::{add, divide, multiply, square_root};
pub use convert::{convert, from_integer, truncate};
pub use integral::{Integral, to_integral};

/// How a float's bits are divided up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// Bits of the exponent.
    exponent: usize,
    /// Bits of the fraction, which does not include the hidden bit.
    fraction: usize,
}

impl Format {
    /// The format of `f32`.
    pub const F32: Format = Format { exponent: 8, fraction: 23 };
    /// The format of `f64`.
    pub const F64: Format = Format { exponent: 11, fraction: 52 };

    /// The format of a word, by its length.
    fn of(word: &[Bit]) -> Format {
        if word.len() == 32 { Format::F32 } else { Format::F64 }
    }

    fn width(self) -> usize {
        1 + self.exponent + self.fraction
    }

    /// The exponent of 1.0 as it is stored.
    fn bias(self) -> u64 {
        (1 << (self.exponent - 1)) - 1
    }

    /// Bits of the significand, the hidden one included.
    fn precision(self) -> usize {
        self.fraction + 1
    }

    /// How many bits hold any exponent that is computed from two stored ones, with a sign.
    fn wide_exponent(self) -> usize {
        self.exponent + 2
    }

    fn infinity(self, sign: Bit) -> Word {
        let fraction = constant(0, self.fraction);
        [fraction, vec![Bit::TRUE; self.exponent], vec![sign]].concat()
    }

    fn canonical_nan(self) -> Word {
        let mut nan = self.infinity(Bit::FALSE);
        nan[self.fraction - 1] = Bit::TRUE;
        nan
    }
}

/// What a float consists of.
struct Parts {
    format: Format,
    sign: Bit,
    /// As stored, but 1 for a subnormal number or zero: so the value is always the significand
    /// times a power of two that follows from the exponent.
    exponent: Word,
    /// The fraction below the hidden bit.
    significand: Word,
    is_nan: Bit,
    is_infinite: Bit,
    is_zero: Bit,
}

impl Parts {
    fn of(gates: &mut Gates, word: &[Bit]) -> Parts {
        let format = Format::of(word);
        let (fraction, rest) = word.split_at(format.fraction);
        let mut exponent = rest[..format.exponent].to_vec();
        let is_special = gates.all(&exponent);
        let is_normal = gates.any(&exponent);
        let has_fraction = gates.any(fraction);
        exponent[0] = gates.or(exponent[0], !is_normal);
        Parts {
            format,
            sign: sign(word),
            exponent,
            significand: [fraction, &[is_normal]].concat(),
            is_nan: gates.and(is_special, has_fraction),
            is_infinite: gates.and(is_special, !has_fraction),
            is_zero: !gates.or(is_normal, has_fraction),
        }
    }

    /// The exponent with room for computing.
    fn wide_exponent(&self) -> Word {
        zero_extended(&self.exponent, self.format.wide_exponent())
    }

    /// The exponent and the significand of the same value, the highest bit of which is set unless
    /// it is zero.
    fn normalized(&self, gates: &mut Gates) -> (Word, Word) {
        let bits = self.significand.len().ilog2() as usize + 1;
        let (shifted, significand) = gates.normalize(&self.significand, bits);
        let shifted = zero_extended(&shifted, self.format.wide_exponent());
        (gates.subtract(&self.wide_exponent(), &shifted), significand)
    }
}

/// The same bits with another sign.
pub fn with_sign(word: &[Bit], sign: Bit) -> Word {
    [&word[..word.len() - 1], &[sign]].concat()
}

/// A number with the same order, as a signed integer, as the float has; but zeros differ.
fn order(gates: &mut Gates, word: &[Bit]) -> Word {
    let sign = sign(word);
    let mut key: Word = word.iter().map(|&bit| gates.xor(bit, sign)).collect();
    if let Some(last) = key.last_mut() {
        *last = sign;
    }
    key
}

fn either_is_nan(gates: &mut Gates, a: &[Bit], b: &[Bit]) -> Bit {
    let (a, b) = (Parts::of(gates, a), Parts::of(gates, b));
    gates.or(a.is_nan, b.is_nan)
}

fn both_are_zero(gates: &mut Gates, a: &[Bit], b: &[Bit]) -> Bit {
    let (a, b) = (Parts::of(gates, a), Parts::of(gates, b));
    gates.and(a.is_zero, b.is_zero)
}

/// Whether they are equal: zeros are, NaNs are not.
pub fn equal(gates: &mut Gates, a: &[Bit], b: &[Bit]) -> Bit {
    let is_unordered = either_is_nan(gates, a, b);
    let are_zero = both_are_zero(gates, a, b);
    let are_same = gates.equal(a, b);
    let are_equal = gates.or(are_zero, are_same);
    gates.and(are_equal, !is_unordered)
}

/// Whether the first is less.
pub fn less(gates: &mut Gates, a: &[Bit], b: &[Bit]) -> Bit {
    let is_unordered = either_is_nan(gates, a, b);
    let are_zero = both_are_zero(gates, a, b);
    let (a, b) = (order(gates, a), order(gates, b));
    let is_less = gates.less_signed(&a, &b);
    gates.all(&[is_less, !are_zero, !is_unordered])
}

/// Whether the first is less, or they are equal.
pub fn less_or_equal(gates: &mut Gates, a: &[Bit], b: &[Bit]) -> Bit {
    let is_unordered = either_is_nan(gates, a, b);
    let are_zero = both_are_zero(gates, a, b);
    let (a, b) = (order(gates, a), order(gates, b));
    let is_greater = gates.less_signed(&b, &a);
    let is_not = gates.and(is_greater, !are_zero);
    gates.and(!is_not, !is_unordered)
}

/// The lesser one; of two zeros, a negative one.
pub fn minimum(gates: &mut Gates, a: &[Bit], b: &[Bit]) -> Word {
    let is_less = less(gates, a, b);
    let same = gates.zip(a, b, Gates::or);
    extremum(gates, a, b, is_less, &same)
}

/// The greater one; of two zeros, a positive one.
pub fn maximum(gates: &mut Gates, a: &[Bit], b: &[Bit]) -> Word {
    let is_greater = less(gates, b, a);
    let same = gates.zip(a, b, Gates::and);
    extremum(gates, a, b, is_greater, &same)
}

fn extremum(gates: &mut Gates, a: &[Bit], b: &[Bit], is_first: Bit, same: &[Bit]) -> Word {
    let are_equal = equal(gates, a, b);
    let is_nan = either_is_nan(gates, a, b);
    let one = gates.choose(is_first, a, b);
    let number = gates.choose(are_equal, same, &one);
    gates.choose(is_nan, &Format::of(a).canonical_nan(), &number)
}
