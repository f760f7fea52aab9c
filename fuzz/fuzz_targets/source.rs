//! Whatever the bytes are: as a module with debug information, as a source map and as a source
//! they can be asked everything.

#![no_main]

#[path = "../../crates/source/tests/common/survive.rs"]
mod survive;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| survive::any(bytes));
