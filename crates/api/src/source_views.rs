//! Frames, variables and files of the source, as data.

use serde::{Deserialize, Serialize};

/// A function under way, as the source has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceFrame {
    /// The function.
    pub function: String,
    /// The path of its file.
    pub file: Option<String>,
    /// The line, counted from 1; 0 if it is not known.
    pub line: u32,
    /// The column, counted from 1; 0 if it is not known.
    pub column: u32,
    /// Whether a compiler put its code in place of a call.
    pub inlined: bool,
    /// The machine's frame that it belongs to, counted from the innermost.
    pub depth: usize,
    /// The byte offset of the instruction in the binary.
    pub offset: Option<u32>,
}

/// A variable of the source, or a part of one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceVariable {
    /// Its name.
    pub name: String,
    /// Its type.
    #[serde(rename = "type")]
    pub ty: String,
    /// Its value on one line.
    pub value: String,
    /// Where it is, if that is in memory.
    pub address: Option<u64>,
    /// How many bytes it has there, if that is known.
    pub size: Option<u64>,
    /// What it leads to in memory, if it is a pointer or has elements.
    pub content: Option<ContentView>,
    /// Whether it has parts.
    pub has_children: bool,
    /// Whether it is the same as long as the program runs.
    pub constant: bool,
}

/// A stretch of memory that a variable leads to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContentView {
    /// Its first address.
    pub address: u64,
    /// How many bytes it has, if that is known.
    pub size: Option<u64>,
}

/// A file that the program was built from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceFileView {
    /// Its path.
    pub path: String,
    /// Whether its text is known.
    pub has_text: bool,
    /// The lines that have code.
    pub lines: Vec<u32>,
}

/// A line of the source that the program is at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceLine {
    /// The path of its file.
    pub file: String,
    /// The line, counted from 1.
    pub line: u32,
    /// The column, counted from 1; 0 if it is not known.
    pub column: u32,
    /// What is written there, if that is known.
    pub text: Option<String>,
}

/// A part of the source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceExcerpt {
    /// The path of its file.
    pub file: String,
    /// Its lines.
    pub lines: Vec<ExcerptLine>,
}

/// A line of a part of the source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExcerptLine {
    /// Its number, counted from 1.
    pub number: u32,
    /// What is written there.
    pub text: String,
    /// The byte offsets at which its code begins: none, if it has no code.
    pub offsets: Vec<u32>,
    /// Whether the program is there.
    pub current: bool,
    /// The breakpoints there.
    pub breakpoints: Vec<u32>,
}
