//! Rounding to an integer that stays a float.

use super::Parts;
use crate::solver::sat::gates::{Bit, Gates, Word};
use crate::solver::sat::integers::constant;

/// Which integer to round to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Integral {
    /// The next one above.
    Ceil,
    /// The next one below.
    Floor,
    /// The next one towards zero.
    Trunc,
    /// The nearest one; of two equally near ones, the even one.
    Nearest,
}

/// The float rounded to an integer.
///
/// Its bits after the point are cut off, and where it rounds away from zero, a one is added right
/// before the point. The exponent being stored above the fraction, that carries as it should.
pub fn to_integral(gates: &mut Gates, word: &[Bit], mode: Integral) -> Word {
    let a = Parts::of(gates, word);
    let format = a.format;
    let magnitude = &word[..format.width() - 1];
    let stored = &magnitude[format.fraction..];

    // For each bit of the significand, whether it is after the point.
    let is_after: Word = (0..=format.precision())
        .map(|at| {
            let exponent = format.bias() + format.fraction as u64 - at as u64;
            gates.less_unsigned(stored, &constant(exponent, format.exponent))
        })
        .collect();
    let mut half = Vec::new();
    let mut rest = Vec::new();
    let mut lowest = Vec::new();
    let mut unit = Word::new();
    for (at, &bit) in a.significand.iter().enumerate() {
        let is_first = gates.and(is_after[at], !is_after[at + 1]);
        half.push(gates.and(bit, is_first));
        rest.push(gates.and(bit, is_after[at + 1]));
        let before = if at == 0 { Bit::TRUE } else { is_after[at - 1] };
        unit.push(gates.and(before, !is_after[at]));
        lowest.push(gates.and(bit, unit[at]));
    }
    let (half, rest, is_odd) = (gates.any(&half), gates.any(&rest), gates.any(&lowest));
    let is_between = gates.or(half, rest);
    let goes_away = match mode {
        Integral::Ceil => gates.and(is_between, !a.sign),
        Integral::Floor => gates.and(is_between, a.sign),
        Integral::Trunc => Bit::FALSE,
        Integral::Nearest => {
            let more = gates.or(rest, is_odd);
            gates.and(half, more)
        }
    };

    let is_below_one = is_after[format.fraction];
    let cut: Word = magnitude
        .iter()
        .enumerate()
        .map(|(at, &bit)| gates.and(bit, !is_after[at.min(format.fraction)]))
        .collect();
    let mut addend = gates.masked(&unit, goes_away);
    addend.resize(magnitude.len(), Bit::FALSE);
    let large = gates.add(&cut, &addend);
    let one = [constant(0, format.fraction), constant(format.bias(), format.exponent)].concat();
    let small = gates.masked(&one, goes_away);
    let mut number = gates.choose(is_below_one, &small, &large);
    number.push(a.sign);
    gates.choose(a.is_nan, &format.canonical_nan(), &number)
}
