//! All tests of this crate in one binary: linking one for each file takes longer than running them.

mod ahead;
#[path = "../../session/tests/common/mod.rs"]
mod common;
mod devices;
mod faults;
mod json;
mod keeping;
mod link;
mod meanwhile;
mod numbers;
mod page;
mod suggest;
mod theorems;
#[path = "../../remote/tests/common/mod.rs"]
mod wire;
