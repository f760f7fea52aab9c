//! `mw run`: one universe, from the start of the program to its end.

mod ask;
mod drive;
mod json;
mod summary;
mod watch;

use std::io::Write;
use std::path::PathBuf;

use mw_api::Entry;
use mw_ensemble::Moment;
use mw_vm::{ImportValues, Limits, Machine, Module};

use self::drive::{Ending, Run};
use self::json::Streamed;
use self::watch::{Printed, Traced, Watcher};
use crate::console::{self, FAINT, NOTE};
use crate::failure::{Exit, Failure};
use crate::program::Program;
use crate::sources::Folders;
use crate::{system, world};

const AFTER_HELP: &str = "\
What is run: the start function, if there is one, then _start, else main; or the export that
--entry names. What the program prints goes to standard output, everything about the run to
standard error. A terminal is shown control characters as \\u{1b}; files and pipes get them as
they are. With --trace, standard output has a line for each call of a primitive instead:
the number of instructions executed before it, the call, and either the value that an input
returned, with all that it could have returned, or the effect of an output.

Examples:
  mw run examples/blink/blink.wat
  mw run --trace --budget 5000 examples/led-counter/led-counter.wasm
  mw run --set 'chip_analog_read(12)=1400' examples/temperature-dashboard/temperature-dashboard.wasm
  mw run --world greenhouse.toml program.wasm
  mw run --entry add program.wasm -- 2 0x28
  mw run --json program.wasm | jq .instructions

With --json, standard output is one object with these keys:
  outcome       \"finished\", \"trapped\", \"aborted\", \"budget\", or of tasks \"deadlocked\",
                \"unanswered\", \"unhandled\"; then \"stuck\" says who waits, or what is left
  results       the values that the program returned: [{\"type\", \"value\"}]
  instructions  how many were executed
  choices       how many inputs were read
  outputs       how many outputs were performed
  trap          null, or {\"kind\", \"function\", \"offset\", \"stack\": [{\"function\", \"offset\"}]}
  abort         null, or {\"message\", \"stack\"}
  transcript    what the program printed on a board; not with --trace, where interactions have it
  world         its name, registers, what inputs were set to, and the board; the picture on the
                board's display only if the display is on
  interactions  with --trace: [{\"instructions\", \"call\", \"primitive\", \"args\", \"kind\"}], an
                input with \"value\" and \"domain\", an output with \"effect\" and, if it printed
                something, \"printed\", an abort with \"message\"
  error         only if the run came to no end: why; then \"outcome\" is null, and the rest missing
A value that JSON has no number for is a string: \"NaN\", \"inf\", \"-inf\". The object is written
while the program runs: Ctrl-C cuts it off, --budget ends it as it should.

Exit codes: 0 finished, 1 trapped or aborted, 2 wrong usage, 3 program or world unusable, 4 budget
used up.";

/// Run a program in a world
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// The program: a WebAssembly binary or its text
    program: PathBuf,
    /// The world to run it in: board, or a world file
    #[arg(long, value_name = "board|FILE.toml", default_value = world::BOARD)]
    world: String,
    /// The exported function to call [default: _start, else main]
    #[arg(long, value_name = "NAME")]
    entry: Option<String>,
    /// Stop after so many instructions
    #[arg(long, value_name = "N", value_parser = parse_budget)]
    budget: Option<u64>,
    /// Print every call of a primitive
    #[arg(long)]
    trace: bool,
    /// Let an input return a value, such as 'chip_analog_read(12)=77'; may be repeated
    #[arg(long = "set", value_name = "CALL=VALUE")]
    settings: Vec<String>,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
    /// Arguments of the function that is called
    #[arg(last = true)]
    args: Vec<String>,
}

fn parse_budget(text: &str) -> Result<u64, String> {
    text.replace('_', "").parse().map_err(|_| "write a whole number, such as 1_000_000".into())
}

/// Runs the program to its end, or as far as the budget goes.
pub fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    if system::is_system(&arguments.program) {
        return run_system(arguments);
    }
    let program = Program::read(&arguments.program)?;
    let module = program.load()?;
    let description = world::describe(&arguments.world)?;
    let mut world = world::bind(&description, &module)?;
    for setting in &arguments.settings {
        world::set(&mut world, setting)?;
    }
    let entry = Entry::find(&module, arguments.entry.as_deref(), &arguments.args)
        .map_err(|error| Failure::Usage(error.message))?;
    let machine = Machine::new(module.clone(), Limits::default(), ImportValues::default());
    let machine = machine.map_err(|error| {
        let path = program.path.display();
        Failure::Unusable(format!("the program {path} cannot be started: {error}"))
    })?;

    let mut err = console::stderr();
    if !arguments.json {
        note_imports(&module, &mut err)?;
    }
    go_through(Moment::new(machine, world), entry, arguments)
}

/// Runs a system to its end, or as far as the budget goes.
fn run_system(arguments: &Arguments) -> Result<Exit, Failure> {
    let Arguments { world, entry, settings, args, .. } = arguments;
    let is_said = system::check_unsaid(world, entry.as_deref(), args).is_err();
    if is_said || !settings.is_empty() {
        return Err(Failure::Usage(format!("{}; --set is for programs, too", system::SAYS)));
    }
    let setup = system::set_up(&arguments.program, &Folders::default())?;
    let unusable = |error: mw_api::ApiError| Failure::Unusable(error.message);
    match setup.system_moment() {
        Some(now) => go_through(now.map_err(unusable)?, None, arguments),
        None => Ok(Exit::Done),
    }
}

/// Runs whatever there is at a moment to its end, and says how that was.
fn go_through(now: Moment, entry: Option<Entry>, arguments: &Arguments) -> Result<Exit, Failure> {
    let mut run = Run::new(now, arguments.budget.unwrap_or(u64::MAX));
    if arguments.json {
        let mut streamed = Streamed::new(arguments.trace)?;
        let ending = run.finish(entry, &mut streamed);
        streamed.finish(&run, ending.as_ref())?;
        return ending.map(|ending| ending.exit());
    }

    let mut err = console::stderr();
    if arguments.trace {
        let (path, world) = (arguments.program.display(), run.now.world.description().name());
        writeln!(err, "{FAINT}{path} in the world {world}{FAINT:#}")?;
    }
    let watcher: &mut dyn Watcher = if arguments.trace { &mut Traced } else { &mut Printed };
    let ending = run.finish(entry, watcher)?;
    summary::write(&mut err, &run, &ending)?;
    Ok(ending.exit())
}

impl Ending {
    fn exit(&self) -> Exit {
        match self {
            Ending::Finished(_) => Exit::Done,
            Ending::Trapped(_) | Ending::Aborted { .. } | Ending::Stuck { .. } => {
                Exit::ProgramFailed
            }
            Ending::BudgetUsedUp => Exit::BudgetUsedUp,
        }
    }
}

/// A world provides functions. Whoever imports anything else should know what they got.
fn note_imports(module: &Module, err: &mut impl Write) -> std::io::Result<()> {
    let memories = module.memories().iter().filter_map(|memory| memory.import.as_ref());
    let tables = module.tables().iter().filter_map(|table| table.import.as_ref());
    let globals = module.globals().iter().filter_map(|global| global.import.as_ref());
    let notes = (memories.map(|name| (name, "memory", "of its least size, all zero")))
        .chain(tables.map(|name| (name, "table", "of its least size, all null")))
        .chain(globals.map(|name| (name, "global", "of value zero")));
    for (name, kind, given) in notes {
        writeln!(err, "{NOTE}note:{NOTE:#} the imported {kind} {name} is a new one, {given}")?;
    }
    Ok(())
}
