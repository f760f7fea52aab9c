//! All tests of this crate in one binary: linking one for each file takes longer than running them.

mod beginnings;
mod branches;
mod bytes;
mod choices;
mod common;
mod conditions;
mod graph;
mod lies;
mod light;
mod lines;
mod looking;
mod outputs;
mod source_stops;
mod stops;
mod suggest;
mod systems;
mod theorems;
mod traces;
mod verdicts;
mod walks_of_systems;
