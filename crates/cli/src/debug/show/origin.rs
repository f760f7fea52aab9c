//! The way of a number: where it comes from, or what it has influenced.

use std::io::{self, Write};

use mw_api::{OriginRow, OriginView};

use crate::console::{FAINT, INPUT, NOTE, TITLE, grouped};

/// The value, its formula, and the places.
pub fn show(out: &mut dyn Write, view: &OriginView) -> io::Result<()> {
    write!(out, "{TITLE}{}{TITLE:#}", view.about)?;
    if let Some(value) = &view.value {
        write!(out, " = {}", value.text)?;
    }
    match &view.formula {
        Some(formula) => writeln!(out, " = {INPUT}{formula}{INPUT:#}")?,
        None => writeln!(out)?,
    }
    for OriginRow { place, text, line, source } in &view.rows {
        write!(out, "{FAINT}{:>9}{FAINT:#}  {text}", place.text)?;
        match (line, source) {
            (Some(line), Some(source)) => writeln!(out, "  {FAINT}{line}{FAINT:#}  {source}")?,
            (Some(line), None) => writeln!(out, "  {FAINT}{line}{FAINT:#}")?,
            _ => writeln!(out)?,
        }
    }
    if view.omitted > 0 {
        writeln!(out, "{FAINT}⋮ {} more{FAINT:#}", grouped(view.omitted))?;
    }
    view.notes.iter().try_for_each(|note| writeln!(out, "{NOTE}{note}{NOTE:#}"))
}
