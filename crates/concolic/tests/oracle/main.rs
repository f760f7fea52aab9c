//! The oracle: what exploring finds is what running with *all* inputs finds, no more and no less.

mod generated;
mod instructions;
mod machine;
#[path = "../common/numbers.rs"]
mod numbers;
mod plain;
mod programs;
mod properties;
mod time;
#[path = "../common/world.rs"]
mod world;
