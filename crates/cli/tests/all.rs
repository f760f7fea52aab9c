//! All tests of this crate in one binary: linking one for each file takes longer than running them.

mod bounds;
#[path = "../../session/tests/common/mod.rs"]
mod common;
mod dap;
mod devices;
mod excerpts;
mod golden;
mod playing;
mod reports;
mod security;
mod session_file;
mod sessions;
#[path = "../../api/tests/devices/mod.rs"]
mod simulated;
mod theorems;
mod transcripts;
#[path = "../../remote/tests/common/mod.rs"]
mod wire;
