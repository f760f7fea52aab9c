//! Which bytes of the code come from which line, whatever format said so.
//!
//! Invariant: rows are in ascending order, not empty, do not overlap, and each lies within one
//! function. A byte that no row covers has no known source.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::binary::Bodies;
use crate::file::SourceFile;
use crate::location::{FileId, Location};

/// Some bytes of the code with their source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    /// Byte offsets in the binary.
    pub range: Range<u32>,
    /// What they come from; nothing, if a compiler added them.
    pub location: Option<Location>,
    /// Whether a statement begins here, so that it is a good place to stop.
    pub statement: bool,
}

/// What a format says about lines: rows in any order and of any quality, and their files.
#[derive(Default)]
pub(crate) struct Found {
    pub files: Vec<SourceFile>,
    pub rows: Vec<Row>,
}

/// The rows of a module, and the way back from lines.
#[derive(Clone, Debug, Default)]
pub(crate) struct LineTable {
    rows: Vec<Row>,
    /// For each line with code its rows, in ascending order.
    lines: BTreeMap<(FileId, u32), Vec<u32>>,
}

impl LineTable {
    /// Makes a table of rows in any order and of any quality.
    pub fn new(mut found: Vec<Row>, bodies: &Bodies) -> Self {
        // Of rows that claim the same byte, the one that was said last counts.
        found.sort_by_key(|row| row.range.start);
        let mut rows: Vec<Row> = Vec::with_capacity(found.len());
        for mut row in found {
            let Some((_, body)) = bodies.at(row.range.start) else { continue };
            row.range.end = row.range.end.min(body.end);
            if row.range.is_empty() {
                continue;
            }
            while let Some(last) = rows.last_mut() {
                last.range.end = last.range.end.min(row.range.start);
                if !last.range.is_empty() {
                    break;
                }
                rows.pop();
            }
            match rows.last_mut() {
                Some(last) if last.continues_with(&row) => last.range.end = row.range.end,
                _ => rows.push(row),
            }
        }
        let mut lines: BTreeMap<_, Vec<u32>> = BTreeMap::new();
        for (index, row) in rows.iter().enumerate() {
            if let Some(location) = row.location {
                lines.entry((location.file, location.line)).or_default().push(index as u32);
            }
        }
        LineTable { rows, lines }
    }

    /// The rows of a module, in ascending order.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Whether no line is known.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The row that covers a byte offset.
    pub fn at(&self, offset: u32) -> Option<&Row> {
        let index = self.rows.partition_point(|row| row.range.end <= offset);
        self.rows.get(index).filter(|row| row.range.start <= offset)
    }

    /// The location of a byte offset, or the closest one before it that begins at `start` or later.
    pub fn near(&self, offset: u32, start: u32) -> Option<Location> {
        let end = self.rows.partition_point(|row| row.range.start <= offset);
        let before = self.rows[..end].iter().rev();
        before.take_while(|row| row.range.start >= start).find_map(|row| row.location)
    }

    /// The rows of a line, in ascending order.
    pub fn of_line(&self, file: FileId, line: u32) -> impl Iterator<Item = &Row> {
        let indices = self.lines.get(&(file, line)).map(Vec::as_slice).unwrap_or_default();
        indices.iter().map(|index| &self.rows[*index as usize])
    }

    /// The lines with code of a file, from `first` on, in ascending order.
    pub fn lines_of(&self, file: FileId, first: u32) -> impl Iterator<Item = u32> {
        self.lines.range((file, first)..=(file, u32::MAX)).map(|((_, line), _)| *line)
    }

    /// The lines that some bytes of the code come from.
    pub fn lines_in(&self, range: Range<u32>) -> BTreeSet<(FileId, u32)> {
        let start = self.rows.partition_point(|row| row.range.end <= range.start);
        let rows = self.rows[start..].iter().take_while(|row| row.range.start < range.end);
        rows.filter_map(|row| row.location.map(|at| (at.file, at.line))).collect()
    }
}

impl Row {
    fn continues_with(&self, next: &Row) -> bool {
        self.range.end == next.range.start
            && self.location == next.location
            && (self.statement == next.statement || !next.statement)
    }
}
