//! Whatever is thrown at it, the machine answers with a clear error or trap, never with a panic,
//! an abort or all of the memory.

#[path = "../common"]
mod common {
    pub mod drive;
    pub mod generate;
    pub mod programs;
    pub mod survive;
}

mod encode;
mod features;
mod limits;
mod modules;
mod mutated;
#[path = "../../../../fuzz/replay.rs"]
mod replay;
mod runaway;

#[test]
fn what_a_fuzzer_found_is_survived() {
    replay::replay("load", common::survive::load);
}
