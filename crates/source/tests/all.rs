//! All tests of this crate in one binary: linking one for each file takes longer than running them.

mod common;
mod disassembly;
mod expressions;
mod frames;
mod hostile;
mod lines;
#[path = "../../../fuzz/replay.rs"]
mod replay;
mod variables;
