//! x
#![allow(missing_docs)]
pub mod domain;
pub use domain::{Domain, Floats, Integers, Range, Refusal};
