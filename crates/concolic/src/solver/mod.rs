//! Solving.

pub mod backend;
pub mod sat;
