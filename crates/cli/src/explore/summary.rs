//! What exploring came to, and what it took.

use std::io::{self, Write};

use mw_api::Suggested;

use crate::console::{ERROR, FAINT, NOTE, SUCCESS, TITLE, count_of, grouped};

/// Writes what was found, and at what cost.
pub fn write(out: &mut dyn Write, suggested: &Suggested) -> io::Result<()> {
    let paths = count_of(suggested.paths, "path", "paths");
    write!(out, "{TITLE}{paths}{TITLE:#}, ")?;
    match suggested.complete {
        true => write!(out, "{SUCCESS}complete{}{SUCCESS:#}", within(suggested))?,
        false => write!(out, "{NOTE}{}{NOTE:#}", incomplete(suggested))?,
    }
    match suggested.choices {
        0 => write!(out, " · no choices")?,
        choices => write!(
            out,
            " · {}, at most {}",
            count_of(choices, "choice", "choices"),
            count_of(suggested.max_options, "option", "options")
        )?,
    }
    for (count, words) in failures(suggested) {
        write!(out, " · {ERROR}{}{ERROR:#}", count_of(count, words.0, words.1))?;
    }
    writeln!(out)?;
    inexact(out, suggested)?;
    cost(out, suggested)
}

/// Says so if there was no time to find out which values lead to all paths.
pub fn inexact(out: &mut dyn Write, suggested: &Suggested) -> io::Result<()> {
    match suggested.inexact {
        0 => Ok(()),
        paths => writeln!(
            out,
            "{NOTE}there was no time to find out all values that lead to {}; more time does{NOTE:#}",
            count_of(paths, "path", "paths")
        ),
    }
}

/// Up to where it is complete if it is, behind that it is: ` with at most 1 interrupt`.
pub fn within(suggested: &Suggested) -> String {
    suggested.at_most.as_ref().map(|most| format!(" with {most}")).unwrap_or_default()
}

/// What was cut off, by what, and what was left out.
pub fn incomplete(suggested: &Suggested) -> String {
    let cut: Vec<String> = (suggested.cut_off().into_iter())
        .map(|(why, count)| format!("{} by {why}", grouped(count)))
        .collect();
    let mut text = String::from("incomplete");
    if !cut.is_empty() {
        text += &format!(", cut off: {}", cut.join(", "));
    }
    // Perhaps no path that was told of was cut off by what stopped it.
    if suggested.untold > 0
        && let Some(why) = &suggested.stopped
        && !cut.iter().any(|cut| cut.ends_with(&format!("by {why}")))
    {
        text += &format!(", stopped by {why}");
    }
    if !suggested.left_out.is_empty() {
        text += &format!(", left out: {}", suggested.left_out.join(", "));
    }
    if suggested.untold > 0 {
        text += &format!(", not told for want of time: {}", grouped(suggested.untold));
    }
    text
}

/// How many paths end in what that is a mistake.
fn failures(suggested: &Suggested) -> impl Iterator<Item = (u64, (&'static str, &'static str))> {
    let kinds = [
        ("trapped", ("trap", "traps")),
        ("aborted", ("abort", "aborts")),
        ("assertion-failed", ("failed assertion", "failed assertions")),
        ("heap", ("misuse of memory", "misuses of memory")),
    ];
    let count = |end: &str| suggested.leaves.iter().filter(|leaf| leaf.end == end).count() as u64;
    kinds.map(|(end, words)| (count(end), words)).into_iter().filter(|(count, _)| *count > 0)
}

/// Writes what it took.
pub fn cost(out: &mut dyn Write, suggested: &Suggested) -> io::Result<()> {
    let queries = suggested.queries;
    let stages = [
        (queries.sets, "by sets of values"),
        (queries.cache, "by earlier answers"),
        (queries.differences, "by comparing inputs"),
        (queries.enumeration, "by trying all values"),
        (queries.solver, "by a solver"),
        (queries.unknown, "unanswered"),
    ];
    let stages: Vec<String> = (stages.into_iter().filter(|(count, _)| *count > 0))
        .map(|(count, what)| format!("{} {what}", grouped(count)))
        .collect();
    let stages = match stages.is_empty() {
        true => String::new(),
        false => format!(" ({})", stages.join(", ")),
    };
    writeln!(
        out,
        "{FAINT}took {:.3} s: {} executed for {} on all paths, {}{stages}{FAINT:#}",
        suggested.microseconds as f64 / 1e6,
        count_of(suggested.instructions, "instruction", "instructions"),
        grouped(suggested.path_instructions),
        count_of(queries.all, "query", "queries"),
    )
}
