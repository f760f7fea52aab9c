//! Replies as text.

pub mod actors;
pub mod code;
mod compare;
pub mod graph;
pub mod link;
pub mod lists;
mod origin;
pub mod position;
pub mod properties;
mod query;
mod tree;
pub mod world;

use std::io::{self, Write};

use mw_api::{DecidingInput, EffectView, InputView, MANY, ReadView, Reply, Suggested, WhyView};

use super::listener::{Happening, Waiting};
use crate::console::{FAINT, INPUT, NOTE, OUTPUT, count_of, grouped};
use crate::explore::tree::Look;
use crate::{coverage, explore};

/// Shows what the program read and did to its world, and what breakpoints said.
pub fn effects(out: &mut dyn Write, waiting: &Waiting) -> io::Result<()> {
    waiting.first.iter().try_for_each(|happened| happening(out, happened))?;
    if waiting.omitted > 0 {
        let omitted = grouped(waiting.omitted);
        writeln!(out, "{FAINT}{:>9}  {omitted} more{FAINT:#}", "…")?;
    }
    waiting.last.iter().try_for_each(|happened| happening(out, happened))
}

fn happening(out: &mut dyn Write, happening: &Happening) -> io::Result<()> {
    match happening {
        Happening::Effect(EffectView { count, call, effect }) => {
            writeln!(out, "{FAINT}{count:>9}{FAINT:#}  {call:28}  {OUTPUT}{effect}{OUTPUT:#}")
        }
        Happening::Reading(ReadView { count, text }) => {
            writeln!(out, "{FAINT}{count:>9}{FAINT:#}  read {INPUT}{text}{INPUT:#}")
        }
        Happening::Log(text) => writeln!(out, "{FAINT}      log{FAINT:#}  {text}"),
    }
}

/// Shows a reply.
pub fn reply(out: &mut dyn Write, reply: &Reply) -> io::Result<()> {
    match reply {
        Reply::Done => Ok(()),
        Reply::Position(position) => position::line(out, position),
        Reply::Stopped(stopped) => position::stopped(out, stopped),
        Reply::Planned(journey) => position::planned(out, journey),
        Reply::Frames(frames) => code::backtrace(out, frames),
        Reply::Variables(variables) => code::variables(out, variables, "globals"),
        Reply::Variable(variable) => code::variable(out, variable),
        Reply::Code(lines) => code::listing(out, lines),
        Reply::World(view) => world::show(out, view),
        Reply::Tree(view) => tree::show(out, view),
        Reply::Universe(view) => tree::universe(out, view),
        Reply::Log(log) => lists::log(out, log),
        Reply::Hits(hits) => lists::hits(out, hits),
        Reply::Origin(view) => origin::show(out, view),
        Reply::Query(view) => query::show(out, view),
        Reply::Skips(skips) => lists::skips(out, skips),
        Reply::Merged(view) => tree::merged(out, view),
        Reply::Graph(view) => graph::show(out, view, graph::SMALL),
        Reply::Ends(summary) => graph::ends(out, summary),
        Reply::FoundStates(found) => graph::found(out, found),
        Reply::Parting(parting) => graph::parting(out, parting),
        Reply::Difference(view) => compare::show(out, view),
        Reply::Suggested(suggested) => suggestions(out, suggested),
        Reply::Pruned(view) => actors::pruned(out, view),
        Reply::Removed(removed) => {
            writeln!(out, "{} removed", count_of(removed.nodes, "node", "nodes"))
        }
        Reply::Why(why) => self::why(out, why),
        Reply::Coverage(view) => coverage::text::show(out, view),
        Reply::Branched(branched) => lists::branched(out, branched),
        Reply::Mock(mock) => lists::mocks(out, std::slice::from_ref(mock)),
        Reply::Mocks(mocks) => lists::mocks(out, mocks),
        Reply::Bookmark(bookmark) => lists::bookmarks(out, std::slice::from_ref(bookmark)),
        Reply::Bookmarks(bookmarks) => lists::bookmarks(out, bookmarks),
        Reply::Breakpoint(breakpoint) => lists::breakpoints(out, std::slice::from_ref(breakpoint)),
        Reply::Breakpoints(breakpoints) => lists::breakpoints(out, breakpoints),
        Reply::Actors(view) => actors::list(out, view),
        Reply::Turns(view) => actors::turns(out, view),
        Reply::Interrupts(interrupts) => lists::interrupts(out, interrupts),
        Reply::Info(info) => lists::session(out, info),
        Reply::Link(link) => link::show(out, link),
        Reply::Trace(text) => write!(out, "{}", text.0),
        Reply::SourceVariable(variable) => code::source_variable(out, variable),
        Reply::SourceVariables(variables) => code::source_variables(out, variables),
        Reply::SourceFrames(frames) => code::source_frames(out, frames),
        Reply::SourceFiles(files) => code::source_files(out, files),
        Reply::SourceLines(excerpt) => code::excerpt(out, excerpt),
        Reply::SourceText(text) => writeln!(out, "{}", text.0),
        Reply::Type(found) => writeln!(out, "{}", found.definition),
        Reply::Property(property) => properties::list(out, std::slice::from_ref(property)),
        Reply::Properties(all) => properties::list(out, all),
        Reply::Automaton(view) => properties::automaton(out, view),
        Reply::Slices(view) => properties::slices(out, view),
        Reply::PropertyEvents(view) => properties::events(out, view),
        Reply::Verdicts(view) => properties::verdicts(out, view),
        Reply::Scenario(scenario) => properties::scenarios(out, std::slice::from_ref(scenario)),
        Reply::Scenarios(all) => properties::scenarios(out, all),
        // Shown by those who ask for them.
        Reply::Memory(_) | Reply::Names(_) | Reply::TreeChanges(_) | Reply::Inputs(_) => Ok(()),
        Reply::VerdictChanges(_) => Ok(()),
    }
}

/// More lines of a tree than this are not shown at once.
const LINES: usize = 200;

/// What exploring has found, from where it began on.
fn suggestions(out: &mut dyn Write, suggested: &Suggested) -> io::Result<()> {
    if suggested.withheld > 0 {
        let paths = count_of(suggested.withheld, "path", "paths");
        let would = if suggested.leaves.is_empty() { "would add" } else { "not added yet:" };
        writeln!(
            out,
            "{NOTE}{would} {paths}{NOTE:#}; `suggest add` adds them, `suggest add {MANY}` the first \
             {MANY}; or say fewer inputs: `suggest inputs 2`"
        )?;
        if suggested.leaves.is_empty() {
            return Ok(());
        }
    }
    explore::tree::show(out, suggested, &Look { nodes: true, lines: Some(LINES), more: None })?;
    explore::summary::write(out, suggested)?;
    match suggested.stopped {
        Some(_) => writeln!(out, "{FAINT}`suggest more` goes on{FAINT:#}"),
        None => Ok(()),
    }
}

/// What was decided on the way to a place, and by which inputs.
fn why(out: &mut dyn Write, why: &WhyView) -> io::Result<()> {
    for condition in &why.conditions {
        writeln!(out, "{}", explore::tree::condition(condition))?;
    }
    if why.conditions.is_empty() && why.inputs.is_empty() {
        writeln!(out, "no input had a say in coming to {}", why.place.text)?;
    }
    deciding(out, why)
}

/// The inputs that decided.
pub fn deciding(out: &mut dyn Write, why: &WhyView) -> io::Result<()> {
    for DecidingInput { node, input } in &why.inputs {
        let InputView { call, value, values, .. } = input;
        write!(out, "{FAINT}  decided{FAINT:#}  {INPUT}{call} = {value}{INPUT:#}")?;
        match values.as_ref().filter(|values| !explore::is_one(values, value)) {
            Some(values) => {
                writeln!(out, "  {FAINT}of {}, {node}{FAINT:#}", explore::readable(values))?;
            }
            None => writeln!(out, "  {FAINT}{node}{FAINT:#}")?,
        }
    }
    if !why.complete && !why.inputs.is_empty() {
        writeln!(
            out,
            "{FAINT}  what happened long before was not looked into, and may have decided, too{FAINT:#}"
        )?;
    }
    Ok(())
}
