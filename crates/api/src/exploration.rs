//! How to explore: bounds, order, solvers, and what to look for.

use std::fmt::Display;
use std::sync::Arc;
use std::time::Duration;

use mw_concolic::solver::Backend;
use mw_concolic::solver::sat::Sat;
use mw_concolic::solver::smt::Smt;
use mw_concolic::{Bounds, Goal, Options, Strategy};
use mw_session::Condition;
use serde::{Deserialize, Serialize};

use crate::ask::{Answered, Ask};
use crate::debugger::Debugger;
use crate::error::{ApiError, ErrorKind};
use crate::event::Listener;
use crate::notation::{PlaceRef, list};
use crate::suggested::Suggested;
use crate::terms::unreadable;

/// Explores: adds the future universes that differ in control flow. What is not given has a default
/// that fits a person who waits and looks at what is found, see [`usual`](Self::usual).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct Exploration {
    /// From where; from here without.
    pub from: Option<PlaceRef>,
    /// Inputs explored on one path.
    pub inputs: Option<usize>,
    /// Interrupts that arrive on one path; none does with 0.
    pub interrupts: Option<u32>,
    /// Paths.
    pub paths: Option<usize>,
    /// Instructions on one path.
    pub instructions: Option<u64>,
    /// Turns of one loop on one path.
    pub turns: Option<u32>,
    /// Turns of actors on one path.
    pub schedule: Option<usize>,
    /// Addresses or numbers that one expression is resolved to.
    pub values: Option<usize>,
    /// Milliseconds in all.
    pub milliseconds: Option<u64>,
    /// Milliseconds for one question to a solver.
    pub solver_milliseconds: Option<u64>,
    /// Bytes that may be held.
    pub memory: Option<usize>,
    /// In which order: `fair`, `depth`, `breadth`, `coverage` or `random`.
    pub strategy: Option<String>,
    /// What to look for, instead of everything: `trap`, a function, `FILE:LINE`, a condition such
    /// as `global 0 == 66`, `violated`, or a state of a property.
    pub towards: Option<String>,
    /// The number that `random` starts with.
    pub seed: Option<u64>,
    /// A solver to ask when the built-in one does not know: one that the person has allowed, by
    /// the name or path that they gave.
    pub solver: Option<String>,
    /// How many threads may work; as many as there are cores without.
    pub jobs: Option<usize>,
    /// Whether each `select` makes two paths.
    pub forks_at_select: bool,
    /// Whether every order of turns is followed, not one of those that come to the same.
    pub all_orders: bool,
    /// Whether options that behave alike stay apart; otherwise they are one.
    pub apart: bool,
    /// Whether all paths are added, however many they are. Otherwise, if they are more than
    /// [`MANY`], none is: [`AddSuggested`](crate::request::AddSuggested) does that then.
    pub all: bool,
    /// Whether to note what was reached.
    pub coverage: bool,
    /// Whether a path is followed only while all properties hold on it.
    pub while_holds: bool,
    /// Whether the parameters of the entry are open, too; only at the start.
    pub symbolic_params: bool,
}

impl Ask for Exploration {
    type Reply = Suggested;

    fn serve(self, debugger: &mut Debugger, listener: &mut dyn Listener) -> Answered<Self> {
        debugger.suggest(&self, listener)
    }
}

/// More paths than this are not added unasked.
pub const MANY: usize = 50;

/// So many inputs are explored on one path: as many as a person can look through.
const INPUTS: usize = 4;

impl Exploration {
    /// The bounds and the order that hold where nothing else is said.
    pub fn usual() -> Exploration {
        let bounds = Bounds::default();
        Exploration {
            inputs: Some(INPUTS),
            interrupts: Some(bounds.interrupts),
            paths: Some(bounds.paths),
            instructions: Some(bounds.instructions),
            milliseconds: Some(bounds.time.as_millis() as u64),
            strategy: Some("breadth".into()),
            ..Exploration::default()
        }
    }

    /// Those of whoever looks for everything there is, or for something that may be far away.
    pub fn far(self) -> Exploration {
        Exploration {
            inputs: self.inputs.or(Some(Bounds::default().inputs)),
            strategy: self.strategy.or(Some("fair".into())),
            ..self
        }
    }
}

impl Debugger {
    /// What is looked for.
    pub(crate) fn goal(&self, target: &str) -> Result<Goal, ApiError> {
        let target = target.trim();
        let module = self.session.module();
        if ["trap", "failure"].contains(&target) {
            return Ok(Goal::Failure);
        }
        if let Some(goal) = self.property_goal(target)? {
            return Ok(goal);
        }
        let functions = module.funcs().iter().enumerate();
        let named = functions.filter(|(index, func)| {
            func.import.is_none() && module.func_name(*index as u32) == target
        });
        let starts: Vec<u32> = named.map(|(i, _)| module.func_code(i as u32).start).collect();
        if !starts.is_empty() {
            return Ok(Goal::Reach(starts));
        }
        if let Ok(func) = self.running().program().find_function(target) {
            return Ok(Goal::Reach(vec![module.func_code(func).start]));
        }
        if let (Some(sources), Some((file, line))) = (self.sources(), target.rsplit_once(':'))
            && let Ok(line) = line.trim().parse()
        {
            let file = sources.find_file(file).map_err(|e| ApiError::unknown(e.to_string()))?;
            let line = sources.line_with_code(file, line).ok_or_else(|| {
                ApiError::unknown(format!("there is no code at {target} or after it"))
            })?;
            let entries = sources.entries(file, line);
            return Ok(Goal::Reach(
                entries.iter().filter_map(|&o| module.pc_at_offset(o)).collect(),
            ));
        }
        let wrong = |error: &dyn Display| {
            ApiError::notation(format!(
                "{error}\nlook for `trap`, a function, FILE:LINE, a condition on the machine, such as \
                 `global 0 == 66 and i32 @ 1024 > local 0`, `violated`, or a state of a property"
            ))
        };
        let condition = Condition::parse(target, &self.running().names_in(&[]));
        let condition = condition.map_err(|error| wrong(&unreadable(target, error).message))?;
        match condition.is_symbolic() {
            true => Ok(Goal::Holds(Arc::new(condition))),
            false => Err(wrong(&format!("`{target}` cannot be looked for"))),
        }
    }
}

/// The most threads that may work. There is no machine on which more would help.
const MOST_JOBS: u64 = 256;
/// The most of anything that is counted: longer than anybody waits for it.
const MOST: u64 = 1_000_000_000_000;
/// The most milliseconds: a year.
const MOST_TIME: u64 = 365 * 24 * 60 * 60 * 1000;

/// Refuses numbers beyond what makes sense.
fn check(given: &Exploration) -> Result<(), ApiError> {
    let size = |number: Option<usize>| number.map(|number| number as u64);
    for (what, number, most) in [
        ("inputs", size(given.inputs), MOST),
        ("interrupts", given.interrupts.map(u64::from), MOST),
        ("paths", size(given.paths), MOST),
        ("instructions", given.instructions, MOST),
        ("turns", given.turns.map(u64::from), MOST),
        ("turns of actors", size(given.schedule), MOST),
        ("values", size(given.values), MOST),
        ("milliseconds of time", given.milliseconds, MOST_TIME),
        ("milliseconds of solver-time", given.solver_milliseconds, MOST_TIME),
        ("bytes of memory", size(given.memory), MOST),
        ("jobs", size(given.jobs), MOST_JOBS),
    ] {
        if let Some(number) = number.filter(|number| *number > most) {
            let problem = format!("{number} {what} are too many; {most} are the most");
            return Err(ApiError::notation(problem));
        }
    }
    Ok(())
}

/// What is meant for the engine; `goal` apart. Of solvers, only those that are `allowed` are run.
pub(crate) fn options(exploration: &Exploration, allowed: &[String]) -> Result<Options, ApiError> {
    check(exploration)?;
    let mut bounds = Bounds::default();
    let given = match exploration.towards {
        Some(_) => exploration.clone().far(),
        None => exploration.clone(),
    };
    bounds.inputs = given.inputs.unwrap_or(INPUTS);
    bounds.interrupts = given.interrupts.unwrap_or(bounds.interrupts);
    bounds.paths = given.paths.unwrap_or(bounds.paths);
    bounds.instructions = given.instructions.unwrap_or(bounds.instructions);
    bounds.turns = given.turns.unwrap_or(bounds.turns);
    bounds.schedule = given.schedule.unwrap_or(bounds.schedule);
    bounds.values = given.values.unwrap_or(bounds.values).max(1);
    bounds.memory = given.memory.unwrap_or(bounds.memory);
    bounds.time = given.milliseconds.map_or(bounds.time, Duration::from_millis);
    bounds.solver_time =
        given.solver_milliseconds.map_or(bounds.solver_time, Duration::from_millis);
    let strategy = match given.strategy.as_deref() {
        None | Some("breadth") => Strategy::BreadthFirst,
        Some("fair") => Strategy::Fair,
        Some("depth") => Strategy::DepthFirst,
        Some("coverage") => Strategy::CoverageFirst,
        Some("random") => Strategy::Random(given.seed.unwrap_or(1)),
        Some(other) => {
            return Err(ApiError::notation(format!(
                "there is no strategy {other}; there are fair, depth, breadth, coverage and random"
            )));
        }
    };
    let mut backends: Vec<Box<dyn Backend>> = vec![Box::new(Sat::new())];
    if let Some(program) = &given.solver {
        if !allowed.contains(program) {
            let known = list(allowed.iter().map(String::as_str), "none");
            return Err(ApiError::unknown(format!(
                "the solver {program} is not one of those that may be used: {known}; start mw with \
                 --solver {program}, or name it in the terminal"
            )));
        }
        let smt = Smt::new(program);
        if let Err(instead) = smt.check() {
            let message = format!(
                "the solver {program} {instead}; install bitwuzla, cvc5 or z3, or leave it to the \
                 built-in one"
            );
            return Err(ApiError::new(ErrorKind::Unusable, message));
        }
        backends.push(Box::new(smt));
    }
    Ok(Options {
        bounds,
        strategy,
        mocks: Vec::new(),
        along: None,
        forks_at_select: given.forks_at_select,
        follows_all_orders: given.all_orders,
        covers: given.coverage,
        observes: !given.apart,
        backends,
        goal: None,
        while_holds: given.while_holds,
        jobs: given.jobs.unwrap_or(0),
    })
}
