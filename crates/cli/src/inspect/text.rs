//! A survey for people.

use std::io::{self, Write};

use super::survey::{CustomSection, Item, Survey};
use crate::console::{ERROR, FAINT, INPUT, NOTE, OUTPUT, SUCCESS, TITLE, count_of, grouped};

/// Writes the survey.
pub fn write(out: &mut impl Write, survey: &Survey) -> io::Result<()> {
    let form = if survey.text { "text, as a binary " } else { "" };
    let bytes = count_of(survey.bytes as u64, "byte", "bytes");
    writeln!(out, "{TITLE}{}{TITLE:#}: {form}{bytes}", survey.file)?;
    match (&survey.refusal, &survey.fingerprint) {
        (Some(reason), _) => writeln!(out, "  {ERROR}cannot be run here:{ERROR:#} {reason}")?,
        (None, fingerprint) => {
            let fingerprint = fingerprint.as_deref().unwrap_or_default();
            writeln!(out, "  {SUCCESS}can be run here{SUCCESS:#}, fingerprint {fingerprint}")?;
        }
    }
    let features = match survey.features.as_deref() {
        None => "not known, as it is not valid with any".to_owned(),
        Some([]) => "none beyond WebAssembly 1.0".to_owned(),
        Some(features) => features.join(", "),
    };
    writeln!(out, "  features: {features}")?;
    if let Some(start) = &survey.start {
        let name = start.name.clone().unwrap_or_else(|| "no name".into());
        writeln!(out, "  start function: {} ({name})", start.index)?;
    }
    imports(out, survey)?;
    exports(out, survey)?;
    functions(out, survey)?;
    items(out, survey)?;
    debug(out, survey)
}

fn title(out: &mut impl Write, name: &str, count: usize) -> io::Result<()> {
    writeln!(out, "\n{TITLE}{name}{TITLE:#} {FAINT}{}{FAINT:#}", grouped(count as u64))
}

/// The length of the longest of some texts, so that a column can be as wide.
fn widest<'a>(texts: impl Iterator<Item = &'a str>) -> usize {
    texts.map(|text| text.chars().count()).max().unwrap_or(0)
}

fn imports(out: &mut impl Write, survey: &Survey) -> io::Result<()> {
    title(out, "imports", survey.imports.len())?;
    let names: Vec<String> =
        survey.imports.iter().map(|import| format!("{}.{}", import.module, import.name)).collect();
    let name_width = widest(names.iter().map(String::as_str));
    let type_width = widest(survey.imports.iter().map(|import| import.ty.as_str()));
    for (import, name) in survey.imports.iter().zip(&names) {
        let style = match import.kind {
            Some("input") => INPUT,
            Some("output" | "abort") => OUTPUT,
            Some(_) => NOTE,
            None => FAINT,
        };
        let kind = import.kind.unwrap_or(import.item);
        let detail = import.detail.as_deref().unwrap_or_default();
        let ty = &import.ty;
        write!(out, "  {name:name_width$}  {ty:type_width$}  {style}{kind}{style:#}")?;
        match detail {
            "" => writeln!(out)?,
            detail => writeln!(out, "{:1$} {FAINT}{detail}{FAINT:#}", "", 9 - kind.len().min(9))?,
        }
    }
    Ok(())
}

fn exports(out: &mut impl Write, survey: &Survey) -> io::Result<()> {
    title(out, "exports", survey.exports.len())?;
    let width = widest(survey.exports.iter().map(|export| export.name.as_str()));
    for export in &survey.exports {
        let (name, item, index, ty) = (&export.name, export.item, export.index, &export.ty);
        writeln!(out, "  {name:width$}  {item} {index}  {FAINT}{ty}{FAINT:#}")?;
    }
    Ok(())
}

fn functions(out: &mut impl Write, survey: &Survey) -> io::Result<()> {
    title(out, "functions", survey.functions.len())?;
    if survey.functions.is_empty() {
        return Ok(());
    }
    writeln!(out, "  {FAINT}index  instructions     bytes  name{FAINT:#}")?;
    for function in &survey.functions {
        let instructions = function.instructions.map_or("?".into(), |n| grouped(n.into()));
        let bytes = grouped(function.bytes as u64);
        let (index, ty) = (function.index, &function.ty);
        let name = function.name.as_deref().unwrap_or("(no name)");
        writeln!(out, "  {index:>5}  {instructions:>12}  {bytes:>8}  {name} {FAINT}{ty}{FAINT:#}")?;
    }
    Ok(())
}

fn items(out: &mut impl Write, survey: &Survey) -> io::Result<()> {
    let lists = [
        ("memories", &survey.memories),
        ("tables", &survey.tables),
        ("globals", &survey.globals),
        ("tags", &survey.tags),
    ];
    for (name, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
        title(out, name, list.len())?;
        for Item { index, ty, imported } in list {
            let imported = if *imported { ", imported" } else { "" };
            writeln!(out, "  {index:>5}  {ty}{imported}")?;
        }
    }
    let segments = &survey.segments;
    if segments.data + segments.elements > 0 {
        let data = count_of(segments.data.into(), "data segment", "data segments");
        let elements = count_of(segments.elements.into(), "element segment", "element segments");
        let bytes = count_of(segments.data_bytes as u64, "byte", "bytes");
        writeln!(out, "\n{TITLE}segments{TITLE:#} {data} ({bytes}), {elements}")?;
    }
    Ok(())
}

fn debug(out: &mut impl Write, survey: &Survey) -> io::Result<()> {
    let debug = &survey.debug;
    let mut lines = Vec::new();
    if let Some(count) = debug.names {
        lines.push(format!("names of {}", count_of(count as u64, "function", "functions")));
    }
    if !debug.dwarf.is_empty() {
        lines.push(format!("DWARF: {}", sections(&debug.dwarf)));
    }
    lines.extend(debug.source_map.as_ref().map(|address| format!("source map: {address}")));
    lines.extend(debug.external.as_ref().map(|address| format!("in another file: {address}")));
    let has_any = !lines.is_empty();
    for (field, values) in &debug.producers {
        lines.push(format!("{field}: {}", values.join(", ")));
    }
    let is_debug = |section: &&CustomSection| {
        let name = section.name.as_str();
        !name.starts_with(".debug_")
            && !["name", "producers", "sourceMappingURL", "external_debug_info"].contains(&name)
    };
    let others: Vec<&CustomSection> = survey.custom_sections.iter().filter(is_debug).collect();
    if !others.is_empty() {
        lines.push(format!("other custom sections: {}", sections(others)));
    }
    writeln!(out, "\n{TITLE}debug information{TITLE:#}")?;
    if !has_any {
        writeln!(out, "  none")?;
    }
    for line in lines {
        writeln!(out, "  {line}")?;
    }
    Ok(())
}

fn sections<'a>(sections: impl IntoIterator<Item = &'a CustomSection>) -> String {
    let named = sections.into_iter().map(|s| format!("{} ({} B)", s.name, grouped(s.bytes as u64)));
    named.collect::<Vec<_>>().join(", ")
}
