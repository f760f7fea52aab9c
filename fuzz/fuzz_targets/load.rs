//! Whatever the bytes are: as a module, as an image and as a saved machine they are an error, or
//! something that can be used.

#![no_main]

#[path = "../../crates/vm/tests/common"]
mod common {
    pub mod generate;
    pub mod survive;
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| common::survive::load(bytes));
