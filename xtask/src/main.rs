//! The one entry point for set-up, tests, benchmarks and examples.
fn main() {}
