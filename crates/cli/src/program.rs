//! Reading a program: a WebAssembly binary, or its text.
//!
//! What a file is, is decided by its content, so that a name without a suffix works everywhere.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use mw_api::{Limits, LoadError, Module};

use crate::failure::Failure;
use crate::files;
use crate::sources::Folders;

/// The first bytes of every WebAssembly binary, and the rest of the head of a component.
const MAGIC: &[u8] = b"\0asm";
const COMPONENT: &[u8] = b"\x0d\0\x01\0";

/// A program as it was found.
pub struct Program {
    /// The file it came from.
    pub path: PathBuf,
    /// Whether it was in the text format.
    pub is_text: bool,
    /// The binary.
    pub binary: Vec<u8>,
    /// Debug information that is not in it.
    pub debug_file: Option<Vec<u8>>,
    /// Where its source may be read.
    pub folders: Folders,
}

impl Program {
    /// Reads a file and, if it is text, translates it.
    pub fn read(path: &Path) -> Result<Program, Failure> {
        let unusable = |problem: String| {
            Failure::Unusable(format!("the program {} {problem}", path.display()))
        };
        // Not more than can be loaded.
        let bytes = files::read(path, Limits::default().module_bytes as u64)
            .map_err(|error| unusable(format!("cannot be read: {error}")))?;
        if bytes.is_empty() {
            return Err(unusable("is empty".into()));
        }
        let (is_text, binary) = match bytes.starts_with(MAGIC) {
            true => (false, bytes),
            false => (true, translate(path, &bytes).map_err(unusable)?),
        };
        if binary.get(MAGIC.len()..).is_some_and(|rest| rest.starts_with(COMPONENT)) {
            let problem = "is a component, and only core modules can be run; use the module that";
            return Err(unusable(format!("{problem} it was made from")));
        }
        let folders = Folders::default();
        Ok(Program { path: path.to_owned(), is_text, binary, debug_file: None, folders })
    }

    /// The same with debug information from a file of its own.
    pub fn with_debug_file(mut self, path: Option<&Path>) -> Result<Program, Failure> {
        let read = |path: &Path| {
            files::read(path, files::LARGEST).map_err(|error| {
                let path = path.display();
                Failure::Unusable(format!("the debug file {path} cannot be read: {error}"))
            })
        };
        self.debug_file = path.map(read).transpose()?;
        Ok(self)
    }

    /// The same with source from these folders, too.
    pub fn with_folders(self, folders: &Folders) -> Program {
        Program { folders: folders.clone(), ..self }
    }

    /// Validates and lowers the program.
    pub fn module(&self) -> Result<Arc<Module>, LoadError> {
        Module::from_binary(&self.binary, &Limits::default()).map(Arc::new)
    }

    /// The program as a module, or why it is none.
    pub fn load(&self) -> Result<Arc<Module>, Failure> {
        self.module().map_err(|error| {
            Failure::Unusable(format!(
                "the program {} cannot be loaded: {error}",
                self.path.display()
            ))
        })
    }
}

/// The binary that a text stands for, or what is wrong with the text.
fn translate(path: &Path, bytes: &[u8]) -> Result<Vec<u8>, String> {
    let text = std::str::from_utf8(bytes).unwrap_or_default().trim_start();
    // Text begins with a parenthesis or a comment. Anything else is no program with a mistake in
    // it but something other than a program.
    if !text.starts_with(['(', ';']) {
        return Err("is not WebAssembly: a binary begins with the bytes 00 61 73 6d, text with a \
                    parenthesis or a comment; a program in another language is compiled to \
                    WebAssembly first"
            .into());
    }
    let parsed = wat::Parser::new().parse_bytes(Some(path), bytes);
    Ok(parsed.map_err(|error| format!("is not correct text:\n{error}"))?.into_owned())
}
