//! Finding the source that a program was built from, beside it.

use std::path::Path;

/// Files that are larger than this are no source that anyone reads.
const LARGEST: u64 = 64 << 20;

/// Reads files by the names that debug information gives them, relative to the program.
pub fn loader(program: &Path) -> impl Fn(&str) -> Option<Vec<u8>> {
    let folder = program.parent().unwrap_or(Path::new(""));
    move |name| {
        let path = folder.join(name);
        // Whatever a module names: something that cannot end, such as a device, is not read.
        let facts = std::fs::metadata(&path).ok()?;
        let is_readable = facts.is_file() && facts.len() <= LARGEST;
        is_readable.then(|| std::fs::read(&path).ok()).flatten()
    }
}
