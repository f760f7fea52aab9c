//! Addition, multiplication, division, square root: the exact result first, then its rounding.

use super::round::{Bounds, Exact, shift_right};
use super::{Format, Parts};
use crate::solver::sat::gates::{Bit, Gates, Word};
use crate::solver::sat::integers::{constant, sign, sign_extended, zero_extended};

/// How many bits hold any number up to this one.
fn bits_for(number: usize) -> usize {
    number.ilog2() as usize + 1
}

/// The sum. (The difference is the sum with the other sign.)
pub fn add(gates: &mut Gates, a: &[Bit], b: &[Bit]) -> Word {
    let format = Format::of(a);
    let magnitude = format.width() - 1;
    let swap = gates.less_unsigned(&a[..magnitude], &b[..magnitude]);
    let (large, small) = (gates.choose(swap, b, a), gates.choose(swap, a, b));
    let (large, small) = (Parts::of(gates, &large), Parts::of(gates, &small));
    let distance = gates.subtract(&large.exponent, &small.exponent);

    // Two bits more than the result keeps, and one that says whether there is anything below.
    let below = [Bit::FALSE; 3];
    let mut shifted = [&below[1..], &small.significand[..]].concat();
    let mut sticky = Bit::FALSE;
    shift_right(gates, &mut shifted, &distance, &mut sticky);
    let width = format.precision() + 4;
    let addend = zero_extended(&[&[sticky], &shifted[..]].concat(), width);
    let base = zero_extended(&[&below, &large.significand[..]].concat(), width);
    let subtracts = gates.xor(large.sign, small.sign);
    let addend: Word = addend.iter().map(|&bit| gates.xor(bit, subtracts)).collect();
    let (sum, _) = gates.add_carry(&base, &addend, subtracts);

    // What cancels out exactly is a positive zero.
    let is_something = gates.any(&sum);
    let cancels = gates.and(subtracts, !is_something);
    let exponent = zero_extended(&large.exponent, format.wide_exponent());
    let exact = Exact {
        sign: gates.and(large.sign, !cancels),
        exponent: gates.increment(&exponent, Bit::TRUE).0,
        significand: sum,
        sticky: Bit::FALSE,
    };
    let bounds = Bounds { zeros: bits_for(width - 1), underflows: false };
    let number = exact.round(gates, format, bounds);
    // A NaN is larger than an infinity, and an infinity than all else.
    let number = gates.choose(large.is_infinite, &format.infinity(large.sign), &number);
    let opposite_infinities = gates.all(&[large.is_infinite, small.is_infinite, subtracts]);
    let is_nan = gates.or(large.is_nan, opposite_infinities);
    gates.choose(is_nan, &format.canonical_nan(), &number)
}

/// The product.
pub fn multiply(gates: &mut Gates, a: &[Bit], b: &[Bit]) -> Word {
    let format = Format::of(a);
    let (a, b) = (Parts::of(gates, a), Parts::of(gates, b));
    let width = 2 * format.precision();
    let sign = gates.xor(a.sign, b.sign);
    let exponents = gates.add(&a.wide_exponent(), &b.wide_exponent());
    let offset = constant(format.bias() - 1, format.wide_exponent());
    let exact = Exact {
        sign,
        exponent: gates.subtract(&exponents, &offset),
        significand: gates.multiply(&a.significand, &b.significand, width),
        sticky: Bit::FALSE,
    };
    // If both are subnormal, the exponent is too small for shifting to the left at all.
    let bounds = Bounds { zeros: bits_for(format.precision()), underflows: true };
    let number = exact.round(gates, format, bounds);
    let is_infinite = gates.or(a.is_infinite, b.is_infinite);
    let number = gates.choose(is_infinite, &format.infinity(sign), &number);
    let is_zero = gates.or(a.is_zero, b.is_zero);
    let is_undefined = gates.and(is_infinite, is_zero);
    let is_nan = gates.any(&[a.is_nan, b.is_nan, is_undefined]);
    gates.choose(is_nan, &format.canonical_nan(), &number)
}

/// The quotient.
pub fn divide(gates: &mut Gates, a: &[Bit], b: &[Bit]) -> Word {
    let format = Format::of(a);
    let (a, b) = (Parts::of(gates, a), Parts::of(gates, b));
    let sign = gates.xor(a.sign, b.sign);
    let (exponent_a, mut rest) = a.normalized(gates);
    let (exponent_b, divisor) = b.normalized(gates);

    // One digit before the point, then one more than the result may need: the first can be 0.
    let mut quotient = vec![gates.divide_step(&mut rest, &divisor)];
    for _ in 0..=format.precision() {
        rest.insert(0, Bit::FALSE);
        quotient.insert(0, gates.divide_step(&mut rest, &divisor));
    }
    let difference = gates.subtract(&exponent_a, &exponent_b);
    let bias = constant(format.bias(), format.wide_exponent());
    let exact = Exact {
        sign,
        exponent: gates.add(&difference, &bias),
        significand: quotient,
        sticky: gates.any(&rest),
    };
    let number = exact.round(gates, format, Bounds { zeros: 1, underflows: true });
    let mut zero = constant(0, format.width() - 1);
    zero.push(sign);
    let number = gates.choose(b.is_infinite, &zero, &number);
    let is_infinite = gates.or(a.is_infinite, b.is_zero);
    let number = gates.choose(is_infinite, &format.infinity(sign), &number);
    let are_zero = gates.and(a.is_zero, b.is_zero);
    let are_infinite = gates.and(a.is_infinite, b.is_infinite);
    let is_nan = gates.any(&[a.is_nan, b.is_nan, are_zero, are_infinite]);
    gates.choose(is_nan, &format.canonical_nan(), &number)
}

/// The square root.
pub fn square_root(gates: &mut Gates, word: &[Bit]) -> Word {
    let format = Format::of(word);
    let a = Parts::of(gates, word);
    let (exponent, significand) = a.normalized(gates);
    // Half of the exponent: of an odd one, the rest goes to the significand. The bias is odd.
    let is_odd = !exponent[0];
    let bias = constant(format.bias(), format.wide_exponent());
    let doubled = gates.add(&exponent, &bias);
    let halved = sign_extended(&doubled[1..], format.wide_exponent());
    let wide = zero_extended(&significand, format.precision() + 1);
    let twice = [&[Bit::FALSE], &significand[..]].concat();
    let mut radicand = gates.choose(is_odd, &twice, &wide);

    // Digit by digit, as on paper: bring down two bits, try to take away 4 * root + 1.
    let mut root = Word::new();
    let mut rest = Word::new();
    for _ in 0..=format.precision() {
        for _ in 0..2 {
            rest.insert(0, radicand.pop().unwrap_or(Bit::FALSE));
        }
        // What is left may be as large as this, so it has room for one bit more.
        let trial = [&[Bit::TRUE, Bit::FALSE], &root[..], &[Bit::FALSE]].concat();
        let digit = gates.divide_step(&mut rest, &trial);
        root.insert(0, digit);
    }
    let exact =
        Exact { sign: Bit::FALSE, exponent: halved, significand: root, sticky: gates.any(&rest) };
    let number = exact.round(gates, format, Bounds { zeros: 0, underflows: false });
    let is_itself = gates.or(a.is_zero, a.is_infinite);
    let number = gates.choose(is_itself, word, &number);
    let is_undefined = gates.and(sign(word), !a.is_zero);
    let is_nan = gates.or(a.is_nan, is_undefined);
    gates.choose(is_nan, &format.canonical_nan(), &number)
}
