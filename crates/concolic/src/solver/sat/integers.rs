//! Integers of any width: adders, multipliers, dividers, shifters.
//!
//! Operands of one operation are equally long unless it says otherwise.

use super::gates::{Bit, Gates, Word};

/// The number as a word of `width` bits.
pub fn constant(value: u64, width: usize) -> Word {
    (0..width).map(|at| Bit::constant(at < 64 && value >> at & 1 == 1)).collect()
}

/// The number that a word of constants is.
pub fn value(word: &[Bit]) -> Option<u128> {
    word.iter().enumerate().try_fold(0, |sum, (at, bit)| Some(sum | u128::from(bit.value()?) << at))
}

/// The word with its upper bits cut off, or with zeros on top.
pub fn zero_extended(word: &[Bit], width: usize) -> Word {
    let mut result = word.to_vec();
    result.resize(width, Bit::FALSE);
    result
}

/// The word with its upper bits cut off, or with copies of its sign on top.
pub fn sign_extended(word: &[Bit], width: usize) -> Word {
    let mut result = word.to_vec();
    result.resize(width, sign(word));
    result
}

/// The highest bit.
pub fn sign(word: &[Bit]) -> Bit {
    word.last().copied().unwrap_or(Bit::FALSE)
}

/// The opposites of all bits.
pub fn complement(word: &[Bit]) -> Word {
    word.iter().map(|&bit| !bit).collect()
}

/// The word without the zeros on top of it.
fn trimmed(word: &[Bit]) -> &[Bit] {
    let used = word.iter().rposition(|&bit| bit != Bit::FALSE).map_or(0, |at| at + 1);
    &word[..used]
}

/// Which way to shift.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shift {
    /// Towards the higher bits.
    Left,
    /// Towards the lower bits.
    Right,
}

impl Gates {
    /// One bit of two words, by a function of both.
    pub fn zip(
        &mut self,
        a: &[Bit],
        b: &[Bit],
        mut gate: impl FnMut(&mut Gates, Bit, Bit) -> Bit,
    ) -> Word {
        a.iter().zip(b).map(|(&a, &b)| gate(self, a, b)).collect()
    }

    /// The whole word if the bit is set, else zero.
    pub fn masked(&mut self, word: &[Bit], keep: Bit) -> Word {
        word.iter().map(|&bit| self.and(bit, keep)).collect()
    }

    /// `then` if the condition holds, else `otherwise`.
    pub fn choose(&mut self, condition: Bit, then: &[Bit], otherwise: &[Bit]) -> Word {
        self.zip(then, otherwise, |gates, t, e| gates.mux(condition, t, e))
    }

    /// The sum, and what is carried out of it.
    pub fn add_carry(&mut self, a: &[Bit], b: &[Bit], mut carry: Bit) -> (Word, Bit) {
        let sum = self.zip(a, b, |gates, a, b| {
            let sum = gates.xor3(a, b, carry);
            carry = gates.majority(a, b, carry);
            sum
        });
        (sum, carry)
    }

    /// The sum, without the carry.
    pub fn add(&mut self, a: &[Bit], b: &[Bit]) -> Word {
        self.add_carry(a, b, Bit::FALSE).0
    }

    /// The difference.
    pub fn subtract(&mut self, a: &[Bit], b: &[Bit]) -> Word {
        self.add_carry(a, &complement(b), Bit::TRUE).0
    }

    /// One more if the bit is set, and what is carried out.
    pub fn increment(&mut self, word: &[Bit], by: Bit) -> (Word, Bit) {
        self.add_carry(word, &vec![Bit::FALSE; word.len()], by)
    }

    /// The negative.
    pub fn negate(&mut self, word: &[Bit]) -> Word {
        self.negate_if(word, Bit::TRUE)
    }

    /// The negative if the bit is set.
    pub fn negate_if(&mut self, word: &[Bit], negate: Bit) -> Word {
        let flipped: Word = word.iter().map(|&bit| self.xor(bit, negate)).collect();
        self.increment(&flipped, negate).0
    }

    /// Whether the words are equal.
    pub fn equal(&mut self, a: &[Bit], b: &[Bit]) -> Bit {
        let same = self.zip(a, b, |gates, a, b| !gates.xor(a, b));
        self.all(&same)
    }

    /// Whether the first is less, both read as unsigned.
    pub fn less_unsigned(&mut self, a: &[Bit], b: &[Bit]) -> Bit {
        // Whether the difference borrows.
        let pairs = a.iter().zip(b);
        !pairs.fold(Bit::TRUE, |carry, (&a, &b)| self.majority(a, !b, carry))
    }

    /// Whether the first is less, both read as signed.
    pub fn less_signed(&mut self, a: &[Bit], b: &[Bit]) -> Bit {
        // With the signs flipped, the order is the unsigned one.
        let biased = |word: &[Bit]| {
            let mut word = word.to_vec();
            if let Some(sign) = word.last_mut() {
                *sign = !*sign;
            }
            word
        };
        self.less_unsigned(&biased(a), &biased(b))
    }

    /// The lowest `width` bits of the product; the operands may differ in length.
    pub fn multiply(&mut self, a: &[Bit], b: &[Bit], width: usize) -> Word {
        if let Some(factor) = value(b) {
            return self.multiply_by(a, factor, width);
        }
        if let Some(factor) = value(a) {
            return self.multiply_by(b, factor, width);
        }
        // A row for each bit of the operand that has fewer of them.
        let open = |word: &[Bit]| word.iter().filter(|&&bit| bit != Bit::FALSE).count();
        let (rows, columns) = if open(a) < open(b) { (a, b) } else { (b, a) };
        let columns = trimmed(columns);
        let mut product = vec![Bit::FALSE; width];
        for (at, &bit) in rows.iter().enumerate().take(width) {
            if bit == Bit::FALSE {
                continue;
            }
            let row = self.masked(columns, bit);
            self.accumulate(&mut product[at..], &row);
        }
        product
    }

    /// Adds a row, which may be shorter, to a sum.
    fn accumulate(&mut self, sum: &mut [Bit], row: &[Bit]) {
        let mut carry = Bit::FALSE;
        for (at, sum) in sum.iter_mut().enumerate() {
            let bit = row.get(at).copied().unwrap_or(Bit::FALSE);
            if at >= row.len() && carry == Bit::FALSE {
                break;
            }
            let old = *sum;
            *sum = self.xor3(old, bit, carry);
            carry = self.majority(old, bit, carry);
        }
    }

    /// The product with a number, written with as few digits -1, 0 and 1 as there can be.
    fn multiply_by(&mut self, a: &[Bit], factor: u128, width: usize) -> Word {
        let mut product = vec![Bit::FALSE; width];
        let mut rest = factor;
        for at in 0..width {
            // A run of ones is the power above it less its lowest one.
            let digit = if rest & 1 == 0 { 0 } else { 2 - (rest & 3) as i32 };
            let part = zero_extended(a, width - at);
            match digit {
                1 => {
                    let sum = self.add(&product[at..], &part);
                    product[at..].copy_from_slice(&sum);
                }
                -1 => {
                    let difference = self.subtract(&product[at..], &part);
                    product[at..].copy_from_slice(&difference);
                }
                _ => {}
            }
            rest = (rest >> 1) + u128::from(digit == -1);
        }
        product
    }

    /// Quotient and remainder, unsigned. Where the divisor is zero, they are anything.
    pub fn divide(&mut self, a: &[Bit], b: &[Bit]) -> (Word, Word) {
        let divisor = trimmed(b);
        let mut quotient = vec![Bit::FALSE; a.len()];
        let mut rest: Word = Vec::new();
        for at in (0..a.len()).rev() {
            rest.insert(0, a[at]);
            quotient[at] = self.divide_step(&mut rest, divisor);
        }
        (quotient, zero_extended(&rest, a.len()))
    }

    /// Quotient and remainder, signed, both 0 where the division would trap.
    pub fn divide_signed(&mut self, a: &[Bit], b: &[Bit]) -> (Word, Word) {
        let (sign_a, sign_b) = (sign(a), sign(b));
        let (size_a, size_b) = (self.negate_if(a, sign_a), self.negate_if(b, sign_b));
        let (quotient, rest) = self.divide(&size_a, &size_b);
        let differ = self.xor(sign_a, sign_b);
        let quotient = self.negate_if(&quotient, differ);
        let rest = self.negate_if(&rest, sign_a);
        // The smallest number by -1 is too large for a quotient; the remainder is 0 anyway.
        let mut smallest = vec![Bit::FALSE; a.len() - 1];
        smallest.push(Bit::TRUE);
        let is_smallest = self.equal(a, &smallest);
        let is_minus_one = self.all(b);
        let overflows = self.and(is_smallest, is_minus_one);
        let by_zero = !self.any(b);
        let defined = self.all(&[!overflows, !by_zero]);
        (self.masked(&quotient, defined), self.masked(&rest, !by_zero))
    }

    /// Takes the divisor away from what is left, if it fits, and says whether it did. What is left
    /// then is less than the divisor, and has no more bits.
    pub fn divide_step(&mut self, rest: &mut Word, divisor: &[Bit]) -> Bit {
        let beyond = &divisor[rest.len().min(divisor.len())..];
        if beyond.contains(&Bit::TRUE) {
            return Bit::FALSE;
        }
        let width = rest.len().max(divisor.len());
        let (minuend, subtrahend) = (zero_extended(rest, width), zero_extended(divisor, width));
        let (difference, fits) = self.add_carry(&minuend, &complement(&subtrahend), Bit::TRUE);
        let kept = rest.len().min(divisor.len());
        *rest = self.choose(fits, &difference[..kept], &minuend[..kept]);
        fits
    }

    /// Shifts by a number that is a word itself, filling with `fill`.
    pub fn shift(&mut self, word: &[Bit], amount: &[Bit], shift: Shift, fill: Bit) -> Word {
        let mut result = word.to_vec();
        for (power, &bit) in amount.iter().enumerate() {
            let by = 1usize.checked_shl(power as u32).unwrap_or(usize::MAX).min(word.len());
            let fill = vec![fill; by];
            let moved = match shift {
                Shift::Left => [&fill[..], &result[..word.len() - by]].concat(),
                Shift::Right => [&result[by..], &fill[..]].concat(),
            };
            result = self.choose(bit, &moved, &result);
        }
        result
    }

    /// Rotates to the left by a number that is a word itself.
    pub fn rotate_left(&mut self, word: &[Bit], amount: &[Bit]) -> Word {
        let mut result = word.to_vec();
        for (power, &bit) in amount.iter().enumerate() {
            let mut moved = result.clone();
            moved.rotate_right((1 << power) % word.len().max(1));
            result = self.choose(bit, &moved, &result);
        }
        result
    }

    /// How far the word can be shifted to the left, at most by its length less one and by the
    /// bits of `amount_bits`, until its highest bit is set; and the word so shifted.
    pub fn normalize(&mut self, word: &[Bit], amount_bits: usize) -> (Word, Word) {
        let mut amount = vec![Bit::FALSE; amount_bits];
        let mut result = word.to_vec();
        for power in (0..amount_bits).rev() {
            let by = 1usize << power;
            if by >= word.len() {
                continue;
            }
            let top = &result[word.len() - by..];
            let is_free = !self.any(top);
            let moved = [&vec![Bit::FALSE; by][..], &result[..word.len() - by]].concat();
            result = self.choose(is_free, &moved, &result);
            amount[power] = is_free;
        }
        (amount, result)
    }

    /// How many zeros are above the highest one.
    pub fn leading_zeros(&mut self, word: &[Bit]) -> Word {
        let (amount, normal) = self.normalize(word, word.len().ilog2() as usize);
        let amount = zero_extended(&amount, word.len());
        self.increment(&amount, !sign(&normal)).0
    }

    /// How many ones there are.
    pub fn count_ones(&mut self, word: &[Bit]) -> Word {
        let mut result = Vec::new();
        let mut column = word.to_vec();
        while result.len() < word.len() {
            let mut next = Vec::new();
            while let Some(a) = column.pop() {
                let (Some(b), c) = (column.pop(), column.pop()) else {
                    result.push(a);
                    break;
                };
                let c = c.unwrap_or(Bit::FALSE);
                column.insert(0, self.xor3(a, b, c));
                next.push(self.majority(a, b, c));
            }
            if next.is_empty() {
                break;
            }
            column = next;
        }
        zero_extended(&result, word.len())
    }
}
