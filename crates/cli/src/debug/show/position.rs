//! Where one is, in a line.

use std::io::{self, Write};

use mw_api::{
    HaltView, JourneyView, OutcomeView, PendingCall, Position, RunningActor, SourceLine, Stopped,
};

use crate::console::{ERROR, FAINT, INPUT, NOTE, SUCCESS, TITLE, count_of, grouped};

/// Why the session stopped, what has changed, and where it is.
pub fn stopped(out: &mut dyn Write, stopped: &Stopped) -> io::Result<()> {
    for change in &stopped.changes {
        writeln!(out, "{FAINT}    world{FAINT:#}  {change}")?;
    }
    if let Some(event) = &stopped.position.violated {
        writeln!(out, "{ERROR}violated{ERROR:#}: {}", event.violation())?;
    }
    match &stopped.halt {
        HaltView::Reached => {}
        halt @ HaltView::Breakpoint { id, trigger, .. } => {
            writeln!(out, "{NOTE}breakpoint {id}{NOTE:#}: {trigger}{}", halt.change())?;
        }
        HaltView::Ended { outcome } => ended(out, outcome)?,
        HaltView::Misuse { text } => writeln!(out, "{ERROR}{text}{ERROR:#}")?,
        HaltView::Violated { .. } => {}
        HaltView::Asks => {
            if let Some(pending) = &stopped.position.pending {
                let domain = pending.domain.as_deref().unwrap_or("anything");
                writeln!(
                    out,
                    "{NOTE}what does {} return?{NOTE:#} one of {domain}; say: answer VALUE",
                    pending.call
                )?;
            }
        }
        HaltView::Paused => writeln!(
            out,
            "{NOTE}everybody who could run next is paused; `resume` lets them{NOTE:#}"
        )?,
        HaltView::Start => writeln!(out, "{NOTE}at the start{NOTE:#}")?,
        HaltView::Cancelled => writeln!(out, "{NOTE}stopped{NOTE:#}")?,
    }
    line(out, &stopped.position)
}

fn ended(out: &mut dyn Write, outcome: &OutcomeView) -> io::Result<()> {
    let style = if outcome.kind == "finished" { SUCCESS } else { ERROR };
    writeln!(out, "{style}{}{style:#}{}", outcome.text, results(outcome))
}

fn results(outcome: &OutcomeView) -> String {
    let results: Vec<String> =
        outcome.results.iter().map(|value| format!("{} ({})", value.text, value.ty)).collect();
    match results.is_empty() {
        true => String::new(),
        false => format!(" and returned {}", results.join(", ")),
    }
}

/// Where one is: place, count, function and offset, next instruction.
pub fn line(out: &mut dyn Write, position: &Position) -> io::Result<()> {
    write!(out, "{TITLE}{}{TITLE:#}", position.place.text)?;
    write!(out, "{FAINT} · {} ·{FAINT:#} ", grouped(position.place.count))?;
    if let Some(RunningActor { name, handles, .. }) = &position.actor
        && position.function.is_some()
    {
        let handles = handles.as_ref().map(|text| format!(" {text}")).unwrap_or_default();
        write!(out, "{INPUT}{name}{INPUT:#}{FAINT}{handles}:{FAINT:#} ")?;
    }
    match (&position.function, &position.ended) {
        (None, None) if !position.next_turns.is_empty() => {
            let turns: Vec<&str> =
                position.next_turns.iter().map(|next| next.label.as_str()).collect();
            write!(out, "{NOTE}next{NOTE:#} {}", turns.join(&format!("{FAINT} or {FAINT:#}")))?;
        }
        (Some(function), ended) => {
            write!(out, "{function}")?;
            if let Some(offset) = position.offset {
                write!(out, " {FAINT}{offset:#x}{FAINT:#}")?;
            }
            let instruction = position.instruction.as_deref().unwrap_or("?");
            write!(out, ": {instruction}")?;
            if let Some(outcome) = ended {
                write!(out, " {FAINT}·{FAINT:#} {ERROR}{}{ERROR:#}", outcome.kind)?;
            }
        }
        (None, Some(outcome)) => write!(out, "{}", outcome.kind)?,
        (None, None) => write!(out, "no function")?,
    }
    if let Some(pending) = &position.pending {
        write!(out, " {FAINT}·{FAINT:#} {}", pending_text(pending))?;
    }
    for bookmark in &position.bookmarks {
        write!(out, " {FAINT}·{FAINT:#} ★ {bookmark}")?;
    }
    for (is_so, text) in [(position.in_the_past, "in the past"), (position.altered, "altered")] {
        if is_so {
            write!(out, " {FAINT}·{FAINT:#} {NOTE}{text}{NOTE:#}")?;
        }
    }
    writeln!(out)?;
    for (source, what) in [(&position.source, ""), (&position.own, "called from ")] {
        if let Some(SourceLine { file, line, text, .. }) = source {
            let text = text.as_deref().unwrap_or_default();
            let shown = format!("  {FAINT}{what}{file}:{line}{FAINT:#}  {text}");
            writeln!(out, "{}", shown.trim_end())?;
        }
    }
    Ok(())
}

fn pending_text(pending: &PendingCall) -> String {
    let PendingCall { call, kind, domain, returns, asks } = pending;
    match kind.as_str() {
        "input" => {
            let domain = domain.as_deref().unwrap_or("anything");
            let known = match (returns, asks) {
                (Some(value), _) => format!(", will be {value}"),
                (None, true) => ", to be answered".into(),
                (None, false) => String::new(),
            };
            format!("{INPUT}{call}{INPUT:#} of {domain}{known}")
        }
        "irreversible" => format!("{call}, which cannot be undone"),
        _ => call.clone(),
    }
}

/// What a slide would take.
pub fn planned(out: &mut dyn Write, journey: &JourneyView) -> io::Result<()> {
    let JourneyView { from, common, to, undone, replayed, irreversible, choices } = journey;
    writeln!(out, "from {} back to {} and on to {}", from.text, common.text, to.text)?;
    writeln!(
        out,
        "  {} undone, {} replayed",
        count_of(*undone, "change of the world", "changes of the world"),
        count_of(*replayed, "instruction", "instructions")
    )?;
    for choice in choices {
        writeln!(out, "  then {choice}")?;
    }
    for output in irreversible {
        writeln!(out, "  {NOTE}goes back over {output}, which cannot be undone{NOTE:#}")?;
    }
    Ok(())
}
