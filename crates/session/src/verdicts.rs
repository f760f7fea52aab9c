//! Where in the multiverse verdicts change.
//!
//! The stretch of each node is walked once, beside the session, by a replayer that stops wherever a
//! slice moves; what was found is kept, so that only what is new has to be walked when somebody asks
//! again. Whoever has no more time is told which nodes have not been looked at.
//!
//! Invariant: what is said of a stretch holds on all of it that was walked, and its turns are in the
//! order in which they come. Nodes are never called what others were, so nothing of this gets old but
//! with the properties that it is about.

use std::collections::{BTreeMap, BTreeSet};

use mw_ensemble::{Heed, Moment};
use mw_monitor::Verdict;
use mw_multiverse::{NodeId, Place};
use mw_vm::NoProbe;

use crate::control::Control;
use crate::drive::{Drive, Goal, Way};
use crate::error::SessionError;
use crate::properties::PropertyId;
use crate::replayer::Replayer;
use crate::session::Session;

/// A verdict turns into another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerdictTurn {
    /// The property.
    pub property: PropertyId,
    /// Where.
    pub place: Place,
    /// What it is from there on.
    pub verdict: Verdict,
}

/// Where verdicts turn. A place has the verdict of the last turn on the way to it; before any, a
/// property holds.
#[derive(Clone, Debug, Default)]
pub struct VerdictTurns {
    /// The turns, those of a node in the order in which they come.
    pub turns: Vec<VerdictTurn>,
    /// Nodes of which nothing is known, nor of what follows them.
    pub unknown: Vec<NodeId>,
}

/// What has been found out so far.
#[derive(Debug, Default)]
pub(crate) struct Looked {
    /// The properties that it is about, with what tells their automata from others.
    of: Vec<(PropertyId, u64)>,
    stretches: BTreeMap<NodeId, Stretch>,
}

/// What holds in the stretch of a node.
#[derive(Clone, Debug)]
struct Stretch {
    /// What holds before it, by the position of the property.
    before: Vec<Verdict>,
    /// As far as it has been walked, if it has been.
    until: Option<u64>,
    turns: Vec<(usize, Place, Verdict)>,
}

impl Stretch {
    /// What holds at a count of instructions.
    fn at(&self, count: u64) -> Vec<Verdict> {
        let mut verdicts = self.before.clone();
        for (which, place, verdict) in &self.turns {
            if place.count <= count {
                verdicts[*which] = *verdict;
            }
        }
        verdicts
    }

    /// Notes what holds now, if that is something else than before.
    fn note(&mut self, now: &Moment, place: Place) {
        let before = self.at(u64::MAX);
        for (which, before) in before.into_iter().enumerate() {
            let monitor = now.monitors.as_deref().and_then(|monitors| monitors.get(which));
            if let Some((_, state)) = monitor.filter(|(_, state)| state.verdict() != before) {
                self.turns.push((which, place, state.verdict()));
            }
        }
    }
}

impl Session {
    /// Where verdicts turn in all universes that have been visited, and if that is wanted in those
    /// that were only suggested. Whoever cancels it gets what is known so far.
    pub fn verdict_turns(&mut self, suggested: bool, control: &mut dyn Control) -> VerdictTurns {
        let of: Vec<(PropertyId, u64)> = self
            .properties()
            .iter()
            .map(|(id, _, automaton)| (id, automaton.fingerprint()))
            .collect();
        let mut looked = std::mem::take(&mut self.looked);
        if looked.of != of {
            looked = Looked { of, stretches: BTreeMap::new() };
        }
        let mut found = VerdictTurns::default();
        if looked.of.is_empty() {
            return found;
        }
        let mut is_unknown = BTreeSet::new();
        let mut replayer = self.replayer();
        let mut waiting = vec![(NodeId::ROOT, None)];
        while let Some((node, parent)) = waiting.pop() {
            let multiverse = self.multiverse();
            waiting.extend(multiverse.steps(node).map(|step| (step.node, Some(node))));
            if parent.is_some_and(|parent| is_unknown.contains(&parent)) {
                is_unknown.insert(node);
                continue;
            }
            let before = match parent.and_then(|parent| looked.stretches.get(&parent)) {
                Some(parent) => parent.at(multiverse.start(node)),
                None => vec![Verdict::HoldsSoFar; looked.of.len()],
            };
            let stretch = looked.stretches.entry(node).or_insert_with(|| Stretch {
                before,
                until: None,
                turns: Vec::new(),
            });
            let end = self.lived_until(node);
            if stretch.until.is_none_or(|until| until < end) {
                let is_wanted = suggested || multiverse.is_visited(node);
                // What cannot be replayed is not known either.
                if !is_wanted
                    || look(&mut replayer, stretch, Place { node, count: end }, control).is_err()
                {
                    is_unknown.insert(node);
                    found.unknown.push(node);
                    continue;
                }
            }
            found.turns.extend(stretch.turns.iter().map(|(which, place, verdict)| VerdictTurn {
                property: looked.of[*which].0,
                place: *place,
                verdict: *verdict,
            }));
        }
        let (_, findings) = replayer.arrived();
        self.known.learn(findings);
        self.looked = looked;
        found
    }

    /// How far the program has come after a choice, or is known to come.
    fn lived_until(&self, node: NodeId) -> u64 {
        let multiverse = self.multiverse();
        let here = self.here();
        let counts = multiverse.steps(node).map(|step| step.choice.count);
        let ended = multiverse.ended(node).map(|(count, _)| *count);
        let furthest = self.known.furthest_after(node);
        let now = (here.node == node).then_some(here.count);
        let all = counts.chain(ended).chain(furthest).chain(now);
        all.chain([multiverse.start(node)]).max().unwrap_or_default()
    }
}

/// Walks the rest of a stretch.
fn look(
    replayer: &mut Replayer<'_>,
    stretch: &mut Stretch,
    end: Place,
    control: &mut dyn Control,
) -> Result<(), SessionError> {
    let start = replayer.multiverse().start(end.node);
    match stretch.until {
        // What happens on coming to the start of everything belongs to it.
        None if end.node == NodeId::ROOT => replayer.walk.now.watch_anew(Heed::Moves),
        until => {
            let count = until.unwrap_or(start);
            replayer.go_to(Place { node: end.node, count }, control)?;
        }
    }
    loop {
        let here = replayer.walk.here();
        stretch.note(&replayer.walk.now, here);
        stretch.until = Some(here.count);
        if control.is_cancelled() && here.count < end.count {
            return Err(SessionError::Cancelled);
        }
        let mut goal = Goal { heed: Heed::Moves, into_end: true, ..Goal::default() };
        if replayer.drive_to(end, &mut goal, &mut NoProbe, control)? != Drive::News {
            let here = replayer.walk.here();
            stretch.note(&replayer.walk.now, here);
            stretch.until = Some(end.count);
            return Ok(());
        }
    }
}
