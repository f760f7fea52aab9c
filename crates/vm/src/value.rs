//! Values and their types, as the outside of the machine sees them.
//!
//! Inside, every value is a 64-bit *slot* without a type: validation has proved what it is. A
//! reference is its index plus one, so that zero is null and fresh locals need no special case.

use alloc::{boxed::Box, vec::Vec};
use core::fmt;

use serde::{Deserialize, Serialize};

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are WebAssembly's own")]
pub enum ValType {
    I32,
    I64,
    F32,
    F64,
    FuncRef,
    ExternRef,
}

impl fmt::Display for ValType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ValType::I32 => "i32",
            ValType::I64 => "i64",
            ValType::F32 => "f32",
            ValType::F64 => "f64",
            ValType::FuncRef => "funcref",
            ValType::ExternRef => "externref",
        })
    }
}

/// A value with its type.
///
/// Floats are held as their bits: two values are equal when they are indistinguishable to the
/// program, which is what replaying needs and what `==` on floats does not give.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Value {
    /// A 32-bit integer.
    I32(i32),
    /// A 64-bit integer.
    I64(i64),
    /// The bits of a 32-bit float.
    F32(u32),
    /// The bits of a 64-bit float.
    F64(u64),
    /// A function of the module by its index, or null.
    FuncRef(Option<u32>),
    /// Something of the outside, by a number that the outside chose, or null.
    ExternRef(Option<u32>),
}

impl Value {
    /// The value that a fresh local, global or table element of this type has.
    pub fn zero(ty: ValType) -> Value {
        Value::from_slot(ty, 0)
    }

    /// The type of this value.
    pub fn ty(self) -> ValType {
        match self {
            Value::I32(_) => ValType::I32,
            Value::I64(_) => ValType::I64,
            Value::F32(_) => ValType::F32,
            Value::F64(_) => ValType::F64,
            Value::FuncRef(_) => ValType::FuncRef,
            Value::ExternRef(_) => ValType::ExternRef,
        }
    }

    /// Reads a slot as a value of type `ty`.
    pub fn from_slot(ty: ValType, slot: u64) -> Value {
        let reference = |slot: u64| slot.checked_sub(1).map(|index| index as u32);
        match ty {
            ValType::I32 => Value::I32(slot as i32),
            ValType::I64 => Value::I64(slot as i64),
            ValType::F32 => Value::F32(slot as u32),
            ValType::F64 => Value::F64(slot),
            ValType::FuncRef => Value::FuncRef(reference(slot)),
            ValType::ExternRef => Value::ExternRef(reference(slot)),
        }
    }

    /// The slot that holds this value.
    pub fn to_slot(self) -> u64 {
        match self {
            Value::I32(v) => u64::from(v as u32),
            Value::I64(v) => v as u64,
            Value::F32(bits) => u64::from(bits),
            Value::F64(bits) => bits,
            Value::FuncRef(index) | Value::ExternRef(index) => {
                index.map_or(0, |index| u64::from(index) + 1)
            }
        }
    }
}

impl From<i32> for Value {
    fn from(v: i32) -> Self {
        Value::I32(v)
    }
}

impl From<i64> for Value {
    fn from(v: i64) -> Self {
        Value::I64(v)
    }
}

impl From<f32> for Value {
    fn from(v: f32) -> Self {
        Value::F32(v.to_bits())
    }
}

impl From<f64> for Value {
    fn from(v: f64) -> Self {
        Value::F64(v.to_bits())
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Value::I32(v) => write!(f, "{v}"),
            Value::I64(v) => write!(f, "{v}"),
            Value::F32(bits) => write!(f, "{:?}", f32::from_bits(bits)),
            Value::F64(bits) => write!(f, "{:?}", f64::from_bits(bits)),
            Value::FuncRef(None) | Value::ExternRef(None) => f.write_str("null"),
            Value::FuncRef(Some(index)) => write!(f, "func {index}"),
            Value::ExternRef(Some(number)) => write!(f, "extern {number}"),
        }
    }
}

/// The parameters and results of a function.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FuncType {
    /// The types of the parameters.
    pub params: Box<[ValType]>,
    /// The types of the results.
    pub results: Box<[ValType]>,
}

impl FuncType {
    /// A type from its parameters and results.
    pub fn new(params: impl Into<Vec<ValType>>, results: impl Into<Vec<ValType>>) -> Self {
        FuncType {
            params: params.into().into_boxed_slice(),
            results: results.into().into_boxed_slice(),
        }
    }

    /// A type as it is written in tables: the letters of the parameters, `>`, and the letter of the
    /// result; `i` for i32, `I` for i64, `f` for f32, `F` for f64.
    pub fn of_letters(text: &str) -> Self {
        let (params, results) = text.split_once('>').unwrap_or((text, ""));
        let ty = |letter| match letter {
            'I' => ValType::I64,
            'f' => ValType::F32,
            'F' => ValType::F64,
            _ => ValType::I32,
        };
        let list = |letters: &str| letters.chars().map(ty).collect::<Vec<_>>();
        FuncType::new(list(params), list(results))
    }
}

impl fmt::Display for FuncType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, types: &[ValType]| {
            f.write_str("(")?;
            for (i, ty) in types.iter().enumerate() {
                write!(f, "{}{ty}", if i == 0 { "" } else { ", " })?;
            }
            f.write_str(")")
        };
        list(f, &self.params)?;
        f.write_str(" -> ")?;
        list(f, &self.results)
    }
}
