//! A module that `wasm-smith` makes of the fuzzer's bytes does the same here as in `wasmi`, and the
//! same however it is run: at full speed, in pieces, step by step, with probes and breakpoints.
//!
//! What is checked is in `crates/vm/tests/common`, where a fixed number of seeds is checked as well.

#![no_main]

#[path = "../../crates/vm/tests/common"]
mod common {
    pub mod compare;
    pub mod differ;
    pub mod drive;
    pub mod generate;
    pub mod oracle;
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = common::differ::check(bytes);
});
