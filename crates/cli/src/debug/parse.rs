//! What a line asks for.

use mw_api::notation::{parse_exploration, parse_graph};
use mw_api::{Direction, Format, Request, Unit, Which, request};

use super::commands;
use super::examine::Examine;
use super::looking::Choice;
use super::properties::{self, PropertyAction};

/// What is to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Nothing: the line is empty or a comment.
    Nothing,
    /// Requests, one after the other; what they say is shown.
    Requests(Vec<Request>),
    /// Explain a command, a topic, or what there is.
    Help(Option<String>),
    /// Show the functions being executed.
    Backtrace,
    /// Choose a frame.
    Frame(Choice),
    /// Choose the actor that is looked at; without one, say which it is.
    Actor(Option<String>),
    /// Show all variables.
    PrintAll,
    /// Show the value of an expression.
    Print(String, Option<Format>),
    /// Show an expression at every stop; without one, show those that are.
    Display(Option<String>, Option<Format>),
    /// Show it no more, or none.
    Undisplay(Option<u32>),
    /// Show the type of an expression, or what a type is made of.
    TypeOf {
        /// The expression or the type.
        text: String,
        /// Whether all that it is made of is shown.
        whole: bool,
    },
    /// Show the source, around what is given.
    List(Option<String>),
    /// Show something: what `info` was given.
    Info(String),
    /// Show memory.
    Examine(Examine),
    /// Show the universe as text, or write it to a file.
    Trace(Option<String>),
    /// Replay the trace in a file.
    Replay(String),
    /// Something with properties that needs more than a request.
    Property(PropertyAction),
    /// Leave the program to its device.
    Detach,
    /// Leave.
    Quit,
}

/// Reads a line.
pub fn parse(line: &str) -> Result<Action, String> {
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') {
        return Ok(Action::Nothing);
    }
    // As in gdb, a format may follow the command at once: x/16xb.
    let end = line.find(|c: char| c.is_whitespace() || c == '/').unwrap_or(line.len());
    let (word, rest) = line.split_at(end);
    let command = commands::find(word)?;
    let rest = rest.trim();
    let usage = || {
        let usage = format!("{} {}", command.name, command.usage);
        format!("write: {}; `help {}` says more", usage.trim_end(), command.name)
    };
    let needed = || if rest.is_empty() { Err(usage()) } else { Ok(rest) };
    let alone = |action: Action| if rest.is_empty() { Ok(action) } else { Err(usage()) };
    let optional = || (!rest.is_empty()).then(|| rest.to_owned());
    let which = || (!rest.is_empty()).then(|| Which::from(rest));
    let step = |unit, direction| {
        let count = match rest {
            "" => 1,
            number => number.replace('_', "").parse().map_err(|_| usage())?,
        };
        Ok(one(request::Step { unit, direction, count }))
    };
    let run = |direction| one(request::Run { direction });
    use Direction::{Back, Forward};
    match command.name {
        "step" => step(Unit::Line, Forward),
        "next" => step(Unit::LineOver, Forward),
        "finish" => step(Unit::LineOut, Forward),
        "continue" => alone(run(Forward)),
        "play" => {
            let factor = if rest.is_empty() { 1.0 } else { rest.parse().map_err(|_| usage())? };
            // What is no speed becomes a number that is refused.
            Ok(one(request::Play { percent: (100.0_f64 * factor).round() as u32 }))
        }
        "follow" => alone(one(request::RunAsSuggested {})),
        "reverse-step" => step(Unit::Line, Back),
        "reverse-next" => step(Unit::LineOver, Back),
        "reverse-finish" => step(Unit::LineOut, Back),
        "reverse-continue" => alone(run(Back)),
        "stepi" => step(Unit::Instruction, Forward),
        "nexti" => step(Unit::Over, Forward),
        "reverse-stepi" => step(Unit::Instruction, Back),
        "reverse-nexti" => step(Unit::Over, Back),
        "until" | "reverse-until" => {
            let direction = if command.name == "until" { Forward } else { Back };
            Ok(one(request::RunTo { to: needed()?.into(), direction }))
        }
        "slide" => Ok(one(request::Slide { to: needed()?.into() })),
        "plan" => Ok(one(request::Plan { to: needed()?.into() })),
        "reset" => alone(one(request::Reset {})),
        "run" => alone(Action::Requests(vec![
            request::Reset {}.into(),
            request::Run { direction: Forward }.into(),
        ])),
        "where" => alone(one(request::Where {})),
        "mock" => mock(needed()?).ok_or_else(usage),
        "unmock" => Ok(one(request::Unmock { id: which() })),
        "branch" => Ok(branch(needed()?)),
        "suggest" if rest == "more" => Ok(one(request::SuggestMore {})),
        "suggest" if ["add", "remove"].contains(&word_of(rest).0) => {
            let (what, given) = word_of(rest);
            let given = (!given.is_empty()).then_some(given);
            match what {
                "add" => {
                    let limit = given.map(|n| n.parse().map_err(|_| usage())).transpose()?;
                    Ok(one(request::AddSuggested { limit }))
                }
                _ => Ok(one(request::RemoveSuggested { below: given.map(Into::into) })),
            }
        }
        "suggest" => Ok(one(parse_exploration(rest)?)),
        "why" => {
            let place = optional().map(|place| place.as_str().into());
            Ok(one(request::Why { place }))
        }
        "who" => Ok(one(request::WhoWrote { term: optional() })),
        "answer" => Ok(one(request::Answer { value: needed()?.into() })),
        "reading" => {
            // Without a value, it reads what it would.
            let (call, value) = match split_call(needed()?) {
                Some((call, value)) => (call, Some(value.to_owned())),
                None => (rest, None),
            };
            Ok(one(request::SetReading { call: call.into(), value }))
        }
        "turn" | "reverse-turn" => {
            let direction = if command.name == "turn" { Forward } else { Back };
            Ok(one(request::StepTurn { actor: optional(), direction }))
        }
        "step-message" => {
            let (message, told) = match needed()?.strip_suffix(" told") {
                Some(message) => (message, true),
                None => (rest, false),
            };
            Ok(one(request::StepMessage { message: message.into(), told }))
        }
        "schedule" => Ok(one(request::GiveTurn { next: needed()?.into() })),
        "pause" => Ok(one(request::PauseActor { actor: optional(), paused: true })),
        "resume" => Ok(one(request::PauseActor { actor: optional(), paused: false })),
        "interrupt" => {
            let pin = needed()?.parse().map_err(|_| usage())?;
            Ok(one(request::Interrupt { pin }))
        }
        "without" => alone(one(request::GoWithout {})),
        "set" => {
            // As in gdb, where `set` means other things, too.
            let assignment = needed()?;
            let assignment = assignment.strip_prefix("var ").unwrap_or(assignment);
            let parts = assignment.split_once('=').or_else(|| assignment.rsplit_once(' '));
            let (target, value) = parts.ok_or_else(usage)?;
            let (target, value) = (target.trim().to_owned(), value.trim().to_owned());
            // The line about where one is says that it is altered.
            Ok(Action::Requests(vec![
                request::Alter { target, value, actor: None }.into(),
                request::Where {}.into(),
            ]))
        }
        "print" => match formatted(rest)? {
            ("", _) => Ok(Action::PrintAll),
            (term, format) => Ok(Action::Print(term.to_owned(), format)),
        },
        "display" => {
            let (term, format) = formatted(rest)?;
            Ok(Action::Display((!term.is_empty()).then(|| term.to_owned()), format))
        }
        "undisplay" => {
            let id = optional().map(|id| id.parse().map_err(|_| usage())).transpose()?;
            Ok(Action::Undisplay(id))
        }
        "ptype" | "whatis" => {
            let (text, whole) = (needed()?.to_owned(), command.name == "ptype");
            Ok(Action::TypeOf { text, whole })
        }
        "up" | "down" | "frame" => {
            let number = optional().map(|number| number.parse().map_err(|_| usage()));
            let number: Option<usize> = number.transpose()?;
            Ok(Action::Frame(match (command.name, number) {
                ("up", steps) => Choice::Up(steps.unwrap_or(1)),
                ("down", steps) => Choice::Down(steps.unwrap_or(1)),
                (_, Some(frame)) => Choice::Frame(frame),
                (_, None) => Choice::Same,
            }))
        }
        "actor" => Ok(Action::Actor(optional())),
        "hits" => Ok(one(hits(needed()?))),
        "origin" => Ok(one(request::Origin { term: needed()?.to_owned() })),
        "influence" => {
            let input = optional().map(|place| place.as_str().into());
            Ok(one(request::Influence { input }))
        }
        "query" => Ok(one(request::Query { question: needed()?.to_owned(), limit: None })),
        "skip" => match rest.split_once(char::is_whitespace) {
            Some(("delete", id)) => {
                let id = id.trim().parse().map_err(|_| usage())?;
                Ok(one(request::RemoveSkip { id }))
            }
            None if matches!(rest, "" | "list") => Ok(one(request::Skips {})),
            _ => Ok(one(request::Skip { pattern: rest.into() })),
        },
        "x" => Examine::parse(needed()?).map(Action::Examine),
        "backtrace" => alone(Action::Backtrace),
        "list" => Ok(Action::List(optional())),
        "disassemble" => Ok(one(match optional() {
            Some(around) if around.starts_with('*') => {
                request::Disassemble { around: Some(around), count: Some(11) }
            }
            Some(function) => request::Disassemble { around: Some(function), count: None },
            None => request::Disassemble { around: None, count: Some(11) },
        })),
        "info" => Ok(Action::Info(needed()?.to_owned())),
        "tree" => {
            let from = optional().map(|place| place.as_str().into());
            Ok(one(request::Tree { from, limit: None }))
        }
        "universe" => {
            let place = optional().map(|place| place.as_str().into());
            Ok(one(request::Universe { place, limit: None }))
        }
        "diff" => {
            let words: Vec<&str> = needed()?.split_whitespace().collect();
            let (first, second) = match words.as_slice() {
                [first] => (*first, None),
                [first, second] => (*first, Some((*second).into())),
                _ => return Err(usage()),
            };
            Ok(one(request::Diff { first: first.into(), second }))
        }
        "merged" => {
            let limit = optional().map(|limit| limit.parse().map_err(|_| usage())).transpose()?;
            Ok(one(request::Merged { limit }))
        }
        "graph" => Ok(one(parse_graph(rest)?)),
        "pruned" => {
            let limit = optional().map(|limit| limit.parse().map_err(|_| usage())).transpose()?;
            Ok(one(request::PrunedTurns { limit }))
        }
        "expand" => {
            let numbers: Option<Vec<u32>> = rest.split(' ').map(|n| n.parse().ok()).collect();
            let (state, depth) = match numbers.as_deref() {
                Some(&[state]) => (state, None),
                Some(&[state, depth]) => (state, Some(depth)),
                _ => return Err(usage()),
            };
            Ok(one(request::ExpandState { state, depth }))
        }
        "ends" => alone(one(request::Ends {})),
        "find" => Ok(one(request::FindStates { query: needed()?.to_owned(), limit: None })),
        "goto-state" => {
            let state = needed()?.parse().map_err(|_| usage())?;
            Ok(one(request::GoToState { state }))
        }
        "parts" => {
            let numbers: Option<Vec<u32>> = rest.split(' ').map(|n| n.parse().ok()).collect();
            match numbers.as_deref() {
                Some(&[first, second]) => Ok(one(request::WhatParts { first, second })),
                _ => Err(usage()),
            }
        }
        "bookmark" => {
            let (name, place) = match needed()?.split_once(char::is_whitespace) {
                Some((name, place)) => (name, Some(place.trim().into())),
                None => (rest, None),
            };
            Ok(one(request::Bookmark { name: name.into(), place }))
        }
        "unbookmark" => Ok(one(request::RemoveBookmark { name: needed()?.into() })),
        "trace" => Ok(Action::Trace(optional())),
        "replay" => Ok(Action::Replay(needed()?.to_owned())),
        "break" | "tbreak" | "watch" if rest.ends_with(" if") => {
            Err(format!("a condition is missing after `if`, such as `if i == 3`; {}", usage()))
        }
        "break" => Ok(breakpoint(needed()?, false)),
        "tbreak" => Ok(breakpoint(needed()?, true)),
        "watch" => Ok(breakpoint(&format!("watch {}", needed()?), false)),
        "condition" | "ignore" => {
            let (which, text) = needed()?.split_once(' ').unwrap_or((rest, ""));
            let id = Which::from(which);
            let text = text.trim().to_owned();
            Ok(one(match command.name {
                "condition" => {
                    request::ChangeBreakpoint { id, condition: Some(text), hits: None, log: None }
                }
                _ => {
                    let times: u64 = text.parse().map_err(|_| usage())?;
                    let hits = Some(format!("> {times}"));
                    request::ChangeBreakpoint { id, condition: None, hits, log: None }
                }
            }))
        }
        "delete" => match rest.strip_prefix("display ").map(|id| id.trim().parse()) {
            // As in gdb, this is about what is shown at every stop.
            Some(Ok(id)) => Ok(Action::Undisplay(Some(id))),
            _ => Ok(one(request::RemoveBreakpoint { id: which() })),
        },
        "enable" | "disable" => {
            let id = which().ok_or_else(usage)?;
            Ok(one(request::EnableBreakpoint { id, enabled: command.name == "enable" }))
        }
        "property" => properties::parse(rest, &usage),
        "scenario" => properties::parse_scenario(rest, &usage),
        "verdict" => {
            let at = optional().map(|place| place.as_str().into());
            Ok(one(request::Verdict { at }))
        }
        "help" => Ok(Action::Help(optional())),
        "detach" => alone(Action::Detach),
        "quit" => alone(Action::Quit),
        name => Err(format!("{name} cannot be done here")),
    }
}

pub fn one(request: impl Into<Request>) -> Action {
    Action::Requests(vec![request.into()])
}

/// The first word, and what follows it.
pub fn word_of(text: &str) -> (&str, &str) {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim())
}

fn breakpoint(text: &str, temporary: bool) -> Action {
    let (rest, log) = split_at_word(text, " log ");
    let (rest, hits) = split_at_word(rest, " hits ");
    let (trigger, condition) = split_at_word(rest, " if ");
    one(request::AddBreakpoint { trigger: trigger.into(), condition, hits, log, temporary })
}

/// An expression, and the format before it: `/x total`.
fn formatted(text: &str) -> Result<(&str, Option<Format>), String> {
    let Some(rest) = text.strip_prefix('/') else { return Ok((text, None)) };
    let (letter, term) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let mut letters = letter.chars();
    match (letters.next().and_then(Format::from_letter), letters.next()) {
        (Some(format), None) => Ok((term.trim(), Some(format))),
        _ => Err(format!("there is no format /{letter}; write /x, /d, /u, /t or /c")),
    }
}

/// What `hits` was given: a trigger, then expressions between commas or what to log.
fn hits(text: &str) -> request::Hits {
    let (rest, log) = split_at_word(text, " log ");
    let (rest, condition) = split_at_word(rest, " if ");
    let (at, terms) = match rest.strip_prefix("watch ") {
        // What has been written is what one wants to know.
        Some(watched) => (rest, watched),
        None => split_call(rest).unwrap_or((rest, "")),
    };
    let terms = between_commas(terms).into_iter().map(|term| format!("{term} = {{{term}}}"));
    let terms: Vec<String> = terms.collect();
    let log = log.or((!terms.is_empty()).then(|| terms.join(", ")));
    request::Hits { at: at.into(), condition, log, limit: None }
}

/// The parts between commas that are in no brackets.
fn between_commas(text: &str) -> Vec<&str> {
    let mut nested = 0i32;
    let parts = text.split(|c: char| {
        nested += i32::from("([{".contains(c)) - i32::from(")]}".contains(c));
        c == ',' && nested == 0
    });
    parts.map(str::trim).filter(|part| !part.is_empty()).collect()
}

/// A text, and what follows a word in it.
fn split_at_word<'a>(text: &'a str, word: &str) -> (&'a str, Option<String>) {
    match text.split_once(word) {
        Some((before, after)) => (before.trim(), Some(after.trim().to_owned())),
        None => (text, None),
    }
}

/// A call and what follows it.
fn split_call(text: &str) -> Option<(&str, &str)> {
    let end = match text.find('(') {
        Some(open) if !text[..open].trim_end().contains(char::is_whitespace) => {
            open + text[open..].find(')')? + 1
        }
        _ => text.find(|c: char| c.is_whitespace() || c == '=')?,
    };
    let (call, rest) = text.split_at(end);
    let rest = rest.trim().trim_start_matches('=').trim();
    (!rest.is_empty()).then_some((call, rest))
}

fn mock(text: &str) -> Option<Action> {
    let (once, text) = match text.strip_prefix("once ") {
        Some(rest) => (true, rest.trim()),
        None => (false, text),
    };
    let (call, value) = split_call(text)?;
    if value.contains("..") && !value.contains('"') {
        // A range of values is a range of universes.
        return Some(one(request::Branch { call: Some(call.into()), values: value.into() }));
    }
    Some(one(request::Mock { call: call.into(), value: value.into(), once, replace: false }))
}

fn branch(text: &str) -> Action {
    let is_value = text.starts_with(|c: char| c.is_ascii_digit() || c == '-') || text == "all";
    let (call, values) = match split_call(text) {
        Some((call, values)) if !is_value => (Some(call.into()), values),
        _ => (None, text),
    };
    one(request::Branch { call, values: values.into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_split_from_what_follows() {
        for (text, expected) in [
            ("read(12) 77", Some(("read(12)", "77"))),
            ("read(1, 2) = 77", Some(("read(1, 2)", "77"))),
            ("read 0..5 step 2", Some(("read", "0..5 step 2"))),
            ("read=5", Some(("read", "5"))),
            ("read(12)", None),
            ("read", None),
            ("read(12", None),
        ] {
            assert_eq!(split_call(text), expected, "{text}");
        }
    }

    #[test]
    fn a_range_of_mocks_is_a_range_of_branches() {
        assert_eq!(parse("mock read(1) 0..9 step 3"), parse("branch read(1) 0..9 step 3"));
        assert_eq!(parse("branch all"), Ok(branch("all")));
        let here = request::Branch { call: None, values: "1, 2".into() };
        assert_eq!(parse("branch 1, 2"), Ok(one(here)));
    }

    #[test]
    fn what_follows_a_breakpoint() {
        let given = |text: &str| Some(text.to_owned());
        let add = |condition, hits, log| {
            Ok(one(request::AddBreakpoint {
                trigger: "a.ts:3".into(),
                condition,
                hits,
                log,
                temporary: false,
            }))
        };
        assert_eq!(parse("break a.ts:3"), add(None, None, None));
        assert_eq!(parse("break a.ts:3 if x > 1"), add(given("x > 1"), None, None));
        let all = parse("break a.ts:3 if x > 1 hits % 2 log what if {x} hits 3");
        assert_eq!(all, add(given("x > 1"), given("% 2"), given("what if {x} hits 3")));
        let times = request::ChangeBreakpoint {
            id: 2.into(),
            condition: None,
            hits: given("> 5"),
            log: None,
        };
        assert_eq!(parse("ignore 2 5"), Ok(one(times)));
        assert!(parse("ignore 2").is_err());
    }

    #[test]
    fn what_is_asked_of_every_hit() {
        for (text, at, log) in [
            ("hits 40", "40", None),
            ("hits main.c:40 x", "main.c:40", Some("x = {x}")),
            ("hits 40 f[i, j], x", "40", Some("f[i, j] = {f[i, j]}, x = {x}")),
            ("hits read(1, 2) x", "read(1, 2)", Some("x = {x}")),
            ("hits watch jar->weight", "watch jar->weight", Some("jar->weight = {jar->weight}")),
            ("hits 40 log at {x}, if any", "40", Some("at {x}, if any")),
        ] {
            let log = log.map(str::to_owned);
            let hits = request::Hits { at: at.into(), condition: None, log, limit: None };
            assert_eq!(parse(text), Ok(one(hits)), "{text}");
        }
    }

    #[test]
    fn formats_stand_before_expressions() {
        let print = |format| Ok(Action::Print("x / 2".into(), format));
        assert_eq!(parse("p/x x / 2"), print(Some(Format::Hexadecimal)));
        assert_eq!(parse("print /t x / 2"), print(Some(Format::Binary)));
        assert_eq!(parse("p x / 2"), print(None));
        assert!(parse("p/q x").is_err());
        assert!(parse("p/xx x").is_err());
    }

    #[test]
    fn nothing_is_nothing() {
        assert_eq!(parse("  "), Ok(Action::Nothing));
        assert_eq!(parse("# a remark"), Ok(Action::Nothing));
    }
}
