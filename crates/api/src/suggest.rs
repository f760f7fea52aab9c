//! Suggestions: the universes that matter, found by exploring from here.

use std::time::{Duration, Instant};

use mw_concolic::solver::Backend;
use mw_concolic::solver::sat::Sat;
use mw_concolic::solver::smt::Smt;
use mw_concolic::{
    Bounds, Class, Control, Coverage, Cut, End, Explorer, Leaf, Options, Outcome, Strategy, Tree,
};
use mw_session::Place;
use mw_vm::{Op, Value};
use mw_world::Call;
use serde::{Deserialize, Serialize};

use crate::debugger::Debugger;
use crate::error::{ApiError, ErrorKind};
use crate::event::{Event, Listener};
use crate::reply::{PlaceView, Reply};

/// How to explore. What is not given has a default that fits a person who waits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct Exploration {
    /// Inputs explored on one path.
    pub inputs: Option<usize>,
    /// Paths.
    pub paths: Option<usize>,
    /// Instructions on one path.
    pub instructions: Option<u64>,
    /// Turns of one loop on one path.
    pub turns: Option<u32>,
    /// Addresses or numbers that one expression is resolved to.
    pub values: Option<usize>,
    /// Milliseconds in all.
    pub milliseconds: Option<u64>,
    /// Milliseconds for one question to a solver.
    pub solver_milliseconds: Option<u64>,
    /// Bytes that waiting paths may hold.
    pub memory: Option<usize>,
    /// In which order: `depth`, `breadth`, `coverage` or `random`.
    pub strategy: Option<String>,
    /// The number that `random` starts with.
    pub seed: Option<u64>,
    /// A solver to ask when the built-in one does not know: `bitwuzla`, `cvc5`, `z3`, or a path.
    pub solver: Option<String>,
    /// Whether each `select` makes two paths.
    pub forks_at_select: bool,
    /// Whether options that behave alike are shown as one.
    pub merge: bool,
    /// Whether to note what was reached.
    pub coverage: bool,
    /// Whether the parameters of the entry are open, too; only at the start.
    pub symbolic_params: bool,
}

/// What was found by exploring.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suggested {
    /// Where the exploration began.
    pub from: PlaceView,
    /// How many paths there are, those that were cut off included.
    pub paths: u64,
    /// Whether nothing was cut off.
    pub complete: bool,
    /// Why it stopped with paths waiting, if it did. To go on is possible then.
    pub stopped: Option<String>,
    /// How many places there are at which an input is read.
    pub choices: u64,
    /// The most options at one of them.
    pub max_options: u64,
    /// Instructions executed.
    pub instructions: u64,
    /// Instructions of all paths together, each from the start of the exploration.
    pub path_instructions: u64,
    /// Questions that were answered, by what.
    pub queries: QueriesView,
    /// Microseconds that it took.
    pub microseconds: u64,
    /// The options, each after the one that it comes after.
    pub options: Vec<OptionView>,
    /// The ends of the paths.
    pub leaves: Vec<LeafView>,
}

/// How many questions were answered by what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueriesView {
    /// All of them.
    pub all: u64,
    /// By the set of values of one input.
    pub sets: u64,
    /// By an earlier answer.
    pub cache: u64,
    /// By comparing inputs with one another.
    pub differences: u64,
    /// By trying all values.
    pub enumeration: u64,
    /// By a solver.
    pub solver: u64,
    /// By nobody.
    pub unknown: u64,
    /// Microseconds spent in solvers.
    pub microseconds: u64,
}

/// A value that an input may return, and all that lead to the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OptionView {
    /// The option that it comes after, by its index.
    pub parent: Option<usize>,
    /// The call of the input, such as `chip_analog_read(12)`.
    pub call: String,
    /// After how many instructions it is read.
    pub count: u64,
    /// An example.
    pub value: String,
    /// All values, as ranges; nothing if only the example is known.
    pub values: Option<String>,
    /// How many they are, as text: it may be more than a number can hold.
    pub number: Option<String>,
    /// Whether any value leads there: the input does not matter.
    pub any: bool,
    /// The paths that end here, by their index.
    pub leaves: Vec<usize>,
}

/// The end of a path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeafView {
    /// `finished`, `trapped`, `aborted`, `assertion-failed`, `heap` or `cut`.
    pub end: String,
    /// What is said about it.
    pub text: String,
    /// Where it leads, in the multiverse.
    pub place: PlaceView,
    /// Where in the program, if it has not finished.
    pub at: Option<SourceView>,
    /// The inputs on the way.
    pub inputs: Vec<InputView>,
    /// The decisions on the way.
    pub conditions: Vec<ConditionView>,
    /// How many combinations of inputs lead here, if that could be counted.
    pub number: Option<String>,
}

/// An input on the way to the end of a path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputView {
    /// The call, such as `chip_analog_read(12)`.
    pub call: String,
    /// An example.
    pub value: String,
    /// All values, as ranges; nothing if only the example is known.
    pub values: Option<String>,
}

/// A decision on the way to the end of a path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConditionView {
    /// Where.
    pub at: SourceView,
    /// How it went: `true`, `false`, `traps: …`, `calls f`, `is 7`, `goes to …`.
    pub outcome: String,
    /// The condition in terms of the inputs, named in the order of reading.
    pub text: String,
}

/// A place in the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceView {
    /// The function.
    pub function: String,
    /// The byte offset in the binary.
    pub offset: Option<u32>,
    /// File, line and column, if known.
    pub location: Option<String>,
    /// What is written there: the condition, or the line.
    pub source: Option<String>,
}

/// An exploration under way, which can be gone on with.
pub(crate) struct Exploring {
    from: Place,
    explorer: Explorer,
    merge: bool,
}

struct Watcher<'a> {
    listener: &'a mut dyn Listener,
    found: u64,
    told: Instant,
}

impl Control for Watcher<'_> {
    fn is_cancelled(&mut self) -> bool {
        if self.told.elapsed() > Duration::from_millis(50) {
            self.told = Instant::now();
            self.listener.event(Event::Progress { done: self.found, goal: None });
        }
        self.listener.is_cancelled()
    }

    fn found(&mut self, _: &Leaf) {
        self.found += 1;
    }
}

impl Debugger {
    /// Explores from here and adds what it finds to the multiverse.
    pub(crate) fn suggest(
        &mut self,
        exploration: &Exploration,
        listener: &mut dyn Listener,
    ) -> Result<Reply, ApiError> {
        let options = options(exploration)?;
        let from = self.session.here();
        if exploration.symbolic_params && from.count != 0 {
            return Err(ApiError::not_here(
                "parameters can only be open at the start; `reset` first",
            ));
        }
        let mut explorer = self.session.explorer(options);
        if exploration.symbolic_params {
            explorer.open_parameters().map_err(ApiError::not_here)?;
        }
        self.exploring = Some(Exploring { from, explorer, merge: exploration.merge });
        self.go_on_exploring(listener)
    }

    /// Goes on where the last exploration stopped.
    pub(crate) fn go_on_exploring(
        &mut self,
        listener: &mut dyn Listener,
    ) -> Result<Reply, ApiError> {
        let Some(mut exploring) = self.exploring.take() else {
            return Err(ApiError::not_here("nothing has been explored yet; `suggest` first"));
        };
        let mut watcher = Watcher { listener, found: 0, told: Instant::now() };
        exploring.explorer.run(&mut watcher);
        let leaves = exploring.explorer.all_leaves();
        let places = self.session.adopt(exploring.from, &leaves);
        let suggested = self.suggested(&exploring, &leaves, &places);
        self.exploring = Some(exploring);
        Ok(Reply::Suggested(Box::new(suggested)))
    }

    /// What the last exploration has reached.
    pub fn coverage(&self) -> Option<&Coverage> {
        self.exploring.as_ref().map(|exploring| exploring.explorer.coverage())
    }

    fn suggested(&self, exploring: &Exploring, leaves: &[Leaf], places: &[Place]) -> Suggested {
        let explorer = &exploring.explorer;
        let mut tree = Tree::new(leaves);
        if exploring.merge {
            tree = tree.merged();
        }
        let statistics = explorer.statistics();
        let queries = QueriesView {
            all: statistics.queries(),
            sets: statistics.sets,
            cache: statistics.cache,
            differences: statistics.differences,
            enumeration: statistics.enumeration,
            solver: statistics.backend,
            unknown: statistics.unknown,
            microseconds: statistics.time.as_micros() as u64,
        };
        let option = |choice: &mw_concolic::Choice| OptionView {
            parent: choice.parent,
            call: self.call_text(choice.import, &choice.args),
            count: choice.count,
            value: self.value_text(choice.import, choice.value),
            values: choice.class.show(),
            number: choice.class.count().map(|count| count.to_string()),
            any: matches!(choice.class, Class::Any(_)),
            leaves: choice.leaves.clone(),
        };
        let views = leaves.iter().zip(places).map(|(leaf, place)| self.leaf_view(leaf, *place));
        Suggested {
            from: self.place_view(exploring.from),
            paths: leaves.len() as u64,
            complete: explorer.is_complete(),
            stopped: explorer.stopped().map(|cut| cut.to_string()),
            choices: tree.choice_points() as u64,
            max_options: tree.max_options() as u64,
            instructions: explorer.executed(),
            path_instructions: leaves.iter().map(|leaf| leaf.count - explorer.start()).sum(),
            queries,
            microseconds: explorer.spent().as_micros() as u64,
            options: tree.choices().iter().map(option).collect(),
            leaves: views.collect(),
        }
    }

    fn leaf_view(&self, leaf: &Leaf, place: Place) -> LeafView {
        let (end, text) = match &leaf.end {
            End::Finished => ("finished", "finished".into()),
            End::Trapped(kind) => ("trapped", format!("trap: {kind}")),
            End::Aborted(message) => ("aborted", format!("aborted: {message}")),
            End::Exited => ("exited", "the program ends itself".into()),
            End::AssertionFailed => ("assertion-failed", "an assertion does not hold".into()),
            End::Heap(error) => ("heap", error.to_string()),
            End::Cut(cut) => ("cut", cut_text(*cut)),
        };
        let input = |step: &mw_concolic::Step| InputView {
            call: self.call_text(step.import, &step.args),
            value: self.value_text(step.import, step.value),
            values: step.class.show(),
        };
        let condition = |condition: &mw_concolic::Condition| ConditionView {
            at: self.source_view(condition.pc),
            outcome: self.outcome_text(condition.pc, condition.outcome),
            text: condition.text.clone(),
        };
        LeafView {
            end: end.into(),
            text,
            place: self.place_view(place),
            at: leaf.pc.map(|pc| self.source_view(pc)),
            inputs: leaf.steps.iter().map(input).collect(),
            conditions: leaf.conditions.iter().map(condition).collect(),
            number: leaf.inputs.map(|count| count.to_string()),
        }
    }

    fn call_text(&self, import: u32, args: &[Value]) -> String {
        match import == mw_concolic::PARAMETER {
            true => match args {
                [Value::I32(number)] => format!("parameter {}", number + 1),
                _ => "parameter".into(),
            },
            false => self.session.world().show(Call { import, args }),
        }
    }

    fn value_text(&self, import: u32, value: Value) -> String {
        match import == mw_concolic::PARAMETER {
            true => value.to_string(),
            false => self.input_text(import, value),
        }
    }

    fn outcome_text(&self, pc: u32, outcome: Outcome) -> String {
        match outcome {
            // `br_unless` is the `if` of the source, which jumps where it does not hold.
            Outcome::Condition(holds) => holds.to_string(),
            Outcome::Target(to) => format!("goes to {}", self.place_text(to)),
            Outcome::Callee(func) => format!("calls {}", self.session.module().func_name(func)),
            Outcome::Trap(Some(kind)) => format!("traps: {kind}"),
            Outcome::Trap(None) => match self.session.module().code().get(pc as usize) {
                Some(Op::CallIndirect { .. }) => "calls".into(),
                _ => "does not trap".into(),
            },
            Outcome::Heap(Some(error)) => error.to_string(),
            Outcome::Heap(None) => "stays within its block of memory".into(),
            Outcome::Value(ty, slot) => format!("is {}", Value::from_slot(ty, slot)),
        }
    }

    fn place_text(&self, pc: u32) -> String {
        let view = self.source_view(pc);
        view.location.unwrap_or_else(|| match view.offset {
            Some(offset) => format!("{offset:#x}"),
            None => format!("instruction {pc}"),
        })
    }

    /// A place in the program, for people.
    pub(crate) fn source_view(&self, pc: u32) -> SourceView {
        let module = self.session.module();
        let offset = module.offset_of(pc);
        let sources = self.sources.as_deref();
        let location =
            offset.and_then(|o| sources.and_then(|s| s.location_near(o).map(|at| s.show(at))));
        SourceView {
            function: module.func_at(pc).map_or("?".into(), |func| module.func_name(func)),
            offset,
            location,
            source: offset.and_then(|o| sources.and_then(|s| s.branch_text(o))),
        }
    }
}

fn cut_text(cut: Cut) -> String {
    format!("not explored further: {cut}")
}

fn options(exploration: &Exploration) -> Result<Options, ApiError> {
    let mut bounds = Bounds::default();
    let given = exploration.clone();
    bounds.inputs = given.inputs.unwrap_or(bounds.inputs);
    bounds.paths = given.paths.unwrap_or(bounds.paths);
    bounds.instructions = given.instructions.unwrap_or(bounds.instructions);
    bounds.turns = given.turns.unwrap_or(bounds.turns);
    bounds.values = given.values.unwrap_or(bounds.values).max(1);
    bounds.memory = given.memory.unwrap_or(bounds.memory);
    bounds.time = given.milliseconds.map_or(bounds.time, Duration::from_millis);
    bounds.solver_time =
        given.solver_milliseconds.map_or(bounds.solver_time, Duration::from_millis);
    let strategy = match given.strategy.as_deref() {
        None | Some("depth") => Strategy::DepthFirst,
        Some("breadth") => Strategy::BreadthFirst,
        Some("coverage") => Strategy::CoverageFirst,
        Some("random") => Strategy::Random(given.seed.unwrap_or(1)),
        Some(other) => {
            return Err(ApiError::notation(format!(
                "there is no strategy {other}; there are depth, breadth, coverage and random"
            )));
        }
    };
    let mut backends: Vec<Box<dyn Backend>> = vec![Box::new(Sat::new())];
    if let Some(program) = &given.solver {
        let smt = Smt::new(program);
        if !smt.is_installed() {
            let message = format!(
                "the solver {program} is not installed; install bitwuzla, cvc5 or z3, or leave it \
                 to the built-in one"
            );
            return Err(ApiError::new(ErrorKind::Unusable, message));
        }
        backends.push(Box::new(smt));
    }
    Ok(Options {
        bounds,
        strategy,
        mocks: Vec::new(),
        forks_at_select: given.forks_at_select,
        covers: given.coverage,
        observes: given.merge,
        backends,
    })
}
