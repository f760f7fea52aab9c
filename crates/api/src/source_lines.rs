//! The files that the program was built from, and their lines.

use mw_source::{FileId, Location, Sources};
use serde::{Deserialize, Serialize};

use crate::ask::{Answered, Ask};
use crate::debugger::Debugger;
use crate::error::ApiError;
use crate::event::Listener;
use crate::looked::Looked;
use crate::source_views::{ExcerptLine, SourceExcerpt, SourceFileView, SourceLine};

/// How many lines are shown unless somebody says otherwise.
const USUAL: u32 = 10;
/// More are not shown at once.
const MOST: u32 = 10_000;

/// The files that the program was built from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceFiles {}

impl Ask for SourceFiles {
    type Reply = Vec<SourceFileView>;
    const ONLY_LOOKS: bool = true;

    fn serve(self, debugger: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        let sources = debugger.code();
        let view = |(id, file): (_, &mw_source::SourceFile)| SourceFileView {
            path: file.path().to_owned(),
            has_text: file.text().is_some(),
            lines: sources.code_lines(id).collect(),
        };
        Ok(sources.files().map(view).collect())
    }
}

/// The text of a file that the program was built from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceText {
    /// Its path, or the end of it.
    pub path: String,
}

impl Ask for SourceText {
    type Reply = FileText;
    const ONLY_LOOKS: bool = true;

    fn serve(self, debugger: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        let (sources, path) = (debugger.code(), &self.path);
        let file = sources.find_file(path).map_err(|error| ApiError::unknown(error.to_string()))?;
        let text = sources.file(file).text();
        let text =
            text.ok_or_else(|| ApiError::unknown(format!("the text of {path} is not known")));
        Ok(FileText(text?.to_owned()))
    }
}

/// What is written in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileText(pub String);

/// A part of the source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceLines {
    /// `FILE:LINE`, `LINE`, `FILE:FIRST,LAST`, `FIRST,LAST` or a function; without, where the program
    /// is.
    #[serde(default)]
    pub around: Option<String>,
    /// How many lines; 10 without.
    #[serde(default)]
    pub count: Option<u32>,
    /// The frame that the program is looked at in, as an index of `source-frames`.
    #[serde(default)]
    pub frame: usize,
    /// Of this actor, by its name or address; of the one that runs without.
    #[serde(default)]
    pub actor: Option<String>,
}

impl Ask for SourceLines {
    type Reply = SourceExcerpt;
    const ONLY_LOOKS: bool = true;

    fn serve(self, debugger: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        let looked = debugger.look_at(self.actor.as_deref())?;
        let sources = looked.code();
        let here = looked.line_here(&sources, self.frame);
        let around = self.around.as_deref().map(str::trim);
        let range = around.and_then(|text| {
            let (first, last) = text.rsplit_once(',')?;
            Some((first.trim(), last.trim().parse::<u32>().ok()?))
        });
        let (around, last) = match range {
            Some((first, last)) => (Some(first), Some(last)),
            None => (around, None),
        };
        let (file, line) = match around {
            None => here.ok_or_else(|| {
                ApiError::not_here("no line of the source is known here; name a file and a line")
            })?,
            Some(text) => looked.find_source_line(&sources, text, self.frame)?,
        };
        let path = sources.file(file).path();
        let text = sources.file(file).text().ok_or_else(|| {
            ApiError::unknown(format!(
                "the text of {path} is not known; put it beside the program, or start mw with \
                 --source-dir and its folder"
            ))
        })?;
        let all = text.lines().count() as u32;
        if line > all {
            let all = format!("{path} has {all} lines");
            return Err(ApiError::unknown(format!("there is no line {line}: {all}")));
        }
        let (first, count) = match last {
            Some(last) => (line.max(1), last.saturating_sub(line).saturating_add(1).min(MOST)),
            None => {
                let count = self.count.unwrap_or(USUAL).clamp(1, MOST);
                let start = line.saturating_sub(count / 2);
                (start.min(all.saturating_sub(count - 1)).max(1), count)
            }
        };
        let breakpoints = debugger.breakpoint_lines(&sources);
        let line = |(number, text): (u32, &str)| ExcerptLine {
            number,
            text: text.to_owned(),
            offsets: sources.entries(file, number),
            current: here == Some((file, number)),
            breakpoints: breakpoints
                .iter()
                .filter(|(_, at)| *at == (file, number))
                .map(|(id, _)| *id)
                .collect(),
        };
        let lines = (1..).zip(text.lines()).skip(first as usize - 1).take(count as usize);
        Ok(SourceExcerpt { file: path.to_owned(), lines: lines.map(line).collect() })
    }
}

impl Debugger {
    /// The line of an instruction, if debug information knows it.
    pub(crate) fn source_line(&self, offset: u32) -> Option<SourceLine> {
        let sources = self.sources()?;
        let Location { file, line, column } = sources.frames(offset).first()?.location?;
        let file = sources.file(file);
        let text = file.line(line).map(|text| text.trim().to_owned());
        Some(SourceLine { file: file.path().to_owned(), line, column, text })
    }

    /// The breakpoints in the code, with the lines that they are at.
    fn breakpoint_lines(&self, sources: &Sources) -> Vec<(u32, (FileId, u32))> {
        let offset = |view: crate::BreakpointView| Some((view.id, view.offset?, view.enabled));
        let known = self.breakpoints().into_iter().filter_map(offset);
        let line = |(id, offset, _): (u32, u32, bool)| {
            let at = sources.frames(offset).first()?.location?;
            Some((id, (at.file, at.line)))
        };
        known.filter(|(_, _, enabled)| *enabled).filter_map(line).collect()
    }
}

impl Looked<'_> {
    /// The line that a frame of the source is at.
    fn line_here(self, sources: &Sources, frame: usize) -> Option<(FileId, u32)> {
        let at = self.source_frame(sources, frame).ok()?.1.location?;
        Some((at.file, at.line))
    }

    /// The file of a name; without one, the file that the program is in.
    pub(crate) fn find_source_file(
        self,
        sources: &Sources,
        name: &str,
    ) -> Result<FileId, ApiError> {
        if name.is_empty() {
            return self.file_from(sources, 0).ok_or_else(|| {
                ApiError::not_here("no line of the source is known here; name the file: FILE:LINE")
            });
        }
        let listed = |error| ApiError::unknown(format!("{error}; `info sources` lists them"));
        sources.find_file(name).map_err(listed)
    }

    /// The file of a frame, or of the next one out that has one; else the one with `main`, else the
    /// first of a person's own.
    fn file_from(self, sources: &Sources, frame: usize) -> Option<FileId> {
        let module = self.module();
        let frames = self.all_frames(sources).into_iter().skip(frame);
        let here = frames.filter_map(|(_, frame)| frame.location).next();
        let main = || {
            let start = module.func_code(self.program().find_function("main").ok()?).start;
            sources.frames(module.offset_of(start)?).pop()?.location
        };
        let own =
            || sources.lines().map(|(_, at)| at).find(|at| !sources.file(at.file).is_library());
        here.or_else(main).or_else(own).map(|at| at.file)
    }

    /// `FILE:LINE`, `LINE` of the file of a frame, or where a function begins.
    fn find_source_line(
        self,
        sources: &Sources,
        text: &str,
        frame: usize,
    ) -> Result<(FileId, u32), ApiError> {
        if let Ok(line) = text.parse::<u32>()
            && let Some(file) = self.file_from(sources, frame)
        {
            return Ok((file, line));
        }
        if let Some((file, line)) = text.rsplit_once(':')
            && let Ok(line) = line.trim().parse::<u32>()
        {
            return Ok((self.find_source_file(sources, file.trim())?, line));
        }
        let module = self.module();
        let start = module.func_code(self.program().find_function(text)?).start;
        let at = module.offset_of(start).and_then(|offset| sources.frames(offset).pop()?.location);
        let at = at.ok_or_else(|| {
            ApiError::unknown(format!("no line of the source is known for {text}"))
        })?;
        Ok((at.file, at.line))
    }
}
