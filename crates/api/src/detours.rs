//! Paths of files on this machine, for front ends that show and compare them.

use std::path::{Component, Path, PathBuf};

/// A path without `.`, and without `..` where the folder that it leaves is known.
pub fn without_detours(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir
                if matches!(plain.components().next_back(), Some(Component::Normal(_))) =>
            {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}
