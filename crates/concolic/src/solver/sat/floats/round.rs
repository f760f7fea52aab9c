//! From an exact result to the nearest float.

use super::Format;
use crate::solver::sat::gates::{Bit, Gates, Word};
use crate::solver::sat::integers::{Shift, complement, sign, sign_extended};

/// A number that need not be a float.
pub struct Exact {
    /// Its sign.
    pub sign: Bit,
    /// What would be stored as the exponent of a float whose significand begins with the highest
    /// bit of this one: signed, and with room for one more.
    pub exponent: Word,
    /// Its significand, in any length.
    pub significand: Word,
    /// Whether there is more of it below the lowest bit.
    pub sticky: Bit,
}

/// What is known of how far an exact number is from the form of a float.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// How many bits hold the number of zeros above its highest one, zero itself aside.
    pub zeros: usize,
    /// Whether its exponent may be too small to be stored.
    pub underflows: bool,
}

impl Exact {
    /// The nearest float; of two equally near ones, the even one.
    pub fn round(self, gates: &mut Gates, format: Format, bounds: Bounds) -> Word {
        let precision = format.precision();
        // Room for at least one bit below those that are kept.
        let missing = (precision + 1).saturating_sub(self.significand.len());
        let mut significand = [&vec![Bit::FALSE; missing], &self.significand[..]].concat();
        let mut sticky = self.sticky;
        // How much smaller the exponent may become.
        let exponent = sign_extended(&self.exponent, self.exponent.len() + 1);
        let mut room = decrement_from(gates, &exponent, 0, Bit::TRUE);
        normalize(gates, &mut significand, &mut room, bounds.zeros);
        if bounds.underflows {
            let too_small = sign(&room);
            let distance = gates.negate_if(&room, too_small);
            let distance = gates.masked(&distance, too_small);
            shift_right(gates, &mut significand, &distance, &mut sticky);
        }

        let (below, kept) = significand.split_at(significand.len() - precision);
        let (&half, rest) = below.split_last().unwrap_or((&Bit::FALSE, &[]));
        let rest = gates.any(rest);
        let is_odd_or_more = gates.any(&[rest, sticky, kept[0]]);
        let rounds_up = gates.and(half, is_odd_or_more);

        // Without a highest bit, the number is subnormal, and 0 is stored for its exponent.
        let is_normal = sign(kept);
        let (stored, _) = gates.increment(&room, Bit::TRUE);
        let stored = gates.masked(&stored, is_normal);
        // Rounding up to the next power of two carries into the exponent, which is right.
        let magnitude = [&kept[..format.fraction], &stored[..]].concat();
        let (magnitude, _) = gates.increment(&magnitude, rounds_up);
        let (stored, beyond) = magnitude[format.fraction..].split_at(format.exponent);
        let is_largest = gates.all(stored);
        let is_beyond = gates.any(beyond);
        let overflows = gates.or(is_largest, is_beyond);
        let mut result = magnitude[..format.width() - 1].to_vec();
        result.push(self.sign);
        gates.choose(overflows, &format.infinity(self.sign), &result)
    }
}

/// The number less two to the power of `power`, if the bit is set.
fn decrement_from(gates: &mut Gates, word: &[Bit], power: usize, decrement: Bit) -> Word {
    let flipped = complement(&word[power..]);
    let (flipped, _) = gates.increment(&flipped, decrement);
    [&word[..power], &complement(&flipped)].concat()
}

/// Shifts to the left until the highest bit is set or there is no more room.
fn normalize(gates: &mut Gates, significand: &mut Word, room: &mut Word, zeros: usize) {
    let width = significand.len();
    for power in (0..zeros).rev() {
        let by = 1usize << power;
        if by >= width || power + 1 >= room.len() {
            continue;
        }
        let is_free = !gates.any(&significand[width - by..]);
        let has_room = gates.any(&room[power..room.len() - 1]);
        let shifts = gates.all(&[is_free, has_room, !sign(room)]);
        let amount = [vec![Bit::FALSE; power], vec![shifts]].concat();
        *significand = gates.shift(significand, &amount, Shift::Left, Bit::FALSE);
        *room = decrement_from(gates, room, power, shifts);
    }
}

/// Shifts to the right; what falls out makes the number stick to what is left of it.
pub fn shift_right(gates: &mut Gates, word: &mut Word, distance: &[Bit], sticky: &mut Bit) {
    let width = word.len();
    // The powers that leave anything; what is beyond takes everything at once.
    let few = (width.ilog2() as usize + 1).min(distance.len());
    let (near, far) = distance.split_at(few);
    let is_far = gates.any(far);
    let steps = near.iter().enumerate().map(|(power, &bit)| ((1 << power).min(width), bit));
    for (by, shifts) in steps.chain([(width, is_far)]) {
        let lost = gates.any(&word[..by]);
        let loses = gates.and(lost, shifts);
        *sticky = gates.or(*sticky, loses);
        let moved = [&word[by..], &vec![Bit::FALSE; by]].concat();
        *word = gates.choose(shifts, &moved, word);
    }
}
