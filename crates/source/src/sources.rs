//! The sources of a module: the map between its bytes and the lines that they were built from.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use mw_vm::Module;

use crate::binary::{Binary, Bodies};
use crate::branch;
use crate::dwarf::Sections;
use crate::file::{self, FindFileError, SourceFile};
use crate::frame::{self, Frame};
use crate::info::{Info, ScopeKind};
use crate::line_table::{Found, LineTable, Row};
use crate::location::{FileId, Location};
use crate::warnings::Warnings;
use crate::{DEBUG_FILE, Loader, disassembly, dwarf, names, source_map};

/// The section that names a module's source map.
const SOURCE_MAP: &str = "sourceMappingURL";
/// The section that names another module, which carries the debug information of this one.
const EXTERNAL: &str = "external_debug_info";

/// The sources of a module. See the [crate].
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
    table: LineTable,
    /// Where functions have made room for their variables and begin to do what is written.
    body_starts: BTreeSet<u32>,
    bodies: Bodies,
    warnings: Warnings,
    sections: Sections,
    /// What the addresses of DWARF count from.
    code_start: u32,
    /// Read when it is first asked for: lines are often enough.
    info: OnceLock<Arc<(Info, Warnings)>>,
}

impl Sources {
    /// Reads what is said about a binary's sources: what a person has given, else its DWARF, else that of the file it names, else
    /// its source map. `binary` is what `module` was made from. `load` is asked for files by the
    /// names that are written in the binary; relative ones are relative to the module.
    pub fn new(module: &Module, binary: &[u8], load: Loader<'_>) -> Sources {
        let mut warnings = Warnings::default();
        let binary = Binary::new(binary, &mut warnings);
        let mut sections = Sections::new(&binary);
        let found = read(&binary, &mut sections, load, &mut warnings);
        Sources::with(module, binary, found, sections, warnings)
    }

    /// Takes the text of the module itself for its source, under a name: for modules without debug
    /// information, or to look at what a compiler made.
    pub fn disassembled(module: &Module, binary: &[u8], path: &str) -> Sources {
        let mut warnings = Warnings::default();
        let found = disassembly::read(binary, path, &mut warnings);
        let binary = Binary::new(binary, &mut warnings);
        Sources::with(module, binary, found, Sections::default(), warnings)
    }

    fn with(
        module: &Module,
        binary: Binary<'_>,
        found: Found,
        sections: Sections,
        warnings: Warnings,
    ) -> Sources {
        let Found { files, rows, body_starts } = found;
        let instructions: Vec<u32> =
            (0..module.code().len() as u32).filter_map(|pc| module.offset_of(pc)).collect();
        let table = LineTable::new(rows, &binary.bodies, &instructions);
        let instruction = |start: &u32| {
            instructions.get(instructions.partition_point(|offset| offset < start)).copied()
        };
        let body_starts = body_starts.iter().filter_map(instruction).collect();
        let info = OnceLock::new();
        if sections.is_empty() {
            let names = names::read(module, &binary, &table, &files);
            let _ = info.set(Arc::new((names, Warnings::default())));
        }
        let Binary { bodies, code_start, .. } = binary;
        Sources { files, table, body_starts, bodies, warnings, sections, code_start, info }
    }

    /// What was wrong with the debug information, as far as it has been needed. Everything else
    /// was used.
    pub fn warnings(&self) -> impl Iterator<Item = &str> {
        let further = self.info.get().map(|read| read.1.as_slice()).unwrap_or_default();
        self.warnings.as_slice().iter().chain(further).map(String::as_str)
    }

    /// Whether no line is known.
    pub fn is_empty(&self) -> bool {
        self.table.is_empty()
    }

    /// The files that the module was built from.
    pub fn files(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter().zip(0..).map(|(file, index)| (FileId(index), file))
    }

    /// One of the files.
    pub fn file(&self, file: FileId) -> &SourceFile {
        &self.files[file.0 as usize]
    }

    /// The file that a person means by its path or the end of it, as `main.ts` or `src/main.ts`.
    pub fn find_file(&self, name: &str) -> Result<FileId, FindFileError> {
        file::find(&self.files, name)
    }

    /// The source of the instruction at a byte offset in the binary. None, if that is not known or
    /// a compiler added the instruction by itself.
    pub fn location(&self, offset: u32) -> Option<Location> {
        self.table.at(offset)?.location
    }

    /// The source of the instruction at a byte offset or else of the closest one before it in the
    /// same function.
    pub fn location_near(&self, offset: u32) -> Option<Location> {
        self.row_near(offset)?.location
    }

    /// Where the function around a byte offset begins to do what is written: before that, its
    /// parameters are not where debug information says. None, if that is with its first
    /// instruction.
    pub fn body_start(&self, offset: u32) -> Option<u32> {
        let (_, body) = self.bodies.at(offset)?;
        self.body_starts.range(body).next().copied()
    }

    /// The statement that the instruction at a byte offset belongs to: where its code begins, and
    /// its source. What a compiler added by itself belongs to what is before it.
    pub fn statement(&self, offset: u32) -> Option<(u32, Location)> {
        let (_, body) = self.bodies.at(offset)?;
        let row = self.table.statement(offset, body.start)?;
        Some((row.range.start, row.location?))
    }

    /// The calls around a byte offset in place of which there is code, outermost first: a number
    /// that tells them apart, and where the call is.
    pub fn inlined_calls(&self, offset: u32) -> Vec<(u32, Option<Location>)> {
        let info = self.info();
        let scopes = info.scopes_at(offset);
        let call = |scope: &u32| match info.scope(*scope).kind {
            ScopeKind::Inlined { call, .. } => Some((*scope, call)),
            _ => None,
        };
        scopes.iter().rev().filter_map(call).collect()
    }

    fn row_near(&self, offset: u32) -> Option<&Row> {
        let (_, body) = self.bodies.at(offset)?;
        self.table.near(offset, body.start)
    }

    /// The byte offsets that come from a line, as ranges in ascending order. Each begins with an
    /// instruction.
    pub fn ranges(&self, file: FileId, line: u32) -> Vec<Range<u32>> {
        let mut ranges: Vec<Range<u32>> = Vec::new();
        for row in self.table.of_line(file, line) {
            match ranges.last_mut() {
                Some(last) if last.end == row.range.start => last.end = row.range.end,
                _ => ranges.push(row.range.clone()),
            }
        }
        ranges
    }

    /// Where to stop for a line: in each function that has code of it, and wherever that was
    /// inlined, the instruction at which the first statement begins, by its byte offset.
    pub fn entries(&self, file: FileId, line: u32) -> Vec<u32> {
        let info = self.info();
        let function = |offset| match info.function_at(offset) {
            Some(function) => function,
            None => (self.bodies.at(offset).map_or(0, |(func, _)| func), usize::MAX),
        };
        self.table.entries(file, line, function)
    }

    /// The line itself if it has code, else the next one that has.
    pub fn line_with_code(&self, file: FileId, line: u32) -> Option<u32> {
        self.table.lines_of(file, line).next()
    }

    /// The lines of a file that have code, in ascending order.
    pub fn code_lines(&self, file: FileId) -> impl Iterator<Item = u32> {
        self.table.lines_of(file, 0)
    }

    /// The lines that a function's code comes from; more than its own if others were inlined.
    pub fn function_lines(&self, func: u32) -> BTreeSet<(FileId, u32)> {
        self.bodies.of(func).map(|body| self.table.lines_in(body)).unwrap_or_default()
    }

    /// All code with a known source, in ascending order: the line table.
    pub fn lines(&self) -> impl Iterator<Item = (Range<u32>, Location)> {
        self.table.rows().iter().filter_map(|row| Some((row.range.clone(), row.location?)))
    }

    /// What the program asks at a branch: the condition of the `if`, `while`, `for`, `switch`,
    /// `match` or `?:` or the `case` at a byte offset, else the line.
    pub fn branch_text(&self, offset: u32) -> Option<String> {
        let at = self.location_near(offset)?;
        let file = self.file(at.file);
        let line = file.line(at.line)?;
        let indent = line.len() - line.trim_start().len();
        // Where only the line is known, what it begins with is meant.
        let position = file.position(at.line, at.column)?.max(file.position(at.line, 1)? + indent);
        let header = branch::innermost(file.headers(), position);
        Some(header.map_or_else(|| line.trim().to_owned(), |header| header.text.clone()))
    }

    /// The functions under way at a byte offset, innermost first: those that were inlined, and the
    /// one that the machine has a frame for.
    pub fn frames(&self, offset: u32) -> Vec<Frame> {
        let info = self.info();
        // What is before may be of another function that was inlined.
        let row = self.row_near(offset).filter(|row| {
            let start = row.range.start;
            row.range.contains(&offset) || info.scopes_at(start) == info.scopes_at(offset)
        });
        frame::frames(info, offset, row.and_then(|row| row.location))
    }

    /// What is known beyond lines.
    pub(crate) fn info(&self) -> &Info {
        let read = || {
            let files = self.files().map(|(id, file)| (file.path(), id)).collect();
            Arc::new(dwarf::read_info(&self.sections.dwarf(), self.code_start, &files))
        };
        &self.info.get_or_init(read).0
    }

    /// The sections of DWARF.
    pub(crate) fn dwarf(&self) -> dwarf::Dwarf<'_> {
        self.sections.dwarf()
    }

    /// A location as people write it: `main.ts:12:5`.
    pub fn show(&self, location: Location) -> String {
        format!("{}:{}:{}", self.file(location.file).path(), location.line, location.column)
    }
}

fn read(
    binary: &Binary<'_>,
    sections: &mut Sections,
    load: Loader<'_>,
    warnings: &mut Warnings,
) -> Found {
    if let Some(bytes) = load(DEBUG_FILE) {
        let own = std::mem::replace(sections, Sections::new(&Binary::new(&bytes, warnings)));
        let found = dwarf::read_lines(&sections.dwarf(), binary, load, warnings);
        if !found.rows.is_empty() {
            return found;
        }
        *sections = own;
        warnings.add(format_args!("{DEBUG_FILE} says nothing about this program"));
    }
    let mut found = dwarf::read_lines(&sections.dwarf(), binary, load, warnings);
    if found.rows.is_empty()
        && let Some(url) = binary.url(EXTERNAL)
    {
        match load(url) {
            Some(bytes) => {
                *sections = Sections::new(&Binary::new(&bytes, warnings));
                found = dwarf::read_lines(&sections.dwarf(), binary, load, warnings);
            }
            None => warnings.add(format_args!("the debug information {url} was not found")),
        }
    }
    if found.rows.is_empty()
        && let Some(url) = binary.url(SOURCE_MAP)
        && let Some(read) = source_map::read(url, load, warnings)
    {
        found = read;
    }
    found
}
