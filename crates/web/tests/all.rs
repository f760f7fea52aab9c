//! All tests of this crate in one binary: linking one for each file takes longer than running them.

mod common;
mod pages;
mod reach;
mod refusals;
mod strangers;
