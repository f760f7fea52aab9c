//! What is said of properties: how they are violated, and in how many universes they hold.

use std::io::{self, Write};

use mw_api::{CheckedView, Suggested, ViolationView};

use crate::console::{ERROR, FAINT, NOTE, SUCCESS, TITLE, count_of};
use crate::explore::summary;

/// Writes how a property is violated.
pub fn violation(out: &mut dyn Write, violation: &ViolationView) -> io::Result<()> {
    let ViolationView { event, slice, from, to, inevitable, .. } = violation;
    write!(out, "  {FAINT}state{FAINT:#}  {to} {FAINT}(from {from}){FAINT:#}")?;
    if let Some(slice) = slice {
        write!(out, " {FAINT}of slice{FAINT:#} {slice}")?;
    }
    match event {
        Some(event) => writeln!(out, " {FAINT}on{FAINT:#} {event}")?,
        None => writeln!(out)?,
    }
    let Some(inevitable) = inevitable else { return Ok(()) };
    let explored = match inevitable.paths {
        1 => "the one path explored from there".to_owned(),
        paths => format!("all {paths} paths explored from there"),
    };
    let exactly = match inevitable.exact {
        true => ", which are all there are",
        false => ", which need not be all there are",
    };
    match &inevitable.after {
        Some(after) => writeln!(
            out,
            "  {FAINT}inevitable{FAINT:#} after {after} {FAINT}({explored}{exactly}){FAINT:#}"
        )?,
        None => writeln!(
            out,
            "  {FAINT}inevitable{FAINT:#} from the start {FAINT}({explored}{exactly}){FAINT:#}"
        )?,
    }
    match &inevitable.avoided_by {
        Some(avoided) => writeln!(out, "  {FAINT}avoided by{FAINT:#} {avoided}"),
        None => Ok(()),
    }
}

/// Writes in how many universes a property holds.
pub fn write(out: &mut dyn Write, property: &CheckedView, suggested: &Suggested) -> io::Result<()> {
    let CheckedView { name, violated, inconclusive, faults, fault, .. } = property;
    let universes = count_of(suggested.paths, "universe", "universes");
    let explored = match suggested.complete {
        true => format!("{universes} (complete{})", summary::within(suggested)),
        false => format!("{universes} explored; {}", summary::incomplete(suggested)),
    };
    write!(out, "{TITLE}{name}{TITLE:#} ")?;
    match (violated, suggested.complete) {
        (1.., _) => write!(out, "{ERROR}is violated{ERROR:#} in {violated} of {explored}")?,
        (0, true) if inconclusive + faults == 0 => {
            write!(out, "{SUCCESS}holds{SUCCESS:#} in all {explored}")?;
        }
        (0, _) => write!(out, "{NOTE}holds so far{NOTE:#} in the {explored}")?,
    }
    if *inconclusive > 0 {
        write!(out, " · {NOTE}open at the end of {inconclusive}{NOTE:#}")?;
    }
    writeln!(out)?;
    match fault {
        Some(fault) => writeln!(
            out,
            "  {ERROR}in {faults} of them something could not be computed{ERROR:#}: {fault}; what is said \
             of them may be wrong"
        ),
        None => Ok(()),
    }
}
