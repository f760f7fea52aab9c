//! The oracle: what exploring finds is what running with *all* inputs finds, no more and no less.

mod generated;
mod plain;
mod programs;
