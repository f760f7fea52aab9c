//! Folders for a short while.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use anyhow::{Context, Result};

/// A folder that is gone when this value is.
pub struct ScratchFolder(PathBuf);

impl ScratchFolder {
    pub fn new() -> Result<Self> {
        static MADE: AtomicU32 = AtomicU32::new(0);
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let name = format!("manyworlds-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir(&path).with_context(|| format!("could not make {}", path.display()))?;
        Ok(Self(path))
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for ScratchFolder {
    fn drop(&mut self) {
        // Nothing depends on it: what is left over is a few kilobytes in a temporary folder.
        let _ = fs::remove_dir_all(&self.0);
    }
}
