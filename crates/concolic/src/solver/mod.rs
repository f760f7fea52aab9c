//! Solving.

pub mod backend;
