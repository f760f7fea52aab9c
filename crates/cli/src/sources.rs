//! Finding the source that a program was built from, beside it.

use std::path::{Path, PathBuf};

use mw_api::{DEBUG_FILE, without_detours};

use crate::program::Program;

/// Files that are larger than this are no source that anyone reads.
const LARGEST: u64 = 64 << 20;

/// Reads files by the names that debug information gives them, relative to the program.
pub fn loader(program: &Program) -> impl Fn(&str) -> Option<Vec<u8>> {
    let folder = program.path.parent().unwrap_or(Path::new(""));
    move |name| {
        if name == DEBUG_FILE {
            return program.debug_file.clone();
        }
        let path = folder.join(name);
        // Whatever a module names: something that cannot end, such as a device, is not read.
        let facts = std::fs::metadata(&path).ok()?;
        let is_readable = facts.is_file() && facts.len() <= LARGEST;
        is_readable.then(|| std::fs::read(&path).ok()).flatten()
    }
}

/// A file that debug information names, which is relative to the program; as it is named, if there
/// is none.
pub fn beside(program: &Path, name: &str) -> PathBuf {
    let path = program.parent().unwrap_or(Path::new("")).join(name);
    if !path.exists() {
        return PathBuf::from(name);
    }
    without_detours(&path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_beside_a_program() {
        assert_eq!(beside(Path::new("src/./../src/main.rs"), "main.rs"), Path::new("src/main.rs"));
        assert_eq!(beside(Path::new("src/main.rs"), "~lib/x.ts"), Path::new("~lib/x.ts"));
    }
}
