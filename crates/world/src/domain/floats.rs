//! A set of floats: any, or a range. Kept as bits, so that equal sets are equal bit for bit.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A set of floats that is never empty. Both float types share it: an `f32` is in the set when
/// its exact value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "Option<(u64, u64)>", into = "Option<(u64, u64)>")]
pub struct Floats {
    /// The bits of the ends, or `None` for any value at all, infinities and NaNs included.
    ends: Option<(u64, u64)>,
}

impl From<Floats> for Option<(u64, u64)> {
    fn from(floats: Floats) -> Self {
        floats.ends
    }
}

impl TryFrom<Option<(u64, u64)>> for Floats {
    type Error = &'static str;

    fn try_from(ends: Option<(u64, u64)>) -> Result<Self, Self::Error> {
        let Some((low, high)) = ends else { return Ok(Floats::ANY) };
        Floats::new(f64::from_bits(low), f64::from_bits(high)).ok_or("a stored domain is empty")
    }
}

impl Floats {
    /// Every float, infinities and NaNs included.
    pub const ANY: Floats = Floats { ends: None };

    /// The floats from `low` to `high`, both included; `None` when there are none.
    pub fn new(low: f64, high: f64) -> Option<Floats> {
        // Both zeros are in a range that touches zero: one spelling for one set.
        let low = if low == 0.0 { -0.0 } else { low };
        let high = if high == 0.0 { 0.0 } else { high };
        (low <= high).then(|| Floats { ends: Some((low.to_bits(), high.to_bits())) })
    }

    /// The same set with its ends moved inwards to numbers that an `f32` can hold.
    pub fn to_f32(&self) -> Option<Floats> {
        let Some((low, high)) = self.ends() else { return Some(*self) };
        let (mut low32, mut high32) = (low as f32, high as f32);
        if f64::from(low32) < low {
            low32 = low32.next_up();
        }
        if f64::from(high32) > high {
            high32 = high32.next_down();
        }
        Floats::new(f64::from(low32), f64::from(high32))
    }

    /// The smallest and the largest value, or `None` when any float is possible.
    pub fn ends(&self) -> Option<(f64, f64)> {
        self.ends.map(|(low, high)| (f64::from_bits(low), f64::from_bits(high)))
    }

    /// Whether `value` is in the set.
    pub fn contains(&self, value: f64) -> bool {
        self.ends().is_none_or(|(low, high)| low <= value && value <= high)
    }

    /// How many `f64` values there are.
    pub fn count(&self) -> u128 {
        // The bits of floats, read so that their order is the order of the numbers.
        let place = |v: f64| {
            let bits = v.to_bits() as i64;
            i128::from(bits ^ (((bits >> 63) as u64) >> 1) as i64)
        };
        self.ends().map_or(1 << 64, |(low, high)| (place(high) - place(low) + 1) as u128)
    }

    /// The smallest value: minus infinity when any float is possible.
    pub fn smallest(&self) -> f64 {
        self.ends().map_or(f64::NEG_INFINITY, |(low, _)| low)
    }

    /// The member closest to `value`; the smallest for a NaN that is not possible.
    pub fn nearest(&self, value: f64) -> f64 {
        match self.ends() {
            None => value,
            Some((low, _)) if value.is_nan() => low,
            Some((low, high)) => value.clamp(low, high),
        }
    }

    /// The values in both sets; `None` when there are none.
    pub fn intersect(&self, other: &Floats) -> Option<Floats> {
        match (self.ends(), other.ends()) {
            (None, _) => Some(*other),
            (_, None) => Some(*self),
            (Some(a), Some(b)) => Floats::new(a.0.max(b.0), a.1.min(b.1)),
        }
    }
}

impl fmt::Display for Floats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.ends() {
            None => f.write_str("any"),
            Some((low, high)) if low == high => write!(f, "{{{high:?}}}"),
            // Adding zero writes the negative zero that a range may start with as plain zero.
            Some((low, high)) => write!(f, "{:?}..{high:?}", low + 0.0),
        }
    }
}
