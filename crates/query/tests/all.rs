//! The tests of this crate.

mod common;
mod edit_hamt;
mod laziness;
mod micro;
mod operators;
mod session;
