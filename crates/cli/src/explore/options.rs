//! What is explored, how far and in which order: the same options for every command that explores.

use std::path::PathBuf;

use mw_api::{ApiError, Debugger, ErrorKind, Exploration, GraphView, Setup, Suggested, request};

use crate::debug;
use crate::debug::listener::interruptible;
use crate::debug::properties;
use crate::failure::Failure;
use crate::program::Program;
use crate::sources::Folders;
use crate::{system, world};

/// What is explored, and how.
#[derive(clap::Args)]
pub struct Exploring {
    /// The program: a WebAssembly binary or its text
    pub program: PathBuf,
    /// The world to explore it in: board, or a world file
    #[arg(long, value_name = "board|FILE.toml", default_value = world::BOARD)]
    pub world: String,
    /// The exported function to call [default: _start, else main]
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,
    /// Take debug information from this file: DWARF that was split off the program
    #[arg(long, value_name = "FILE")]
    debug_file: Option<PathBuf>,
    #[command(flatten)]
    folders: Folders,
    /// Inputs explored on one path [default: 1000]
    #[arg(long, value_name = "N", value_parser = whole, help_heading = "Bounds")]
    inputs: Option<u64>,
    /// Interrupts that arrive on one path, none with 0 [default: 1]
    #[arg(long, value_name = "N", value_parser = whole, help_heading = "Bounds")]
    interrupts: Option<u64>,
    /// Paths [default: 1000; 100000 for check]
    #[arg(long, value_name = "N", value_parser = whole, help_heading = "Bounds")]
    paths: Option<u64>,
    /// Instructions on one path [default: 10000000]
    #[arg(long, value_name = "N", value_parser = whole, help_heading = "Bounds")]
    instructions: Option<u64>,
    /// Turns of one loop that inputs decide about, on one path [default: 1000]
    #[arg(long, value_name = "N", value_parser = whole, help_heading = "Bounds")]
    turns: Option<u64>,
    /// Turns of actors on one path [default: 1000]
    #[arg(long, value_name = "N", value_parser = whole, help_heading = "Bounds")]
    schedule: Option<u64>,
    /// Addresses or numbers that one expression is resolved to [default: 256]
    #[arg(long, value_name = "N", value_parser = whole, help_heading = "Bounds")]
    values: Option<u64>,
    /// Time in all, also for what is known of the paths [default: 10; 60 for check]
    #[arg(long, value_name = "SECONDS", value_parser = milliseconds, help_heading = "Bounds")]
    time: Option<u64>,
    /// Time for one question to a solver [default: 2]
    #[arg(long, value_name = "SECONDS", value_parser = milliseconds, help_heading = "Bounds")]
    solver_time: Option<u64>,
    /// Memory for paths that wait, paths that were found and what is known of them [default: 1024]
    #[arg(long, value_name = "MIB", value_parser = whole, help_heading = "Bounds")]
    memory: Option<u64>,
    /// Which path comes next: fair, depth, breadth, coverage or random [default: fair]
    #[arg(long, value_name = "NAME")]
    strategy: Option<String>,
    /// Look for one universe, and stop when it is found: trap, a function, FILE:LINE, a condition
    /// such as 'global 0 == 66', violated, or a state of a property
    #[arg(long, value_name = "TARGET")]
    towards: Option<String>,
    /// How many threads may work, 256 at most [default: as many as there are cores]
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// The number that the strategy random starts with [default: 1]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// A solver for what the built-in one does not answer: bitwuzla, cvc5, z3 or a path
    #[arg(long, value_name = "NAME|PATH")]
    solver: Option<String>,
    /// Watch for the property in this file on every path; may be given several times
    #[arg(long, value_name = "FILE.mwp")]
    pub property: Vec<PathBuf>,
    /// Follow a path only while all properties hold on it
    #[arg(long, requires = "property")]
    while_holds: bool,
    /// Make two paths of each select that an input decides, instead of one with either value
    #[arg(long)]
    fork_select: bool,
    /// Follow every order of the turns of actors, not one of those that come to the same
    #[arg(long)]
    all_orders: bool,
    /// Show options that behave alike as one
    #[arg(long)]
    merge: bool,
    /// Leave the parameters of the function open, too: they are inputs of their whole types
    #[arg(long)]
    symbolic_params: bool,
    /// Arguments of the function that is called
    #[arg(last = true)]
    pub args: Vec<String>,
}

/// Bounds that a command has unless told otherwise.
#[derive(Clone, Copy, Default)]
pub struct Defaults {
    /// Milliseconds in all.
    pub milliseconds: Option<u64>,
    /// Paths.
    pub paths: Option<usize>,
}

pub(super) fn whole(text: &str) -> Result<u64, String> {
    text.replace('_', "").parse().map_err(|_| "write a whole number, such as 1_000".into())
}

fn milliseconds(text: &str) -> Result<u64, String> {
    let seconds = text.parse::<f64>().ok().filter(|s| s.is_finite() && *s >= 0.0);
    let seconds = seconds.ok_or("write a number of seconds, such as 30 or 0.5")?;
    Ok((seconds * 1000.0) as u64)
}

impl Exploring {
    /// A session at the start of the program, and what it began with.
    pub fn open(&self) -> Result<(Setup, Debugger), Failure> {
        let unusable = |error: ApiError| Failure::Unusable(error.message);
        if system::is_system(&self.program) {
            system::check_unsaid(&self.world, self.entry.as_deref(), &self.args)?;
            if self.symbolic_params {
                return Err(Failure::Usage(system::SAYS.into()));
            }
            let setup = system::set_up(&self.program, &self.folders)?;
            let mut debugger = Debugger::new(setup.clone()).map_err(unusable)?;
            self.watch(&mut debugger)?;
            return Ok((setup, debugger));
        }
        let program = Program::read(&self.program)?;
        let program = program.with_debug_file(self.debug_file.as_deref())?;
        let program = program.with_folders(&self.folders);
        let zeros = self.zeros(&program)?;
        let args = zeros.as_ref().unwrap_or(&self.args);
        let setup = debug::set_up(&program, &self.world, self.entry.as_deref(), args)?;
        let mut debugger = Debugger::new(setup.clone()).map_err(unusable)?;
        if let Some(solver) = &self.solver {
            debugger.allow_solver(solver);
        }
        self.watch(&mut debugger)?;
        Ok((setup, debugger))
    }

    /// Loads the properties.
    pub fn watch(&self, debugger: &mut Debugger) -> Result<(), Failure> {
        self.property.iter().try_for_each(|path| properties::load(debugger, path))
    }

    /// Arguments for parameters that are left open: any will do.
    fn zeros(&self, program: &Program) -> Result<Option<Vec<String>>, Failure> {
        if !self.symbolic_params {
            return Ok(None);
        }
        if !self.args.is_empty() {
            let problem = "--symbolic-params leaves the parameters open: give no arguments";
            return Err(Failure::Usage(problem.into()));
        }
        let Some(entry) = &self.entry else {
            let problem = "--symbolic-params needs the function that has the parameters: name it \
                           with --entry";
            return Err(Failure::Usage(problem.into()));
        };
        let module = program.load()?;
        let func = module.exported_func(entry).map(|func| &module.funcs()[func as usize]);
        let params = func.map_or(0, |func| module.func_type(func).params.len());
        Ok(Some(vec!["0".into(); params]))
    }

    /// Explores until everything is found, a bound is reached or Ctrl-C is pressed.
    pub fn explore(
        &self,
        debugger: &mut Debugger,
        defaults: Defaults,
        coverage: bool,
    ) -> Result<Suggested, Failure> {
        let exploration = self.exploration(defaults, coverage);
        interruptible(|waiting| debugger.ask(exploration, waiting)).map_err(failure)
    }

    /// Draws the graph of all universes, up to the bounds.
    pub fn draw(
        &self,
        debugger: &mut Debugger,
        states: Option<usize>,
        depth: Option<u32>,
    ) -> Result<GraphView, Failure> {
        let graph = request::Graph {
            limit: states,
            depth,
            milliseconds: self.time,
            ..request::Graph::default()
        };
        interruptible(|waiting| debugger.ask(graph, waiting)).map_err(failure)
    }

    fn exploration(&self, defaults: Defaults, coverage: bool) -> Exploration {
        let size = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let exploration = Exploration {
            from: None,
            inputs: self.inputs.map(size),
            interrupts: self.interrupts.map(|most| u32::try_from(most).unwrap_or(u32::MAX)),
            paths: self.paths.map(size).or(defaults.paths),
            instructions: self.instructions,
            turns: self.turns.map(|turns| u32::try_from(turns).unwrap_or(u32::MAX)),
            schedule: self.schedule.map(size),
            values: self.values.map(size),
            milliseconds: self.time.or(defaults.milliseconds),
            solver_milliseconds: self.solver_time,
            memory: self.memory.map(|mib| size(mib.saturating_mul(1 << 20))),
            strategy: self.strategy.clone(),
            towards: self.towards.clone(),
            seed: self.seed,
            solver: self.solver.clone(),
            jobs: self.jobs,
            forks_at_select: self.fork_select,
            all_orders: self.all_orders,
            apart: !self.merge,
            all: true,
            coverage,
            while_holds: self.while_holds,
            symbolic_params: self.symbolic_params,
        };
        exploration.far()
    }
}

/// What was asked for makes no sense, or something that is needed is not there.
pub(super) fn failure(error: ApiError) -> Failure {
    match error.kind {
        ErrorKind::Unusable => Failure::Unusable(error.message),
        _ => Failure::Usage(error.message),
    }
}
