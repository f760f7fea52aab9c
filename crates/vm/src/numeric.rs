//! What every numeric instruction computes: the one place that knows.
//!
//! The interpreter, constant folding and (later) symbolic evaluation all call these functions, so
//! they cannot disagree. Results are bit-identical on every host: a NaN that comes out of an
//! arithmetic instruction is always the canonical one, and rounding comes from `libm`, not from
//! whatever the platform offers.

use crate::trap::TrapKind;

/// The outcome of an instruction that may trap.
pub type Trapping<T> = Result<T, TrapKind>;

/// A number as it lies in a 64-bit slot.
pub trait Slot: Copy {
    /// Reads the number from a slot.
    fn from_slot(slot: u64) -> Self;
    /// The slot that holds the number; the unused upper half of a 32-bit number is zero.
    fn to_slot(self) -> u64;
}

macro_rules! slots {
    ($($ty:ty: $from:expr, $to:expr;)*) => {$(
        impl Slot for $ty {
            #[inline(always)]
            fn from_slot(slot: u64) -> Self { let from: fn(u64) -> Self = $from; from(slot) }
            #[inline(always)]
            fn to_slot(self) -> u64 { let to: fn(Self) -> u64 = $to; to(self) }
        }
    )*};
}

slots! {
    i32: |s| s as i32, |v| u64::from(v as u32);
    u32: |s| s as u32, u64::from;
    i64: |s| s as i64, |v| v as u64;
    u64: |s| s, |v| v;
    f32: |s| f32::from_bits(s as u32), |v| u64::from(v.to_bits());
    f64: f64::from_bits, f64::to_bits;
    u8: |s| s as u8, u64::from;
    u16: |s| s as u16, u64::from;
    bool: |s| s as u32 != 0, u64::from;
}

/// A number that an instruction can carry within itself as a 32-bit immediate.
pub trait Immediate: Slot {
    /// The number that the immediate stands for (64-bit ones are sign-extended).
    fn from_immediate(immediate: i32) -> Self;
}

macro_rules! immediates {
    ($($ty:ty)*) => {$(
        impl Immediate for $ty {
            #[inline(always)]
            fn from_immediate(immediate: i32) -> Self { immediate as $ty }
        }
    )*};
}

immediates!(i32 u32 i64 u64);

/// Defines functions that take numbers and return a number: `name(a: T, b: T) -> R = body;`
macro_rules! define {
    ($($name:ident($($arg:ident: $ty:ty),*) -> $ret:ty = $body:expr;)*) => {$(
        #[doc = concat!("`", stringify!($name), "` of WebAssembly.")]
        #[inline(always)]
        pub fn $name($($arg: $ty),*) -> $ret { $body }
    )*};
}

macro_rules! integer_functions {
    ($signed:ident $unsigned:ident:
        $add:ident $sub:ident $mul:ident $and:ident $or:ident $xor:ident
        $shl:ident $shr_s:ident $shr_u:ident $rotl:ident $rotr:ident
        $div_s:ident $div_u:ident $rem_s:ident $rem_u:ident
        $clz:ident $ctz:ident $popcnt:ident $eqz:ident
        $eq:ident $ne:ident $lt_s:ident $lt_u:ident $gt_s:ident $gt_u:ident
        $le_s:ident $le_u:ident $ge_s:ident $ge_u:ident
    ) => {
        define! {
            $add(a: $signed, b: $signed) -> $signed = a.wrapping_add(b);
            $sub(a: $signed, b: $signed) -> $signed = a.wrapping_sub(b);
            $mul(a: $signed, b: $signed) -> $signed = a.wrapping_mul(b);
            $and(a: $signed, b: $signed) -> $signed = a & b;
            $or(a: $signed, b: $signed) -> $signed = a | b;
            $xor(a: $signed, b: $signed) -> $signed = a ^ b;
            $shl(a: $signed, b: $signed) -> $signed = a.wrapping_shl(b as u32);
            $shr_s(a: $signed, b: $signed) -> $signed = a.wrapping_shr(b as u32);
            $shr_u(a: $unsigned, b: $unsigned) -> $unsigned = a.wrapping_shr(b as u32);
            $rotl(a: $unsigned, b: $unsigned) -> $unsigned = a.rotate_left(b as u32 % $unsigned::BITS);
            $rotr(a: $unsigned, b: $unsigned) -> $unsigned = a.rotate_right(b as u32 % $unsigned::BITS);
            $div_s(a: $signed, b: $signed) -> Trapping<$signed> = match b {
                0 => Err(TrapKind::DivisionByZero),
                _ => a.checked_div(b).ok_or(TrapKind::IntegerOverflow),
            };
            $div_u(a: $unsigned, b: $unsigned) -> Trapping<$unsigned> =
                a.checked_div(b).ok_or(TrapKind::DivisionByZero);
            $rem_s(a: $signed, b: $signed) -> Trapping<$signed> = match b {
                0 => Err(TrapKind::DivisionByZero),
                _ => Ok(a.wrapping_rem(b)),
            };
            $rem_u(a: $unsigned, b: $unsigned) -> Trapping<$unsigned> =
                a.checked_rem(b).ok_or(TrapKind::DivisionByZero);
            $clz(a: $unsigned) -> $unsigned = $unsigned::from(a.leading_zeros());
            $ctz(a: $unsigned) -> $unsigned = $unsigned::from(a.trailing_zeros());
            $popcnt(a: $unsigned) -> $unsigned = $unsigned::from(a.count_ones());
            $eqz(a: $signed) -> bool = a == 0;
            $eq(a: $signed, b: $signed) -> bool = a == b;
            $ne(a: $signed, b: $signed) -> bool = a != b;
            $lt_s(a: $signed, b: $signed) -> bool = a < b;
            $lt_u(a: $unsigned, b: $unsigned) -> bool = a < b;
            $gt_s(a: $signed, b: $signed) -> bool = a > b;
            $gt_u(a: $unsigned, b: $unsigned) -> bool = a > b;
            $le_s(a: $signed, b: $signed) -> bool = a <= b;
            $le_u(a: $unsigned, b: $unsigned) -> bool = a <= b;
            $ge_s(a: $signed, b: $signed) -> bool = a >= b;
            $ge_u(a: $unsigned, b: $unsigned) -> bool = a >= b;
        }
    };
}

integer_functions! { i32 u32:
    i32_add i32_sub i32_mul i32_and i32_or i32_xor i32_shl i32_shr_s i32_shr_u i32_rotl i32_rotr
    i32_div_s i32_div_u i32_rem_s i32_rem_u i32_clz i32_ctz i32_popcnt i32_eqz
    i32_eq i32_ne i32_lt_s i32_lt_u i32_gt_s i32_gt_u i32_le_s i32_le_u i32_ge_s i32_ge_u
}

integer_functions! { i64 u64:
    i64_add i64_sub i64_mul i64_and i64_or i64_xor i64_shl i64_shr_s i64_shr_u i64_rotl i64_rotr
    i64_div_s i64_div_u i64_rem_s i64_rem_u i64_clz i64_ctz i64_popcnt i64_eqz
    i64_eq i64_ne i64_lt_s i64_lt_u i64_gt_s i64_gt_u i64_le_s i64_le_u i64_ge_s i64_ge_u
}

macro_rules! float_functions {
    ($float:ident $bits:ident:
        $canonical:ident
        $add:ident $sub:ident $mul:ident $div:ident $min:ident $max:ident $copysign:ident
        $abs:ident $neg:ident $ceil:ident $floor:ident $trunc:ident $nearest:ident $sqrt:ident
        $eq:ident $ne:ident $lt:ident $gt:ident $le:ident $ge:ident;
        $libm_ceil:ident $libm_floor:ident $libm_trunc:ident $libm_rint:ident $libm_sqrt:ident
    ) => {
        /// Replaces any NaN by the canonical one.
        #[inline(always)]
        fn $canonical(v: $float) -> $float {
            if v.is_nan() {
                // A jump that is never taken, rather than a selection that every sum waits for.
                core::hint::cold_path();
                $float::from_bits($float::NAN.to_bits() & ($bits::MAX >> 1))
            } else {
                v
            }
        }

        define! {
            $add(a: $float, b: $float) -> $float = $canonical(a + b);
            $sub(a: $float, b: $float) -> $float = $canonical(a - b);
            $mul(a: $float, b: $float) -> $float = $canonical(a * b);
            $div(a: $float, b: $float) -> $float = $canonical(a / b);
            $min(a: $float, b: $float) -> $float = if a.is_nan() || b.is_nan() {
                $canonical($float::NAN)
            } else if a == b {
                // Equal but perhaps of different sign: the minimum of the zeros is the negative one.
                $float::from_bits(a.to_bits() | b.to_bits())
            } else if a < b { a } else { b };
            $max(a: $float, b: $float) -> $float = if a.is_nan() || b.is_nan() {
                $canonical($float::NAN)
            } else if a == b {
                $float::from_bits(a.to_bits() & b.to_bits())
            } else if a > b { a } else { b };
            $copysign(a: $float, b: $float) -> $float = {
                let sign = !($bits::MAX >> 1);
                $float::from_bits(a.to_bits() & !sign | b.to_bits() & sign)
            };
            $abs(a: $float) -> $float = $float::from_bits(a.to_bits() & ($bits::MAX >> 1));
            $neg(a: $float) -> $float = $float::from_bits(a.to_bits() ^ !($bits::MAX >> 1));
            $ceil(a: $float) -> $float = $canonical(libm::$libm_ceil(a));
            $floor(a: $float) -> $float = $canonical(libm::$libm_floor(a));
            $trunc(a: $float) -> $float = $canonical(libm::$libm_trunc(a));
            $nearest(a: $float) -> $float = $canonical(libm::$libm_rint(a));
            $sqrt(a: $float) -> $float = $canonical(libm::$libm_sqrt(a));
            $eq(a: $float, b: $float) -> bool = a == b;
            $ne(a: $float, b: $float) -> bool = a != b;
            $lt(a: $float, b: $float) -> bool = a < b;
            $gt(a: $float, b: $float) -> bool = a > b;
            $le(a: $float, b: $float) -> bool = a <= b;
            $ge(a: $float, b: $float) -> bool = a >= b;
        }
    };
}

float_functions! { f32 u32: f32_canonical
    f32_add f32_sub f32_mul f32_div f32_min f32_max f32_copysign
    f32_abs f32_neg f32_ceil f32_floor f32_trunc f32_nearest f32_sqrt
    f32_eq f32_ne f32_lt f32_gt f32_le f32_ge;
    ceilf floorf truncf rintf sqrtf
}

float_functions! { f64 u64: f64_canonical
    f64_add f64_sub f64_mul f64_div f64_min f64_max f64_copysign
    f64_abs f64_neg f64_ceil f64_floor f64_trunc f64_nearest f64_sqrt
    f64_eq f64_ne f64_lt f64_gt f64_le f64_ge;
    ceil floor trunc rint sqrt
}

/// Defines trapping conversions from floats: in range when `low < trunc(a) < high`, both exact in
/// the float's type and just outside the integer's range.
macro_rules! trapping_truncations {
    ($($name:ident: $float:ident -> $int:ident, $low:expr, $high:expr;)*) => { define! {$(
        $name(a: $float) -> Trapping<$int> = if a.is_nan() {
            Err(TrapKind::InvalidConversion)
        } else if a > $low && a < $high {
            Ok(a as $int)
        } else {
            Err(TrapKind::IntegerOverflow)
        };
    )*}};
}

trapping_truncations! {
    i32_trunc_f32_s: f32 -> i32, -2147483904.0, 2147483648.0;
    i32_trunc_f32_u: f32 -> u32, -1.0, 4294967296.0;
    i32_trunc_f64_s: f64 -> i32, -2147483649.0, 2147483648.0;
    i32_trunc_f64_u: f64 -> u32, -1.0, 4294967296.0;
    i64_trunc_f32_s: f32 -> i64, -9223373136366403584.0, 9223372036854775808.0;
    i64_trunc_f32_u: f32 -> u64, -1.0, 18446744073709551616.0;
    i64_trunc_f64_s: f64 -> i64, -9223372036854777856.0, 9223372036854775808.0;
    i64_trunc_f64_u: f64 -> u64, -1.0, 18446744073709551616.0;
}

define! {
    // Rust's `as` from float to integer saturates and maps NaN to zero, which is what these want.
    i32_trunc_sat_f32_s(a: f32) -> i32 = a as i32;
    i32_trunc_sat_f32_u(a: f32) -> u32 = a as u32;
    i32_trunc_sat_f64_s(a: f64) -> i32 = a as i32;
    i32_trunc_sat_f64_u(a: f64) -> u32 = a as u32;
    i64_trunc_sat_f32_s(a: f32) -> i64 = a as i64;
    i64_trunc_sat_f32_u(a: f32) -> u64 = a as u64;
    i64_trunc_sat_f64_s(a: f64) -> i64 = a as i64;
    i64_trunc_sat_f64_u(a: f64) -> u64 = a as u64;
    i32_wrap_i64(a: u64) -> u32 = a as u32;
    i64_extend_i32_s(a: i32) -> i64 = i64::from(a);
    i64_extend_i32_u(a: u32) -> u64 = u64::from(a);
    i32_extend8_s(a: i32) -> i32 = i32::from(a as i8);
    i32_extend16_s(a: i32) -> i32 = i32::from(a as i16);
    i64_extend8_s(a: i64) -> i64 = i64::from(a as i8);
    i64_extend16_s(a: i64) -> i64 = i64::from(a as i16);
    i64_extend32_s(a: i64) -> i64 = i64::from(a as i32);
    f32_convert_i32_s(a: i32) -> f32 = a as f32;
    f32_convert_i32_u(a: u32) -> f32 = a as f32;
    f32_convert_i64_s(a: i64) -> f32 = a as f32;
    f32_convert_i64_u(a: u64) -> f32 = a as f32;
    f64_convert_i32_s(a: i32) -> f64 = f64::from(a);
    f64_convert_i32_u(a: u32) -> f64 = f64::from(a);
    f64_convert_i64_s(a: i64) -> f64 = a as f64;
    f64_convert_i64_u(a: u64) -> f64 = a as f64;
    f32_demote_f64(a: f64) -> f32 = f32_canonical(a as f32);
    f64_promote_f32(a: f32) -> f64 = f64_canonical(f64::from(a));
    // Reinterpretation changes the type, not the bits of the slot.
    i32_reinterpret_f32(a: u32) -> u32 = a;
    i64_reinterpret_f64(a: u64) -> u64 = a;
    f32_reinterpret_i32(a: u32) -> u32 = a;
    f64_reinterpret_i64(a: u64) -> u64 = a;
    ref_is_null(a: u64) -> bool = a == 0;
}
