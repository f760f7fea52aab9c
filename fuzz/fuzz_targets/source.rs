//! Whatever the bytes are: as a module with debug information, as a source map and as a source
//! they can be asked everything.

#![no_main]

#[path = "../../crates/source/tests/common/survive.rs"]
mod survive;

use std::sync::LazyLock;

use mw_vm::{Limits, Module};

/// A module that names a source map.
static MAPPED: LazyLock<(Vec<u8>, Module)> = LazyLock::new(|| {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/breakout/breakout.wasm");
    let wasm = std::fs::read(path).expect("the example is checked in");
    let module = Module::from_binary(&wasm, &Limits::default()).expect("it is valid");
    (wasm, module)
});

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let (wasm, module) = &*MAPPED;
    survive::survive(module, bytes, bytes);
    survive::survive(module, wasm, bytes);
});
