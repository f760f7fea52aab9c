//! Findings for people.

use std::io::{self, Write};

use mw_api::{Finding, InputView};

use super::{Report, properties};
use crate::console::{ERROR, FAINT, INPUT, NOTE, SUCCESS, TITLE, count_of};
use crate::explore::{is_one, readable, summary};

/// Writes all findings, and what they come to.
pub fn write(out: &mut dyn Write, report: &Report<'_>) -> io::Result<()> {
    for (finding, kept) in &report.findings {
        self::finding(out, finding)?;
        writeln!(out, "  {FAINT}replay{FAINT:#}  {}", kept.replay)?;
        writeln!(out, "  {FAINT}debug{FAINT:#}   {}", kept.debug)?;
        if let Some(problem) = &kept.problem {
            writeln!(
                out,
                "  {ERROR}this trace does not lead there{ERROR:#}: {problem}; that is a mistake in \
                 mw, please report it"
            )?;
        }
        writeln!(out)?;
    }
    let suggested = report.suggested;
    for property in &suggested.properties {
        properties::write(out, property, suggested)?;
    }
    let paths = count_of(suggested.paths, "path", "paths");
    match report.findings.len() {
        0 if suggested.complete => {
            let within = summary::within(suggested);
            writeln!(out, "{SUCCESS}nothing found{SUCCESS:#} on {paths}, which are all{within}")?
        }
        0 => {
            let why = summary::incomplete(suggested);
            writeln!(out, "{NOTE}nothing found{NOTE:#} on {paths}, {NOTE}{why}{NOTE:#}")?;
        }
        number => {
            let counted = report.counted();
            let counts = match counted == number {
                true => String::new(),
                false => format!(" ({counted} of them to fail on)"),
            };
            let number = count_of(number as u64, "finding", "findings");
            let why = match suggested.complete {
                true => format!("which are all{}", summary::within(suggested)),
                false => summary::incomplete(suggested),
            };
            writeln!(out, "{ERROR}{number}{ERROR:#}{counts} on {paths}, {why}")?;
        }
    }
    summary::inexact(out, suggested)?;
    summary::cost(out, suggested)
}

fn finding(out: &mut dyn Write, finding: &Finding) -> io::Result<()> {
    let Finding { text, at, paths, inputs, .. } = finding;
    write!(out, "{ERROR}{text}{ERROR:#}")?;
    if let Some(at) = at {
        write!(out, " at {TITLE}{}{TITLE:#}", at.short())?;
        if at.location.is_some() {
            write!(out, " {FAINT}in {}{FAINT:#}", at.function)?;
        }
    }
    match paths {
        1 => writeln!(out)?,
        _ => writeln!(out, ", on {}", count_of(*paths, "path", "paths"))?,
    }
    if let Some(source) = at.as_ref().and_then(|at| at.source.as_ref()) {
        writeln!(out, "  {FAINT}│ {source}{FAINT:#}")?;
    }
    if let Some(exactly) = at.as_ref().and_then(|at| at.exactly.as_ref()) {
        writeln!(out, "  {FAINT}exactly at {exactly}{FAINT:#}")?;
    }
    if let Some(violation) = &finding.violation {
        properties::violation(out, violation)?;
    }
    if inputs.is_empty() {
        writeln!(out, "  {FAINT}whatever the inputs are{FAINT:#}")?;
    }
    for input in inputs {
        let InputView { value, values, happens, .. } = input;
        write!(out, "  {INPUT}{}{INPUT:#}", input.text())?;
        match values {
            Some(values) if !happens && !is_one(values, value) => {
                writeln!(out, "  {FAINT}{}{FAINT:#}", readable(values))?
            }
            _ => writeln!(out)?,
        }
    }
    Ok(())
}
