//! Sliding: from here to any place.
//!
//! 1. Outputs are undone, newest first, back to the last place that both universes have in common.
//! 2. The machine is restored from the last checkpoint on the way to the goal, and replayed.
//! 3. Up to the common place, the replay does not do again what still stands in the world; from
//!    there on it performs the goal's outputs.

use std::collections::VecDeque;

use mw_multiverse::{NodeId, Place, Site};
use mw_vm::{Breakpoints, NoProbe, Status};
use mw_world::{Kind, Moment};
use serde::{Deserialize, Serialize};

use crate::control::Control;
use crate::drive::{Drive, Goal, Mode};
use crate::error::SessionError;
use crate::session::{Effect, Session, Undoable};

/// What a slide takes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Journey {
    /// Where it starts.
    pub from: Place,
    /// The last place that start and goal have in common: so far, outputs are undone.
    pub common: Place,
    /// Where it leads.
    pub to: Place,
    /// How many changes of the world are undone.
    pub undone: usize,
    /// How many instructions are replayed.
    pub replayed: u64,
    /// Outputs that cannot be undone but are crossed on the way back.
    pub irreversible: Vec<String>,
}

impl Session {
    /// What sliding to a place would take. A slide goes wherever this says so, once what cannot be
    /// undone is confirmed.
    pub fn plan(&mut self, to: Place, control: &mut dyn Control) -> Result<Journey, SessionError> {
        self.check_place(to)?;
        if !self.is_recorded(to) {
            // Nobody knows whether the program gets there without ending or reading an input.
            self.look_at(to, control, |_| ())?;
        }
        let from = self.here();
        let common = self.common(from, to);
        let undone = self.log.len() - self.log.partition_point(|p| p.count < common.count);
        let crossed = self.irreversible.iter().rev().take_while(|(at, _)| *at >= common.count);
        let primitives = crossed.filter_map(|&(_, import)| self.now.world.primitive(import).ok());
        let irreversible = primitives.map(|primitive| primitive.full_name()).collect();
        let start = self.restore_point(common, to);
        let replayed = to.count - start.map_or(from.count, |start| start.count);
        Ok(Journey { from, common, to, undone, replayed, irreversible })
    }

    /// Whether the program can do to the world what cannot be undone.
    fn has_irreversible(&self) -> bool {
        let irreversible =
            |import| matches!(self.now.world.kind(import), Ok(Kind::Output { irreversible: true }));
        (0..self.now.world.imports().count() as u32).any(irreversible)
    }

    pub(crate) fn check_place(&self, place: Place) -> Result<(), SessionError> {
        let known = self.multiverse.contains(place.node)
            && place.count >= self.multiverse.start(place.node);
        if !known {
            return Err(SessionError::NoSuchPlace(place));
        }
        // The program cannot get past an input without a choice, nor past its end; but past an
        // interrupt that might have arrived, or a variable that might have been set.
        let mut steps = self.multiverse.steps(place.node).map(|step| step.choice);
        let input = steps.find(|choice| matches!(choice.site, Site::Input { .. }));
        let ended = self.multiverse.ended(place.node).map(|(count, _)| *count);
        let last = input.map(|choice| choice.count).or(ended);
        match last.is_none_or(|last| place.count <= last) {
            true => Ok(()),
            false => Err(SessionError::NoSuchPlace(place)),
        }
    }

    /// Whether the program has come as far as this place of the tree, or is known to.
    fn is_recorded(&self, place: Place) -> bool {
        let Place { node, count } = place;
        let mut steps = self.multiverse.steps(node).map(|step| step.choice.count);
        let has_been = |counts: Option<u64>| counts.is_some_and(|at| count <= at);
        count <= self.multiverse.start(node)
            || node == self.node && count <= self.now.machine.count()
            || steps.any(|at| count <= at)
            || has_been(self.multiverse.ended(node).map(|(at, _)| *at))
            || has_been(self.furthest.get(&node).copied())
    }

    /// The last place that the ways to two places have in common.
    pub(crate) fn common(&self, a: Place, b: Place) -> Place {
        let node = self.multiverse.common_ancestor(a.node, b.node);
        // Where the way to a place leaves the node: at its next choice, or not at all.
        let leaves = |place: Place| match place.node == node {
            true => place.count,
            false => {
                let next = self.multiverse.step_towards(node, place.node);
                next.and_then(|next| self.multiverse.choice(next)).map_or(0, |c| c.count)
            }
        };
        Place { node, count: leaves(a).min(leaves(b)) }
    }

    /// The checkpoint to go back to, or the root; `None` if going on from here is as short.
    fn restore_point(&mut self, common: Place, to: Place) -> Option<Place> {
        let here = self.here();
        // What cannot be undone is noticed by being performed: no checkpoint may hide it.
        let sought = if self.has_irreversible() { common } else { to };
        let saved = self.checkpoints.before(&self.multiverse, sought).map(|(place, _)| place);
        // A program that has failed goes on nowhere, but a choice before that may have.
        let goes_on = to == here || !matches!(self.now.machine.status(), Status::Trapped(_));
        match saved {
            _ if common == here
                && goes_on
                && saved.is_none_or(|place| place.count <= here.count) =>
            {
                None
            }
            Some(place) => Some(place),
            None => Some(self.start()),
        }
    }

    /// Goes to a place. With `confirm`, also back over outputs that cannot be undone.
    pub fn slide(
        &mut self,
        to: Place,
        confirm: bool,
        control: &mut dyn Control,
    ) -> Result<Journey, SessionError> {
        let journey = self.plan(to, control)?;
        if !journey.irreversible.is_empty() && !confirm && !self.options.dry {
            return Err(SessionError::Irreversible(journey.irreversible.join(", ")));
        }
        self.note_furthest();
        let mut origin = self.depart();
        if let Err(error) = self.travel(&journey, &mut origin, control) {
            self.come_back(origin);
            return Err(error);
        }
        // The future of here stays what it was, if it still is one.
        if self.multiverse.is_ancestor(to.node, origin.leaf) {
            self.prefer_future(origin.leaf);
        }
        self.multiverse.visit(to.node);
        self.prefer_what_lies_ahead();
        Ok(journey)
    }

    /// Undoes, restores and replays; what `origin` has in its log and what still stands goes over
    /// into the session's log, unless it fails.
    fn travel(
        &mut self,
        journey: &Journey,
        origin: &mut Standpoint,
        control: &mut dyn Control,
    ) -> Result<(), SessionError> {
        let Journey { common, to, .. } = *journey;
        let start = self.restore_point(common, to);
        self.multiverse.prefer_path_to(to.node);
        let kept = origin.log.partition_point(|p| p.count < common.count);
        for performed in origin.log[kept..].iter().rev() {
            self.now.world.undo(performed.undo.clone());
        }
        let mut log_goes_on = true;
        if let Some(start) = start {
            let before_common =
                start.count <= common.count && self.multiverse.is_ancestor(start.node, common.node);
            log_goes_on = before_common && self.log_start <= common.count;
            // The machine catches up with a world that stands already: beside it.
            let standing = log_goes_on.then(|| self.now.world.state().clone());
            self.restore(start);
            self.log_start = start.count;
            if before_common {
                self.replay(common, false, control)?;
                self.irreversible.clear();
            }
            if let Some(standing) = standing {
                self.now.world.restore(standing);
                self.log.clear();
                self.log_start = origin.log_start;
            }
        }
        self.effects.clear();
        let log_start = self.log_start;
        self.replay(to, true, control)?;
        if log_goes_on && self.log_start == log_start {
            origin.log.truncate(kept);
            origin.log.append(&mut self.log);
            std::mem::swap(&mut origin.log, &mut self.log);
        }
        let stands = origin.irreversible.partition_point(|(at, _)| *at < common.count);
        self.irreversible.splice(..0, origin.irreversible.drain(..stands));
        Ok(())
    }

    /// Notes how far the program has come here, if nothing else in the tree says so.
    fn note_furthest(&mut self) {
        let here = self.here();
        let is_last = self.multiverse.preferred(here.node).is_none()
            && self.multiverse.ended(here.node).is_none_or(|(count, _)| *count > here.count);
        if is_last && here.count > self.multiverse.start(here.node) {
            let furthest = self.furthest.entry(here.node).or_default();
            *furthest = here.count.max(*furthest);
        }
    }

    /// The last place of this universe that the program has come to, or at which it is known to end.
    pub fn recorded_end(&self) -> Place {
        let here = self.here();
        let node = self.multiverse.leaf(here.node);
        let count = match self.multiverse.ended(node) {
            Some((count, _)) => *count,
            None => self.multiverse.start(node).max(self.furthest.get(&node).copied().unwrap_or(0)),
        };
        Place { node, count: if node == here.node { count.max(here.count) } else { count } }
    }

    /// How far the program has come after last choices.
    pub fn furthest(&self) -> impl Iterator<Item = (NodeId, u64)> {
        self.furthest.iter().map(|(node, count)| (*node, *count))
    }

    /// Puts back how far the program has come.
    pub fn restore_furthest(&mut self, furthest: impl IntoIterator<Item = (NodeId, u64)>) {
        self.furthest.extend(furthest);
    }

    /// Notes where the session stands and leaves, with nothing in its log.
    fn depart(&mut self) -> Standpoint {
        Standpoint {
            now: self.now.fork(),
            node: self.node,
            last_checkpoint: self.last_checkpoint,
            log: std::mem::take(&mut self.log),
            log_start: self.log_start,
            irreversible: std::mem::take(&mut self.irreversible),
            effects: std::mem::take(&mut self.effects),
            leaf: self.multiverse.leaf(self.node),
        }
    }

    /// Stands there again as if nothing had been.
    fn come_back(&mut self, origin: Standpoint) {
        self.now = origin.now;
        self.node = origin.node;
        self.last_checkpoint = origin.last_checkpoint;
        (self.log, self.log_start) = (origin.log, origin.log_start);
        self.irreversible = origin.irreversible;
        self.effects = origin.effects;
        self.prefer_future(origin.leaf);
    }

    /// Does something elsewhere and comes back: only the tree may have grown.
    pub(crate) fn aside<R>(&mut self, task: impl FnOnce(&mut Session) -> R) -> R {
        let origin = self.depart();
        let result = task(self);
        self.come_back(origin);
        result
    }

    /// Does something at a place, without going there.
    pub(crate) fn look_at<R>(
        &mut self,
        place: Place,
        control: &mut dyn Control,
        task: impl FnOnce(&mut Session) -> R,
    ) -> Result<R, SessionError> {
        self.check_place(place)?;
        self.aside(|session| {
            session.restore_before(place);
            session.replay(place, true, control)?;
            Ok(task(session))
        })
    }

    /// Begins again at the root and does something from there; comes back if that fails.
    pub(crate) fn restart_and<R>(
        &mut self,
        task: impl FnOnce(&mut Session) -> Result<R, SessionError>,
    ) -> Result<R, SessionError> {
        self.note_furthest();
        let origin = self.depart();
        let start = self.start();
        self.restore(start);
        self.log_start = start.count;
        let result = task(self);
        if result.is_err() {
            self.come_back(origin);
        }
        result
    }

    fn prefer_future(&mut self, leaf: NodeId) {
        self.multiverse.prefer_path_to(leaf);
        self.multiverse.prefer_no_choice(leaf);
    }

    /// Prefers what can still come: here may lie after an interrupt that did not arrive, or after
    /// a variable that was not set.
    pub(crate) fn prefer_what_lies_ahead(&mut self) {
        let here = self.here();
        let preferred = self.multiverse.preferred(here.node);
        if preferred.is_none_or(|step| step.choice.count >= here.count) {
            return;
        }
        let ahead = self.multiverse.steps(here.node).filter(|step| {
            step.choice.count >= here.count && self.multiverse.is_visited(step.node)
        });
        match ahead.last().map(|step| step.node) {
            Some(next) => self.multiverse.prefer_path_to(next),
            None => self.multiverse.prefer_no_choice(here.node),
        }
    }

    /// Replays forward to a place on the preferred way; with `into_end`, to how the program ended
    /// if that was there.
    pub(crate) fn replay(
        &mut self,
        to: Place,
        into_end: bool,
        control: &mut dyn Control,
    ) -> Result<(), SessionError> {
        let mut goal = Goal {
            count: to.count,
            node: Some(to.node),
            into_end,
            breakpoints: &Breakpoints::default(),
            on_primitive: &mut |_, _| false,
            is_plain: false,
        };
        match self.drive(Mode::Replay, &mut goal, &mut NoProbe, control)? {
            Drive::Reached => Ok(()),
            // The place may be the end itself.
            Drive::Ended(_) if self.here() == to => Ok(()),
            _ => Err(SessionError::NoSuchPlace(to)),
        }
    }

    /// Puts machine and world into the state of a checkpoint, or of the root.
    pub(crate) fn restore(&mut self, place: Place) {
        let saved = self.checkpoints.before(&self.multiverse, place);
        let saved = saved.filter(|(at, _)| *at == place).map(|(_, checkpoint)| checkpoint);
        self.now = saved.unwrap_or(&self.root).moment();
        self.node = place.node;
        self.last_checkpoint = place.count;
    }

    /// Goes to the last checkpoint on the way to a place, or to the root.
    pub(crate) fn restore_before(&mut self, place: Place) {
        self.multiverse.prefer_path_to(place.node);
        let saved = self.checkpoints.before(&self.multiverse, place).map(|(place, _)| place);
        self.restore(saved.unwrap_or(self.start()));
    }
}

/// Where a session stood, to come back to.
struct Standpoint {
    now: Moment,
    node: NodeId,
    last_checkpoint: u64,
    log: Vec<Undoable>,
    log_start: u64,
    irreversible: Vec<(u64, u32)>,
    effects: VecDeque<Effect>,
    /// The last node of the future that was preferred.
    leaf: NodeId,
}
