//! The multiverse as a text tree.
//!
//! A row that is the only way on stands below the one before it; only branches are indented.

use std::io::{self, Write};

use mw_api::{ChoiceView, MergedView, TreeRow, TreeView, UniverseView};

use crate::console::{ERROR, FAINT, INPUT, NOTE, SUCCESS, TITLE, count_of, grouped};

/// The tree.
pub fn show(out: &mut dyn Write, view: &TreeView) -> io::Result<()> {
    // For each row: what stands before the rows that hang on it, and how many have been shown.
    let mut prefixes: Vec<String> = Vec::new();
    let mut shown = vec![0; view.rows.len()];
    for row in &view.rows {
        let (lead, prefix) = match row.parent {
            None => (String::new(), String::new()),
            // The only way on, unless the program also ends there.
            Some(parent) if row.siblings == 1 && view.rows[parent].ended.is_none() => {
                (prefixes[parent].clone(), prefixes[parent].clone())
            }
            Some(parent) => {
                shown[parent] += 1;
                let before = &prefixes[parent];
                match shown[parent] == row.siblings {
                    true => (format!("{before}└─ "), format!("{before}   ")),
                    false => (format!("{before}├─ "), format!("{before}│  ")),
                }
            }
        };
        if row.folded > 0 {
            let folded = count_of(row.folded, "choice", "choices");
            writeln!(out, "{FAINT}{lead}⋮ {folded}{FAINT:#}")?;
        }
        write!(out, "{FAINT}{lead}{FAINT:#}")?;
        self::row(out, row)?;
        prefixes.push(prefix);
    }
    if view.truncated {
        let nodes = grouped(view.nodes);
        writeln!(
            out,
            "{NOTE}… there is more, {nodes} nodes in all; `tree PLACE` shows the part from there on{NOTE:#}"
        )?;
    }
    Ok(())
}

fn row(out: &mut dyn Write, row: &TreeRow) -> io::Result<()> {
    match &row.choice {
        None => write!(out, "{TITLE}{}{TITLE:#} start", row.node)?,
        Some(choice) => {
            let style = if row.on_the_way { TITLE } else { FAINT };
            let text = if row.preferred { INPUT } else { FAINT };
            write!(out, "{style}{}{style:#} {text}{choice}{text:#}", row.node)?;
            if let Some(label) = row.label.as_ref().filter(|label| !is_one(label, choice)) {
                write!(out, "   {label}")?;
            }
            write!(out, " {FAINT}@{}{FAINT:#}", grouped(row.count))?;
        }
    }
    for (name, after) in &row.bookmarks {
        write!(out, " {NOTE}★ {name}{}{NOTE:#}", plus(*after))?;
    }
    if let Some(after) = row.current {
        write!(out, " {NOTE}◀ here{}{NOTE:#}", plus(after))?;
    }
    if row.altered {
        write!(out, " {NOTE}altered{NOTE:#}")?;
    }
    if row.open {
        write!(out, " {NOTE}… more inputs here: `suggest from {}`{NOTE:#}", row.node)?;
    }
    if let Some(outcome) = &row.ended {
        let style = if outcome.kind == "finished" { SUCCESS } else { ERROR };
        write!(
            out,
            " {style}■ {}{style:#} {FAINT}@{}{FAINT:#}",
            outcome.kind,
            grouped(outcome.count)
        )?;
    }
    writeln!(out)
}

/// Whether a class of values is nothing but the one that was chosen.
fn is_one(label: &str, choice: &str) -> bool {
    let value = label.trim_start_matches('{').trim_end_matches('}');
    choice.strip_suffix(value).is_some_and(|call| call.ends_with("= "))
}

fn plus(after: u64) -> String {
    if after == 0 { String::new() } else { format!("+{}", grouped(after)) }
}

/// The choices of a universe.
pub fn universe(out: &mut dyn Write, view: &UniverseView) -> io::Result<()> {
    if view.omitted > 0 {
        writeln!(out, "{FAINT}⋮ {}{FAINT:#}", count_of(view.omitted, "choice", "choices"))?;
    }
    if view.choices.is_empty() {
        writeln!(out, "no choice has been made on the way to {}", view.place.text)?;
    }
    for choice in &view.choices {
        self::choice(out, choice)?;
    }
    if !view.next.is_empty() {
        writeln!(out, "{FAINT}and on from there:{FAINT:#}")?;
    }
    for next in &view.next {
        choice(out, next)?;
    }
    Ok(())
}

fn choice(out: &mut dyn Write, choice: &ChoiceView) -> io::Result<()> {
    let ChoiceView { node, count, text, others, .. } = choice;
    let others = match others {
        0 => String::new(),
        others => format!("{FAINT}, {} more{FAINT:#}", count_of(*others, "way", "ways")),
    };
    let count = grouped(*count);
    writeln!(out, "{FAINT}{count:>9}{FAINT:#}  {node:8} {INPUT}{text}{INPUT:#}{others}")
}

/// Nodes at which everything is the same.
pub fn merged(out: &mut dyn Write, view: &MergedView) -> io::Result<()> {
    let MergedView { groups, visited, states, nodes } = view;
    writeln!(
        out,
        "{} looked at, {}",
        count_of(*visited, "node", "nodes"),
        count_of(*states, "different state", "different states"),
    )?;
    for group in groups {
        let members: Vec<String> = group
            .iter()
            .map(|choice| format!("{} {FAINT}({}){FAINT:#}", choice.node, choice.text))
            .collect();
        writeln!(out, "  {}", members.join(" = "))?;
    }
    if visited + 1 < *nodes {
        writeln!(
            out,
            "{NOTE}there are {} nodes; `merged N` looks at more{NOTE:#}",
            grouped(*nodes)
        )?;
    }
    Ok(())
}
