//! The module itself as a source: WebAssembly's text format, an instruction to a line.

use crate::file::{ColumnUnit, SourceFile};
use crate::line_table::{Found, Row};
use crate::location::{FileId, Location};
use crate::warnings::Warnings;

/// The text of a binary and where its lines are in it.
pub(crate) fn read(binary: &[u8], path: &str, warnings: &mut Warnings) -> Found {
    let mut storage = String::new();
    let mut text = String::new();
    let mut rows = Vec::new();
    match wasmprinter::Config::new().offsets_and_lines(binary, &mut storage) {
        Ok(lines) => {
            for ((offset, line), number) in lines.zip(1..) {
                text.push_str(line);
                if let Some(start) = offset.and_then(|offset| u32::try_from(offset).ok()) {
                    let indent = line.len() - line.trim_start().len();
                    let column = indent as u32 + 1;
                    let location = Some(Location { file: FileId(0), line: number, column });
                    // The table ends each row where the next one begins.
                    rows.push(Row { range: start..u32::MAX, location, statement: true });
                }
            }
        }
        Err(error) => warnings.add(format_args!("the module cannot be printed: {error}")),
    }
    let file = SourceFile::new(path.to_owned(), Some(text), ColumnUnit::Byte);
    Found { files: vec![file], rows, ..Found::default() }
}
