//! All tests of this crate in one binary: linking one for each file takes longer than running them.

mod beginnings;
mod common;
mod damage;
mod kill;
mod refusals;
mod round_trip;
mod size;
mod versions;
