//! Suggestions: the universes that matter, found by exploring from here.

use std::collections::BTreeSet;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use mw_concolic::solver::Statistics;
use mw_concolic::{
    Class, Coverage, Explorer, Goal, Leaf, Omitted, Possibility, Stop, Strategy, Tree,
};
use mw_session::{NodeId, Place};
use mw_vm::Value;
use serde::{Deserialize, Serialize};

use crate::ask::{Answered, Ask};
use crate::debugger::Debugger;
use crate::error::ApiError;
use crate::event::{Event, Listener};
use crate::exploration::{Exploration, options};
use crate::findings::Findings;
use crate::paths::Places;
use crate::suggested::{FoundView, OptionView, QueriesView, Suggested};

/// Goes on where the last exploration stopped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SuggestMore {}

impl Ask for SuggestMore {
    type Reply = Suggested;

    fn serve(self, debugger: &mut Debugger, listener: &mut dyn Listener) -> Answered<Self> {
        debugger.go_on_exploring(listener)
    }
}

/// An exploration under way, which can be gone on with.
pub(crate) struct Exploring {
    from: Place,
    explorer: Explorer,
    merge: bool,
    covers: bool,
    /// How long exploring and telling what was found may take.
    time: Duration,
    /// Where each path leads that was told of.
    pub(crate) places: Vec<Place>,
}

/// One part in so many of the time is for telling what was found.
const TELLING: u32 = 5;

/// One part in so many of that is for seeing which paths can be told of: the tree takes the rest.
const SETTLING: u32 = 5;

/// So long it may take to tell what was found when somebody has stopped it.
const GRACE: Duration = Duration::from_millis(500);

/// So many paths on which something goes wrong are told of, however little time there is.
const CERTAIN: usize = 1000;

/// So many inputs are told of all paths together, each with its own values.
const INPUTS: usize = 100_000;

/// How often whoever listens is asked whether it is enough.
const LOOK_UP: Duration = Duration::from_millis(5);

/// So many paths are found before they are told; then exploring waits.
const UNTOLD: usize = 1000;

/// How often whoever listens is told what was found.
const INTERVAL: Duration = Duration::from_millis(50);

/// Tells whoever listens what is found, a few times a second.
struct Watcher<'a> {
    debugger: &'a Debugger,
    from: Place,
    listener: &'a mut dyn Listener,
    found: Vec<FoundView>,
    number: u64,
    told: Instant,
}

impl Watcher<'_> {
    fn tell(&mut self) {
        self.told = Instant::now();
        self.listener.event(Event::Progress { done: self.number, goal: None });
        if !self.found.is_empty() {
            self.listener.event(Event::Found { paths: std::mem::take(&mut self.found) });
        }
    }
}

impl Watcher<'_> {
    /// Explores on another thread, so that whoever listens is told and asked all the time.
    fn explore(&mut self, explorer: &mut Explorer) {
        let stop = Stop::default();
        let (tell, told) = mpsc::sync_channel(UNTOLD);
        self.look_up(&stop);
        let explorer = Mutex::new(explorer);
        let work = |found: &mut dyn FnMut(&Leaf)| {
            explorer.lock().unwrap_or_else(PoisonError::into_inner).run(&stop, found);
        };
        let has_begun = std::thread::scope(|scope| {
            let work = move || {
                work(&mut |leaf| {
                    let _ = tell.send(leaf.clone());
                });
            };
            let has_begun = std::thread::Builder::new().spawn_scoped(scope, work).is_ok();
            // Until it has hung up.
            loop {
                match told.recv_timeout(LOOK_UP) {
                    Ok(leaf) => self.found(leaf),
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => break,
                }
                if self.told.elapsed() > INTERVAL {
                    self.tell();
                }
                self.look_up(&stop);
            }
            has_begun
        });
        if !has_begun {
            // Without a thread for it, whoever listens is told in the end.
            let mut leaves = Vec::new();
            work(&mut |leaf| leaves.push(leaf.clone()));
            leaves.into_iter().for_each(|leaf| self.found(leaf));
        }
        self.tell();
    }

    /// Stops it if whoever listens has had enough.
    fn look_up(&mut self, stop: &Stop) {
        if self.listener.is_cancelled() {
            stop.cancel();
        }
    }

    fn found(&mut self, mut leaf: Leaf) {
        self.number += 1;
        self.debugger.session.settle(self.from, &mut leaf);
        self.found.push(self.debugger.found_view(&leaf));
    }
}

/// How long whoever listens waits for what was found to be told.
struct Patience<'a> {
    listener: &'a mut dyn Listener,
    begun: Instant,
    time: Duration,
    is_stopped: bool,
}

impl Patience<'_> {
    fn new(listener: &mut dyn Listener, time: Duration) -> Patience<'_> {
        let (begun, time) = (Instant::now(), time.max(GRACE));
        let is_stopped = listener.is_cancelled();
        Patience { listener, begun, time: if is_stopped { GRACE } else { time }, is_stopped }
    }

    /// Whether one part in so many of it has passed.
    fn is_part_over(&mut self, parts: u32) -> bool {
        let passed = self.begun.elapsed();
        if !self.is_stopped && self.listener.is_cancelled() {
            self.is_stopped = true;
            self.time = self.time.min(passed + GRACE);
        }
        passed > self.time / parts
    }
}

impl Debugger {
    /// Explores from here and adds what it finds to the multiverse.
    pub(crate) fn suggest(
        &mut self,
        exploration: &Exploration,
        listener: &mut dyn Listener,
    ) -> Result<Suggested, ApiError> {
        let mut options = options(exploration, &self.solvers)?;
        if let Some(target) = &exploration.towards {
            let goal = self.goal(target)?;
            if let Goal::Reach(pcs) = &goal {
                options.strategy = Strategy::Towards(pcs.clone());
            }
            options.goal = Some(goal);
        }
        let from = self.session.here();
        if exploration.symbolic_params && from.count != 0 {
            return Err(ApiError::not_here(
                "parameters can only be open at the start; `reset` first",
            ));
        }
        let time = options.bounds.time;
        options.bounds.time = time - time / TELLING;
        let mut explorer = self.session.explorer(options);
        if exploration.symbolic_params {
            explorer.open_parameters().map_err(ApiError::not_here)?;
        }
        let Exploration { merge, coverage: covers, .. } = *exploration;
        let places = Vec::new();
        self.exploring = Some(Exploring { from, explorer, merge, covers, time, places });
        self.go_on_exploring(listener)
    }

    /// Goes on where the last exploration stopped.
    fn go_on_exploring(&mut self, listener: &mut dyn Listener) -> Result<Suggested, ApiError> {
        let Some(mut exploring) = self.exploring.take() else {
            return Err(ApiError::not_here("nothing has been explored yet; `suggest` first"));
        };
        let begun = Instant::now();
        let mut watcher = Watcher {
            debugger: self,
            from: exploring.from,
            listener,
            found: Vec::new(),
            number: 0,
            told: Instant::now(),
        };
        watcher.explore(&mut exploring.explorer);
        let left = exploring.time.saturating_sub(begun.elapsed());
        let begun = Instant::now();
        let mut suggested = self.adopt(&mut exploring, left, listener);
        suggested.microseconds += begun.elapsed().as_micros() as u64;
        self.exploring = Some(exploring);
        Ok(suggested)
    }

    /// Adds all paths to the multiverse that there is time for, and tells of them.
    fn adopt(
        &mut self,
        exploring: &mut Exploring,
        time: Duration,
        listener: &mut dyn Listener,
    ) -> Suggested {
        let Exploring { from, explorer, merge, .. } = &*exploring;
        let (from, paths) = (*from, explorer.paths());
        let mut patience = Patience::new(listener, time);
        // What goes wrong comes first: it is what there has to be time for.
        let mut first: Vec<usize> = (0..paths.len()).collect();
        first.sort_by_key(|at| !explorer.is_failure(paths[*at]));
        // All of them are settled before any is added: none is an example for another.
        let mut examples: Vec<Option<Vec<Value>>> = vec![None; paths.len()];
        // However little time there is, one of them is told.
        for (done, at) in first.into_iter().enumerate() {
            if done > 0 && patience.is_part_over(SETTLING) {
                break;
            }
            examples[at] = explorer.leaf_of(paths[at]).map(|mut leaf| {
                self.session.settle(from, &mut leaf);
                leaf.steps.iter().map(|step| step.value).collect()
            });
        }
        let (mut tree, mut known) = (Tree::default(), Places::new());
        let (mut places, mut views, mut findings) = (Vec::new(), Vec::new(), Findings::default());
        let (mut room, mut certain) = (INPUTS, CERTAIN);
        let mut left_out: BTreeSet<Omitted> = BTreeSet::new();
        // One after the other: together they may be as large as all that was explored.
        for (path, values) in paths.iter().zip(examples) {
            let Some(values) = values else { continue };
            let is_certain = certain > 0 && explorer.is_failure(*path);
            if !is_certain && !views.is_empty() && patience.is_part_over(1) {
                continue;
            }
            certain -= usize::from(is_certain);
            let Some(mut leaf) = explorer.leaf_of(*path) else { continue };
            leaf.steps.iter_mut().zip(values).for_each(|(step, value)| step.value = value);
            let (number, place) = (views.len(), self.session.adopt_settled(from, &leaf));
            left_out.extend(&leaf.omitted);
            let decided = tree.add_path(number, &leaf);
            let mut view = self.leaf_view(&leaf, decided, place, &mut known);
            let inputs = || leaf.steps.iter().map(|step| self.input_view(step)).collect();
            if leaf.end.is_failure() {
                findings.add(number, &leaf, &view, inputs);
            }
            room = room.saturating_sub(leaf.steps.len());
            if room > 0 {
                view.inputs = inputs();
            }
            views.push(view);
            places.push(place);
        }
        let mut tree = tree.sorted();
        self.label(&tree, &places);
        if *merge {
            tree = tree.merged();
        }
        let options = self.options(&tree, &places, &mut known);
        for (at, option) in options.iter().enumerate() {
            option.leaves.iter().for_each(|leaf| views[*leaf].option = Some(at));
        }
        let untold = (paths.len() - views.len()) as u64;
        let path_instructions = views.iter().map(|leaf| leaf.place.count - explorer.start()).sum();
        let suggested = Suggested {
            from: self.place_view(from),
            paths: paths.len() as u64,
            complete: explorer.is_complete() && untold == 0,
            left_out: left_out.iter().map(ToString::to_string).collect(),
            stopped: explorer.stopped().map(|cut| cut.to_string()),
            choices: tree.choice_points() as u64,
            max_options: tree.max_options() as u64,
            instructions: explorer.executed(),
            path_instructions,
            queries: queries(explorer.statistics()),
            microseconds: explorer.spent().as_micros() as u64,
            options,
            leaves: views,
            findings: findings.in_order(),
            inexact: explorer.inexact() as u64,
            untold,
        };
        exploring.places = places;
        suggested
    }

    /// What the last exploration has reached.
    pub fn coverage(&self) -> Option<&Coverage> {
        self.exploring.as_ref().map(|exploring| exploring.explorer.coverage())
    }

    /// The same, unless it was not to be noted.
    pub(crate) fn noted_coverage(&self) -> Option<&Coverage> {
        let exploring = self.exploring.as_ref().filter(|exploring| exploring.covers);
        exploring.map(|exploring| exploring.explorer.coverage())
    }

    /// The options of a tree in the order in which a person reads it.
    fn options(&self, tree: &Tree, places: &[Place], known: &mut Places) -> Vec<OptionView> {
        let nodes = self.nodes_of(tree, places);
        let order = in_order(tree);
        let mut index = vec![0; order.len()];
        order.iter().enumerate().for_each(|(new, old)| index[*old] = new);
        let option = |(choice, node): (&Possibility, Option<NodeId>)| OptionView {
            parent: choice.parent.map(|parent| index[parent]),
            node: node.map(|node| node.to_string()),
            call: self.call_text(choice.import, &choice.args),
            count: choice.count,
            value: self.value_text(choice.import, choice.value),
            boundaries: self.boundaries(choice),
            values: choice.class.show(),
            number: choice.class.count().map(|count| count.to_string()),
            any: matches!(choice.class, Class::Any(_)),
            mocked: choice.class == Class::Mocked,
            leaves: choice.leaves.clone(),
            conditions: self.condition_views(&choice.conditions, known),
        };
        order.iter().map(|&at| (&tree.choices()[at], nodes[at])).map(option).collect()
    }

    /// Labels nodes with all values that lead there, of whatever path they are.
    fn label(&mut self, tree: &Tree, places: &[Place]) {
        let nodes = self.nodes_of(tree, places);
        let label = |(choice, node): (&Possibility, Option<NodeId>)| {
            let is_known = matches!(choice.class, Class::Any(_) | Class::Exact(_));
            Some((node?, choice.class.show().filter(|_| is_known)?))
        };
        let labels: Vec<_> = tree.choices().iter().zip(nodes).filter_map(label).collect();
        self.session.restore_labels(labels);
    }

    /// The node of the multiverse that each option leads to.
    fn nodes_of(&self, tree: &Tree, places: &[Place]) -> Vec<Option<NodeId>> {
        let mut nodes = vec![None; tree.choices().len()];
        for (last, choice) in tree.choices().iter().enumerate() {
            let Some(leaf) = choice.leaves.first() else { continue };
            let (mut node, mut option) = (Some(places[*leaf].node), Some(last));
            while let Some(at) = option.filter(|at| nodes[*at].is_none()) {
                let choice = &tree.choices()[at];
                option = choice.parent;
                // Parameters are no choices of the multiverse.
                if choice.import != mw_concolic::PARAMETER {
                    nodes[at] = node;
                    node = node.and_then(|node| self.session.multiverse().parent(node));
                }
            }
        }
        nodes
    }
}

/// What the solver did, as data.
fn queries(statistics: &Statistics) -> QueriesView {
    QueriesView {
        all: statistics.queries(),
        sets: statistics.sets,
        cache: statistics.cache,
        differences: statistics.differences,
        enumeration: statistics.enumeration,
        solver: statistics.backend,
        unknown: statistics.unknown,
        microseconds: statistics.time.as_micros() as u64,
    }
}

/// The options of a tree in the order in which a person reads it: smaller values before larger
/// ones, what comes after a value right behind it.
fn in_order(tree: &Tree) -> Vec<usize> {
    let mut order = Vec::new();
    let mut open: Vec<usize> = tree.options(None).iter().rev().copied().collect();
    while let Some(at) = open.pop() {
        order.push(at);
        open.extend(tree.options(Some(at)).iter().rev());
    }
    order
}
