//! Inputs as bits, kept within their domains.
//!
//! A domain belongs to its input for good and is never empty, so it is stated once and holds in
//! every query. What all its values have in common is constant from the start: of a sensor with
//! 12 bits, the other 20 are zeros that cost nothing.

use mw_world::{Domain, Floats, Integers};

use super::blast::width;
use super::floats;
use super::gates::{Bit, Gates, Word};
use super::integers::constant;
use crate::expr::Input;

/// A word that can be exactly what the input can return. Where that is nothing at all, it can be
/// anything, so that other questions can still be answered.
pub fn word(gates: &mut Gates, input: &Input) -> Word {
    let width = width(input.ty);
    match input.domain.narrowed(input.ty) {
        Some(Domain::Integers(set)) => integers(gates, &set, width),
        Some(Domain::Floats(set)) => floats(gates, &set, width),
        None => (0..width).map(|_| gates.fresh()).collect(),
    }
}

fn integers(gates: &mut Gates, set: &Integers, width: usize) -> Word {
    let word = shared_bits(gates, set, width);
    let mut inside = Vec::new();
    for range in set.ranges() {
        let (low, high) = (constant(range.low as u64, width), constant(range.high as u64, width));
        let below = gates.less_signed(&word, &low);
        let above = gates.less_signed(&high, &word);
        inside.push(gates.and(!below, !above));
    }
    gates.require(&inside);
    word
}

/// A word with constants where all values have the same bit, and with one bit for all places that
/// are copies of the sign in all values.
fn shared_bits(gates: &mut Gates, set: &Integers, width: usize) -> Word {
    let first = set.smallest() as u64;
    // The places in which some value differs from the first one.
    let open = set.ranges().iter().fold(0, |open, range| {
        let within = (range.low ^ range.high) as u64;
        let below = u64::MAX.checked_shr(within.leading_zeros()).unwrap_or(0);
        open | below | (range.low as u64 ^ first)
    });
    let magnitude = |value: i64| 64 - (value ^ (value >> 63)).leading_zeros() as usize;
    let signs_from = magnitude(set.smallest()).max(magnitude(set.largest()));
    let mut word = Word::new();
    for at in 0..width {
        let bit = match word.last() {
            _ if open >> at & 1 == 0 => Bit::constant(first >> at & 1 == 1),
            Some(&sign) if at > signs_from => sign,
            _ => gates.fresh(),
        };
        word.push(bit);
    }
    word
}

fn floats(gates: &mut Gates, set: &Floats, width: usize) -> Word {
    let word: Word = (0..width).map(|_| gates.fresh()).collect();
    if let Some((low, high)) = set.ends() {
        let end = |value: f64| match width {
            32 => constant(u64::from((value as f32).to_bits()), width),
            _ => constant(value.to_bits(), width),
        };
        let is_above = floats::less_or_equal(gates, &end(low), &word);
        let is_below = floats::less_or_equal(gates, &word, &end(high));
        gates.require(&[is_above]);
        gates.require(&[is_below]);
    }
    word
}
