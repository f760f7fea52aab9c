//! All tests of this crate in one binary: linking one for each file takes longer than running them.

mod agent;
mod cheaper;
mod common;
mod faults;
mod hostile;
mod lies;
mod recover;
#[path = "../../../fuzz/replay.rs"]
mod replay;
mod serving;
#[path = "common/survive.rs"]
mod survive;
