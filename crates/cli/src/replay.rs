//! `mw replay`: goes where a trace leads, and says where that is.

use std::io::Write;
use std::path::PathBuf;

use mw_api::{Debugger, Position, Reply, Request, Unattended, WorldView};
use serde::Serialize;

use crate::console::{self, ERROR, FAINT, SUCCESS, TITLE, count_of};
use crate::failure::{Exit, Failure};
use crate::program::Program;
use crate::sources::Folders;
use crate::{debug, files, world};

const AFTER_HELP: &str = "\
A trace is written by the command `trace FILE` of `mw debug`. It fits the program and the world that
it was made with, and no others. What the program printed goes to standard output, where it is at
the end of the trace to standard error.

Examples:
  mw replay bug.trace program.wasm
  mw replay --json bug.trace program.wasm | jq .position.function

With --json, standard output is one object with these keys:
  outcome       \"finished\", \"trapped\" or \"aborted\"; null if the trace ends before the program
  message       what is said about the outcome, or null
  results       the values that the program returned: [{\"type\", \"text\"}]
  instructions  how many were executed
  choices       how many inputs were read and other choices made
  position      where the trace ends: place, function, offset, next instruction, pending call
  transcript    what the program printed on a board

Exit codes: 0 replayed, 1 replayed and the program trapped or aborted there, 2 wrong usage, 3 the
trace does not fit, or a file is unusable.";

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
}

/// Replays the trace.
pub fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let path = arguments.trace.display();
    let text = files::read_text(&arguments.trace)
        .map_err(|error| Failure::Unusable(format!("the trace {path} cannot be read: {error}")))?;
    let program = Program::read(&arguments.program)?.with_folders(&arguments.folders);
    let entry = arguments.entry.as_deref();
    let setup = debug::set_up(&program, &arguments.world, entry, &arguments.args)?;
    let mut debugger = Debugger::new(setup).map_err(|error| Failure::Unusable(error.message))?;
    let replayed = ask(&mut debugger, Request::ReplayTrace { text, confirm: true });
    let reply =
        replayed.map_err(|message| Failure::Unusable(format!("the trace {path}: {message}")))?;
    let Reply::Stopped(stopped) = reply else { return Ok(Exit::Done) };
    let position = &stopped.position;
    let world = match ask(&mut debugger, Request::World) {
        Ok(Reply::World(view)) => Some(view),
        _ => None,
    };
    match arguments.json {
        true => write_json(position, world.as_deref())?,
        false => write_text(position, world.as_deref())?,
    }
    let failed = position.ended.as_ref().is_some_and(|outcome| outcome.kind != "finished");
    Ok(if failed { Exit::ProgramFailed } else { Exit::Done })
}

fn ask(debugger: &mut Debugger, request: Request) -> Result<Reply, String> {
    debugger.handle(request, &mut Unattended).map_err(|error| error.message)
}

fn transcript(world: Option<&WorldView>) -> &str {
    let board = world.and_then(|world| world.board.as_ref());
    board.map(|board| board.transcript.as_str()).unwrap_or_default()
}

fn write_json(position: &Position, world: Option<&WorldView>) -> std::io::Result<()> {
    let ended = position.ended.as_ref();
    let object = Object {
        outcome: ended.map(|outcome| outcome.kind.as_str()),
        message: ended.map(|outcome| outcome.text.as_str()),
        results: ended.map(|outcome| outcome.results.as_slice()).unwrap_or_default(),
        instructions: position.place.count,
        choices: position.choices,
        position,
        transcript: transcript(world),
    };
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", serde_json::to_string(&object).unwrap_or_default())?;
    out.flush()
}

fn write_text(position: &Position, world: Option<&WorldView>) -> std::io::Result<()> {
    console::write_printed(transcript(world).as_bytes())?;
    let mut err = console::stderr();
    let (style, said) = match &position.ended {
        Some(outcome) if outcome.kind == "finished" => (SUCCESS, outcome.text.as_str()),
        Some(outcome) => (ERROR, outcome.text.as_str()),
        None => (TITLE, "the trace ends here"),
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
