//! Numbers to try operations on.

// Not every test needs all of them.
#![allow(dead_code)]

use mw_vm::ValType;

/// A source of numbers that are the same each time.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() >> 32) as usize % bound
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// Numbers of a type for which an operation might be wrong.
pub fn special(ty: ValType) -> Vec<u64> {
    match ty {
        ValType::I32 => [0, 1, 2, 3, 7, 31, 32, 33, 0x80, 0xffff, 0x0100_0001, i32::MAX]
            .iter()
            .flat_map(|&n: &i32| [n, n.wrapping_neg(), !n])
            .map(|n| u64::from(n as u32))
            .collect(),
        ValType::I64 => {
            [0, 1, 2, 5, 31, 63, 64, 0x80, 0x8000, 0x8000_0000, 0x20_0000_0000_0001, i64::MAX]
                .iter()
                .flat_map(|&n: &i64| [n, n.wrapping_neg(), !n])
                .map(|n| n as u64)
                .collect()
        }
        ValType::F32 => {
            let numbers = [
                0.0,
                f32::from_bits(1),
                f32::from_bits(0x007f_ffff),
                f32::MIN_POSITIVE,
                f32::EPSILON,
                0.5f32.next_down(),
                0.5,
                0.5f32.next_up(),
                1.0f32.next_down(),
                1.0,
                1.0f32.next_up(),
                1.5,
                2.5,
                3.0,
                8_388_607.5,
                16_777_216.0,
                2_147_483_648.0,
                4_294_967_296.0,
                9_223_372_036_854_775_808.0,
                18_446_744_073_709_551_616.0,
                f32::MAX,
                f32::INFINITY,
            ];
            let below = numbers.iter().skip(15).map(|number| number.next_down());
            let nans = [0x7fc0_0000, 0x7f80_0001, 0x7fff_ffff].map(f32::from_bits);
            let all = numbers.iter().copied().chain(below).chain(nans);
            all.flat_map(|n| [n.to_bits(), n.to_bits() ^ 1 << 31]).map(u64::from).collect()
        }
        _ => {
            let numbers = [
                0.0,
                f64::from_bits(1),
                f64::from_bits(0x000f_ffff_ffff_ffff),
                f64::MIN_POSITIVE,
                f64::EPSILON,
                0.5f64.next_down(),
                0.5,
                0.5f64.next_up(),
                1.0,
                1.0f64.next_up(),
                1.5,
                2.5,
                3.0,
                // Where an f32 ends, at both ends, and halfway between two of them.
                f64::from(f32::from_bits(1)) / 2.0,
                f64::from(f32::from_bits(1)) * 0.75,
                f64::from(f32::MIN_POSITIVE).next_down(),
                1.0 + f64::from(f32::EPSILON) / 2.0,
                1.0 + f64::from(f32::EPSILON) * 1.5,
                f64::from(f32::MAX),
                (f64::from(f32::MAX) + 2f64.powi(103)).next_down(),
                f64::from(f32::MAX) + 2f64.powi(103),
                2_147_483_648.0,
                2_147_483_648.5,
                2_147_483_649.0,
                4_294_967_295.5,
                4_294_967_296.0,
                4_503_599_627_370_495.5,
                9_223_372_036_854_775_808.0,
                18_446_744_073_709_551_616.0,
                f64::MAX,
                f64::INFINITY,
            ];
            let below = numbers.iter().skip(26).map(|number| number.next_down());
            let nans =
                [0x7ff8_0000_0000_0000, 0x7ff0_0000_0000_0001, u64::MAX >> 1].map(f64::from_bits);
            let all = numbers.iter().copied().chain(below).chain(nans);
            all.flat_map(|n| [n.to_bits(), n.to_bits() ^ 1 << 63]).collect()
        }
    }
}

/// A number of a type: special, small, with few bits set, near a power of two, or any.
pub fn number(random: &mut Random, ty: ValType) -> u64 {
    let (ones, fraction) = match ty {
        ValType::I32 => (u64::from(u32::MAX), 0),
        ValType::F32 => (u64::from(u32::MAX), 23),
        ValType::F64 => (u64::MAX, 52),
        _ => (u64::MAX, 0),
    };
    let number = match random.below(6) {
        0 | 1 => random.pick(&special(ty)),
        2 if fraction == 0 => random.next() % 1000,
        2 => {
            // A number of moderate size, with few bits.
            let value = (random.below(4096) as f64 - 2048.0) / f64::from(1 << random.below(8));
            if fraction == 23 { u64::from((value as f32).to_bits()) } else { value.to_bits() }
        }
        // An exponent near that of 1, so that two of them matter to each other.
        3 if fraction == 23 => random.next() & 0x83ff_ffff | 0x3c00_0000,
        3 if fraction == 52 => random.next() & 0x801f_ffff_ffff_ffff | 0x3fe0_0000_0000_0000,
        3 => random.next() & random.next() & random.next(),
        4 => random.next() >> random.below(64),
        _ => random.next(),
    };
    number & ones
}

/// Pairs of numbers: unrelated, next to each other, or equal but for the sign.
pub fn pair(random: &mut Random, ty: ValType) -> (u64, u64) {
    let ones = if matches!(ty, ValType::I32 | ValType::F32) { u64::MAX >> 32 } else { u64::MAX };
    let a = number(random, ty);
    let b = match random.below(8) {
        0 => a,
        1 => a.wrapping_add(random.below(5) as u64).wrapping_sub(2) & ones,
        2 => a ^ ones ^ (ones >> 1),
        _ => number(random, ty),
    };
    (a, b)
}
