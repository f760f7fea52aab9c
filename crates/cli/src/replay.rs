//! `mw replay`: goes where a trace leads, and says where that is.

use std::io::Write;
use std::path::{Path, PathBuf};

use mw_api::{
    Debugger, Envelope, HaltView, Position, PropertyView, Stopped, Unattended, VerdictView,
    WorldView, request,
};
use serde::Serialize;

use crate::console::{self, ERROR, FAINT, SUCCESS, TITLE, count_of};
use crate::debug::properties;
use crate::failure::{Exit, Failure};
use crate::program::Program;
use crate::sources::Folders;
use crate::{debug, files, system, world};

const AFTER_HELP: &str = "\
A trace is written by the command `trace FILE` of `mw debug`, and by `mw check` for what it finds.
`mw debug --replay` opens the debugger at its end. It fits the program and the world that it was made
with, and no others. What the program printed goes to standard output, where it is at
the end of the trace to standard error.

Examples:
  mw replay bug.trace program.wasm
  mw replay --json bug.trace program.wasm | jq .position.function

With --json, standard output is one object with these keys:
  outcome       \"finished\", \"trapped\", \"aborted\", or \"heap\" if it ends before a misuse of
                memory; null if the trace ends before the program
  message       what is said about the outcome, or null
  results       the values that the program returned: [{\"type\", \"text\"}]
  instructions  how many were executed
  choices       how many inputs were read and other choices made
  position      where the trace ends: place, function, offset, next instruction, pending call
  transcript    what the program printed on a board

Exit codes: 0 replayed, 1 replayed and the program trapped, aborted or misuses memory there, 2 wrong
usage, 3 the trace does not fit, or a file is unusable.";

/// Replay a trace of a program
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// The trace
    trace: PathBuf,
    /// The program: a WebAssembly binary or its text
    program: PathBuf,
    /// The world that the trace was made in: board, or a world file
    #[arg(long, value_name = "board|FILE.toml", default_value = world::BOARD)]
    world: String,
    /// The exported function to call [default: _start, else main]
    #[arg(long, value_name = "NAME")]
    entry: Option<String>,
    #[command(flatten)]
    folders: Folders,
    /// Say whether the property in this file holds where it ends; may be given several times
    #[arg(long, value_name = "FILE.mwp")]
    property: Vec<PathBuf>,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
    /// Arguments of the function that is called
    #[arg(last = true)]
    args: Vec<String>,
}

#[derive(Serialize)]
struct Object<'a> {
    outcome: Option<&'a str>,
    message: Option<&'a str>,
    results: &'a [mw_api::ValueView],
    instructions: u64,
    choices: u64,
    position: &'a Position,
    transcript: &'a str,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    properties: &'a [PropertyView],
}

/// Replays the trace.
pub fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let setup = match system::is_system(&arguments.program) {
        true => {
            let Arguments { world, entry, args, .. } = arguments;
            system::check_unsaid(world, entry.as_deref(), args)?;
            system::set_up(&arguments.program, &arguments.folders)?
        }
        false => {
            let program = Program::read(&arguments.program)?.with_folders(&arguments.folders);
            let entry = arguments.entry.as_deref();
            debug::set_up(&program, &arguments.world, entry, &arguments.args)?
        }
    };
    let mut debugger = Debugger::new(setup).map_err(|error| Failure::Unusable(error.message))?;
    for path in &arguments.property {
        properties::load(&mut debugger, path)?;
    }
    let stopped = replay(&mut debugger, &arguments.trace)?;
    let properties = debugger.ask(request::Properties {}, &mut Unattended).unwrap_or_default();
    let position = &stopped.position;
    let world = debugger.ask(request::World { at: None }, &mut Unattended).ok();
    match arguments.json {
        true => write_json(&stopped, world.as_ref(), &properties)?,
        false => {
            write_text(&stopped, world.as_ref())?;
            write_verdicts(&properties)?;
        }
    }
    let failed = position.ended.as_ref().is_some_and(|outcome| outcome.kind != "finished");
    let is_violated = |one: &PropertyView| one.verdict == VerdictView::Violated;
    match failed || misuse(&stopped).is_some() || properties.iter().any(is_violated) {
        true => Ok(Exit::ProgramFailed),
        false => Ok(Exit::Done),
    }
}

/// Goes where the trace in a file leads.
pub fn replay(debugger: &mut Debugger, trace: &Path) -> Result<Stopped, Failure> {
    let path = trace.display();
    let text = files::read_text(trace)
        .map_err(|error| Failure::Unusable(format!("the trace {path} cannot be read: {error}")))?;
    let replay = Envelope { request: request::ReplayTrace { text }, confirm: true };
    debugger
        .ask(replay, &mut Unattended)
        .map_err(|error| Failure::Unusable(format!("the trace {path}: {error}")))
}

/// How memory is misused where the trace ends, if it is.
fn misuse(stopped: &Stopped) -> Option<&str> {
    match &stopped.halt {
        HaltView::Misuse { text } => Some(text),
        _ => None,
    }
}

fn transcript(world: Option<&WorldView>) -> &str {
    let board = world.and_then(|world| world.board.as_ref());
    board.map(|board| board.transcript.as_str()).unwrap_or_default()
}

/// Whether properties hold where the trace ends.
fn write_verdicts(properties: &[PropertyView]) -> std::io::Result<()> {
    let mut err = console::stderr();
    for property in properties {
        let (style, said) = match property.verdict {
            VerdictView::Holds => (SUCCESS, "holds"),
            VerdictView::Violated => (ERROR, "is violated"),
            VerdictView::Inconclusive => (TITLE, "is open"),
        };
        writeln!(err, "  {} {style}{said}{style:#}", property.name)?;
    }
    Ok(())
}

fn write_json(
    stopped: &Stopped,
    world: Option<&WorldView>,
    properties: &[PropertyView],
) -> std::io::Result<()> {
    let position = &stopped.position;
    let ended = position.ended.as_ref();
    let misuse = misuse(stopped);
    let object = Object {
        outcome: ended.map(|outcome| outcome.kind.as_str()).or(misuse.map(|_| "heap")),
        message: ended.map(|outcome| outcome.text.as_str()).or(misuse),
        results: ended.map(|outcome| outcome.results.as_slice()).unwrap_or_default(),
        instructions: position.place.count,
        choices: position.choices,
        position,
        transcript: transcript(world),
        properties,
    };
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", serde_json::to_string(&object).unwrap_or_default())?;
    out.flush()
}

fn write_text(stopped: &Stopped, world: Option<&WorldView>) -> std::io::Result<()> {
    console::write_printed(transcript(world).as_bytes())?;
    let mut err = console::stderr();
    let position = &stopped.position;
    let (style, said) = match (&position.ended, misuse(stopped)) {
        (Some(outcome), _) if outcome.kind == "finished" => (SUCCESS, outcome.text.as_str()),
        (Some(outcome), _) => (ERROR, outcome.text.as_str()),
        (None, Some(misuse)) => (ERROR, misuse),
        (None, None) => (TITLE, "the trace ends here"),
    };
    writeln!(
        err,
        "{style}{said}{style:#} after {}, {}",
        count_of(position.place.count, "instruction", "instructions"),
        count_of(position.choices, "choice", "choices")
    )?;
    let outcome = position.ended.iter().flat_map(|outcome| &outcome.results);
    for result in outcome {
        writeln!(err, "  {FAINT}result{FAINT:#} {} ({})", result.text, result.ty)?;
    }
    match (&position.function, &position.instruction) {
        (Some(function), Some(instruction)) => {
            let offset = position.offset.map(|o| format!(" {o:#x}")).unwrap_or_default();
            writeln!(err, "  in {function}{FAINT}{offset}{FAINT:#}: {instruction}")
        }
        _ => Ok(()),
    }
}
