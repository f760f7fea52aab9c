//! A trace for each finding, replayed before anybody relies on it.

use std::path::{Path, PathBuf};

use mw_api::{
    Debugger, Envelope, Finding, HaltView, Setup, TraceText, Unattended, VerdictView,
    ViolationView, request,
};

use super::Arguments;
use crate::failure::Failure;
use crate::world;

/// What was kept of a finding.
pub struct Kept {
    /// The trace.
    pub trace: PathBuf,
    /// The command that replays it.
    pub replay: String,
    /// The command that debugs it.
    pub debug: String,
    /// What happened instead, if replaying it did not lead to the finding.
    pub problem: Option<String>,
}

/// Writes a trace for each finding, and sees that it leads there.
pub fn keep(
    arguments: &Arguments,
    setup: &Setup,
    debugger: &mut Debugger,
    findings: Vec<Finding>,
) -> Result<Vec<(Finding, Kept)>, Failure> {
    let folder = &arguments.traces;
    let unusable = |path: &Path, error| {
        Failure::Unusable(format!(
            "the trace {} cannot be written: {error}; --traces names a folder",
            path.display()
        ))
    };
    if !findings.is_empty() {
        std::fs::create_dir_all(folder).map_err(|error| unusable(folder, error))?;
    }
    let mut names: Vec<String> = Vec::new();
    let mut kept = Vec::new();
    for finding in findings {
        let TraceText(text) = debugger
            .ask(trace_of(&finding), &mut Unattended)
            .map_err(|error| Failure::Unusable(error.message))?;
        let name = file_name(&finding);
        let same = names.iter().filter(|other| **other == name).count();
        let path = folder.join(match same {
            0 => format!("{name}.trace"),
            more => format!("{name}-{}.trace", more + 1),
        });
        names.push(name);
        std::fs::write(&path, &text).map_err(|error| unusable(&path, error))?;
        let problem = replay(arguments, setup, &finding, text).err();
        let replay = command(&["replay"], arguments, &finding, &path);
        let debug = command(&["debug", "--replay"], arguments, &finding, &path);
        kept.push((finding, Kept { trace: path, replay, debug, problem }));
    }
    Ok(kept)
}

/// Replays a trace in a session of its own.
fn replay(
    arguments: &Arguments,
    setup: &Setup,
    finding: &Finding,
    text: String,
) -> Result<(), String> {
    let mut setup = setup.clone();
    if let (Some(args), Some(entry)) = (&finding.arguments, &arguments.exploring.entry) {
        setup = setup.entry(entry, args).map_err(|error| error.message)?;
    }
    let mut debugger = Debugger::new(setup).map_err(|error| error.message)?;
    if let Some(violation) = &finding.violation {
        return replay_violation(arguments, &mut debugger, violation, text);
    }
    let replay = Envelope { request: request::ReplayTrace { text }, confirm: true };
    let stopped = debugger.ask(replay, &mut Unattended).map_err(|error| error.message)?;
    let position = &stopped.position;
    let ended = position.ended.as_ref().map(|ended| (ended.kind.as_str(), ended.text.as_str()));
    match ended {
        None if finding.end == "heap" => match &stopped.halt {
            HaltView::Misuse { text } if *text == finding.kind => {}
            _ => return Err(format!("no memory is misused at {}", position.place.text)),
        },
        Some((kind, text)) if kind == finding.end && text.contains(&finding.kind) => {}
        // A run ends with these, or does not notice: the trace ends where they are.
        None | Some(("aborted", _))
            if ["assertion-failed", "heap", "livelocked"].contains(&finding.end.as_str()) => {}
        Some((_, text)) => return Err(format!("it ends with: {text}")),
        None => return Err(format!("the program goes on at {}", position.place.text)),
    }
    let offset = finding.at.as_ref().and_then(|at| at.offset);
    match position.offset == offset || offset.is_none() {
        true => Ok(()),
        false => Err(format!("it ends elsewhere, at {:#x}", position.offset.unwrap_or(0))),
    }
}

/// The universe of a finding, as far as it goes wrong.
fn trace_of(finding: &Finding) -> request::TraceOf {
    let place = finding.violation.as_ref().map(|violation| violation.place.text.as_str().into());
    request::TraceOf { path: finding.path, until: place }
}

/// Replays a trace under the properties, to see that one is violated where it ends.
fn replay_violation(
    arguments: &Arguments,
    debugger: &mut Debugger,
    violation: &ViolationView,
    text: String,
) -> Result<(), String> {
    arguments.exploring.watch(debugger).map_err(|error| error.to_string())?;
    let replay = Envelope { request: request::ReplayTrace { text }, confirm: true };
    let stopped = debugger.ask(replay, &mut Unattended).map_err(|error| error.message)?;
    let properties = debugger.ask(request::Properties {}, &mut Unattended);
    let properties = properties.map_err(|error| error.message)?;
    let own = properties.iter().find(|one| one.id == violation.property);
    match own.map(|own| own.verdict) {
        Some(VerdictView::Violated) => Ok(()),
        _ => Err(format!("{} is not violated at {}", violation.name, stopped.position.place.text)),
    }
}

/// A name that says what it is: `integer-divide-by-zero-while.ts-39`.
fn file_name(finding: &Finding) -> String {
    let place = finding.at.as_ref().map(|at| {
        let place = at.short();
        place.rsplit(['/', '\\']).next().unwrap_or(&place).to_owned()
    });
    let words = format!("{} {}", finding.kind, place.unwrap_or_default());
    let mut name = String::new();
    for c in words.trim().chars().take(80) {
        match c {
            c if c.is_ascii_alphanumeric() || c == '.' => name.push(c.to_ascii_lowercase()),
            _ if name.ends_with('-') => {}
            _ => name.push('-'),
        }
    }
    let name = name.trim_matches(['-', '.']);
    if name.is_empty() { "finding".into() } else { name.into() }
}

/// A command that goes there again: these words, then the trace, then all that the program needs.
fn command(what: &[&str], arguments: &Arguments, finding: &Finding, trace: &Path) -> String {
    let exploring = &arguments.exploring;
    let mut words: Vec<String> = ["mw"].iter().chain(what).map(|word| (*word).into()).collect();
    words.push(trace.display().to_string());
    if exploring.world != world::BOARD {
        words.extend(["--world".into(), exploring.world.clone()]);
    }
    if finding.violation.is_some() {
        for property in &exploring.property {
            words.extend(["--property".into(), property.display().to_string()]);
        }
    }
    if let Some(entry) = &exploring.entry {
        words.extend(["--entry".into(), entry.clone()]);
    }
    words.push(exploring.program.display().to_string());
    let args = finding.arguments.as_ref().unwrap_or(&exploring.args);
    if !args.is_empty() {
        words.push("--".into());
        words.extend(args.iter().cloned());
    }
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./=:,+@".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn words_survive_a_shell() {
        for (word, expected) in
            [("a/b.wasm", "a/b.wasm"), ("a b", "'a b'"), ("it's", r"'it'\''s'"), ("", "''")]
        {
            assert_eq!(quoted(word), expected);
        }
    }
}
