//! Exploring: from one state, all paths that differ in control flow.
//!
//! A path runs on the real machine until an input decides. Then every outcome that is possible
//! becomes a path of its own, forked right there: what paths have in common is executed once.
//! This is seed 000's Algorithm 1 with forks in place of restarts, and with every decision that
//! WebAssembly knows in place of `if`.
//!
//! **Invariant:** paths that end, paths that wait and paths that were cut off are together all
//! that there are: nothing is dropped without being said.

use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use mw_ensemble::Moment;
use mw_vm::{Breakpoints, Module};
use mw_world::Answer;

use crate::coverage::Coverage;
use crate::distance::Distances;
use crate::expr::{Expr, Exprs};
use crate::finish::Ended;
use crate::follow::Progress;
use crate::footprint::Footprint;
use crate::goal::Goal;
use crate::leaf::{Cut, End, Leaf};
use crate::ledger::{Charge, Ledger};
use crate::omitted::Omitted;
use crate::options::{Bounds, Strategy};
use crate::parallel::{Shared, count};
use crate::path::{Mocked, Path};
use crate::pruned::Pruned;
use crate::schedules::Schedules;
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
    /// What inputs return, one after the other, if one path alone is to be followed: the one that
    /// this takes, up to where there is nothing more to return.
    pub along: Option<Vec<Answer>>,
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
    /// Whether a path is followed only while all properties hold on it.
    pub while_holds: bool,
    /// Whether to follow every order of turns, not one of those that come to the same.
    pub follows_all_orders: bool,
    /// How many threads may work; as many as there are cores with 0.
    pub jobs: usize,
}

/// So long one thread works by itself.
pub(crate) const ALONE: Duration = Duration::from_millis(20);

/// With so many paths waiting, no others are begun where it is fair.
const WAITING: usize = 1000;

/// A path that an exploration knows: one that has ended, or one that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PathId {
    part: usize,
    index: usize,
}

/// An exploration, which can be stopped and continued.
pub struct Explorer {
    pub(crate) module: Arc<Module>,
    pub(crate) exprs: Exprs,
    pub(crate) solver: Solver,
    pub(crate) bounds: Bounds,
    pub(crate) strategy: Strategy,
    pub(crate) distances: Option<Arc<Distances>>,
    pub(crate) goal: Option<Goal>,
    /// Whether a path ends where a property is violated.
    pub(crate) while_holds: bool,
    /// Where paths stop because of the goal.
    pub(crate) stops: Breakpoints,
    pub(crate) jobs: usize,
    pub(crate) forks_at_select: bool,
    pub(crate) covers: bool,
    /// Whether forks are dropped: what inputs return is given.
    pub(crate) follows_one: bool,
    /// What a handler touches that is being tried out.
    pub(crate) trial: Option<Footprint>,
    /// What ends at once is in front.
    pub(crate) waiting: VecDeque<Path>,
    /// Explorations that others have gone on with, in terms of their own.
    pub(crate) parts: Vec<Explorer>,
    pub(crate) ended: Vec<Ended>,
    /// What conditions are for people.
    pub(crate) texts: RefCell<HashMap<Expr, Arc<str>>>,
    pub(crate) coverage: Coverage,
    /// The count of the machine where it began.
    pub(crate) start: u64,
    /// Instructions executed.
    pub(crate) executed: u64,
    /// Time spent.
    pub(crate) spent: Duration,
    pub(crate) random: u64,
    /// Whether an instruction would make too much of a memory dependent on inputs.
    pub(crate) is_too_much: bool,
    /// Whether the newest path came last.
    pub(crate) took_newest: bool,
    /// The bytes held by all parts, and those of them that expressions and the solver hold here.
    pub(crate) ledger: Ledger,
    pub(crate) charge: Charge,
    /// Bytes that may be held now.
    pub(crate) memory: usize,
    /// Why it stopped with paths waiting.
    pub(crate) stopped: Option<Cut>,
    /// Whether orders of turns that come to the same are followed once.
    pub(crate) reduces: bool,
    /// The orders of turns that are being followed, if there are tasks.
    pub(crate) schedules: Option<Box<Schedules>>,
    /// When to stop that.
    pub(crate) following: Stop,
    /// How many complete executions of tasks there were.
    pub(crate) executions: u64,
    /// How many turns they were made of.
    pub(crate) turns: u64,
    /// Turns that were not followed: how many, and the first of them.
    pub(crate) pruned: (u64, Vec<Pruned>),
}

impl Explorer {
    /// An exploration that begins at a moment.
    pub fn new(now: Moment, options: Options) -> Explorer {
        let module = now.machine.module().clone();
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
        let start = now.machine.count();
        let ledger = Ledger::default();
        let mut path = Path::new(now, options.mocks, &ledger);
        path.is_observed = options.observes;
        let follows_one = options.along.is_some();
        path.along = options.along.map(VecDeque::from);
        // Where one path is followed, nothing happens by itself.
        path.arrivals.most = if follows_one { 0 } else { options.bounds.interrupts };
        path.note_pending();
        Explorer {
            module,
            exprs: Exprs::default(),
            solver: Solver::new(options.backends, options.bounds.solver_time),
            memory: options.bounds.memory,
            bounds: options.bounds,
            strategy: options.strategy,
            distances,
            goal: options.goal,
            while_holds: options.while_holds,
            stops,
            jobs,
            forks_at_select: options.forks_at_select,
            covers,
            follows_one,
            trial: None,
            waiting: [path].into(),
            parts: Vec::new(),
            ended: Vec::new(),
            texts: RefCell::default(),
            coverage: Coverage::default(),
            start,
            executed: 0,
            spent: Duration::ZERO,
            random,
            is_too_much: false,
            took_newest: false,
            charge: ledger.charge(0),
            ledger,
            stopped: None,
            reduces: !options.follows_all_orders,
            schedules: None,
            following: Stop::default(),
            executions: 0,
            turns: 0,
            pruned: Default::default(),
        }
    }

    /// Explores until all paths have ended, a bound is reached or somebody stops it, and finds out
    /// which values take the paths; `found` is told of each path that has ended. To call it again
    /// is to go on from there, by another time, as many paths or as much memory again.
    pub fn run(&mut self, stop: &Stop, found: &mut dyn FnMut(&Leaf)) {
        let begun = Instant::now();
        let time = self.bounds.time;
        let whole = stop.within(time);
        // The rest of the time is for finding out what is known of the paths.
        let shared = Shared::new(self.bounds.paths, whole.within(time - time / 4));
        self.allow_memory();
        self.stopped = None;
        if self.schedules.is_some() || self.waiting.front().is_some_and(|path| path.tasks.is_some())
        {
            let until = shared.stop.clone();
            self.work_through_schedules(&shared, &until, found);
            self.make_exact(self.jobs, &whole);
            self.spent += begun.elapsed();
            return;
        }
        let is_shared = self.parts.iter().any(|part| !part.waiting.is_empty());
        if !is_shared {
            // Most explorations are over before it would pay to share them.
            let alone = match self.jobs {
                1 => shared.stop.clone(),
                _ => shared.stop.within(ALONE),
            };
            self.work(&shared, &alone, found, &mut |_| {});
        }
        let is_open = self.stopped == Some(Cut::Time) || is_shared;
        if self.jobs > 1 && is_open && !shared.stop.is_over() {
            self.stopped = None;
            self.work_together(self.jobs, &shared, found);
            // Where work cannot be shared, it is done alone.
            if !self.waiting.is_empty() && self.stopped.is_none() {
                self.work(&shared, &shared.stop, found, &mut |_| {});
            }
        }
        self.make_exact(self.jobs, &whole);
        self.parts.iter_mut().for_each(|part| part.make_exact(self.jobs, &whole));
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
            let before = self.ended.len();
            path.exact = None;
            let progress = match shared.paths.load(Relaxed) == 0 {
                true => Err(Cut::Paths),
                false => self.advance(&mut path, stop),
            };
            match progress {
                Ok(Progress::End(end)) => self.finish(&mut path, end),
                Ok(Progress::Pause | Progress::Returned) => self.wait(path),
                // There are no tasks here: they have an exploration of their own.
                Ok(Progress::Turn) => self.finish(&mut path, End::Finished),
                // An assumption does not hold: this is no path.
                Ok(Progress::None) => {}
                Err(cut) => {
                    self.wait(path);
                    self.stopped = Some(cut);
                }
            }
            if self.ended[before..].iter().any(|ended| self.is_goal(&ended.end)) {
                shared.stop.found();
                self.stopped = Some(Cut::Found);
            }
            count(shared, self.ended.len() - before);
            self.tell(before, found);
            if self.stopped.is_some() {
                break;
            }
            share(self);
        }
    }

    /// A path waits until it is its turn.
    pub(crate) fn wait(&mut self, mut path: Path) {
        path.charge();
        match path.ends_at_once {
            true => self.waiting.push_front(path),
            // The newest is the one that is being followed to its end, whatever comes of others.
            false if self.strategy == Strategy::Fair && !self.took_newest => {
                self.waiting.insert(self.waiting.len().saturating_sub(1), path);
            }
            false => self.waiting.push_back(path),
        }
    }

    /// Whether as much memory is held as allowed.
    pub(crate) fn is_full(&mut self) -> bool {
        self.charge.set(self.exprs.held() + self.solver.held());
        self.ledger.held() > self.memory
    }

    fn all_parts(&self) -> impl Iterator<Item = &Explorer> {
        std::iter::once(self).chain(&self.parts)
    }

    /// The part that a path is in, and its number there.
    pub(crate) fn part_of(&self, path: PathId) -> Option<(&Explorer, usize)> {
        Some((self.all_parts().nth(path.part)?, path.index))
    }

    /// The same, to go on with.
    pub(crate) fn part_of_mut(&mut self, path: PathId) -> Option<(&mut Explorer, usize)> {
        let part = match path.part.checked_sub(1) {
            None => self,
            Some(part) => self.parts.get_mut(part)?,
        };
        Some((part, path.index))
    }

    /// All paths, those that wait included, in the order of their inputs, whoever found them.
    pub fn paths(&self) -> Vec<PathId> {
        let of_part = |(part, explorer): (usize, &Explorer)| {
            let orders = explorer.orders().enumerate();
            orders.map(|(index, order)| (order, PathId { part, index })).collect::<Vec<_>>()
        };
        let mut paths: Vec<_> = self.all_parts().enumerate().flat_map(of_part).collect();
        paths.sort();
        paths.into_iter().map(|(_, path)| path).collect()
    }

    /// Whether something goes wrong on a path.
    pub fn is_failure(&self, path: PathId) -> bool {
        let known = self.all_parts().nth(path.part).and_then(|part| part.ended.get(path.index));
        known.is_some_and(|ended| ended.is_failure())
    }

    /// What is known of a path. Those that wait are cut off.
    pub fn leaf_of(&self, path: PathId) -> Option<Leaf> {
        let part = self.all_parts().nth(path.part)?;
        Some(part.leaf(&part.known_path(path.index)?, usize::MAX))
    }

    /// All paths: those that have ended, and those that wait, as cut off.
    pub fn all_leaves(&self) -> Vec<Leaf> {
        self.paths().into_iter().filter_map(|path| self.leaf_of(path)).collect()
    }

    /// The paths that have ended, by one thread in the order in which they did.
    pub fn leaves(&self) -> Vec<Leaf> {
        let of_part = |part: &Explorer| {
            let ended = (0..part.ended.len()).filter_map(|index| part.known_path(index));
            ended.map(|known| part.leaf(&known, usize::MAX)).collect::<Vec<_>>()
        };
        self.all_parts().flat_map(of_part).collect()
    }

    /// Whether every path has been followed to its end, and nothing was left out on the way but
    /// for [interrupts beyond their bound](Self::most_interrupts).
    pub fn is_complete(&self) -> bool {
        let is_whole = |ended: &Ended| {
            ended.end.is_whole() && ended.omitted.iter().all(|left| left.is_beyond_bounds())
        };
        self.is_done() && self.all_parts().flat_map(|part| &part.ended).all(is_whole)
    }

    /// How many interrupts arrive at most on the paths that were explored, if more could.
    pub fn most_interrupts(&self) -> Option<u32> {
        let ended = self.all_parts().flat_map(|part| &part.ended);
        ended.flat_map(|ended| &ended.omitted).find_map(|left| match left {
            Omitted::MoreInterrupts(most) => Some(*most),
            _ => None,
        })
    }

    /// On how many paths it could not be found out in time which values take them.
    pub fn inexact(&self) -> usize {
        self.all_parts().map(Explorer::inexact_here).sum()
    }

    /// Whether there are paths to go on with.
    pub fn is_done(&self) -> bool {
        self.schedules.is_none() && self.all_parts().all(|part| part.waiting.is_empty())
    }

    /// How many complete executions of tasks there were, of classes that differ.
    pub fn executions(&self) -> u64 {
        self.executions
    }

    /// How many turns of tasks there were; those that several executions share once.
    pub fn turns(&self) -> u64 {
        self.turns
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

    /// Allows as much memory again if there was not enough.
    fn allow_memory(&mut self) {
        if self.stopped == Some(Cut::Memory) {
            let memory = self.ledger.held().saturating_add(self.bounds.memory);
            self.memory = memory;
            self.parts.iter_mut().for_each(|part| part.memory = memory);
        }
    }

    /// Takes the path that comes next.
    fn next(&mut self) -> Option<Path> {
        if self.ends_at_once() {
            return self.waiting.pop_front();
        }
        let index = match &self.strategy {
            Strategy::Fair => {
                // With little room left, and with many paths waiting, they are
                // ended before others are begun.
                let is_enough =
                    self.ledger.held() > self.memory / 2 || self.waiting.len() > WAITING;
                self.took_newest = !self.took_newest || is_enough;
                return match self.took_newest {
                    true => self.waiting.pop_back(),
                    false => self.waiting.pop_front(),
                };
            }
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
                    Some(distances) => distances.of(&path.now.machine, path.next_pc),
                    None => u32::MAX,
                };
                // The newest of those that are equally near.
                let nearest = self.waiting.iter().enumerate().rev();
                nearest.min_by_key(|(_, path)| distance(path)).map_or(0, |(index, _)| index)
            }
        };
        self.waiting.remove(index)
    }

    /// Whether there is a path that ends with its next instruction.
    pub(crate) fn ends_at_once(&self) -> bool {
        self.waiting.front().is_some_and(|path| path.ends_at_once)
    }
}
