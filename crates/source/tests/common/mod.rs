//! Programs that real compilers built, and texts to compare with.

#![allow(dead_code, reason = "each test uses some of it")]

pub mod run;
pub mod survive;

use std::path::{Path, PathBuf};

use mw_source::Sources;

/// A module with debug information.
pub struct Program {
    folder: PathBuf,
    pub wasm: Vec<u8>,
}

impl Program {
    /// A module by its path from the root of the repository.
    pub fn new(path: &str) -> Program {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
        let wasm = std::fs::read(&path).expect("the module is checked in");
        Program { folder: path.parent().expect("it lies in a folder").to_owned(), wasm }
    }

    /// One of the modules in `tests/fixtures`.
    pub fn fixture(name: &str) -> Program {
        Program::new(&format!("crates/source/tests/fixtures/{name}.wasm"))
    }

    /// One of the examples.
    pub fn example(name: &str) -> Program {
        Program::new(&format!("examples/{name}/{name}.wasm"))
    }

    /// A file beside the module.
    pub fn load(&self, name: &str) -> Option<Vec<u8>> {
        std::fs::read(self.folder.join(name)).ok()
    }

    pub fn sources(&self) -> Sources {
        Sources::new(&self.module(), &self.wasm, &|name| self.load(name))
    }

    pub fn module(&self) -> mw_vm::Module {
        mw_vm::Module::from_binary(&self.wasm, &mw_vm::Limits::default()).expect("it is valid")
    }
}

/// All modules with debug information that are checked in.
pub fn all() -> Vec<(&'static str, Program)> {
    let examples =
        ["breakout", "color-dial", "led-counter", "light-sensor", "temperature-dashboard"];
    let fixtures = ["garden", "pantry", "shelf-O0", "shelf-O2"];
    let examples = examples.into_iter().map(|name| (name, Program::example(name)));
    examples.chain(fixtures.into_iter().map(|name| (name, Program::fixture(name)))).collect()
}

/// Whether a function is of the program itself and not of Rust's library.
pub fn is_own(function: &str) -> bool {
    let mangled = function.starts_with("_R") || function.starts_with("_ZN");
    !mangled || function.contains("garden5water")
}

/// Compares with a text that is checked in; `MW_BLESS=1` writes it anew.
#[track_caller]
pub fn check(path: &str, actual: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(path);
    if std::env::var_os("MW_BLESS").is_some() {
        std::fs::write(&path, actual).expect("the text can be written");
        return;
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    if expected != actual {
        let differs = expected.lines().zip(actual.lines()).find(|(one, other)| one != other);
        panic!("{} differs; MW_BLESS=1 writes it anew. First: {differs:?}", path.display());
    }
}
