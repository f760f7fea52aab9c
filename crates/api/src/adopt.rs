//! What exploring has found becomes a part of the multiverse, and is taken out of it again.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use mw_concolic::solver::Statistics;
use mw_concolic::{Class, Explorer, Omitted, PathId, Possibility, Tree};
use mw_session::{NodeId, Place};
use mw_vm::Value;
use serde::{Deserialize, Serialize};

use crate::ask::{Answered, Ask};
use crate::checked::Checked;
use crate::debugger::Debugger;
use crate::error::ApiError;
use crate::event::Listener;
use crate::exploration::MANY;
use crate::findings::Findings;
use crate::notation::PlaceRef;
use crate::notation::place::node_parts;
use crate::paths::Places;
use crate::reasons::reason;
use crate::suggest::Exploring;
use crate::suggested::{OptionView, QueriesView, Suggested};

/// Adds what was found last and was too much to be added unasked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AddSuggested {
    /// How many paths at most, such on which something goes wrong first; all without.
    #[serde(default)]
    pub limit: Option<usize>,
}

impl Ask for AddSuggested {
    type Reply = Suggested;

    fn serve(self, debugger: &mut Debugger, listener: &mut dyn Listener) -> Answered<Self> {
        let Some(mut exploring) = debugger.exploring.take() else {
            return Err(ApiError::not_here("nothing has been explored yet; `suggest` first"));
        };
        let (room, time) = (self.limit.map_or(Room::All, Room::First), exploring.time);
        let suggested = debugger.adopt(&mut exploring, room, time, listener);
        debugger.exploring = Some(exploring);
        Ok(suggested)
    }
}

/// Removes what exploring has added where nobody has been. What leads to a bookmark stays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemoveSuggested {
    /// A node and what comes after it; everywhere without.
    #[serde(default)]
    pub below: Option<PlaceRef>,
}

impl Ask for RemoveSuggested {
    type Reply = Removed;

    fn serve(self, debugger: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        let below = match &self.below {
            Some(below) => debugger.resolve(below)?.node,
            None => NodeId::ROOT,
        };
        let nodes = debugger.session.remove_suggested(below) as u64;
        if let Some(exploring) = &mut debugger.exploring {
            exploring.places.clear();
        }
        debugger.reasons.retain(|node, _| debugger.session.multiverse().contains(*node));
        Ok(Removed { nodes })
    }
}

/// What was removed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Removed {
    /// How many nodes.
    pub nodes: u64,
}

/// How many of the paths that were found are added.
#[derive(Clone, Copy)]
pub(crate) enum Room {
    /// All of them.
    All,
    /// All of them if they are few, else none.
    Few,
    /// So many.
    First(usize),
}

/// Of more options than this, it is not kept why the program goes their way: nobody reads it.
const REASONS: usize = 10_000;

/// One part in so many of that is for seeing which paths can be told of: the tree takes the rest.
const SETTLING: u32 = 5;

/// So long it may take to tell what was found when somebody has stopped it.
const GRACE: Duration = Duration::from_millis(500);

/// So many paths on which something goes wrong are told of, however little time there is.
const CERTAIN: usize = 1000;

/// So many inputs are told of all paths together, each with its own values.
const INPUTS: usize = 100_000;

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

/// A path that is to be told of.
struct Settled {
    /// Its number.
    at: usize,
    /// Values of its inputs: such that a person has seen, where there are any.
    values: Vec<Option<Value>>,
    /// How many of them are recorded.
    recorded: usize,
    /// All values that lead there or to what behaves alike, if that has been looked at.
    classes: Option<Vec<Class>>,
}

impl Debugger {
    /// Adds the paths to the multiverse that there is time and room for, and tells of them.
    pub(crate) fn adopt(
        &mut self,
        exploring: &mut Exploring,
        room: Room,
        time: Duration,
        listener: &mut dyn Listener,
    ) -> Suggested {
        let Exploring { from, explorer, apart, .. } = &*exploring;
        let (from, paths) = (*from, explorer.paths());
        let mut patience = Patience::new(listener, time);
        let mut settled = self.settled(from, explorer, &paths, &mut patience);
        let all_settled = settled.len();
        let mut untold = (paths.len() - all_settled) as u64;
        if !apart {
            settled = different(explorer, &paths, settled);
        }
        let found = settled.len();
        let most = match room {
            Room::All => found,
            Room::Few if found > MANY => 0,
            Room::Few => found,
            Room::First(most) => most,
        };
        if most < found {
            settled.sort_by_key(|path| (!explorer.is_failure(paths[path.at]), path.at));
            settled.truncate(most);
            settled.sort_by_key(|path| path.at);
        }
        let (mut tree, mut known) = (Tree::default(), Places::new());
        let (mut places, mut views, mut findings) = (Vec::new(), Vec::new(), Findings::default());
        let (mut inputs_left, mut certain) = (INPUTS, CERTAIN);
        let mut left_out: BTreeSet<Omitted> = BTreeSet::new();
        let mut checked = Checked::of(self);
        let mut ids = Vec::new();
        // One after the other: together they may be as large as all that was explored.
        for Settled { at, values, classes, .. } in settled {
            let path = paths[at];
            patience.listener.meanwhile(self);
            let is_certain = certain > 0 && explorer.is_failure(path);
            if !is_certain && !views.is_empty() && patience.is_part_over(1) {
                untold += 1;
                continue;
            }
            certain -= usize::from(is_certain);
            let Some(mut leaf) = explorer.leaf_of(path) else { continue };
            leaf.steps.iter_mut().zip(values).for_each(|(step, value)| step.value = value);
            let classes = classes.into_iter().flatten();
            leaf.steps.iter_mut().zip(classes).for_each(|(step, class)| step.class = class);
            let (number, place) = (views.len(), self.session.adopt_settled(from, &leaf));
            left_out.extend(&leaf.omitted);
            let decided = tree.add_path(number, &leaf);
            let mut view = self.leaf_view(&leaf, decided, place, &mut known);
            let inputs = || leaf.steps.iter().map(|step| self.input_view(step)).collect();
            if leaf.end.is_failure() {
                findings.add(number, &leaf, &view, inputs);
            }
            checked.add(&leaf);
            self.find_violations(&mut findings, number, &leaf, place, &mut known);
            inputs_left = inputs_left.saturating_sub(leaf.steps.len());
            if inputs_left > 0 {
                view.inputs = inputs();
            }
            views.push(view);
            places.push(place);
            ids.push(path);
        }
        let tree = tree.sorted();
        self.label(&tree, &places);
        let options = self.options(&tree, &places, &mut known);
        for (at, option) in options.iter().enumerate() {
            option.leaves.iter().for_each(|leaf| views[*leaf].option = Some(at));
        }
        let path_instructions = views.iter().map(|leaf| leaf.place.count - explorer.start()).sum();
        let withheld = (found - most.min(found)) as u64;
        let mut suggested = Suggested {
            from: self.place_view(from),
            paths: found as u64 + (paths.len() - all_settled) as u64,
            withheld,
            complete: explorer.is_complete() && untold == 0 && withheld == 0,
            at_most: explorer.most_interrupts().map(at_most),
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
            properties: checked.told(),
            inexact: explorer.inexact() as u64,
            untold,
        };
        exploring.places = places;
        self.find_inevitable(exploring, &ids, &mut suggested.findings);
        self.keep_reasons(&suggested);
        suggested
    }

    /// Settles as many paths as there is time for, before any is added: none is an example for
    /// another.
    fn settled(
        &self,
        from: Place,
        explorer: &Explorer,
        paths: &[PathId],
        patience: &mut Patience<'_>,
    ) -> Vec<Settled> {
        // What goes wrong comes first: it is what there has to be time for.
        let mut first: Vec<usize> = (0..paths.len()).collect();
        first.sort_by_key(|at| !explorer.is_failure(paths[*at]));
        let mut settled = Vec::with_capacity(paths.len());
        // However little time there is, one of them is told.
        for (done, at) in first.into_iter().enumerate() {
            if done > 0 && patience.is_part_over(SETTLING) {
                break;
            }
            let Some(mut leaf) = explorer.leaf_of(paths[at]) else { continue };
            let recorded = self.session.settle(from, &mut leaf);
            let values = leaf.steps.iter().map(|step| step.value).collect();
            settled.push(Settled { at, values, recorded, classes: None });
        }
        settled.sort_by_key(|path| path.at);
        settled
    }

    /// Remembers why the program goes the way of an option, for the tree.
    fn keep_reasons(&mut self, suggested: &Suggested) {
        if suggested.options.len() > REASONS {
            return;
        }
        for option in &suggested.options {
            let Some(node) = option.node.as_deref().and_then(node_parts) else { continue };
            let node = NodeId::from_parts(node.0, node.1);
            let decided = match option.leaves.first() {
                Some(leaf) if option.conditions.is_empty() => &suggested.leaves[*leaf].conditions,
                _ => &option.conditions,
            };
            if let Some(reason) = reason(decided) {
                self.reasons.insert(node, reason);
            }
        }
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
            call: self.asked_text(&choice.asked, choice.count, (choice.program, choice.pc)),
            happens: choice.value.is_none(),
            count: choice.count,
            value: self.value_text(&choice.asked, choice.value),
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
                if choice.asked.is_choice() {
                    nodes[at] = node;
                    node = node.and_then(|node| self.session.multiverse().parent(node));
                }
            }
        }
        nodes
    }
}

/// Of paths that behave alike, one each: if possible one that is recorded, and with the values of
/// all.
fn different(explorer: &Explorer, paths: &[PathId], mut settled: Vec<Settled>) -> Vec<Settled> {
    // Of options that behave alike, the first one stays.
    settled.sort_by_key(|path| Reverse(path.recorded));
    let mut tree = Tree::default();
    for (number, Settled { at, values, .. }) in settled.iter().enumerate() {
        let Some(mut leaf) = explorer.leaf_of(paths[*at]) else { continue };
        leaf.steps.iter_mut().zip(values).for_each(|(step, value)| step.value = *value);
        tree.add_path(number, &leaf);
    }
    let tree = tree.merged();
    let mut stays: Vec<Option<Vec<Class>>> = vec![None; settled.len()];
    tree.leaves(None).iter().for_each(|leaf| stays[*leaf] = Some(Vec::new()));
    for (at, choice) in tree.choices().iter().enumerate() {
        if choice.leaves.is_empty() {
            continue;
        }
        let before = |at: &usize| tree.choices()[*at].parent;
        let way = std::iter::successors(Some(at), before);
        let mut classes: Vec<Class> = way.map(|at| tree.choices()[at].class.clone()).collect();
        classes.reverse();
        choice.leaves.iter().for_each(|leaf| stays[*leaf] = Some(classes.clone()));
    }
    let stays = settled.into_iter().zip(stays);
    let mut settled: Vec<Settled> = stays
        .filter_map(|(path, classes)| Some(Settled { classes: Some(classes?), ..path }))
        .collect();
    settled.sort_by_key(|path| path.at);
    settled
}

/// Up to where an exploration may be complete. A handler is not interrupted.
fn at_most(interrupts: u32) -> String {
    match interrupts {
        1 => "at most 1 interrupt".into(),
        most => format!("at most {most} interrupts, one after the other"),
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
