//! Where things are in the repository.

use std::path::{Path, PathBuf};

/// The root of the repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the repository")
}

/// The folder of the example programs, which also holds their compiler's npm package.
pub fn examples() -> PathBuf {
    root().join("examples")
}

/// The crate that programs in Rust use for actors.
pub fn rust_bindings() -> PathBuf {
    root().join("bindings/rust")
}

/// The folder of the benchmark kernels.
pub fn kernels() -> PathBuf {
    root().join("benches/kernels")
}

/// The folder of the benchmark programs whose paths are explored.
pub fn explored() -> PathBuf {
    root().join("benches/explore")
}

/// The folder of the benchmark programs that are made of actors.
pub fn actors() -> PathBuf {
    root().join("benches/actors")
}

/// The folder of the extension for VS Code.
pub fn vscode() -> PathBuf {
    root().join("editors/vscode")
}

/// How a path is shown to people: from the root of the repository where possible.
pub fn shown(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}
