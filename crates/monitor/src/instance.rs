//! Which objects a slice is about: a value for each parameter that is sliced on, or none yet.

use std::fmt;
use std::hash::{Hash, Hasher};

use mw_source::Number;
use smallvec::SmallVec;

/// The most parameters that a property can be sliced on.
pub(crate) const MOST_PARAMETERS: usize = 8;

/// Some of the parameters that a property is sliced on, as bits.
pub(crate) type Mask = u8;

/// The values that a slice is about. A parameter that is not bound has none.
///
/// A value is the bits of a whole number: one function may take a pointer as signed, another one as
/// unsigned, and it is the same object.
#[derive(Debug, Default, Eq, PartialOrd, Ord)]
pub struct Instance {
    bound: Mask,
    /// Zero where nothing is bound.
    values: SmallVec<[u64; 2]>,
}

impl Clone for Instance {
    fn clone(&self) -> Instance {
        Instance { bound: self.bound, values: SmallVec::from_slice(&self.values) }
    }
}

impl PartialEq for Instance {
    fn eq(&self, other: &Instance) -> bool {
        // There are few: comparing them one by one is faster than comparing memory.
        self.bound == other.bound
            && self.values.len() == other.values.len()
            && self.values.iter().zip(&other.values).all(|(one, other)| one == other)
    }
}

impl Hash for Instance {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.spread());
    }
}

impl Instance {
    /// One with nothing bound.
    pub(crate) fn unbound(parameters: usize) -> Instance {
        let values = match parameters {
            0..=2 => SmallVec::from_buf_and_len([0; 2], parameters),
            more => SmallVec::from_elem(0, more),
        };
        Instance { bound: 0, values }
    }

    pub(crate) fn bind(&mut self, parameter: usize, value: u64) {
        self.bound |= 1 << parameter;
        self.values[parameter] = value;
    }

    /// The same with only some parameters.
    pub(crate) fn restricted(&self, mask: Mask) -> Instance {
        let mut restricted = Instance::unbound(self.values.len());
        for parameter in 0..self.values.len() {
            if self.bound & mask & (1 << parameter) != 0 {
                restricted.bind(parameter, self.values[parameter]);
            }
        }
        restricted
    }

    /// Bytes that are elsewhere.
    pub(crate) fn spilled_bytes(&self) -> usize {
        if self.values.spilled() { self.values.capacity() * size_of::<u64>() } else { 0 }
    }

    /// A number whose bits are spread well.
    pub(crate) fn spread(&self) -> u64 {
        const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
        let mix = |all: u64, value: u64| (all.rotate_left(29) ^ value).wrapping_mul(ODD);
        self.values.iter().fold(mix(0, self.bound.into()), |all, value| mix(all, *value))
    }

    pub(crate) fn bound(&self) -> Mask {
        self.bound
    }

    /// The value of a parameter, by its place in `slice on`, if it is bound.
    pub fn value(&self, parameter: usize) -> Option<u64> {
        let bound = parameter < self.values.len() && self.bound & (1 << parameter) != 0;
        bound.then(|| self.values[parameter])
    }

    /// All values in the order of `slice on`.
    pub fn values(&self) -> impl Iterator<Item = Option<u64>> {
        (0..self.values.len()).map(|parameter| self.value(parameter))
    }
}

/// What tells slices apart of a number: the bits of a whole one.
pub(crate) fn key(number: Number) -> Option<u64> {
    match number {
        Number::Integer { value, width, .. } if width < 64 => {
            Some(value as u64 & ((1 << width) - 1))
        }
        Number::Integer { value, .. } => Some(value as u64),
        Number::Bool(value) => Some(value.into()),
        Number::Float { .. } => None,
    }
}

impl fmt::Display for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("<")?;
        if self.bound == 0 {
            f.write_str("none")?;
        } else {
            for (place, value) in self.values().enumerate() {
                f.write_str(if place == 0 { "" } else { ", " })?;
                match value {
                    Some(value) => write!(f, "{value}")?,
                    None => f.write_str("?")?,
                }
            }
        }
        f.write_str(">")
    }
}
