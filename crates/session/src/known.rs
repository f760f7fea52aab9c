//! What is known of the universes of a session: the tree, how far each has been lived, which values
//! lead where, and moments from which a replay can begin.

use std::collections::BTreeMap;

use mw_concolic::Class;
use mw_ensemble::Checkpoint;
use mw_monitor::Verdict;
use mw_multiverse::{Checkpoints, Choice, Multiverse, NodeId, Outcome, Place, Site, Step};
use mw_vm::Machine;
use mw_world::World;

use crate::error::SessionError;
use crate::properties::PropertyId;
use crate::session::Session;
use crate::verdicts::{VerdictChange, Verdicts};
use crate::walk::Walk;

/// What is known of the universes. See the [module](self).
#[derive(Debug)]
pub(crate) struct Known {
    /// The program in its world at the start of the session.
    root: Checkpoint,
    /// Whether that is the start of the program.
    has_whole_past: bool,
    multiverse: Multiverse,
    checkpoints: Checkpoints,
    /// How far universes have been lived after their last choice.
    furthest: BTreeMap<NodeId, u64>,
    /// What is known of the values that lead to a node, for people.
    labels: BTreeMap<NodeId, String>,
    verdicts: Verdicts,
    /// The properties that are watched for, in the order of their monitors.
    properties: Vec<PropertyId>,
}

/// What a replayer has found out.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    /// Moments from which later replays can begin.
    pub kept: Vec<(Place, Checkpoint)>,
    /// How universes ended.
    pub ended: Vec<(Place, Outcome)>,
    /// Verdicts that are others from a place on, by the positions of monitors.
    pub verdicts: Vec<(Place, usize, Verdict)>,
    /// Places that somebody has come to.
    pub walked: Vec<Place>,
}

impl Known {
    /// Nothing but the beginning. Checkpoints may take so many bytes.
    pub fn new(root: Checkpoint, has_whole_past: bool, memory: usize) -> Known {
        Known {
            has_whole_past,
            multiverse: Multiverse::beginning_at(root.machine.count()),
            root,
            checkpoints: Checkpoints::new(memory),
            furthest: BTreeMap::new(),
            labels: BTreeMap::new(),
            verdicts: Verdicts::default(),
            properties: Vec::new(),
        }
    }

    /// Begins with another moment, from which nothing has been replayed yet.
    pub fn rebase(&mut self, root: Checkpoint) {
        self.root = root;
        self.checkpoints.clear();
    }

    /// The same, but what there was can be gone back to.
    pub fn begin_anew(&mut self, root: Checkpoint) -> (Checkpoint, Checkpoints) {
        let root = std::mem::replace(&mut self.root, root);
        (root, self.checkpoints.taken())
    }

    /// Goes back to what there was.
    pub fn go_back(&mut self, (root, checkpoints): (Checkpoint, Checkpoints)) {
        (self.root, self.checkpoints) = (root, checkpoints);
    }

    /// Changes the moments that are kept, in what takes no memory to speak of.
    pub fn each_checkpoint(&mut self, mut change: impl FnMut(&mut Checkpoint)) {
        change(&mut self.root);
        self.checkpoints.each(change);
    }

    /// The tree of universes.
    pub fn multiverse(&self) -> &Multiverse {
        &self.multiverse
    }

    /// The world at the start.
    pub fn root_world(&self) -> &World {
        &self.root.world
    }

    /// Somebody who begins at the start.
    pub fn at_root(&self) -> Walk {
        Walk::new(self.root.moment(), NodeId::ROOT)
    }

    /// Somebody at the last checkpoint on the way to a place, or at the start.
    pub fn before(&self, place: Place) -> Walk {
        match self.checkpoints.before(&self.multiverse, place) {
            Some((at, checkpoint)) => Walk::new(checkpoint.moment(), at.node),
            None => self.at_root(),
        }
    }

    /// Where the last checkpoint on the way to a place is, if there is one.
    pub fn checkpoint_before(&self, place: Place) -> Option<Place> {
        self.checkpoints.before(&self.multiverse, place).map(|(at, _)| at)
    }

    /// The last moment that is kept on the way to a place, and where it is.
    pub fn saved_before(&self, place: Place) -> Option<(Place, &Machine)> {
        let (at, checkpoint) = self.checkpoints.before(&self.multiverse, place)?;
        Some((at, &checkpoint.machine))
    }

    /// How far the program has come after a node, if nothing else in the tree says so.
    pub fn furthest(&self, node: NodeId) -> Option<u64> {
        self.furthest.get(&node).copied()
    }

    /// Keeps a moment.
    pub fn keep(&mut self, place: Place, checkpoint: Checkpoint) {
        self.checkpoints.insert(&self.multiverse, place, checkpoint);
    }

    /// Takes over what a replayer has found out.
    pub fn learn(&mut self, findings: Findings) {
        for (place, outcome) in findings.ended {
            self.multiverse.end(place.node, place.count, outcome);
        }
        for (place, checkpoint) in findings.kept {
            self.keep(place, checkpoint);
        }
        for (place, which, verdict) in findings.verdicts {
            self.note_verdict(place, which, verdict);
        }
        for place in findings.walked {
            self.note_walked(place);
        }
    }

    /// What is known of verdicts.
    pub fn verdicts(&self) -> &Verdicts {
        &self.verdicts
    }

    /// The verdict of the monitor at a position is another one from a place on.
    pub fn note_verdict(&mut self, place: Place, which: usize, verdict: Verdict) {
        if let Some(&property) = self.properties.get(which) {
            self.verdicts.note(VerdictChange { property, place, verdict });
        }
    }

    /// Somebody has come to a place with all properties.
    pub fn note_walked(&mut self, place: Place) {
        self.verdicts.walked(&self.multiverse, self.properties.iter().copied(), place);
    }

    /// Other properties are watched for; of those that are new, nothing is known.
    pub fn set_properties(&mut self, properties: Vec<PropertyId>, new: Option<PropertyId>) {
        let gone = self.properties.iter().filter(|id| !properties.contains(id)).copied();
        for id in gone.chain(new).collect::<Vec<_>>() {
            self.verdicts.forget(id);
        }
        self.properties = properties;
    }

    /// Refuses a place to which no way leads.
    pub fn check(&self, place: Place) -> Result<(), SessionError> {
        let known = self.multiverse.contains(place.node)
            && place.count >= self.multiverse.start(place.node);
        if !known {
            return Err(SessionError::NoSuchPlace(place));
        }
        // The program cannot get past an input or a turn without a choice, nor past its end; but past an
        // interrupt that might have arrived, or a variable that might have been set.
        let mut steps = self.multiverse.steps(place.node).map(|step| step.choice);
        let is_needed =
            |choice: &Choice<'_>| matches!(choice.site, Site::Input { .. } | Site::Schedule(_));
        let input = steps.find(is_needed);
        let ended = self.multiverse.ended(place.node).map(|(count, _)| *count);
        let last = input.map(|choice| choice.count).or(ended);
        match last.is_none_or(|last| place.count <= last) {
            true => Ok(()),
            false => Err(SessionError::NoSuchPlace(place)),
        }
    }

    /// Whether the program has come as far as a place, or is known to; it is here now.
    pub fn has_been_at(&self, place: Place, here: Place) -> bool {
        let Place { node, count } = place;
        let mut steps = self.multiverse.steps(node).map(|step| step.choice.count);
        let has_been = |counts: Option<u64>| counts.is_some_and(|at| count <= at);
        count <= self.multiverse.start(node)
            || node == here.node && count <= here.count
            || steps.any(|at| count <= at)
            || has_been(self.multiverse.ended(node).map(|(at, _)| *at))
            || has_been(self.furthest.get(&node).copied())
    }

    /// Notes how far the program has come, if nothing else in the tree says so.
    pub fn note_furthest(&mut self, here: Place) {
        let is_last = self.multiverse.preferred(here.node).is_none()
            && self.multiverse.ended(here.node).is_none_or(|(count, _)| *count > here.count);
        if is_last && here.count > self.multiverse.start(here.node) {
            let furthest = self.furthest.entry(here.node).or_default();
            *furthest = here.count.max(*furthest);
        }
    }

    /// Says which values lead to a node, unless that is known.
    pub fn label(&mut self, node: NodeId, class: &Class) {
        // Paths share their beginnings, and to write a class takes longer than to find a node.
        if let (Class::Any(_) | Class::Exact(_), false) = (class, self.labels.contains_key(&node))
            && let Some(values) = class.show()
        {
            self.labels.insert(node, values);
        }
    }

    /// Removes what nobody has visited from a node on, but for what leads to the nodes that are
    /// kept. Returns how many nodes are gone.
    pub fn remove_suggested(&mut self, below: NodeId, kept: &[NodeId]) -> usize {
        let gone = self.multiverse.remove_suggested(below, kept);
        self.labels.retain(|node, _| !gone.contains(node));
        self.furthest.retain(|node, _| !gone.contains(node));
        gone.len()
    }

    /// Prefers the future that leads to a node, and ends there.
    pub fn prefer_future(&mut self, leaf: NodeId) {
        self.multiverse.prefer_path_to(leaf);
        self.multiverse.prefer_no_choice(leaf);
    }

    /// Prefers what can still come: a place may lie after an interrupt that did not arrive, or
    /// after a variable that was not set.
    pub fn prefer_what_lies_ahead(&mut self, here: Place) {
        let lies_ahead = |step: &Step<'_>| step.choice.count >= here.count;
        if self.multiverse.preferred(here.node).is_some_and(|step| !lies_ahead(&step)) {
            self.prefer_last(here.node, lies_ahead);
        }
    }

    /// Prefers the last of the ways on from a node that have been gone and fit, or none of them.
    pub fn prefer_last(&mut self, node: NodeId, fits: impl Fn(&Step<'_>) -> bool) {
        let steps = self.multiverse.steps(node).filter(fits);
        let visited = steps.filter(|step| self.multiverse.is_visited(step.node));
        match visited.last().map(|step| step.node) {
            Some(next) => self.multiverse.prefer_path_to(next),
            None => self.multiverse.prefer_no_choice(node),
        }
    }
}

impl Session {
    /// The tree of universes.
    pub fn multiverse(&self) -> &Multiverse {
        &self.known.multiverse
    }

    /// The tree, for whoever keeps it on disk.
    pub fn multiverse_mut(&mut self) -> &mut Multiverse {
        &mut self.known.multiverse
    }

    /// The checkpoints, to look at.
    pub fn checkpoints(&self) -> &Checkpoints {
        &self.known.checkpoints
    }

    /// Where the session begins.
    pub fn start(&self) -> Place {
        self.known.multiverse.beginning()
    }

    /// Whether it begins at the start of its program, rather than in the middle of a run.
    pub fn has_whole_past(&self) -> bool {
        self.known.has_whole_past
    }

    /// A machine of its own in the state at the start.
    pub fn fork_start(&self) -> Machine {
        self.known.root.machine.thaw()
    }

    /// Whether one has been further in this universe already.
    pub fn is_in_the_past(&self) -> bool {
        let here = self.here();
        let ended = self.known.multiverse.ended(here.node).map(|(count, _)| count);
        let lived = [ended, self.known.furthest.get(&here.node)];
        self.known.multiverse.preferred(here.node).is_some()
            || lived.into_iter().flatten().any(|count| *count > here.count)
    }

    /// The last place of this universe that the program has come to, or at which it is known to end.
    pub fn recorded_end(&self) -> Place {
        let here = self.here();
        let node = self.known.multiverse.leaf(here.node);
        let count = match self.known.multiverse.ended(node) {
            Some((count, _)) => *count,
            None => {
                let furthest = self.known.furthest.get(&node).copied().unwrap_or(0);
                self.known.multiverse.start(node).max(furthest)
            }
        };
        Place { node, count: if node == here.node { count.max(here.count) } else { count } }
    }

    /// How far the program has come after last choices.
    pub fn furthest(&self) -> impl Iterator<Item = (NodeId, u64)> {
        self.known.furthest.iter().map(|(node, count)| (*node, *count))
    }

    /// Puts back how far the program has come.
    pub fn restore_furthest(&mut self, furthest: impl IntoIterator<Item = (NodeId, u64)>) {
        self.known.furthest.extend(furthest);
    }

    /// The values that lead to the same future as the one chosen at a node, as far as that has
    /// been found out.
    pub fn label_of(&self, node: NodeId) -> Option<&str> {
        self.known.labels.get(&node).map(String::as_str)
    }

    /// All labels.
    pub fn labels(&self) -> impl Iterator<Item = (NodeId, &str)> {
        self.known.labels.iter().map(|(node, text)| (*node, text.as_str()))
    }

    /// Puts labels back.
    pub fn restore_labels(&mut self, labels: impl IntoIterator<Item = (NodeId, String)>) {
        self.known.labels.extend(labels);
    }
}
