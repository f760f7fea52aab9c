//! What was reached, for people: by file where lines are known, and by function.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use mw_api::{BranchCoverage, CoverageView, FileCoverage, FunctionCoverage};

use crate::console::{ERROR, FAINT, NOTE, SUCCESS, TITLE};

/// More places than this that were not reached are not listed.
const LISTED: usize = 20;

/// Shows how much was reached, and what was not.
pub fn show(out: &mut dyn Write, view: &CoverageView) -> io::Result<()> {
    for file in &view.files {
        let is_here = |path: &Option<String>| path.as_deref() == Some(&*file.path);
        let functions = view.functions.iter().filter(|f| is_here(&f.file));
        let branches: Vec<_> = view.branches.iter().filter(|b| is_here(&b.file)).collect();
        let lines = (file.lines.iter().filter(|l| l.reached).count(), file.lines.len());
        writeln!(
            out,
            "{TITLE}{}{TITLE:#}: lines {}, functions {}, branches {}",
            file.path,
            share(lines.0 as u64, lines.1 as u64),
            reached_functions(functions),
            ways(branches.iter().copied()),
        )?;
        if lines.0 < lines.1 {
            writeln!(out, "  {NOTE}lines not reached:{NOTE:#} {}", missed_lines(file))?;
        }
        self::branches(out, branches.into_iter())?;
    }
    let total = format!(
        "functions {}, branches {}",
        reached_functions(view.functions.iter()),
        ways(view.branches.iter())
    );
    writeln!(out, "{TITLE}the program{TITLE:#}: {total}")?;
    let width = view.functions.iter().map(|f| f.function.chars().count()).max().unwrap_or(0);
    for function in &view.functions {
        self::function(out, function, width, view.files.is_empty())?;
    }
    match view.files.is_empty() {
        true => branches(out, view.branches.iter()),
        false => Ok(()),
    }
}

fn share(reached: u64, all: u64) -> String {
    match all {
        0 => "none".into(),
        _ => format!("{reached} of {all} ({} %)", reached * 100 / all),
    }
}

fn reached_functions<'a>(functions: impl Iterator<Item = &'a FunctionCoverage>) -> String {
    let (reached, all) = functions.fold((0, 0), |(reached, all), function| {
        (reached + u64::from(function.reached > 0), all + 1)
    });
    share(reached, all)
}

fn ways<'a>(branches: impl Iterator<Item = &'a BranchCoverage>) -> String {
    let (reached, all) = CoverageView::ways(branches);
    share(reached, all)
}

fn missed_lines(file: &FileCoverage) -> String {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    let mut was_missed = false;
    for line in &file.lines {
        if !line.reached {
            match ranges.last_mut().filter(|_| was_missed) {
                Some(last) => last.1 = line.line,
                None => ranges.push((line.line, line.line)),
            }
        }
        was_missed = !line.reached;
    }
    listed(&ranges, |line| line.to_string())
}

fn listed(ranges: &[(u32, u32)], show: impl Fn(u32) -> String) -> String {
    let range = |(first, last): &(u32, u32)| match first == last {
        true => show(*first),
        false => format!("{}-{}", show(*first), show(*last)),
    };
    let shown: Vec<String> = ranges.iter().take(LISTED).map(range).collect();
    let more = match ranges.len().saturating_sub(LISTED) {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    format!("{}{more}", shown.join(", "))
}

/// Branches that were reached but did not go all ways.
fn branches<'a>(
    out: &mut dyn Write,
    branches: impl Iterator<Item = &'a BranchCoverage>,
) -> io::Result<()> {
    let partly =
        |branch: &&BranchCoverage| branch.reached && branch.ways.iter().any(|w| !w.reached);
    let partly: Vec<_> = branches.filter(partly).collect();
    for branch in partly.iter().take(LISTED) {
        let source = branch.at.source.as_ref().map(|source| format!(" {source}"));
        write!(out, "  {}:{}", branch.at.short(), source.unwrap_or_default())?;
        for way in &branch.ways {
            let (style, mark) = if way.reached { (SUCCESS, "✓") } else { (ERROR, "✗") };
            write!(out, "  {style}{mark}{style:#} {}", way.text)?;
        }
        writeln!(out)?;
    }
    match partly.len().saturating_sub(LISTED) {
        0 => Ok(()),
        more => writeln!(out, "  … and {more} more branches that did not go all ways"),
    }
}

fn function(
    out: &mut dyn Write,
    function: &FunctionCoverage,
    width: usize,
    by_offset: bool,
) -> io::Result<()> {
    let FunctionCoverage { function: name, instructions, reached, missed, .. } = function;
    let style = match reached {
        0 => ERROR,
        some if some == instructions => SUCCESS,
        _ => NOTE,
    };
    let share = share(*reached, *instructions);
    write!(out, "  {name:width$}  {style}{share}{style:#} {FAINT}instructions{FAINT:#}")?;
    if by_offset && *reached > 0 && !missed.is_empty() {
        let missed = listed(missed, |offset| format!("{offset:#x}"));
        write!(out, "{FAINT}, not {missed}{FAINT:#}")?;
    }
    writeln!(out)
}

/// Shows the source, with a mark for each line that has code.
pub fn annotate(out: &mut dyn Write, view: &CoverageView) -> io::Result<()> {
    let known = view.files.iter().filter(|file| file.text.is_some());
    if known.clone().next().is_none() {
        writeln!(out, "{NOTE}the source is not known{NOTE:#}")?;
    }
    for file in known {
        writeln!(out, "{TITLE}{}{TITLE:#}", file.path)?;
        let text = file.text.as_deref().unwrap_or_default();
        let reached: BTreeMap<u32, bool> =
            file.lines.iter().map(|line| (line.line, line.reached)).collect();
        let partly: BTreeSet<u32> = (view.branches.iter())
            .filter(|branch| branch.file.as_deref() == Some(&*file.path))
            .filter(|branch| branch.ways.iter().any(|way| !way.reached))
            .filter_map(|branch| branch.line)
            .collect();
        for (line, text) in (1..).zip(text.lines()) {
            let (style, mark) = match reached.get(&line) {
                None => (FAINT, " "),
                Some(false) => (ERROR, "✗"),
                Some(true) if partly.contains(&line) => (NOTE, "◐"),
                Some(true) => (SUCCESS, "✓"),
            };
            writeln!(out, "{style}{mark}{style:#} {FAINT}{line:>4}{FAINT:#} {text}")?;
        }
    }
    Ok(())
}
