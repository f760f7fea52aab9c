//! Files: those of the debugger, and those that the editor opens.

use std::path::{Path, PathBuf};

use mw_api::request::{SourceFiles, SourceText};
use mw_api::{FileText, SourceFileView, without_detours};
use serde_json::json;

use crate::adapter::{Adapter, Answer};
use crate::protocol::{Client, Refusal, Request, Source};

impl Adapter {
    /// A line as the debugger counts them.
    pub(crate) fn line_from(&self, line: i64) -> u32 {
        u32::try_from(line.saturating_add(1 - self.first_line)).unwrap_or(1)
    }

    /// A line as the client counts them.
    pub(crate) fn line_to(&self, line: u32) -> i64 {
        i64::from(line) - 1 + self.first_line
    }

    pub(crate) fn files(
        &mut self,
        client: &mut dyn Client,
    ) -> Result<Vec<SourceFileView>, Refusal> {
        self.ask(SourceFiles {}, client)
    }

    /// The file that an editor means, with its number.
    pub(crate) fn find_source(
        &mut self,
        source: &Source,
        client: &mut dyn Client,
    ) -> Result<(usize, SourceFileView), Refusal> {
        let files = self.files(client)?;
        let number = source.source_reference.filter(|number| *number > 0);
        let by_number = number.map(|number| number as usize - 1);
        let path = source.path.as_deref().or(source.name.as_deref()).unwrap_or_default();
        let wanted = without_detours(Path::new(path));
        let fits = |known: &str| {
            let known: PathBuf =
                without_detours(Path::new(known)).iter().filter(|part| *part != "..").collect();
            !path.is_empty() && (wanted.ends_with(&known) || known.ends_with(&wanted))
        };
        let by_path = || {
            let is_it = |file: &SourceFileView| self.full_path(&file.path) == wanted;
            let exact = files.iter().position(is_it);
            exact.or_else(|| files.iter().position(|file| fits(&file.path)))
        };
        let index = by_number.or_else(by_path).filter(|index| *index < files.len());
        let index = index.ok_or_else(|| {
            let known: Vec<&str> = files.iter().map(|file| file.path.as_str()).take(10).collect();
            Refusal(format!("the program was not built from {path}, but from {}", known.join(", ")))
        })?;
        Ok((index, files[index].clone()))
    }

    fn full_path(&self, path: &str) -> PathBuf {
        without_detours(&self.folder.join(path))
    }

    /// A file for the editor: its path if it is there, else a number to ask for its text with.
    pub(crate) fn source_of(&self, files: &[SourceFileView], path: &str) -> Source {
        let name = Path::new(path).file_name().map(|name| name.to_string_lossy().into_owned());
        let full = self.full_path(path);
        let index = files.iter().position(|file| file.path == path);
        match full.is_file() {
            true => Source {
                name,
                path: Some(full.to_string_lossy().into_owned()),
                source_reference: None,
            },
            false => Source {
                name,
                path: Some(path.to_owned()),
                source_reference: index.map(|index| index as i64 + 1),
            },
        }
    }

    pub(crate) fn source(
        &mut self,
        request: &Request,
        client: &mut dyn Client,
    ) -> Result<Answer, Refusal> {
        let given = &request.arguments;
        let mut source: Source =
            serde_json::from_value(given["source"].clone()).unwrap_or_default();
        source.source_reference = source.source_reference.or(given["sourceReference"].as_i64());
        let (_, file) = self.find_source(&source, client)?;
        let FileText(text) = self.ask(SourceText { path: file.path }, client)?;
        Ok(json!({ "content": text }).into())
    }

    pub(crate) fn loaded_sources(&mut self, client: &mut dyn Client) -> Result<Answer, Refusal> {
        let files = self.files(client)?;
        let sources: Vec<Source> =
            files.iter().map(|file| self.source_of(&files, &file.path)).collect();
        Ok(json!({ "sources": sources }).into())
    }

    pub(crate) fn breakpoint_locations(
        &mut self,
        request: &Request,
        client: &mut dyn Client,
    ) -> Result<Answer, Refusal> {
        let given = &request.arguments;
        let source: Source = serde_json::from_value(given["source"].clone()).unwrap_or_default();
        let (_, file) = self.find_source(&source, client)?;
        let first = self.line_from(given["line"].as_i64().unwrap_or(1));
        let last = given["endLine"].as_i64().map_or(first, |line| self.line_from(line));
        let lines = file.lines.iter().filter(|line| (first..=last).contains(line));
        let lines: Vec<_> = lines.map(|line| json!({ "line": self.line_to(*line) })).collect();
        Ok(json!({ "breakpoints": lines }).into())
    }
}
