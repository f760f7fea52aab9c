//! Which bytes of the code come from which line, whatever format said so.
//!
//! Invariant: rows are in ascending order, do not overlap, each lies within one function and begins
//! with an instruction. A byte that no row covers has no known source.

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
    /// Where functions have made room for their variables and begin to do what is written.
    pub body_starts: Vec<u32>,
}

/// The rows of a module, and the way back from lines.
#[derive(Clone, Debug, Default)]
pub(crate) struct LineTable {
    rows: Vec<Row>,
    /// For each line with code its rows, in ascending order.
    lines: BTreeMap<(FileId, u32), Vec<u32>>,
}

impl LineTable {
    /// Makes a table of rows in any order and of any quality. `instructions` are the byte offsets
    /// of those that do something at run time: code without any cannot be stopped in.
    pub fn new(mut found: Vec<Row>, bodies: &Bodies, instructions: &[u32]) -> Self {
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
        rows.retain_mut(|row| {
            let first = instructions.partition_point(|offset| *offset < row.range.start);
            row.range.start = instructions.get(first).copied().unwrap_or(u32::MAX);
            !row.range.is_empty()
        });
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

    /// The row of a byte offset, or the closest one before it that has a location and begins at
    /// `start` or later.
    pub fn near(&self, offset: u32, start: u32) -> Option<&Row> {
        let end = self.rows.partition_point(|row| row.range.start <= offset);
        let before = self.rows[..end].iter().rev();
        before.take_while(|row| row.range.start >= start).find(|row| row.location.is_some())
    }

    /// The closest row before a byte offset at which a statement begins, from `start` on.
    pub fn statement(&self, offset: u32, start: u32) -> Option<&Row> {
        let end = self.rows.partition_point(|row| row.range.start <= offset);
        let before = self.rows[..end].iter().rev();
        before
            .take_while(|row| row.range.start >= start)
            .find(|row| row.location.is_some() && row.statement)
    }

    /// The rows of a line, in ascending order.
    pub fn of_line(&self, file: FileId, line: u32) -> impl Iterator<Item = &Row> {
        let indices = self.lines.get(&(file, line)).map(Vec::as_slice).unwrap_or_default();
        indices.iter().map(|index| &self.rows[*index as usize])
    }

    /// For each function with code of a line, where its first statement begins. `function` says
    /// which one an offset belongs to.
    pub fn entries<F: Ord>(
        &self,
        file: FileId,
        line: u32,
        function: impl Fn(u32) -> F,
    ) -> Vec<u32> {
        let mut entries: BTreeMap<F, &Row> = BTreeMap::new();
        for row in self.of_line(file, line) {
            let first = entries.entry(function(row.range.start)).or_insert(row);
            if row.statement && !first.statement {
                *first = row;
            }
        }
        let mut entries: Vec<u32> = entries.into_values().map(|row| row.range.start).collect();
        entries.sort_unstable();
        entries
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

#[cfg(test)]
mod tests {
    use super::*;

    fn row(range: Range<u32>, line: u32, statement: bool) -> Row {
        let location = Some(Location { file: FileId(0), line, column: 1 });
        Row { range, location: location.filter(|at| at.line > 0), statement }
    }

    fn bodies() -> Bodies {
        Bodies::new(0, vec![10..20, 30..40])
    }

    fn table(rows: &[Row]) -> LineTable {
        let instructions: Vec<u32> = (0..50).collect();
        LineTable::new(rows.to_vec(), &bodies(), &instructions)
    }

    #[test]
    fn rows_are_ordered_and_stay_within_functions() {
        let rows = [row(30..99, 4, true), row(12..30, 1, true), row(0..12, 2, true)];
        assert_eq!(table(&rows).rows(), [row(12..20, 1, true), row(30..40, 4, true)]);
    }

    #[test]
    fn rows_begin_with_instructions() {
        let rows = [row(10..13, 1, true), row(13..15, 2, true), row(15..20, 3, true)];
        let table = LineTable::new(rows.to_vec(), &bodies(), &[12, 15, 18]);
        assert_eq!(table.rows(), [row(12..13, 1, true), row(15..20, 3, true)]);
        assert_eq!(table.lines_of(FileId(0), 0).collect::<Vec<_>>(), [1, 3]);
    }

    #[test]
    fn what_is_said_last_of_a_byte_counts() {
        let rows = [row(10..18, 1, true), row(12..12, 2, true), row(12..14, 3, true)];
        let more = [row(15..20, 4, true), row(15..17, 5, true)];
        let expected = [row(10..12, 1, true), row(12..14, 3, true), row(15..17, 5, true)];
        assert_eq!(table(&[&rows[..], &more].concat()).rows(), expected);
    }

    #[test]
    fn equal_neighbours_are_one_row_unless_a_statement_begins() {
        let rows = [row(10..12, 1, true), row(12..14, 1, false), row(14..16, 1, false)];
        assert_eq!(table(&rows).rows(), [row(10..16, 1, true)]);
        let rows = [row(10..12, 1, false), row(12..14, 1, true)];
        assert_eq!(table(&rows).rows(), rows);
    }

    #[test]
    fn a_function_is_entered_at_the_first_statement_of_a_line() {
        let rows = [
            row(10..12, 1, false),
            row(12..14, 2, true),
            row(14..16, 1, true),
            row(16..18, 2, true),
            row(18..20, 1, true),
            row(30..31, 1, false),
        ];
        let function = |offset: u32| offset / 30;
        assert_eq!(table(&rows).entries(FileId(0), 1, function), [14, 30]);
        assert_eq!(table(&rows).entries(FileId(0), 2, function), [12]);
    }

    #[test]
    fn the_closest_location_before_is_of_the_same_function() {
        let table = table(&[row(10..12, 1, true), row(30..32, 0, true), row(34..36, 2, true)]);
        let near = |offset, start| Some(table.near(offset, start)?.location?.line);
        assert_eq!(near(10, 10), Some(1));
        assert_eq!(near(19, 10), Some(1));
        assert_eq!(near(31, 30), None);
        assert_eq!(near(39, 30), Some(2));
    }
}
