//! The machine.
#![no_std]
extern crate alloc;
mod value;
pub use value::{FuncType, ValType, Value};
