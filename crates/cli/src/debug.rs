//! `mw debug`: the debugger in the terminal and in the browser.
//!
//! A line becomes [`mw_api`] requests ([`parse`]), their replies become text ([`show`]). Who types
//! the lines makes no difference: a person ([`terminal`]), a file or a pipe ([`script`]).
//!
//! **Invariant:** there is no debugger logic here. What can be done is what the api offers.

pub mod commands;
mod examine;
mod habits;
mod help;
pub mod listener;
mod looking;
pub mod page;
mod parse;
pub mod properties;
mod script;
pub mod shell;
pub mod show;
mod terminal;

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use mw_api::{Debugger, Options, Service, Setup, Stopped};

use self::listener::Waiting;
use self::shell::Shell;
use crate::failure::{Exit, Failure};
use crate::program::Program;
use crate::sources::Folders;
use crate::{files, replay, sources, system, values, world};

const AFTER_HELP: &str = "\
The debugger starts before the first instruction; `help` lists its commands. Commands are read from
the terminal, or from a pipe, or from the file that --script names: then each is shown after `> `,
and the first that fails ends the session, unless it is written with a `-` in front.

At a terminal, the browser opens too, with a page on the same session. Its address has a secret in
it: whoever knows it can use the session.

Examples:
  mw debug examples/light-sensor/light-sensor.wasm
  mw debug --world examples/light-sensor/world.toml examples/light-sensor/light-sensor.wasm
  mw debug --session blink.mw program.wasm
  mw debug --session blink.mw
  mw debug --script story.mws program.wasm
  mw debug --replay bug.trace program.wasm
  mw debug --no-browser --port 8080 program.wasm
  echo 'continue' | mw debug program.wasm

Exit codes: 0 done, 1 a command of a script failed, 2 wrong usage, 3 program or world unusable, or
the session could not be saved.";

/// Debug a program: step, go back, mock inputs, slide between universes
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    #[command(flatten)]
    pub opening: Opening,
    /// Read commands from a file
    #[arg(long, value_name = "FILE")]
    script: Option<PathBuf>,
    /// Begin at the end of a trace, such as mw check writes
    #[arg(long, value_name = "TRACE")]
    replay: Option<PathBuf>,
    /// Answer every question of a script with yes
    #[arg(long)]
    yes: bool,
    #[command(flatten)]
    page: page::Options,
}

/// Which session to open.
#[derive(clap::Args)]
pub struct Opening {
    /// The program: a WebAssembly binary or its text; without, the one that the session file has
    #[arg(required_unless_present = "session")]
    pub program: Option<PathBuf>,
    /// The world to run it in: board, or a world file
    #[arg(long, value_name = "board|FILE.toml", default_value = world::BOARD)]
    pub world: String,
    /// The exported function to call [default: _start, else main]
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,
    /// Take debug information from this file: DWARF that was split off the program
    #[arg(long, value_name = "FILE")]
    pub debug_file: Option<PathBuf>,
    #[command(flatten)]
    pub folders: Folders,
    /// Let front ends use this solver: bitwuzla, cvc5, z3 or a path; may be given several times
    #[arg(long, value_name = "NAME|PATH")]
    pub solver: Vec<String>,
    /// Let steps pass through these files or functions, such as 'vendor/*'; may be given several times
    #[arg(long, value_name = "PATTERN")]
    pub skip: Vec<String>,
    /// Watch for the property in this file; may be given several times
    #[arg(long, value_name = "FILE.mwp")]
    pub property: Vec<PathBuf>,
    /// Do what the scenario in this file says when a property moves; may be given several times
    #[arg(long, value_name = "FILE.mwx")]
    pub scenario: Vec<PathBuf>,
    /// Keep the session in a file, and go on with the one that is there
    #[arg(long, value_name = "FILE.mw")]
    pub session: Option<PathBuf>,
    /// How much memory checkpoints may take, such as 64M; 0 for none
    #[arg(long, value_name = "SIZE", value_parser = values::parse_size)]
    pub checkpoint_memory: Option<usize>,
    /// Nothing real hangs on the world: go back over irreversible outputs without asking
    #[arg(long)]
    pub dry: bool,
    /// Arguments of the function that is called
    #[arg(last = true)]
    pub args: Vec<String>,
}

/// Opens the debugger.
pub fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    converse(arguments.opening.open()?, arguments)
}

/// Lets a person, a pipe or a script debug.
pub fn converse(mut debugger: Debugger, arguments: &Arguments) -> Result<Exit, Failure> {
    for solver in &arguments.opening.solver {
        debugger.allow_solver(solver);
    }
    for pattern in &arguments.opening.skip {
        debugger.skip(pattern).map_err(|error| Failure::Usage(error.message))?;
    }
    debugger.read_files(|path| files::read_text(Path::new(path)).ok());
    for path in &arguments.opening.property {
        properties::load(&mut debugger, path)?;
    }
    debugger.carry_out_with(properties::carry_out);
    for path in &arguments.opening.scenario {
        let load = properties::read_scenario(path).map_err(Failure::Unusable)?;
        let loaded = debugger.ask(load, &mut mw_api::Unattended);
        loaded.map_err(|error| Failure::Unusable(error.message))?;
    }
    let begun = match &arguments.replay {
        Some(trace) => Some(replay::replay(&mut debugger, trace)?),
        None => None,
    };
    let service = Service::start(debugger)
        .map_err(|error| Failure::Unusable(format!("the session cannot be served: {error}")))?;
    // Until the end: it goes before the session does.
    let page = arguments.page.serve(&service, arguments.script.is_some())?;
    let ended = match page.as_ref().filter(|_| arguments.page.is_alone()) {
        Some(page) => page.wait(),
        None => talk(&service, begun, arguments),
    };
    drop(page);
    let closed = service.close().map_err(Failure::Unusable);
    ended.and_then(|exit| closed.map(|()| exit))
}

/// Lets somebody write lines until they leave.
fn talk(service: &Service, begun: Option<Stopped>, arguments: &Arguments) -> Result<Exit, Failure> {
    let mut shell = Shell::new(service.client("terminal"), arguments.yes).beginning_with(begun);
    match &arguments.script {
        Some(path) => {
            let text = files::read_text(path).map_err(|error| {
                Failure::Unusable(format!("the script {} cannot be read: {error}", path.display()))
            })?;
            script::run(&mut shell, &path.display().to_string(), &mut text.as_bytes())
        }
        None if std::io::stdin().is_terminal() => terminal::run(&mut shell),
        None => script::run(&mut shell, "standard input", &mut std::io::stdin().lock()),
    }
}

impl Opening {
    /// Opens it.
    pub fn open(&self) -> Result<Debugger, Failure> {
        let unusable = |error: mw_api::ApiError| Failure::Unusable(error.message);
        let mut waiting = Waiting::new();
        if self.program.is_none() {
            let path = self.session.as_deref().unwrap_or(Path::new(""));
            return Debugger::reopen(None, path, &mut waiting).map_err(unusable);
        }
        let setup = self.set_up()?;
        match &self.session {
            Some(file) => Debugger::in_file(setup, file, &mut waiting).map_err(unusable),
            None => Debugger::new(setup).map_err(unusable),
        }
    }

    /// What a session of the program begins with.
    pub fn set_up(&self) -> Result<Setup, Failure> {
        let Some(path) = &self.program else {
            return Err(Failure::Usage("name the program".into()));
        };
        let mut options = Options { dry: self.dry, ..Options::default() };
        if let Some(bytes) = self.checkpoint_memory {
            options.checkpoint_memory = bytes;
        }
        if system::is_system(path) {
            system::check_unsaid(&self.world, self.entry.as_deref(), &self.args)?;
            return Ok(system::set_up(path, &self.folders)?.options(options));
        }
        let program = Program::read(path)?.with_debug_file(self.debug_file.as_deref())?;
        let program = program.with_folders(&self.folders);
        let entry = self.entry.as_deref();
        Ok(set_up(&program, &self.world, entry, &self.args)?.options(options))
    }
}

/// What a session of a program begins with.
pub fn set_up(
    program: &Program,
    world: &str,
    entry: Option<&str>,
    args: &[String],
) -> Result<Setup, Failure> {
    // The same words for the same mistakes as in `mw run`.
    program.load()?;
    let unusable = |error: mw_api::ApiError| Failure::Unusable(error.message);
    let setup = Setup::new(&program.binary).map_err(unusable)?;
    let setup = setup.calling(entry, args).map_err(|error| Failure::Usage(error.message))?;
    let setup = sources::read(setup, program);
    world::furnish(setup.named(&program.path.display().to_string()), world)
}
