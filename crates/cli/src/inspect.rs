//! `mw inspect`: what is in a module, without running it.

mod features;
mod kinds;
mod summaries;
mod survey;
mod text;

use std::io::Write;
use std::path::PathBuf;

use self::survey::Survey;
use crate::failure::{Exit, Failure};
use crate::program::Program;
use crate::{console, world};

const AFTER_HELP: &str = "\
A module that uses features which cannot be run here is inspected all the same; what is in the way
is said on the first lines.

With --summaries every function is looked at without being run. No run leaves what is said, whatever
the arguments and the inputs; much of what is said to be possible never happens. What a primitive
brings into memory and what an interrupt does in between comes on top.

Examples:
  mw inspect examples/breakout/breakout.wasm
  mw inspect --world greenhouse.toml program.wat
  mw inspect --summaries program.wasm
  mw inspect --json program.wasm | jq '.functions | sort_by(.bytes) | reverse | .[0:10]'

With --json, standard output is one object with these keys:
  file, text, bytes  the file, whether it is in the text format, and the size of the binary
  runnable, refusal  whether it can be run here, and if not, why
  fingerprint        identifies the program; null if it cannot be run here
  imports            [{\"module\", \"name\", \"item\", \"type\"}]; a function also has \"kind\", what it is
                     in the world (input, output, abort, unknown or mismatch), and \"detail\", such
                     as the domain of an input
  exports            [{\"name\", \"item\", \"index\", \"type\"}]
  functions          those with code: [{\"index\", \"name\", \"type\", \"bytes\", \"instructions\"}];
                     instructions are those that count as steps, null if it cannot be run here.
                     With --summaries each has a \"summary\", unless it cannot be run here:
                     {\"returns\" (null if never), \"ends\" (for sure), \"recursive\", \"calls\", \"sets\",
                     \"reads\", \"writes\", \"changes\", \"traps\", \"limits\" (traps by limits or refusal),
                     \"unreached\" (instructions that are never executed), \"coarse\" (too large)}
  memories, tables, globals, tags
                     [{\"index\", \"type\", \"imported\"}]
  segments           {\"data\", \"data_bytes\", \"elements\"}
  start              the start function, or null
  features           the WebAssembly features that it needs beyond version 1.0; null if it is
                     not a valid module
  debug              {\"names\", \"dwarf\", \"source_map\", \"external\", \"producers\"}
  custom_sections    [{\"name\", \"bytes\"}]

Exit codes: 0 inspected, 2 wrong usage, 3 the file cannot be read or is not a valid module.";

/// Show what is in a program
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// The program: a WebAssembly binary or its text
    program: PathBuf,
    /// The world that says what kind of primitive each import is: board, or a world file
    #[arg(long, value_name = "board|FILE.toml", default_value = world::BOARD)]
    world: String,
    /// Say of each function what no run of it leaves: what it may return, do, call, and trap by
    #[arg(long)]
    summaries: bool,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// Shows what is in the program.
pub fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let program = Program::read(&arguments.program)?;
    let description = world::describe(&arguments.world)?;
    let (survey, broken) = Survey::of(&program, &description, arguments.summaries);
    match arguments.json {
        true => {
            let mut out = std::io::stdout().lock();
            writeln!(out, "{}", serde_json::to_string(&survey).unwrap_or_default())?;
            out.flush()?;
        }
        false => {
            let mut out = std::io::BufWriter::new(console::stdout());
            text::write(&mut out, &survey)?;
            if arguments.summaries {
                summaries::write(&mut out, &survey)?;
            }
            out.flush()?;
        }
    }
    match broken {
        None => Ok(Exit::Done),
        Some(problem) => {
            let path = program.path.display();
            Err(Failure::Unusable(format!("{path} is not a valid module: {problem}")))
        }
    }
}
