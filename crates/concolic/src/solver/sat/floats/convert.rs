//! Conversions: between the formats of floats, from integers and to integers.

use super::round::{Bounds, Exact};
use super::{Format, Parts};
use crate::solver::sat::gates::{Bit, Gates, Word};
use crate::solver::sat::integers::{Shift, constant, zero_extended};

/// The nearest float of the other format.
pub fn convert(gates: &mut Gates, to: Format, word: &[Bit]) -> Word {
    let a = Parts::of(gates, word);
    let from = a.format;
    // Wide enough for the exponents of both formats.
    let width = from.exponent.max(to.exponent) + 2;
    let exponent = zero_extended(&a.exponent, width);
    let offset = constant(to.bias().wrapping_sub(from.bias()), width);
    let widens = to.fraction > from.fraction;
    let exact = Exact {
        sign: a.sign,
        exponent: gates.add(&exponent, &offset),
        significand: a.significand.clone(),
        sticky: Bit::FALSE,
    };
    // What is subnormal in the wider format is next to nothing in the narrower one.
    let zeros = if widens { from.precision().ilog2() as usize + 1 } else { 0 };
    let number = exact.round(gates, to, Bounds { zeros, underflows: !widens });
    let number = gates.choose(a.is_infinite, &to.infinity(a.sign), &number);
    gates.choose(a.is_nan, &to.canonical_nan(), &number)
}

/// The float nearest to an integer of which the sign is given: never set for an unsigned one.
pub fn from_integer(gates: &mut Gates, to: Format, integer: &[Bit], sign: Bit) -> Word {
    let width = integer.len();
    let exponent = to.bias() + width as u64 - 1;
    let exact = Exact {
        sign,
        exponent: constant(exponent, to.wide_exponent()),
        significand: gates.negate_if(integer, sign),
        sticky: Bit::FALSE,
    };
    let bounds = Bounds { zeros: width.ilog2() as usize, underflows: false };
    exact.round(gates, to, bounds)
}

/// The integer of `width` bits that is left when the fraction is cut off. A number beyond the
/// integers is the nearest one if it `saturates`, else 0, as what traps always is; a NaN is 0.
pub fn truncate(
    gates: &mut Gates,
    word: &[Bit],
    width: usize,
    is_signed: bool,
    saturates: bool,
) -> Word {
    let a = Parts::of(gates, word);
    let format = a.format;
    // How far the point is from the left, if the number is not below 1.
    let exponent = a.wide_exponent();
    let bias = constant(format.bias(), format.wide_exponent());
    let distance = gates.subtract(&exponent, &bias);
    let is_below_one = super::sign(&distance);
    let (near, far) = distance.split_at(width.ilog2() as usize);
    let is_far = gates.any(far);
    let is_large = gates.and(is_far, !is_below_one);
    let long = zero_extended(&a.significand, width + format.fraction);
    let moved = gates.shift(&long, near, Shift::Left, Bit::FALSE);
    let magnitude = gates.masked(&moved[format.fraction..], !is_below_one);

    let top = super::sign(&magnitude);
    let has_more = gates.any(&magnitude[..width - 1]);
    let fits = match is_signed {
        true => {
            let is_smallest = gates.all(&[a.sign, top, !has_more]);
            gates.or(!top, is_smallest)
        }
        false => {
            let is_zero = !gates.or(top, has_more);
            gates.or(!a.sign, is_zero)
        }
    };
    let integer = gates.negate_if(&magnitude, a.sign);
    let fits = gates.all(&[fits, !is_large, !a.is_nan]);
    let number = gates.masked(&integer, fits);
    if !saturates {
        return number;
    }
    // All ones without the sign, or the other way round; the smallest unsigned integer is 0.
    let mut end = vec![!a.sign; width];
    if is_signed {
        end[width - 1] = a.sign;
    }
    let end = gates.masked(&end, !a.is_nan);
    gates.choose(fits, &number, &end)
}
