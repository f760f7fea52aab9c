//! The graph of all universes as text.

use std::io::{self, Write};

use mw_api::{
    EdgeView, EndView, FoundState, FoundStates, GraphSummary, GraphView, LivelockView, OutcomeView,
    PartingView, StateView, VariableIn,
};

use crate::console::{ERROR, FAINT, INPUT, NOTE, SUCCESS, TITLE, count_of, grouped};

/// A graph with more states than these is not shown state by state.
pub const SMALL: usize = 60;

/// More choices than these of a way are not shown.
const LONG: usize = 100;

/// The graph: state by state if it has at most so many, and what there is to say of it.
pub fn show(out: &mut dyn Write, view: &GraphView, most: usize) -> io::Result<()> {
    match view.states.len() <= most {
        true => states(out, view)?,
        false => writeln!(
            out,
            "{FAINT}{} are too many to be shown one by one{FAINT:#}",
            count_of(view.summary.states, "state", "states")
        )?,
    }
    summary(out, &view.summary)?;
    for end in &view.summary.ends {
        end_line(out, end)?;
    }
    livelocks(out, &view.summary)
}

fn states(out: &mut dyn Write, view: &GraphView) -> io::Result<()> {
    let mut edges = view.edges.iter().peekable();
    for state in &view.states {
        self::state(out, state)?;
        while let Some(edge) = edges.next_if(|edge| edge.from == state.id) {
            let EdgeView { label, to, fault, kind, .. } = edge;
            let style = match (*fault, kind.as_str()) {
                (true, _) => ERROR,
                (false, "step") => FAINT,
                (false, _) => INPUT,
            };
            writeln!(out, "       {style}{label}{style:#} → {to}")?;
        }
    }
    Ok(())
}

fn state(out: &mut dyn Write, state: &StateView) -> io::Result<()> {
    let StateView { id, text, merged, .. } = state;
    write!(out, "{TITLE}{id:>5}{TITLE:#}  ")?;
    match &state.outcome {
        Some(outcome) => self::outcome(out, outcome)?,
        None => write!(out, "{text}")?,
    }
    if *merged > 1 {
        write!(out, " {FAINT}· {merged} edges lead here{FAINT:#}")?;
    }
    match (state.halted.as_slice(), &state.open) {
        ([], None) => {}
        ([], Some(why)) => write!(out, " {NOTE}… {why}{NOTE:#}")?,
        ([0], _) => write!(out, " {NOTE}· halted{NOTE:#}")?,
        (breakpoints, _) => {
            let numbers: Vec<String> =
                breakpoints.iter().filter(|n| **n > 0).map(ToString::to_string).collect();
            write!(out, " {NOTE}· halted, breakpoint {}{NOTE:#}", numbers.join(", "))?;
        }
    }
    writeln!(out)
}

fn outcome(out: &mut dyn Write, outcome: &OutcomeView) -> io::Result<()> {
    let style = if outcome.kind == "finished" { SUCCESS } else { ERROR };
    let text = if outcome.kind == "finished" { "finished" } else { &outcome.text };
    write!(out, "{style}■ {text}{style:#}")
}

/// How many there are of everything, and what is not known.
fn summary(out: &mut dyn Write, summary: &GraphSummary) -> io::Result<()> {
    let GraphSummary { from, states, edges, ends, halted, .. } = summary;
    write!(
        out,
        "{TITLE}{}{TITLE:#}, {} and {} from {}",
        count_of(*states, "state", "states"),
        count_of(*edges, "edge", "edges"),
        count_of(ends.len() as u64, "end", "ends"),
        from.text
    )?;
    if *halted > 0 {
        write!(out, ", {NOTE}{} halted{NOTE:#}", grouped(*halted))?;
    }
    match summary.complete {
        true => writeln!(out, ", {SUCCESS}complete{SUCCESS:#}")?,
        false => writeln!(out, ", {NOTE}{}{NOTE:#}", incomplete(summary))?,
    }
    if let Some(actor) = &summary.turn_of {
        match (ends.len() as u64, *halted) {
            (0, _) => {}
            (ends, 0) => writeln!(
                out,
                "{NOTE}no turn of {actor} comes: {} without one{NOTE:#}",
                count_of(ends, "end", "ends")
            )?,
            (ends, _) => writeln!(
                out,
                "{NOTE}no turn of {actor} comes before {}{NOTE:#}",
                count_of(ends, "end", "ends")
            )?,
        }
    }
    Ok(())
}

fn incomplete(summary: &GraphSummary) -> String {
    let cut = summary.open.iter().filter(|open| open.why != "halted");
    let cut: Vec<String> =
        cut.map(|open| format!("{} by {}", grouped(open.states), open.why)).collect();
    let mut parts = Vec::new();
    if !cut.is_empty() {
        parts.push(format!("not explored further: {}", cut.join(", ")));
    }
    if !summary.left_out.is_empty() {
        parts.push(format!("left out: {}", summary.left_out.join("; ")));
    }
    match parts.is_empty() {
        true => "up to there".into(),
        false => format!("incomplete, {}", parts.join(", ")),
    }
}

fn end_line(out: &mut dyn Write, end: &EndView) -> io::Result<()> {
    write!(out, "{TITLE}{:>5}{TITLE:#}  ", end.state)?;
    outcome(out, &end.outcome)?;
    variables(out, &end.variables)?;
    let ways = match end.ways.as_deref() {
        None => "any number of ways".into(),
        Some("1") => "1 way".into(),
        Some(ways) => format!("{ways} ways"),
    };
    let length = count_of(end.way.len() as u64, "choice", "choices");
    writeln!(out, "  {FAINT}{ways}, {length}{FAINT:#}")
}

fn variables(out: &mut dyn Write, variables: &[VariableIn]) -> io::Result<()> {
    for (at, VariableIn { actor, name, value }) in variables.iter().enumerate() {
        let before = if at == 0 { "  " } else { ", " };
        let actor = actor.as_ref().map(|actor| format!("{actor}: ")).unwrap_or_default();
        write!(out, "{before}{actor}{name} = {value}")?;
    }
    Ok(())
}

fn livelocks(out: &mut dyn Write, summary: &GraphSummary) -> io::Result<()> {
    for LivelockView { states, way } in &summary.livelocks {
        let number = count_of(states.len() as u64, "state", "states");
        let first = states.first().copied().unwrap_or_default();
        let length = count_of(way.len() as u64, "choice", "choices");
        writeln!(
            out,
            "{TITLE}{first:>5}{TITLE:#}  {ERROR}↻ livelock of {number}{ERROR:#}  {FAINT}{length}{FAINT:#}"
        )?;
    }
    Ok(())
}

/// How universes end, each with its shortest way.
pub fn ends(out: &mut dyn Write, summary: &GraphSummary) -> io::Result<()> {
    for end in &summary.ends {
        end_line(out, end)?;
        way(out, &end.way)?;
    }
    for livelock in &summary.livelocks {
        let one = GraphSummary { livelocks: vec![livelock.clone()], ..summary.clone() };
        livelocks(out, &one)?;
        way(out, &livelock.way)?;
    }
    if summary.ends.is_empty() && summary.livelocks.is_empty() {
        writeln!(out, "no end was found")?;
    }
    self::summary(out, summary)
}

fn way(out: &mut dyn Write, way: &[String]) -> io::Result<()> {
    for label in way.iter().take(LONG) {
        writeln!(out, "       {INPUT}{label}{INPUT:#}")?;
    }
    match way.len().saturating_sub(LONG) {
        0 => Ok(()),
        more => writeln!(out, "       {FAINT}… {}{FAINT:#}", count_of(more as u64, "more", "more")),
    }
}

/// States that were looked for.
pub fn found(out: &mut dyn Write, found: &FoundStates) -> io::Result<()> {
    for FoundState { state, way } in &found.states {
        self::state(out, state)?;
        self::way(out, way)?;
    }
    let FoundStates { number, of, unclear, complete, from, .. } = found;
    let all = count_of(*of, "state", "states");
    match (*number, *complete) {
        (0, true) => write!(out, "{NOTE}in none of all {all} from {}{NOTE:#}", from.text)?,
        (0, false) => {
            write!(out, "{NOTE}in none of {all}, and not all have been explored{NOTE:#}")?;
        }
        (number, _) => {
            write!(out, "{TITLE}in {}{TITLE:#} of {all} from {}", grouped(number), from.text)?;
        }
    }
    let told = found.states.len() as u64;
    if told < *number {
        write!(out, ", of which these are the nearest")?;
    }
    if *unclear > 0 {
        write!(out, "; in {} more it is not known", grouped(*unclear))?;
    }
    writeln!(out)
}

/// What parts two states.
pub fn parting(out: &mut dyn Write, parting: &PartingView) -> io::Result<()> {
    let PartingView { at, first, second, first_has, second_has } = parting;
    writeln!(out, "the same up to state {TITLE}{}{TITLE:#}, then", at.id)?;
    for (word, choice, has) in [("one", first, first_has), ("other", second, second_has)] {
        let choice = choice.as_deref().unwrap_or("nothing more");
        write!(out, "{FAINT}{word:>6}{FAINT:#}  {INPUT}{choice}{INPUT:#}")?;
        variables(out, has)?;
        writeln!(out)?;
    }
    Ok(())
}
