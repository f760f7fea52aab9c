//! Actors: who there is, what waits for them, and the turns that they have had.

use std::io::{self, Write};

use mw_api::{ActorView, ActorsView, MessageView, PrunedTurn, PrunedView, TurnView, TurnsView};

use crate::console::{FAINT, INPUT, NOTE, OUTPUT, TITLE, count_of, grouped};

/// All actors, with their inboxes.
pub fn list(out: &mut dyn Write, view: &ActorsView) -> io::Result<()> {
    let width = view.actors.iter().map(|actor| actor.name.chars().count()).max().unwrap_or(0);
    for actor in &view.actors {
        line(out, actor, width)?;
        for MessageView { sender, text, first, .. } in &actor.inbox {
            let mark = if *first { "•" } else { " " };
            writeln!(
                out,
                "      {FAINT}{mark}{FAINT:#} {OUTPUT}{text}{OUTPUT:#} {FAINT}from{FAINT:#} {sender}"
            )?;
        }
    }
    for next in &view.next {
        let word = if next.fault { "or" } else { "next" };
        writeln!(out, "{NOTE}{word:>4}{NOTE:#} {}", next.label)?;
    }
    Ok(())
}

/// An actor, with its name in so many columns.
pub fn line(out: &mut dyn Write, actor: &ActorView, width: usize) -> io::Result<()> {
    let ActorView { id, name, standing, current, paused, turns, .. } = actor;
    let mark = if *current { "▶" } else { " " };
    let turns = count_of(*turns, "turn", "turns");
    write!(
        out,
        "{mark} {FAINT}{id:>3}{FAINT:#} {TITLE}{name:width$}{TITLE:#} {standing}, {turns}"
    )?;
    if *paused {
        write!(out, ", {NOTE}paused{NOTE:#}")?;
    }
    if let Some(handles) = &actor.handles {
        write!(out, ", handles {INPUT}{}{INPUT:#} from {}", handles.text, handles.sender)?;
    }
    if !actor.awaits.is_empty() {
        write!(out, ", waits for {}", actor.awaits.join(", "))?;
    }
    writeln!(out)
}

/// The turns of a universe: a lane for each actor, down in time.
pub fn turns(out: &mut dyn Write, view: &TurnsView) -> io::Result<()> {
    let mut lanes: Vec<(u32, &str)> = Vec::new();
    for TurnView { actor, name, .. } in &view.turns {
        if !lanes.iter().any(|(id, _)| id == actor) {
            lanes.push((*actor, name));
        }
    }
    // More lanes than this are not drawn: the words say whose turn it is.
    let drawn = if lanes.len() <= LANES { lanes.len() } else { 0 };
    if view.omitted > 0 {
        writeln!(out, "{FAINT}{} choices before{FAINT:#}", grouped(view.omitted))?;
    }
    for turn in &view.turns {
        let lane = lanes.iter().position(|(id, _)| *id == turn.actor).unwrap_or(0);
        let from = turn
            .handles
            .as_ref()
            .and_then(|message| lanes.iter().position(|(id, _)| *id == message.actor));
        let line: String = (0..drawn).map(|at| cell(at, lane, from)).collect();
        let mark = if turn.is_current { "◀" } else { " " };
        writeln!(
            out,
            "{FAINT}{:>9}{FAINT:#}  {line}{TITLE}{}{TITLE:#} {FAINT}{}{FAINT:#} {mark}",
            grouped(turn.begins),
            turn.label,
            turn.node,
        )?;
        for sent in &turn.sends {
            let lines: String = (0..drawn).map(|_| "│ ").collect();
            let to = lanes.iter().find(|(id, _)| *id == sent.actor).map(|(_, name)| *name);
            let to = to.map_or_else(|| format!("actor {}", sent.actor), str::to_owned);
            let text = if sent.text.is_empty() { "a message" } else { &sent.text };
            writeln!(out, "{:>9}  {FAINT}{lines}{FAINT:#}  {OUTPUT}{text}{OUTPUT:#} to {to}", "")?;
        }
    }
    Ok(())
}

/// Turns that exploring has not followed, and why.
pub fn pruned(out: &mut dyn Write, view: &PrunedView) -> io::Result<()> {
    for PrunedTurn { turns, after, what, why } in &view.turns {
        let before = match after.last() {
            Some(last) => format!("after {}, {last}", count_of(*turns, "turn", "turns")),
            None => "at the start".into(),
        };
        writeln!(out, "{INPUT}{what}{INPUT:#} {FAINT}{before}{FAINT:#}\n    {why}")?;
    }
    let told = view.turns.len() as u64;
    let number = count_of(view.number, "turn was", "turns were");
    match (view.number, view.number - told.min(view.number)) {
        (0, _) => writeln!(out, "every turn that could be next was followed everywhere"),
        (_, 0) => {
            writeln!(out, "{TITLE}{number} not followed{TITLE:#}, as others come to the same")
        }
        (_, more) => writeln!(
            out,
            "{TITLE}{number} not followed{TITLE:#}, as others come to the same; {} more",
            grouped(more)
        ),
    }
}

/// More actors than this are not drawn side by side.
const LANES: usize = 12;

/// What is drawn in a lane where a turn is that of another, or has come from another.
fn cell(at: usize, lane: usize, from: Option<usize>) -> String {
    let from = from.unwrap_or(lane);
    let (first, last) = (lane.min(from), lane.max(from));
    let sign = match at {
        _ if at == lane => '●',
        _ if at == from => '○',
        _ if first < at && at < last => '─',
        _ => '│',
    };
    let after = if first <= at && at < last { '─' } else { ' ' };
    format!("{sign}{after}")
}
