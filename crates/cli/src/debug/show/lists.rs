//! Breakpoints, mocks, bookmarks and other lists.

use std::io::{self, Write};

use mw_api::{
    BookmarkView, Branched, BreakpointView, HitsView, InfoView, InterruptView, LogView, MockView,
    SkipView,
};

use super::position;
use crate::console::{FAINT, INPUT, NOTE, TITLE, count_of, grouped};

/// Breakpoints.
pub fn breakpoints(out: &mut dyn Write, breakpoints: &[BreakpointView]) -> io::Result<()> {
    if breakpoints.is_empty() {
        return writeln!(out, "no breakpoints");
    }
    for breakpoint in breakpoints {
        let BreakpointView { id, trigger, condition, hits, log, passed, .. } = breakpoint;
        let BreakpointView { enabled, temporary, offset, .. } = breakpoint;
        write!(out, "breakpoint {id}: {TITLE}{trigger}{TITLE:#}")?;
        if let Some(offset) = offset.filter(|_| !trigger.starts_with('*')) {
            write!(out, " {FAINT}at {offset:#x}{FAINT:#}")?;
        }
        if let Some(condition) = condition {
            write!(out, " if {condition}")?;
        }
        if let Some(hits) = hits {
            write!(out, " hits {hits}")?;
        }
        if let Some(log) = log {
            write!(out, " log {log}")?;
        }
        let notes = [(*temporary, ", once"), (!enabled, ", off")];
        for (_, note) in notes.iter().filter(|(is_so, _)| *is_so) {
            write!(out, "{note}")?;
        }
        match passed {
            0 => writeln!(out)?,
            1 => writeln!(out, ", {FAINT}come to once{FAINT:#}")?,
            times => writeln!(out, ", {FAINT}come to {} times{FAINT:#}", grouped(*times))?,
        }
    }
    Ok(())
}

/// What was printed, and where.
pub fn log(out: &mut dyn Write, log: &LogView) -> io::Result<()> {
    if log.lines.is_empty() {
        return writeln!(out, "nothing has been printed");
    }
    if log.omitted > 0 {
        writeln!(out, "{FAINT}⋮ {}{FAINT:#}", count_of(log.omitted, "line", "lines"))?;
    }
    for line in &log.lines {
        let ahead = if line.ahead { ", ahead" } else { "" };
        writeln!(out, "{FAINT}{:>9}{ahead}{FAINT:#}  {}", line.place.text, line.text)?;
    }
    Ok(())
}

/// Every time that the program came to something, and where.
pub fn hits(out: &mut dyn Write, hits: &HitsView) -> io::Result<()> {
    let many = count_of(hits.total, "time", "times");
    writeln!(out, "{TITLE}{}{TITLE:#} {FAINT}is come to {many}{FAINT:#}", hits.trigger)?;
    if hits.omitted > 0 {
        writeln!(out, "{FAINT}⋮ {}{FAINT:#}", grouped(hits.omitted))?;
    }
    for hit in &hits.hits {
        let ahead = if hit.ahead { ", ahead" } else { "" };
        let text = hit.text.as_deref().unwrap_or_default();
        let line = format!("{FAINT}{:>9}{ahead}{FAINT:#}  {text}", hit.place.text);
        writeln!(out, "{}", line.trim_end())?;
    }
    match &hits.until {
        Some(place) => writeln!(out, "{NOTE}looked only as far as {}{NOTE:#}", place.text),
        None => Ok(()),
    }
}

/// What steps by lines pass through.
pub fn skips(out: &mut dyn Write, skips: &[SkipView]) -> io::Result<()> {
    if skips.is_empty() {
        return writeln!(out, "steps pass through nothing");
    }
    skips.iter().try_for_each(|SkipView { id, pattern }| {
        writeln!(out, "skip {id}: {TITLE}{pattern}{TITLE:#}")
    })
}

/// Mocks.
pub fn mocks(out: &mut dyn Write, mocks: &[MockView]) -> io::Result<()> {
    if mocks.is_empty() {
        return writeln!(out, "no mocks");
    }
    for MockView { id, call, value, once } in mocks {
        let once = if *once { ", once" } else { "" };
        writeln!(out, "mock {id}: {INPUT}{call}{INPUT:#} returns {value}{once}")?;
    }
    Ok(())
}

/// Bookmarks.
pub fn bookmarks(out: &mut dyn Write, bookmarks: &[BookmarkView]) -> io::Result<()> {
    if bookmarks.is_empty() {
        return writeln!(out, "no bookmarks");
    }
    for BookmarkView { name, place } in bookmarks {
        writeln!(
            out,
            "★ {TITLE}{name}{TITLE:#} at {} {FAINT}· {}{FAINT:#}",
            place.text,
            grouped(place.count)
        )?;
    }
    Ok(())
}

/// Interrupts that may arrive.
pub fn interrupts(out: &mut dyn Write, interrupts: &[InterruptView]) -> io::Result<()> {
    if interrupts.is_empty() {
        return writeln!(out, "the program has subscribed to no interrupts");
    }
    for InterruptView { pin, function } in interrupts {
        writeln!(out, "pin {pin} calls {function}")?;
    }
    Ok(())
}

/// More branches than this are not listed one by one.
const BRANCHES: usize = 16;

/// Branches that have been created.
pub fn branched(out: &mut dyn Write, branched: &Branched) -> io::Result<()> {
    let Branched { position: here, call, branches, created } = branched;
    writeln!(
        out,
        "{} of {INPUT}{call}{INPUT:#}, {} new",
        count_of(branches.len() as u64, "branch", "branches"),
        grouped(*created)
    )?;
    for branch in branches.iter().take(BRANCHES) {
        writeln!(out, "  {:8} {}", branch.node, branch.text)?;
    }
    if branches.len() > BRANCHES {
        writeln!(out, "  … and {} more; `tree` shows them", branches.len() - BRANCHES)?;
    }
    position::line(out, here)
}

/// Names, one in a line.
pub fn names(out: &mut dyn Write, names: &[String], what: &str) -> io::Result<()> {
    if names.is_empty() {
        return writeln!(out, "no {what}");
    }
    names.iter().try_for_each(|name| writeln!(out, "  {name}"))
}

/// Names, each with what it is.
pub fn labelled(out: &mut dyn Write, label: &str, names: &[String]) -> io::Result<()> {
    names.iter().try_for_each(|name| writeln!(out, "  {FAINT}{label:6}{FAINT:#} {name}"))
}

/// Facts about the session.
pub fn session(out: &mut dyn Write, info: &InfoView) -> io::Result<()> {
    let mut line = |name: &str, text: String| writeln!(out, "  {FAINT}{name:12}{FAINT:#} {text}");
    line("program", format!("{} ({})", info.name, info.program))?;
    line(
        "code",
        format!(
            "{}, {}",
            count_of(info.functions, "function", "functions"),
            count_of(info.primitives, "primitive", "primitives")
        ),
    )?;
    line("world", format!("{} ({})", info.world, info.world_fingerprint))?;
    let choices = info.nodes.saturating_sub(1);
    let each = match choices {
        0 => String::new(),
        _ => format!(", {:.1} bytes each", info.choice_bytes as f64 / choices as f64),
    };
    line("choices", format!("{}{each}", grouped(choices)))?;
    line(
        "checkpoints",
        format!(
            "{}, {} of {} bytes",
            grouped(info.checkpoints),
            grouped(info.checkpoint_bytes),
            grouped(info.checkpoint_budget)
        ),
    )?;
    match info.dry {
        true => line("dry", "going back over irreversible outputs needs no asking".into()),
        false => Ok(()),
    }
}
