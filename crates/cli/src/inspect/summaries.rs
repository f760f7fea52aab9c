//! What every run of a function keeps to: `mw inspect --summaries`.

use std::io::{self, Write};

use mw_summary::{Effects, Extents, Range, Summaries, Summary};
use mw_vm::{Module, TrapKind, ValType};
use serde::Serialize;

use super::survey::Survey;
use crate::console::{FAINT, TITLE};

/// A summary, in words. The keys of the JSON form are documented in `mw inspect --help`.
#[derive(Serialize)]
pub struct Known {
    /// What it returns, as intervals; `None` if it never does.
    pub returns: Option<Vec<String>>,
    pub ends: bool,
    pub recursive: bool,
    pub calls: Vec<String>,
    pub sets: Vec<String>,
    pub reads: Vec<String>,
    pub writes: Vec<String>,
    pub changes: Vec<String>,
    pub traps: Vec<String>,
    /// Traps that only the machine's limits, or a primitive that refuses, can cause.
    pub limits: Vec<String>,
    /// Instructions that are never executed.
    pub unreached: u32,
    pub coarse: bool,
}

/// Adds to each function of a survey what is known of it.
pub fn add(survey: &mut Survey, module: &Module) {
    let summaries = Summaries::of(module);
    for function in &mut survey.functions {
        let summary = summaries.get(function.index);
        function.summary = summary.map(|summary| known(module, function.index, summary));
    }
}

fn known(module: &Module, func: u32, summary: &Summary) -> Known {
    let types = &module.func_type(&module.funcs()[func as usize]).results;
    let intervals = |ranges: &Vec<Range>| {
        types.iter().zip(ranges).map(|(&ty, range)| interval(ty, range)).collect()
    };
    let effects = &summary.effects;
    let import = |func: &u32| {
        let import = module.funcs()[*func as usize].import.as_ref();
        import.map_or(module.func_name(*func), ToString::to_string)
    };
    let global = |global: &u32| {
        let name = module.globals()[*global as usize].name.clone();
        name.unwrap_or(format!("global {global}"))
    };
    let is_limit = |kind: &TrapKind| {
        matches!(
            kind,
            TrapKind::MemoryExhausted
                | TrapKind::CallStackExhausted
                | TrapKind::ValueStackExhausted
                | TrapKind::Host
        )
    };
    let (limits, traps): (Vec<TrapKind>, Vec<TrapKind>) = effects.traps.kinds().partition(is_limit);
    let told = |kinds: Vec<TrapKind>| kinds.iter().map(ToString::to_string).collect();
    Known {
        returns: summary.results.as_ref().map(intervals),
        ends: effects.terminates,
        recursive: summary.is_recursive,
        calls: effects.primitives.iter().map(import).collect(),
        sets: effects.globals_written.iter().map(global).collect(),
        reads: extents(module, &effects.read),
        writes: extents(module, &effects.written),
        changes: changes(effects),
        traps: told(traps),
        limits: told(limits),
        unreached: summary.unreached.iter().map(|(first, end)| end - first).sum(),
        coarse: summary.is_coarse,
    }
}

/// The values of a range, as the domains of inputs are written.
fn interval(ty: ValType, range: &Range) -> String {
    let all = Range::of_type(ty);
    match ty {
        ValType::I32 | ValType::I64 => {
            let (low, high) = range.signed(ty);
            match () {
                () if low == high => low.to_string(),
                () if (low, high) != all.signed(ty) => format!("{low}..{high}"),
                () if range.unsigned() != all.unsigned() => {
                    let (low, high) = range.unsigned();
                    format!("{low}..{high} (unsigned)")
                }
                () => format!("any {ty}"),
            }
        }
        ValType::F32 | ValType::F64 | ValType::FuncRef | ValType::ExternRef => {
            match range.single() {
                Some(slot) => mw_vm::Value::from_slot(ty, slot).to_string(),
                None => format!("any {ty}"),
            }
        }
    }
}

/// Ranges of memories; which memory is only said where there are several.
fn extents(module: &Module, extents: &Extents) -> Vec<String> {
    let tell = |(memory, extent): (&u16, &mw_summary::Extent)| {
        let of =
            if module.memories().len() > 1 { format!(" of memory {memory}") } else { "".into() };
        match extent.is_everything() {
            true => format!("anywhere{of}"),
            false => format!("{}..{}{of}", extent.start, extent.end - 1),
        }
    };
    extents.iter().map(tell).collect()
}

fn changes(effects: &Effects) -> Vec<String> {
    let tables = effects.tables_written.iter().map(|table| format!("table {table}"));
    let memories =
        effects.memories_grown.iter().map(|memory| format!("the size of memory {memory}"));
    let segments = effects.drops_segments.then(|| "which segments there are".to_owned());
    tables.chain(memories).chain(segments).collect()
}

/// Writes what is known of each function.
pub fn write(out: &mut impl Write, survey: &Survey) -> io::Result<()> {
    writeln!(out, "\n{TITLE}what no run of a function leaves{TITLE:#}")?;
    if survey.refusal.is_some() {
        return writeln!(out, "  not known, as it cannot be run here");
    }
    for function in &survey.functions {
        let Some(known) = &function.summary else { continue };
        let name = function.name.as_deref().unwrap_or("(no name)");
        writeln!(out, "  {:>5}  {name} {FAINT}{}{FAINT:#}", function.index, function.ty)?;
        for line in lines(known) {
            writeln!(out, "         {line}")?;
        }
    }
    Ok(())
}

fn lines(known: &Known) -> Vec<String> {
    let mut lines = Vec::new();
    let end = match (known.ends, known.recursive) {
        (true, _) => "ends for sure",
        (false, true) => "may not end: it can come to call itself",
        (false, false) => "may not end: there is a loop in it, or in what it calls",
    };
    let returns = match known.returns.as_deref() {
        None => "never returns".to_owned(),
        Some([]) => "returns nothing".to_owned(),
        Some(intervals) => format!("returns {}", intervals.join(", ")),
    };
    lines.push(format!("{returns}; {end}"));
    let lists = [
        ("may call", &known.calls),
        ("may set", &known.sets),
        ("may read memory", &known.reads),
        ("may write memory", &known.writes),
        ("may change", &known.changes),
        ("may trap:", &known.traps),
        ("by limits or refusal may trap:", &known.limits),
    ];
    for (what, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
        lines.push(format!("{what} {}", list.join(", ")));
    }
    if known.traps.is_empty() {
        lines.push("never traps by itself".to_owned());
    }
    if known.unreached > 0 {
        let count = crate::console::count_of(known.unreached.into(), "instruction", "instructions");
        lines.push(format!("{count} in it can never be executed"));
    }
    if known.coarse {
        lines.push("too large to be looked at closely: little is known".to_owned());
    }
    lines
}
