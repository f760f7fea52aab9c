//! What the source of an AssemblyScript program says about its variables.
//!
//! The compiler writes names but no types, and a string is a number like any other. The types that
//! people write down are found in the text: `name: Type`, `name = new Type`, `name = "text"`.

use std::collections::{BTreeSet, HashMap};

use crate::file::SourceFile;
use crate::info::types::Layout;
use crate::location::FileId;
use crate::tokens::Tokens;

/// Longer ones are no types of this kind.
const LONGEST_TYPE: usize = 8;

/// The types that are declared in a function, by the name of the variable.
pub(crate) fn declared(
    function: &str,
    lines: &BTreeSet<(FileId, u32)>,
    files: &[SourceFile],
) -> HashMap<String, String> {
    let mut found = HashMap::new();
    let Some((file, first)) = lines.first().copied() else { return found };
    let last = lines.iter().rev().find(|(other, _)| *other == file).map_or(first, |at| at.1);
    let Some(file) = files.get(file.0 as usize).filter(|file| is_script(file)) else {
        return found;
    };
    let Some(text) = file.text() else { return found };
    let (Some(start), Some(end)) = (file.position(first, 1), file.position(last, u32::MAX)) else {
        return found;
    };
    // The parameters are before the first line with code.
    let name = function.rsplit(['/', '#', '.', '~']).next().unwrap_or_default();
    let start = text[..start].rfind(&format!("{name}(")).unwrap_or(start);
    let tokens = Tokens::new(&text[start..end], false);
    for index in 0..tokens.len() {
        if let Some(ty) = type_after(&tokens, index) {
            found.entry(tokens.text(index).to_owned()).or_insert(ty);
        }
    }
    found
}

/// The type that is declared for a name in any script.
pub(crate) fn declared_anywhere(name: &str, files: &[SourceFile]) -> Option<String> {
    let scripts = files.iter().filter(|file| is_script(file));
    scripts.filter_map(SourceFile::text).find_map(|text| {
        // Only what contains the name is worth a closer look.
        let at = text.find(&format!("{name}:"))?;
        let end = text[at..].find('\n').map_or(text.len(), |end| at + end);
        type_after(&Tokens::new(&text[at..end], false), 0)
    })
}

fn is_script(file: &SourceFile) -> bool {
    file.path().ends_with(".ts")
}

/// The type after the name at `index` and its colon.
fn type_after(tokens: &Tokens<'_>, index: usize) -> Option<String> {
    tokens
        .get(index)?
        .starts_with(|first: char| first.is_alphabetic() || first == '_')
        .then_some(())?;
    let mut at = index + 1;
    if matches!(tokens.get(at)?, "!" | "?") {
        at += 1;
    }
    match (tokens.get(at)?, tokens.get(at + 1)?) {
        (":", _) => {}
        ("=", "new") => at += 1,
        ("=", text) if text.starts_with(['"', '\'', '`']) && tokens.get(at + 2) != Some(".") => {
            return Some("string".to_owned());
        }
        _ => return None,
    }
    let mut ty = tokens.get(at + 1)?.to_owned();
    let mut open = 0;
    for offset in 2..LONGEST_TYPE {
        match tokens.get(at + offset) {
            Some("<") => open += 1,
            Some(">") if open > 0 => open -= 1,
            Some("[") if open == 0 && tokens.get(at + offset + 1) == Some("]") => {
                return Some(format!("Array<{ty}>"));
            }
            Some(_) if open > 0 => {}
            _ => break,
        }
        ty.push_str(tokens.get(at + offset)?);
    }
    Some(ty)
}

/// The type that values have in the machine.
pub(crate) fn machine_type(name: &str) -> &'static str {
    match name {
        "i64" | "u64" => "i64",
        "f32" => "f32",
        "f64" | "number" => "f64",
        _ => "i32",
    }
}

/// The elements of a type that has some, and how it keeps them.
pub(crate) fn sequence(name: &str) -> Option<(&str, Layout)> {
    let generic = |before: &str| name.strip_prefix(before)?.strip_suffix('>');
    if let Some(element) = generic("Array<") {
        return Some((element, Layout::Array));
    }
    if let Some(element) = generic("StaticArray<") {
        return Some((element, Layout::Static));
    }
    let element = match name {
        "Int8Array" => "i8",
        "Uint8Array" | "Uint8ClampedArray" => "u8",
        "Int16Array" => "i16",
        "Uint16Array" => "u16",
        "Int32Array" => "i32",
        "Uint32Array" => "u32",
        "Int64Array" => "i64",
        "Uint64Array" => "u64",
        "Float32Array" => "f32",
        "Float64Array" => "f64",
        _ => return None,
    };
    Some((element, Layout::Typed))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::ColumnUnit;

    #[test]
    fn types_are_found_where_variables_are_declared() {
        let text = "const A: u8 = 1;\nfunction f(a: string, b: Array<i32>,\n  c: f64[]): void {\n  \
                    let d: StaticArray<u16> = [1], e = 2, g = new Array<u8>(3), h = 'x';\n  x ? y : z;\n}\nlet d: i64 = 3;\n";
        let file = SourceFile::new("m.ts".to_owned(), Some(text.to_owned()), ColumnUnit::Utf16);
        let files = [file];
        let types = declared("m/f", &BTreeSet::from([(FileId(0), 4)]), &files);
        let ty = |name: &str| types.get(name).map(String::as_str);
        assert_eq!(ty("a"), Some("string"));
        assert_eq!(ty("b"), Some("Array<i32>"));
        assert_eq!(ty("c"), Some("Array<f64>"));
        assert_eq!(ty("d"), Some("StaticArray<u16>"));
        assert_eq!(ty("e"), None);
        assert_eq!(ty("g"), Some("Array<u8>"));
        assert_eq!(ty("h"), Some("string"));
        assert_eq!(declared_anywhere("A", &files).as_deref(), Some("u8"));
        assert_eq!(declared_anywhere("B", &files), None);
    }
}
