//! Whatever the bytes are: as a module with debug information, as a source map and as a source
//! they can be asked everything.

#![no_main]

#[path = "../../crates/source/tests/common/survive.rs"]
mod survive;

use std::sync::LazyLock;

/// A module that names a source map.
static MAPPED: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/breakout/breakout.wasm");
    std::fs::read(path).expect("the example is checked in")
});

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    survive::survive(bytes, bytes);
    survive::survive(&MAPPED, bytes);
});
