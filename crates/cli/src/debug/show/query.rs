//! Answers to questions about the past: a table whose rows are places.

use std::io::{self, Write};

use mw_api::QueryView;

use crate::console::{FAINT, NOTE, TITLE, count_of, grouped};

/// The answer, or the rows.
pub fn show(out: &mut dyn Write, view: &QueryView) -> io::Result<()> {
    match (&view.answer, view.total) {
        (Some(answer), _) => writeln!(out, "{TITLE}{answer}{TITLE:#}")?,
        (None, Some(total)) => {
            writeln!(out, "{FAINT}{}{FAINT:#}", count_of(total, "time", "times"))?;
        }
        (None, None) => {}
    }
    let place = |ahead: bool, text: &str| format!("{text}{}", if ahead { ", ahead" } else { "" });
    let places: Vec<String> = view.rows.iter().map(|r| place(r.ahead, &r.place.text)).collect();
    let width = |texts: &mut dyn Iterator<Item = &str>| {
        texts.map(|text| text.chars().count()).max().unwrap_or(0).min(WIDEST)
    };
    let first = width(&mut places.iter().map(String::as_str)).max(9);
    // What nobody has anything to say in is left out.
    let used: Vec<usize> = (0..view.columns.len())
        .filter(|column| view.rows.iter().any(|row| !row.cells[*column].is_empty()))
        .collect();
    let widths: Vec<usize> = used
        .iter()
        .map(|column| {
            let cells = width(&mut view.rows.iter().map(|row| row.cells[*column].as_str()));
            let name = if *column < 2 { 0 } else { view.columns[*column].chars().count() };
            cells.max(name)
        })
        .collect();
    if used.len() > 2 {
        let names = used.iter().zip(&widths).map(|(column, width)| {
            let name = if *column < 2 { "" } else { view.columns[*column].as_str() };
            format!("  {name:width$}")
        });
        let names: String = names.collect();
        writeln!(out, "{FAINT}{:first$}{}{FAINT:#}", "", names.trim_end())?;
    }
    for (row, place) in view.rows.iter().zip(&places) {
        let cells = used
            .iter()
            .zip(&widths)
            .map(|(column, width)| format!("  {:width$}", row.cells[*column]));
        let cells: String = cells.collect();
        writeln!(out, "{FAINT}{place:>first$}{FAINT:#}{}", cells.trim_end())?;
    }
    let left = view.total.unwrap_or(0).saturating_sub(view.rows.len() as u64);
    if left > 0 && view.answer.is_none() {
        writeln!(out, "{FAINT}⋮ {} more{FAINT:#}", grouped(left))?;
    }
    view.notes.iter().try_for_each(|note| writeln!(out, "{NOTE}{note}{NOTE:#}"))
}

/// A column is not made wider than this for one long text.
const WIDEST: usize = 40;
