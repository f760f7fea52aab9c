//! Exploring: from one state, all paths that differ in control flow.
//!
//! A path runs on the real machine until an input decides. Then every outcome that is possible
//! becomes a path of its own, forked right there: what paths have in common is executed once.
//! This is seed 000's Algorithm 1 with forks in place of restarts, and with every decision that
//! WebAssembly knows in place of `if`.
//!
//! **Invariant:** paths that end, paths that wait and paths that were cut off are together all
//! that there are: nothing is dropped without being said.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use mw_vm::{Breakpoints, Machine, Module};
use mw_world::World;

use crate::coverage::Coverage;
use crate::distance::Distances;
use crate::expr::{Expr, Exprs};
use crate::goal::Goal;
use crate::leaf::{Cut, End, Leaf};
use crate::options::{Bounds, Strategy};
use crate::parallel::{Shared, count};
use crate::path::{Mocked, Path};
use crate::solver::{Backend, Solver, Statistics};
use crate::stop::Stop;

/// What to explore, and how.
#[derive(Default)]
pub struct Options {
    /// How far.
    pub bounds: Bounds,
    /// In which order.
    pub strategy: Strategy,
    /// Inputs that are decided already.
    pub mocks: Vec<Mocked>,
    /// Whether a `select` makes two paths, rather than one in which both values are possible.
    pub forks_at_select: bool,
    /// Whether to note what was reached.
    pub covers: bool,
    /// Whether to note what can be seen of each path, so that paths can be compared.
    pub observes: bool,
    /// What answers when nothing cheaper does.
    pub backends: Vec<Box<dyn Backend>>,
    /// What is looked for, if it is one path and not all of them.
    pub goal: Option<Goal>,
    /// How many threads may work; as many as there are cores with 0.
    pub jobs: usize,
}

/// So long one thread works by itself.
const ALONE: Duration = Duration::from_millis(20);

/// An exploration, which can be stopped and continued.
pub struct Explorer {
    pub(crate) module: Arc<Module>,
    pub(crate) exprs: Exprs,
    pub(crate) solver: Solver,
    pub(crate) bounds: Bounds,
    pub(crate) strategy: Strategy,
    pub(crate) distances: Option<Arc<Distances>>,
    pub(crate) goal: Option<Goal>,
    /// Where paths stop because of the goal.
    pub(crate) stops: Breakpoints,
    pub(crate) jobs: usize,
    pub(crate) forks_at_select: bool,
    pub(crate) covers: bool,
    pub(crate) waiting: VecDeque<Path>,
    /// Explorations that others have gone on with.
    pub(crate) parts: Vec<Explorer>,
    pub(crate) leaves: Vec<Leaf>,
    /// What conditions are for people.
    pub(crate) texts: HashMap<Expr, Arc<str>>,
    pub(crate) coverage: Coverage,
    /// The count of the machine where it began.
    pub(crate) start: u64,
    /// Instructions executed.
    pub(crate) executed: u64,
    /// Time spent.
    pub(crate) spent: Duration,
    pub(crate) random: u64,
    /// Bytes that waiting paths may hold now.
    pub(crate) memory: usize,
    /// Why it stopped with paths waiting.
    pub(crate) stopped: Option<Cut>,
}

impl Explorer {
    /// An exploration that begins where a machine and its world are.
    pub fn new(machine: Machine, world: World, options: Options) -> Explorer {
        let module = machine.module().clone();
        let distances = match &options.strategy {
            Strategy::Towards(targets) => Some(Arc::new(Distances::new(&module, targets))),
            _ => None,
        };
        let jobs = match options.jobs {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            jobs => jobs,
        };
        let random = match options.strategy {
            Strategy::Random(seed) => seed | 1,
            _ => 1,
        };
        let stops = match &options.goal {
            Some(Goal::Reach(pcs)) => Breakpoints::new(&module, pcs.iter().copied()),
            _ => Breakpoints::default(),
        };
        let covers = options.covers || options.strategy == Strategy::CoverageFirst;
        let start = machine.count();
        let mut path = Path::new(machine, world, options.mocks);
        path.is_observed = options.observes;
        Explorer {
            module,
            exprs: Exprs::default(),
            solver: Solver::new(options.backends, options.bounds.solver_time),
            memory: options.bounds.memory,
            bounds: options.bounds,
            strategy: options.strategy,
            distances,
            goal: options.goal,
            stops,
            jobs,
            forks_at_select: options.forks_at_select,
            covers,
            waiting: [path].into(),
            parts: Vec::new(),
            leaves: Vec::new(),
            texts: HashMap::new(),
            coverage: Coverage::default(),
            start,
            executed: 0,
            spent: Duration::ZERO,
            random,
            stopped: None,
        }
    }

    /// Explores until all paths have ended, a bound is reached or somebody stops it; `found` is
    /// told of each path that has ended. To call it again is to go on from there, by another time,
    /// as many paths or as much memory again.
    pub fn run(&mut self, stop: &Stop, found: &mut dyn FnMut(&Leaf)) {
        let begun = Instant::now();
        let shared = Shared::new(self.bounds.paths, stop.within(self.bounds.time));
        self.parts.iter_mut().for_each(Explorer::allow_memory);
        self.allow_memory();
        self.stopped = None;
        if self.parts.is_empty() {
            // Most explorations are over before it would pay to share them.
            let alone = match self.jobs {
                1 => shared.stop.clone(),
                _ => shared.stop.within(ALONE),
            };
            self.work(&shared, &alone, found, &mut |_| {});
        }
        let is_open = self.stopped == Some(Cut::Time) || !self.parts.is_empty();
        if self.jobs > 1 && is_open && !shared.stop.is_over() {
            self.stopped = None;
            self.work_together(self.jobs, &shared, found);
            // Where work cannot be shared, it is done alone.
            if !self.waiting.is_empty() && self.stopped.is_none() {
                self.work(&shared, &shared.stop, found, &mut |_| {});
            }
        }
        self.spent += begun.elapsed();
    }

    /// Follows waiting paths until there are none or there is a reason to stop. `share` is called
    /// between paths.
    pub(crate) fn work(
        &mut self,
        shared: &Shared,
        stop: &Stop,
        found: &mut dyn FnMut(&Leaf),
        share: &mut dyn FnMut(&mut Explorer),
    ) {
        self.stopped = None;
        while let Some(mut path) = self.next() {
            let before = self.leaves.len();
            let end = match shared.paths.load(Relaxed) == 0 {
                true => Err(Cut::Paths),
                false if self.memory_held() > self.memory => Err(Cut::Memory),
                false => self.advance(&mut path, stop),
            };
            match end {
                Ok(Some(end)) => {
                    if self.is_goal(&end) {
                        shared.stop.found();
                        self.stopped = Some(Cut::Found);
                    }
                    self.finish(&mut path, end);
                }
                // An assumption does not hold: this is no path.
                Ok(None) => {}
                Err(cut) => {
                    self.waiting.push_back(path);
                    self.stopped = Some(cut);
                }
            }
            count(shared, &self.leaves[before..]);
            self.leaves[before..].iter().for_each(&mut *found);
            if self.stopped.is_some() {
                break;
            }
            share(self);
        }
    }

    /// The paths that have ended, in the order in which they did.
    pub fn leaves(&self) -> &[Leaf] {
        &self.leaves
    }

    /// All paths: those that have ended, and those that wait, as cut off.
    pub fn all_leaves(&mut self) -> Vec<Leaf> {
        let cut = self.stopped.unwrap_or(Cut::Cancelled);
        let mut waiting = std::mem::take(&mut self.waiting);
        let mut leaves = self.leaves.clone();
        leaves.extend(waiting.iter_mut().map(|path| self.leaf(path, End::Cut(cut))));
        self.waiting = waiting;
        leaves.extend(self.parts.iter_mut().flat_map(Explorer::all_leaves));
        // In the order of their inputs, whoever found them.
        leaves.sort_by(Leaf::order);
        leaves
    }

    /// Whether every path has been followed to its end, and nothing was left out on the way.
    pub fn is_complete(&self) -> bool {
        let is_whole = |leaf: &Leaf| leaf.end.is_whole() && leaf.omitted.is_empty();
        self.is_done() && self.leaves.iter().all(is_whole)
    }

    /// Whether there are paths to go on with.
    pub fn is_done(&self) -> bool {
        self.waiting.is_empty() && self.parts.is_empty()
    }

    /// Why it stopped with paths waiting, if it did.
    pub fn stopped(&self) -> Option<Cut> {
        self.stopped
    }

    /// What was reached, if that was asked for.
    pub fn coverage(&self) -> &Coverage {
        &self.coverage
    }

    /// How many instructions were executed.
    pub fn executed(&self) -> u64 {
        self.executed
    }

    /// The time spent.
    pub fn spent(&self) -> Duration {
        self.spent
    }

    /// What the solver did.
    pub fn statistics(&self) -> &Statistics {
        &self.solver.statistics
    }

    /// Where the exploration began, as the machine's count.
    pub fn start(&self) -> u64 {
        self.start
    }

    /// Bytes that waiting paths hold, roughly: pages they have written, and what is noted of them.
    fn memory_held(&self) -> usize {
        self.waiting.iter().map(|path| path.machine.written_bytes() + (8 << 10)).sum()
    }

    /// Allows as much memory again if there was not enough.
    fn allow_memory(&mut self) {
        if self.stopped == Some(Cut::Memory) {
            self.memory = self.memory_held() + self.bounds.memory;
        }
    }

    /// Takes the path that comes next.
    fn next(&mut self) -> Option<Path> {
        let index = match &self.strategy {
            Strategy::DepthFirst => return self.waiting.pop_back(),
            Strategy::BreadthFirst => return self.waiting.pop_front(),
            Strategy::CoverageFirst => {
                let is_new = |path: &Path| !self.coverage.contains(path.next_pc);
                self.waiting.iter().rposition(is_new).unwrap_or(self.waiting.len().wrapping_sub(1))
            }
            Strategy::Random(_) => {
                // A xorshift generator: the same order each time.
                self.random ^= self.random << 13;
                self.random ^= self.random >> 7;
                self.random ^= self.random << 17;
                (self.random % self.waiting.len().max(1) as u64) as usize
            }
            Strategy::Towards(_) => {
                let distance = |path: &Path| match &self.distances {
                    Some(distances) => distances.of(&path.machine, path.next_pc),
                    None => u32::MAX,
                };
                // The newest of those that are equally near.
                let nearest = self.waiting.iter().enumerate().rev();
                nearest.min_by_key(|(_, path)| distance(path)).map_or(0, |(index, _)| index)
            }
        };
        self.waiting.remove(index)
    }
}
