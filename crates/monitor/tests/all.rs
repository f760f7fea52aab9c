//! All tests of this crate in one binary: linking one for each file takes longer than running them.

mod common;
mod deadlines;
mod drawing;
mod errors;
mod parameters;
mod queue;
mod scenarios;
mod short_forms;
mod slicing;
mod theorems;
