//! A position in a source.

/// A file that a module was built from, of the [`Sources`](crate::Sources) that it came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub(crate) u32);

/// A position in a source. Lines and columns begin with 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Location {
    /// The file.
    pub file: FileId,
    /// The line.
    pub line: u32,
    /// The column as the compiler counts: bytes in DWARF, UTF-16 units in a source map. It is 1
    /// where only the line is known.
    pub column: u32,
}
