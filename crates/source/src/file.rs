//! The files that a module was built from, and their texts.

use std::sync::OnceLock;

use crate::branch::Header;
use crate::location::FileId;
use crate::path;

/// How the columns of a file are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColumnUnit {
    Byte,
    Utf16,
}

/// Parts of paths of what is not a person's own: what cargo fetches, and the libraries of C that are
/// made for WebAssembly.
const LIBRARIES: [&str; 8] = [
    "/lib/rustlib/src/",
    "/.cargo/registry/src/",
    "/.cargo/git/checkouts/",
    "/wasi-libc/",
    "/libc-top-half/",
    "/libc-bottom-half/",
    "/emscripten/system/",
    "/compiler-rt/lib/",
];

/// What such paths begin with: AssemblyScript's library, and what Rust's is made of.
const LIBRARY_ROOTS: [&str; 2] = ["~lib/", "/rust/deps/"];

/// A file that a module was built from.
#[derive(Clone, Debug)]
pub struct SourceFile {
    path: String,
    text: Option<String>,
    unit: ColumnUnit,
    /// The byte in the text at which each line begins.
    line_starts: Vec<usize>,
    /// What decides branches, found when it is first asked for.
    headers: OnceLock<Vec<Header>>,
}

impl SourceFile {
    pub(crate) fn new(path: String, text: Option<String>, unit: ColumnUnit) -> Self {
        let content = text.as_deref().unwrap_or_default();
        let ends = content.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let line_starts = std::iter::once(0).chain(ends.map(|(end, _)| end + 1)).collect();
        SourceFile { path, text, unit, line_starts, headers: OnceLock::new() }
    }

    /// Its path, as the debug information gives it.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Whether it is a library's, as its path says.
    pub fn is_library(&self) -> bool {
        is_library(&self.path)
    }

    /// What is written in it, where that is known.
    pub fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }

    /// A line, counted from 1, without its end.
    pub fn line(&self, line: u32) -> Option<&str> {
        let (start, end) = self.line_bounds(line)?;
        Some(self.text()?.get(start..end)?.trim_end_matches(['\n', '\r']))
    }

    fn line_bounds(&self, line: u32) -> Option<(usize, usize)> {
        let text = self.text.as_ref()?;
        let index = line.checked_sub(1)? as usize;
        let start = *self.line_starts.get(index)?;
        let end = self.line_starts.get(index + 1).copied().unwrap_or(text.len());
        Some((start, end))
    }

    /// The byte in the text at a line and column. A column outside of the line leads to its end.
    pub(crate) fn position(&self, line: u32, column: u32) -> Option<usize> {
        let (start, _) = self.line_bounds(line)?;
        let text = self.line(line)?;
        let before = column.saturating_sub(1) as usize;
        let mut counted = 0;
        for (byte, character) in text.char_indices() {
            if counted >= before {
                return Some(start + byte);
            }
            counted += match self.unit {
                ColumnUnit::Byte => character.len_utf8(),
                ColumnUnit::Utf16 => character.len_utf16(),
            };
        }
        Some(start + text.len())
    }

    pub(crate) fn headers(&self) -> &[Header] {
        self.headers.get_or_init(|| match &self.text {
            Some(text) => crate::branch::headers(text, &self.path),
            None => Vec::new(),
        })
    }
}

/// Whether a path is of a library, and not of the person's own: of a language's, or of one that a
/// tool has fetched.
pub fn is_library(path: &str) -> bool {
    let path = path.replace('\\', "/");
    let of_rust = path.split_once("/rustc/").or(path.strip_prefix("/rustc/").map(|p| ("", p)));
    let of_rust = of_rust.and_then(|(_, rest)| rest.split_once('/')).is_some_and(|(hash, _)| {
        hash.len() == 40 && hash.bytes().all(|byte| byte.is_ascii_hexdigit())
    });
    let begins = LIBRARY_ROOTS.iter().any(|root| path.starts_with(root));
    of_rust || begins || LIBRARIES.iter().any(|part| path.contains(part))
}

/// Why a name does not lead to a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FindFileError {
    /// No file of the module ends with this name.
    #[error("no source of the module is called {0}")]
    Unknown(String),
    /// Several files do.
    #[error("{name} can be {}: say more of the path", .candidates.join(" or "))]
    Ambiguous {
        /// The name.
        name: String,
        /// Their paths.
        candidates: Vec<String>,
    },
}

/// The file that a person means by a name: the one with this path, else the only one that ends
/// with it, else the only one of these that is not a library's.
pub(crate) fn find(files: &[SourceFile], name: &str) -> Result<FileId, FindFileError> {
    let ids = || files.iter().zip(0..).map(|(file, index)| (file, FileId(index)));
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    if last.is_empty() {
        return Err(FindFileError::Unknown(name.to_owned()));
    }
    if let Some((_, id)) = ids().find(|(file, _)| path::equal(&file.path, name)) {
        return Ok(id);
    }
    let fitting: Vec<_> = ids().filter(|(file, _)| path::ends_with(&file.path, name)).collect();
    match fitting[..] {
        [] => Err(FindFileError::Unknown(name.to_owned())),
        [(_, id)] => Ok(id),
        _ => {
            let own: Vec<_> = fitting.iter().filter(|(file, _)| !file.is_library()).collect();
            match own[..] {
                [(_, id)] => Ok(*id),
                [] => Err(ambiguous(name, fitting.iter())),
                _ => Err(ambiguous(name, own.into_iter())),
            }
        }
    }
}

fn ambiguous<'a>(
    name: &str,
    files: impl Iterator<Item = &'a (&'a SourceFile, FileId)>,
) -> FindFileError {
    let candidates = files.map(|(file, _)| file.path.clone()).collect();
    FindFileError::Ambiguous { name: name.to_owned(), candidates }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str, unit: ColumnUnit) -> SourceFile {
        SourceFile::new(path.to_owned(), Some(text.to_owned()), unit)
    }

    #[test]
    fn lines_come_without_their_ends() {
        let file = file("a.c", "one\r\ntwo\n\nfour", ColumnUnit::Byte);
        let lines: Vec<_> = (0..6).map(|line| file.line(line)).collect();
        assert_eq!(lines, [None, Some("one"), Some("two"), Some(""), Some("four"), None]);
    }

    #[test]
    fn columns_are_counted_as_the_compiler_does() {
        let text = "x\né😀z";
        let (bytes, units) =
            (file("a.c", text, ColumnUnit::Byte), file("a.ts", text, ColumnUnit::Utf16));
        let z = text.find('z');
        assert_eq!(bytes.position(2, 7), z);
        assert_eq!(units.position(2, 4), z);
        assert_eq!(units.position(2, 1), Some(2));
        assert_eq!(units.position(2, 0), Some(2));
        assert_eq!(units.position(2, 99), Some(text.len()));
        assert_eq!(units.position(3, 1), None);
    }

    #[test]
    fn libraries_are_told_from_a_person_s_own_files() {
        let commit = "0123456789012345678901234567890123456789";
        for (path, expected) in [
            (&*format!("/rustc/{commit}/library/core/src/fmt/mod.rs"), true),
            ("/home/me/.cargo/registry/src/index/heapless-0.8.0/src/vec.rs", true),
            ("~lib/array.ts", true),
            ("/rust/deps/hashbrown-0.16.1/src/raw.rs", true),
            ("/home/me/rust/deps/src/raw.rs", false),
            ("/build/wasi-libc/libc-top-half/musl/src/string/strlen.c", true),
            ("/emsdk/upstream/emscripten/system/lib/dlmalloc.c", true),
            ("src/main.rs", false),
            ("/home/me/libc/string.c", false),
        ] {
            assert_eq!(file(path, "", ColumnUnit::Byte).is_library(), expected, "{path}");
        }
    }

    #[test]
    fn a_name_leads_to_one_file_or_to_the_choice_between_several() {
        let paths = ["src/main.ts", "lib/main.ts", "src/other.ts", "main.c", "old/main.c"];
        let files = paths.map(|path| file(path, "", ColumnUnit::Byte));
        assert_eq!(find(&files, "other.ts"), Ok(FileId(2)));
        assert_eq!(find(&files, "lib/main.ts"), Ok(FileId(1)));
        assert_eq!(find(&files, "./src/main.ts"), Ok(FileId(0)));
        assert_eq!(find(&files, "main.c"), Ok(FileId(3)), "a whole path is never ambiguous");
        assert_eq!(
            find(&files, "main.ts").unwrap_err().to_string(),
            "main.ts can be src/main.ts or lib/main.ts: say more of the path"
        );
        let paths = ["~lib/main.ts", "src/main.ts", "~lib/rt/main.ts"];
        let files = paths.map(|path| file(path, "", ColumnUnit::Byte));
        assert_eq!(find(&files, "main.ts"), Ok(FileId(1)), "one's own goes before libraries");
        assert!(find(&[files[0].clone(), files[2].clone()], "main.ts").is_err());
        for unknown in ["ther.ts", "", "src/", "/", "a/src/main.ts"] {
            assert_eq!(find(&files, unknown), Err(FindFileError::Unknown(unknown.to_owned())));
        }
    }
}
