//! Concolic execution from a live state: the future universes that differ in control flow.

pub mod evaluate;
pub mod expr;
mod rewrite;
pub mod solver;
