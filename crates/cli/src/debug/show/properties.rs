//! Properties: their verdicts, automata, slices and events.

use std::io::{self, Write};

use mw_api::{
    AutomatonState, AutomatonTransition, AutomatonView, GuardView, NamedValue, PropertyEvent,
    PropertyEventsView, PropertyView, ScenarioView, SliceMove, SliceView, SlicesView,
    TransitionKind, VerdictView, VerdictsView,
};

use crate::console::{ERROR, FAINT, NOTE, SUCCESS, TITLE, count_of, grouped};

/// Properties with their verdicts.
pub fn list(out: &mut dyn Write, properties: &[PropertyView]) -> io::Result<()> {
    if properties.is_empty() {
        return writeln!(out, "no properties; `property load FILE` loads one");
    }
    for property in properties {
        let PropertyView { id, name, path, slices, fault, changed, .. } = property;
        write!(out, "{FAINT}{id:>5}{FAINT:#}  {TITLE}{name}{TITLE:#}  ")?;
        verdict(out, property.verdict)?;
        write!(out, "{FAINT}, {}", count_of(*slices, "slice", "slices"))?;
        path.iter().try_for_each(|path| write!(out, ", {path}"))?;
        writeln!(out, "{FAINT:#}")?;
        if let Some(fault) = fault {
            writeln!(out, "       {ERROR}not sure{ERROR:#}: {fault}")?;
        }
        if changed.is_some() {
            edited(out, *id, name)?;
        }
    }
    Ok(())
}

fn verdict(out: &mut dyn Write, verdict: VerdictView) -> io::Result<()> {
    let style = match verdict {
        VerdictView::Holds => SUCCESS,
        VerdictView::Violated => ERROR,
        VerdictView::Inconclusive => NOTE,
    };
    write!(out, "{style}{}{style:#}", verdict.text())
}

/// That the file of a property has changed.
pub fn edited(out: &mut dyn Write, id: u32, name: &str) -> io::Result<()> {
    writeln!(
        out,
        "{NOTE}the file of {name} has changed{NOTE:#}; `property reload {id}` loads it again"
    )
}

/// Verdicts at a place.
pub fn verdicts(out: &mut dyn Write, view: &VerdictsView) -> io::Result<()> {
    if view.verdicts.is_empty() {
        return list(out, &[]);
    }
    for found in &view.verdicts {
        write!(out, "{FAINT}{:>5}{FAINT:#}  {TITLE}{}{TITLE:#}  ", found.property, found.name)?;
        verdict(out, found.verdict)?;
        writeln!(out)?;
        if let Some(fault) = &found.fault {
            writeln!(out, "       {ERROR}not sure{ERROR:#}: {fault}")?;
        }
        found.violating.iter().try_for_each(|violating| slice(out, violating))?;
    }
    Ok(())
}

/// The automaton of a property.
pub fn automaton(out: &mut dyn Write, view: &AutomatonView) -> io::Result<()> {
    write!(out, "{TITLE}{}{TITLE:#}", view.name)?;
    if !view.parameters.is_empty() {
        write!(out, " {FAINT}for each{FAINT:#} {}", view.parameters.join(", "))?;
    }
    if let Some(place) = &view.place {
        write!(out, " {FAINT}at {}:{FAINT:#} ", place.text)?;
        verdict(out, view.verdict)?;
    }
    writeln!(out)?;
    for (number, shown) in view.states.iter().enumerate() {
        state(out, shown)?;
        let own = view.transitions.iter().filter(|transition| transition.from == number);
        for shown in own {
            transition(out, shown, &view.states[shown.to].name)?;
        }
    }
    Ok(())
}

fn state(out: &mut dyn Write, state: &AutomatonState) -> io::Result<()> {
    let AutomatonState { name, accepting, pending, is_final, action, slices, former } = state;
    let kind = match (accepting, pending) {
        (false, _) => "non-accepting",
        (true, true) => "pending",
        (true, false) => "accepting",
    };
    let style = if *accepting { SUCCESS } else { ERROR };
    write!(out, "  {TITLE}{name}{TITLE:#} {style}{kind}{style:#}")?;
    if *is_final {
        write!(out, " final")?;
    }
    action.iter().try_for_each(|action| write!(out, " {FAINT}does {action}{FAINT:#}"))?;
    if *slices > 0 {
        write!(out, " {NOTE}◀ {}{NOTE:#}", count_of(*slices, "slice", "slices"))?;
    }
    if *former {
        write!(out, " {FAINT}left last{FAINT:#}")?;
    }
    writeln!(out)
}

fn transition(out: &mut dyn Write, taken: &AutomatonTransition, to: &str) -> io::Result<()> {
    let AutomatonTransition { event, guard, on, code, last, .. } = taken;
    write!(out, "    {event}")?;
    if let Some(guard) = guard {
        let not = if *on == TransitionKind::Failure { "unless" } else { "if" };
        write!(out, " {FAINT}{not}{FAINT:#} {guard}")?;
    }
    write!(out, " {FAINT}→{FAINT:#} {TITLE}{to}{TITLE:#}")?;
    code.iter().try_for_each(|code| write!(out, " {FAINT}{{ {code} }}{FAINT:#}"))?;
    if *last {
        write!(out, " {NOTE}taken last{NOTE:#}")?;
    }
    writeln!(out)
}

/// The slices of a property.
pub fn slices(out: &mut dyn Write, view: &SlicesView) -> io::Result<()> {
    view.slices.iter().try_for_each(|shown| slice(out, shown))?;
    let more = view.matching.saturating_sub(view.slices.len() as u64);
    match more {
        0 if view.matching < view.total => {
            writeln!(out, "{FAINT}{} of {}{FAINT:#}", grouped(view.matching), grouped(view.total))
        }
        0 => Ok(()),
        more => writeln!(out, "{FAINT}{:>9}  {} more{FAINT:#}", "…", grouped(more)),
    }
}

fn slice(out: &mut dyn Write, slice: &SliceView) -> io::Result<()> {
    let SliceView { id, state, accepting, variables, .. } = slice;
    let id = if id.is_empty() { String::new() } else { format!("{id}: ") };
    write!(out, "  {id}{TITLE}{state}{TITLE:#}{}", kind(*accepting))?;
    writeln!(out, "{}", with(variables))
}

fn kind(accepting: bool) -> String {
    match accepting {
        true => String::new(),
        false => format!(" {ERROR}non-accepting{ERROR:#}"),
    }
}

fn with(variables: &[NamedValue]) -> String {
    match variables.is_empty() {
        true => String::new(),
        false => format!("  {FAINT}{}{FAINT:#}", named(variables)),
    }
}

fn named(values: &[NamedValue]) -> String {
    let text = |NamedValue { name, value }: &NamedValue| format!("{name} = {value}");
    values.iter().map(text).collect::<Vec<_>>().join(", ")
}

/// What happened that properties know of.
pub fn events(out: &mut dyn Write, view: &PropertyEventsView) -> io::Result<()> {
    if view.total + view.idle == 0 {
        writeln!(out, "nothing has happened that a property knows of")?;
    }
    if view.omitted > 0 {
        writeln!(out, "{FAINT}{:>9}  {} before{FAINT:#}", "…", grouped(view.omitted))?;
    }
    view.events.iter().try_for_each(|shown| event(out, shown))?;
    if view.idle > 0 {
        let others = count_of(view.idle, "other moved", "others moved");
        writeln!(out, "{FAINT}{others} nothing; `property events all` lists them{FAINT:#}")?;
    }
    match &view.until {
        Some(place) => writeln!(out, "{NOTE}looked up to {}{NOTE:#}", place.text),
        None => Ok(()),
    }
}

/// An event with what became of slices.
pub fn event(out: &mut dyn Write, shown: &PropertyEvent) -> io::Result<()> {
    let PropertyEvent { place, name, event, values, moves, faults, .. } = shown;
    write!(out, "{FAINT}{:>9}  {name}:{FAINT:#} {event}", place.text)?;
    if !values.is_empty() {
        write!(out, "({})", named(values))?;
    }
    writeln!(out)?;
    moves.iter().try_for_each(|shown| moved(out, shown))?;
    for fault in faults {
        writeln!(out, "{:>11}{ERROR}not decided{ERROR:#}: {fault}", "")?;
    }
    Ok(())
}

fn moved(out: &mut dyn Write, shown: &SliceMove) -> io::Result<()> {
    let SliceMove { slice, from, to, accepting, guard, variables, created, forgotten, .. } = shown;
    if let Some(GuardView { text, holds, values }) = guard {
        let holds = if *holds { "true" } else { "false" };
        writeln!(out, "{:>11}guard {text}: {holds}{}", "", with(values))?;
    }
    let slice = match (slice.is_empty(), created) {
        (true, _) => String::new(),
        (false, true) => format!("new slice {slice}: "),
        (false, false) => format!("slice {slice}: "),
    };
    write!(out, "{:>11}{slice}{TITLE}{to}{TITLE:#} (from {from})", "")?;
    write!(out, "{}{}", kind(*accepting), with(variables))?;
    writeln!(out, "{}", if *forgotten { ", forgotten" } else { "" })
}

/// Scenarios.
pub fn scenarios(out: &mut dyn Write, scenarios: &[ScenarioView]) -> io::Result<()> {
    if scenarios.is_empty() {
        return writeln!(out, "no scenarios: a run stops where a property is violated");
    }
    for ScenarioView { id, name, path, property, .. } in scenarios {
        write!(out, "{FAINT}{id:>5}{FAINT:#}  {TITLE}{name}{TITLE:#}{FAINT}")?;
        property.iter().try_for_each(|property| write!(out, ", of property {property}"))?;
        path.iter().try_for_each(|path| write!(out, ", {path}"))?;
        writeln!(out, "{FAINT:#}")?;
    }
    Ok(())
}
