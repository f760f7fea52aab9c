//! Whatever arrives on a link: both sides survive it, the device's agent and the host.
//!
//! What is done is in `crates/remote/tests/common/survive.rs`, where it is done with noise as well.

#![no_main]

#[path = "../../crates/remote/tests/common/survive.rs"]
mod survive;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| survive::both(bytes));
