//! Solving.

pub mod backend;
mod question;
pub mod sat;
pub mod smt;
