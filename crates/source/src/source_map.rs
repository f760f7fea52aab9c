//! Source maps, version 3, as compilers to WebAssembly write them: there is one line of "generated
//! code", and its columns are byte offsets in the binary.
//!
//! A mapping holds from its offset on until the next one; one without a source says that a compiler
//! added what follows.

mod encoding;

use serde::Deserialize;

use crate::file::{ColumnUnit, SourceFile};
use crate::line_table::{Found, Row};
use crate::location::{FileId, Location};
use crate::warnings::Warnings;
use crate::{Loader, path};

/// What a source map contains, as far as it is used. Reading skips the rest.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Document {
    #[serde(default)]
    source_root: Option<String>,
    sources: Vec<Option<String>>,
    #[serde(default)]
    sources_content: Option<Vec<Option<String>>>,
    mappings: String,
}

/// The files and rows of the source map at `url`, which can be the map itself.
pub(crate) fn read(url: &str, load: Loader<'_>, warnings: &mut Warnings) -> Option<Found> {
    let (bytes, folder) = match encoding::data_url(url) {
        Some(Ok(bytes)) => (bytes, ""),
        Some(Err(problem)) => {
            warnings.add(format_args!("the source map in the module cannot be read: {problem}"));
            return None;
        }
        None => match load(url) {
            Some(bytes) => (bytes, path::folder(url)),
            None => {
                warnings.add(format_args!("the source map {url} was not found"));
                return None;
            }
        },
    };
    let document: Document = match serde_json::from_slice(&bytes) {
        Ok(document) => document,
        Err(error) => {
            warnings.add(format_args!("the source map cannot be read: {error}"));
            return None;
        }
    };
    let rows = rows(&document, warnings);
    Some(Found { files: files(document, folder, load), rows, ..Found::default() })
}

fn files(document: Document, folder: &str, load: Loader<'_>) -> Vec<SourceFile> {
    let root = document.source_root.unwrap_or_default();
    let mut contents = document.sources_content.unwrap_or_default().into_iter();
    let mut files = Vec::with_capacity(document.sources.len());
    for source in document.sources {
        let content = contents.next().flatten();
        let Some(source) = source else {
            files.push(SourceFile::new("(unnamed)".to_owned(), content, ColumnUnit::Utf16));
            continue;
        };
        // AssemblyScript writes a root at which no files are.
        let with_root = path::join(folder, &path::join(&root, &source));
        let mut tried = vec![with_root.clone()];
        if !root.is_empty() {
            tried.push(path::join(folder, &source));
        }
        let ask = content.is_none() || tried.len() > 1;
        let found = tried.into_iter().filter(|_| ask).find_map(|path| Some((load(&path)?, path)));
        let (path, text) = match found {
            Some((bytes, path)) => (path, Some(String::from_utf8_lossy(&bytes).into_owned())),
            None => (with_root, None),
        };
        // What was compiled counts, not what has become of it.
        files.push(SourceFile::new(path, content.or(text), ColumnUnit::Utf16));
    }
    files
}

fn rows(document: &Document, warnings: &mut Warnings) -> Vec<Row> {
    let (mappings, further) = match document.mappings.split_once(';') {
        Some((first, further)) => (first, further),
        None => (&*document.mappings, ""),
    };
    if !further.is_empty() {
        warnings.add("the source map has more than the one line that is for the binary");
    }
    let mut rows: Vec<Row> = Vec::new();
    // Fields are differences from those before: offset, source, line, column.
    let mut fields = [0; 4];
    for segment in mappings.split(',').filter(|segment| !segment.is_empty()) {
        let Some((offset, location)) = mapping(segment, &mut fields, document.sources.len()) else {
            warnings.add(format_args!(
                "the source map is damaged after {} mappings: {segment:?}",
                rows.len()
            ));
            break;
        };
        // The table ends each row where the next one begins.
        rows.push(Row { range: offset..u32::MAX, location, statement: true });
    }
    rows
}

/// Decodes one mapping on top of those before.
fn mapping(
    segment: &str,
    fields: &mut [i64; 4],
    sources: usize,
) -> Option<(u32, Option<Location>)> {
    let (differences, count) = encoding::numbers(segment)?;
    for (field, difference) in fields.iter_mut().zip(&differences[..count.min(4)]) {
        *field = field.saturating_add(*difference);
    }
    let offset = u32::try_from(fields[0]).ok()?;
    let location = match count {
        1 => None,
        4 | 5 => {
            let file = u32::try_from(fields[1]).ok().filter(|file| (*file as usize) < sources)?;
            // Counted from 0 here.
            let one_based = |number: i64| u32::try_from(number).ok()?.checked_add(1);
            let (line, column) = (one_based(fields[2])?, one_based(fields[3])?);
            Some(Location { file: FileId(file), line, column })
        }
        _ => return None,
    };
    Some((offset, location))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAP: &str =
        r#"{"version":3,"sources":["a.ts"],"mappings":"iEAAA,CACC,C","sourcesContent":["x"]}"#;

    fn read_with(url: &str, load: Loader<'_>) -> (Option<Found>, Vec<String>) {
        let mut warnings = Warnings::default();
        let read = read(url, load, &mut warnings);
        (read, warnings.as_slice().to_vec())
    }

    fn shown(rows: &[Row]) -> Vec<(u32, Option<(u32, u32)>)> {
        rows.iter()
            .map(|row| (row.range.start, row.location.map(|at| (at.line, at.column))))
            .collect()
    }

    #[test]
    fn mappings_are_differences_and_end_where_nothing_is_known() {
        let (read, warnings) = read_with("a.map", &|_| Some(MAP.into()));
        let Found { files, rows, .. } = read.unwrap();
        assert_eq!(shown(&rows), [(65, Some((1, 1))), (66, Some((2, 2))), (67, None)]);
        assert_eq!(files[0].text(), Some("x"));
        assert!(warnings.is_empty());
    }

    #[test]
    fn a_map_can_be_in_the_url_itself() {
        let base64 =
            "data:application/json;base64,eyJzb3VyY2VzIjpbImEudHMiXSwibWFwcGluZ3MiOiJFQUFBIn0=";
        let percent =
            "data:application/json,%7B%22sources%22:[%22a.ts%22],%22mappings%22:%22EAAA%22}";
        for url in [base64, percent] {
            let (read, warnings) = read_with(url, &|_| None);
            assert_eq!(shown(&read.unwrap().rows), [(2, Some((1, 1)))], "{warnings:?}");
        }
    }

    #[test]
    fn sources_are_looked_for_beside_the_map_with_and_without_the_root() {
        let map = r#"{"sourceRoot":"./bogus","sources":["../b.ts","~lib/c.ts"],"mappings":""}"#;
        let load = |name: &str| match name {
            "out/a.map" => Some(map.into()),
            "b.ts" => Some(b"text".to_vec()),
            _ => None,
        };
        let files = read_with("out/a.map", &load).0.unwrap().files;
        assert_eq!((files[0].path(), files[0].text()), ("b.ts", Some("text")));
        assert_eq!((files[1].path(), files[1].text()), ("~lib/c.ts", None));
    }

    #[test]
    fn what_is_wrong_with_a_map_is_said_and_the_rest_is_used() {
        for (map, rows, warning) in [
            ("{", None, "the source map cannot be read: EOF while parsing an object"),
            (r#"{"sources":["a"],"mappings":"EAAA,!"}"#, Some(1), "damaged after 1 mappings"),
            (r#"{"sources":["a"],"mappings":"EAAA,DAAA"}"#, Some(2), ""),
            (r#"{"sources":["a"],"mappings":"EAAA,FAAA"}"#, Some(2), ""),
            (r#"{"sources":["a"],"mappings":"EAAA,HAAA"}"#, Some(1), "damaged"),
            (r#"{"sources":["a"],"mappings":"ECAA"}"#, Some(0), "damaged"),
            (r#"{"sources":["a"],"mappings":"EADA"}"#, Some(0), "damaged"),
            (r#"{"sources":["a"],"mappings":"EA"}"#, Some(0), "damaged"),
            (r#"{"sources":["a"],"mappings":"E;EAAA"}"#, Some(1), "more than the one line"),
            (r#"{"sources":["a"],"mappings":"///////////////A"}"#, Some(0), "damaged"),
        ] {
            let (read, warnings) = read_with("a.map", &|_| Some(map.into()));
            assert_eq!(read.map(|found| found.rows.len()), rows, "{map}");
            assert!(warnings.concat().contains(warning), "{map}: {warnings:?}");
            assert_eq!(warnings.is_empty(), warning.is_empty(), "{map}: {warnings:?}");
        }
        assert_eq!(read_with("a.map", &|_| None).1, ["the source map a.map was not found"]);
        let damaged = read_with("data:application/json;base64,e?", &|_| None).1;
        assert_eq!(damaged, ["the source map in the module cannot be read: it is no base64"]);
    }
}
