//! The inputs that a fuzzer found worth keeping, for the tests: what it once came upon stays tried.

use std::path::Path;

/// Checks all inputs that are kept of a target.
pub fn replay(target: &str, check: impl Fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(target);
    let inputs = std::fs::read_dir(&folder).expect("inputs are checked in");
    let mut count = 0;
    for input in inputs {
        let path = input.expect("it can be looked at").path();
        // Said if the check fails.
        println!("{}", path.display());
        check(&std::fs::read(&path).expect("it can be read"));
        count += 1;
    }
    assert!(count > 0, "{} is empty", folder.display());
}
