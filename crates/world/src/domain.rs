//! The set of values that an input can return.
//!
//! Seed 001's rule: the debugger may only show states that the program can reach, so a mock or a
//! suggestion outside the domain is refused. **Invariant:** a domain is never empty, in memory or
//! when read back from storage; an intersection that would be empty is `None`.

mod floats;
mod integers;
#[cfg(test)]
mod tests;

use std::fmt;

use mw_vm::{ValType, Value};
use serde::{Deserialize, Serialize};

pub use floats::Floats;
pub use integers::{Integers, Range};

/// A set of values of one kind, never empty.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Domain {
    /// Values of type `i32` or `i64`, both read as signed.
    Integers(Integers),
    /// Values of type `f32` or `f64`.
    Floats(Floats),
}

/// A value that was refused because it is outside a domain.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{value} is not one of the possible values {domain}; the nearest is {}",
        .domain.show(.domain.nearest(*.value)))]
pub struct Refusal {
    /// The value.
    pub value: Value,
    /// The domain it is not in.
    pub domain: Domain,
}

impl Domain {
    /// The integers from `low` to `high`; `None` when there are none.
    pub fn range(low: i64, high: i64) -> Option<Domain> {
        Integers::new([Range::new(low, high)]).map(Domain::Integers)
    }

    /// The values listed; `None` when there are none.
    pub fn set(values: impl IntoIterator<Item = i64>) -> Option<Domain> {
        Integers::new(values.into_iter().map(|v| Range::new(v, v))).map(Domain::Integers)
    }

    /// This value only; `None` for a reference, which no input can return.
    pub fn only(value: Value) -> Option<Domain> {
        match Number::of(value)? {
            Number::Integer(v) => Domain::range(v, v),
            Number::Float(v) => Floats::new(v, v).map(Domain::Floats),
        }
    }

    /// Everything of type `ty`; `None` for reference types, which no input can return.
    pub fn all(ty: ValType) -> Option<Domain> {
        match ty {
            ValType::I32 => Domain::range(i64::from(i32::MIN), i64::from(i32::MAX)),
            ValType::I64 => Domain::range(i64::MIN, i64::MAX),
            ValType::F32 | ValType::F64 => Some(Domain::Floats(Floats::ANY)),
            ValType::FuncRef | ValType::ExternRef => None,
        }
    }

    /// The integers as ranges, or `None` for floats.
    pub fn integers(&self) -> Option<&Integers> {
        match self {
            Domain::Integers(set) => Some(set),
            Domain::Floats(_) => None,
        }
    }

    /// Whether `value` is possible. A value of the other kind (a float here, an integer there) is
    /// not.
    pub fn contains(&self, value: Value) -> bool {
        match (self, Number::of(value)) {
            (Domain::Integers(set), Some(Number::Integer(v))) => set.contains(v),
            (Domain::Floats(set), Some(Number::Float(v))) => set.contains(v),
            _ => false,
        }
    }

    /// Accepts a value in the domain and explains the refusal of another.
    pub fn check(&self, value: Value) -> Result<(), Refusal> {
        match self.contains(value) {
            true => Ok(()),
            false => Err(Refusal { value, domain: self.clone() }),
        }
    }

    /// How many values there are; floats are counted as `f64`.
    pub fn count(&self) -> u128 {
        match self {
            Domain::Integers(set) => set.count(),
            Domain::Floats(set) => set.count(),
        }
    }

    /// The values possible in both; `None` when there are none.
    pub fn intersect(&self, other: &Domain) -> Option<Domain> {
        match (self, other) {
            (Domain::Integers(a), Domain::Integers(b)) => a.intersect(b).map(Domain::Integers),
            (Domain::Floats(a), Domain::Floats(b)) => a.intersect(b).map(Domain::Floats),
            _ => None,
        }
    }

    /// The smallest value, as type `ty`.
    pub fn smallest(&self, ty: ValType) -> Value {
        match self {
            Domain::Integers(set) => Number::Integer(set.smallest()),
            Domain::Floats(set) => Number::Float(set.smallest()),
        }
        .to_value(ty)
    }

    /// The possible value closest to `value`, of the same type.
    pub fn nearest(&self, value: Value) -> Value {
        if self.contains(value) {
            return value;
        }
        match (self, Number::of(value)) {
            (Domain::Integers(set), Some(Number::Integer(v))) => Number::Integer(set.nearest(v)),
            (Domain::Floats(set), Some(Number::Float(v))) => Number::Float(set.nearest(v)),
            _ => return self.smallest(value.ty()),
        }
        .to_value(value.ty())
    }

    /// The same values as far as type `ty` can hold them; `None` when it can hold none.
    ///
    /// After this, what [`Domain::nearest`] and [`Domain::smallest`] return has survived the
    /// rounding to `ty`.
    pub fn narrowed(&self, ty: ValType) -> Option<Domain> {
        match (self, ty) {
            (Domain::Floats(set), ValType::F32) => set.to_f32().map(Domain::Floats),
            _ => self.intersect(&Domain::all(ty)?),
        }
    }

    /// A value chosen by 64 evenly distributed `bits`, as type `ty`.
    pub(crate) fn pick(&self, bits: u64, ty: ValType) -> Value {
        match self {
            // The high half of the product spreads the bits evenly over any count up to 2^64.
            Domain::Integers(set) => {
                Number::Integer(set.nth((set.count() * u128::from(bits)) >> 64))
            }
            Domain::Floats(set) => {
                let unit = (bits >> 11) as f64 / (1u64 << 53) as f64;
                let (low, high) = set.ends().unwrap_or((0.0, 1.0));
                // Halved ends, so that the span of the largest range is finite.
                Number::Float(set.nearest(low + 2.0 * (unit * (high / 2.0 - low / 2.0))))
            }
        }
        .to_value(ty)
    }

    /// The value that `name` names, for an enum.
    pub fn named(&self, name: &str) -> Option<i64> {
        let names = self.integers()?.names();
        names.iter().find(|(_, known)| *known == name).map(|(value, _)| *value)
    }

    /// The value for people: by its name where it has one.
    pub fn show(&self, value: Value) -> String {
        let name = match (self, Number::of(value)) {
            (Domain::Integers(set), Some(Number::Integer(v))) => set.names().get(&v),
            _ => None,
        };
        name.cloned().unwrap_or_else(|| value.to_string())
    }
}

impl fmt::Display for Domain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Domain::Integers(set) => set.fmt(f),
            Domain::Floats(set) => set.fmt(f),
        }
    }
}

/// A value without its width, which domains and registers do not care about.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Number {
    /// A signed integer.
    Integer(i64),
    /// A float.
    Float(f64),
}

impl Number {
    /// The number that `value` is; `None` for a reference.
    pub(crate) fn of(value: Value) -> Option<Number> {
        match value {
            Value::I32(v) => Some(Number::Integer(i64::from(v))),
            Value::I64(v) => Some(Number::Integer(v)),
            Value::F32(bits) => Some(Number::Float(f64::from(f32::from_bits(bits)))),
            Value::F64(bits) => Some(Number::Float(f64::from_bits(bits))),
            Value::FuncRef(_) | Value::ExternRef(_) => None,
        }
    }

    /// The number as a value of type `ty`; the null reference for reference types.
    pub(crate) fn to_value(self, ty: ValType) -> Value {
        match (ty, self) {
            (ValType::I32, Number::Integer(v)) => Value::I32(v as i32),
            (ValType::I32, Number::Float(v)) => Value::I32(v as i32),
            (ValType::I64, Number::Integer(v)) => Value::I64(v),
            (ValType::I64, Number::Float(v)) => Value::I64(v as i64),
            (ValType::F32, Number::Integer(v)) => Value::from(v as f32),
            (ValType::F32, Number::Float(v)) => Value::from(v as f32),
            (ValType::F64, Number::Integer(v)) => Value::from(v as f64),
            (ValType::F64, Number::Float(v)) => Value::from(v),
            (ValType::FuncRef | ValType::ExternRef, _) => Value::zero(ty),
        }
    }
}
