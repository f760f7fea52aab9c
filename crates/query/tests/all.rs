//! The tests of this crate.

mod common;
mod edit_hamt;
mod forest;
mod laziness;
mod micro;
mod operators;
mod origin;
mod session;
