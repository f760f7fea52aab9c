//! The line tables of DWARF.

use std::collections::{HashMap, HashSet};

use gimli::{AttributeValue, ColumnType, FileEntry, LineProgramHeader, LineRow, Section, Unit};

use super::{Bytes, Dwarf};
use crate::binary::Binary;
use crate::file::{ColumnUnit, SourceFile};
use crate::line_table::{Found, Row};
use crate::location::{FileId, Location};
use crate::warnings::Warnings;
use crate::{Loader, path};

/// How many files there can be.
const MOST_FILES: usize = 10_000;
/// How long their paths and embedded texts may be, all together.
const MOST_TEXT: usize = 64 << 20;

/// The files and rows of a module's line tables.
pub(crate) fn read(
    dwarf: &Dwarf<'_>,
    binary: &Binary<'_>,
    load: Loader<'_>,
    warnings: &mut Warnings,
) -> Found {
    let mut reading = Reading {
        dwarf,
        binary,
        load,
        files: Vec::new(),
        by_path: HashMap::new(),
        rows: Vec::new(),
        body_starts: Vec::new(),
        // A row takes a byte at least; a table that is read twice can only be a lie.
        budget: dwarf.debug_line.reader().slice().len(),
        text_budget: MOST_TEXT,
    };
    let mut tables = HashSet::new();
    let mut units = dwarf.units();
    loop {
        let unit = match units.next() {
            Ok(Some(header)) => dwarf.unit(header),
            Ok(None) => break,
            Err(error) => {
                warnings.add(format_args!("the debug information ends early: {error}"));
                break;
            }
        };
        let read = unit.and_then(|unit| match &unit.line_program {
            // Units can share a table.
            Some(program) if !tables.insert(program.header().offset().0) => Ok(()),
            Some(_) => reading.unit(&unit),
            None => Ok(()),
        });
        if let Err(error) = read {
            warnings.add(format_args!("a line table is damaged: {error}"));
        }
    }
    if reading.budget == 0 && !reading.rows.is_empty() {
        warnings.add("the line tables claim more lines than they have room for");
    }
    let Reading { files, rows, body_starts, .. } = reading;
    Found { files, rows, body_starts }
}

struct Reading<'a> {
    dwarf: &'a Dwarf<'a>,
    binary: &'a Binary<'a>,
    load: Loader<'a>,
    files: Vec<SourceFile>,
    by_path: HashMap<String, FileId>,
    rows: Vec<Row>,
    body_starts: Vec<u32>,
    /// How many rows there may still be.
    budget: usize,
    /// How many bytes of text there may still be.
    text_budget: usize,
}

/// The row whose end is not known yet.
struct Open {
    start: u32,
    location: Option<Location>,
    statement: bool,
}

impl Reading<'_> {
    /// Reads a unit's table; what was read before an error is kept.
    fn unit<'a>(&mut self, unit: &Unit<Bytes<'a>>) -> gimli::Result<()> {
        let Some(program) = unit.line_program.clone() else { return Ok(()) };
        let mut known = HashMap::new();
        // Those without rows too: inlined functions are called in them.
        for entry in program.header().file_names() {
            self.file(unit, program.header(), entry);
        }
        let mut rows = program.rows();
        let mut open: Option<Open> = None;
        // Code that the linker left out is at an address where there is none.
        let mut alive = None;
        while let Some((header, row)) = rows.next_row()? {
            if self.budget == 0 {
                break;
            }
            self.budget -= 1;
            let Some(start) = self.offset(row) else {
                open = None;
                continue;
            };
            let here = *alive.get_or_insert_with(|| self.binary.bodies.at(start).is_some());
            if let Some(Open { start: first, location, statement }) = open.take()
                && first < start
            {
                self.rows.push(Row { range: first..start, location, statement });
            }
            if row.end_sequence() {
                alive = None;
            } else if here {
                if row.prologue_end() {
                    self.body_starts.push(start);
                }
                let location = self.location(unit, header, row, &mut known);
                open = Some(Open { start, location, statement: row.is_stmt() });
            }
        }
        Ok(())
    }

    /// Where a row begins in the binary.
    fn offset(&self, row: &LineRow) -> Option<u32> {
        u32::try_from(row.address()).ok()?.checked_add(self.binary.code_start)
    }

    fn location(
        &mut self,
        unit: &Unit<Bytes<'_>>,
        header: &LineProgramHeader<Bytes<'_>>,
        row: &LineRow,
        known: &mut HashMap<u64, Option<FileId>>,
    ) -> Option<Location> {
        let line = u32::try_from(row.line()?.get()).ok()?;
        let index = row.file_index();
        let file = match known.get(&index) {
            Some(file) => *file,
            None => {
                let file = header.file(index).and_then(|entry| self.file(unit, header, entry));
                known.insert(index, file);
                file
            }
        }?;
        let column = match row.column() {
            ColumnType::LeftEdge => 1,
            ColumnType::Column(column) => u32::try_from(column.get()).unwrap_or(1),
        };
        Some(Location { file, line, column })
    }

    fn file(
        &mut self,
        unit: &Unit<Bytes<'_>>,
        header: &LineProgramHeader<Bytes<'_>>,
        entry: &FileEntry<Bytes<'_>>,
    ) -> Option<FileId> {
        let Paths { written, full } = paths(self.dwarf, unit, header, entry)?;
        self.text_budget = self.text_budget.checked_sub(full.len())?;
        if let Some(file) = self.by_path.get(&full) {
            return Some(*file);
        }
        if self.files.len() == MOST_FILES {
            return None;
        }
        let embedded = entry.source().and_then(|text| string(self.dwarf, unit, text));
        let embedded = embedded.filter(|text| !text.is_empty());
        let length = embedded.as_ref().map_or(0, String::len);
        self.text_budget = self.text_budget.checked_sub(length)?;
        let text = embedded.or_else(|| {
            // The folder in which the module was built need not be here.
            let bytes = (self.load)(&full).or_else(|| (self.load)(&written))?;
            Some(String::from_utf8_lossy(&bytes).into_owned())
        });
        let file = FileId(u32::try_from(self.files.len()).ok()?);
        self.files.push(SourceFile::new(full.clone(), text, ColumnUnit::Byte));
        self.by_path.insert(full, file);
        Some(file)
    }
}

/// What a file is called.
pub(super) struct Paths {
    /// In the folder in which the compiler ran.
    pub written: String,
    /// With that folder.
    pub full: String,
}

/// What an entry of the list of files is called.
pub(super) fn paths(
    dwarf: &Dwarf<'_>,
    unit: &Unit<Bytes<'_>>,
    header: &LineProgramHeader<Bytes<'_>>,
    entry: &FileEntry<Bytes<'_>>,
) -> Option<Paths> {
    let name = string(dwarf, unit, entry.path_name())?;
    let folder = entry.directory(header).and_then(|folder| string(dwarf, unit, folder));
    let written = path::join(&folder.unwrap_or_default(), &name);
    let built_in = unit.comp_dir.as_ref().map(|folder| folder.to_string_lossy());
    let full = path::join(&built_in.unwrap_or_default(), &written);
    Some(Paths { written, full })
}

fn string(
    dwarf: &Dwarf<'_>,
    unit: &Unit<Bytes<'_>>,
    value: AttributeValue<Bytes<'_>>,
) -> Option<String> {
    Some(dwarf.attr_string(unit, value).ok()?.to_string_lossy().into_owned())
}
