//! Sliding: from here to any place.
//!
//! 1. Outputs are undone, newest first, back to the last place that both universes have in common.
//! 2. The machine is restored from the last checkpoint on the way to the goal, and replayed.
//! 3. Up to the common place, the replay does not do again what still stands in the world; from
//!    there on it performs the goal's outputs.

use mw_multiverse::Place;
use mw_vm::Status;
use mw_world::Kind;
use serde::{Deserialize, Serialize};

use crate::control::Control;
use crate::error::SessionError;
use crate::known::Findings;
use crate::session::Session;
use crate::walk::Walk;

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

impl Journey {
    /// Refuses one that crosses what cannot be undone, unless it may.
    pub(crate) fn check(&self, may_cross: bool) -> Result<(), SessionError> {
        match self.irreversible.is_empty() || may_cross {
            true => Ok(()),
            false => Err(SessionError::Irreversible(self.irreversible.join(", "))),
        }
    }
}

impl Session {
    /// What sliding to a place would take. A slide goes wherever this says so, once what cannot be
    /// undone is confirmed.
    pub fn plan(&mut self, to: Place, control: &mut dyn Control) -> Result<Journey, SessionError> {
        self.known.check(to)?;
        if !self.known.has_been_at(to, self.here()) {
            // Nobody knows whether the program gets there without ending or reading an input.
            self.look_at(to, control, |_| ())?;
        }
        let from = self.here();
        let common = self.common(from, to);
        let undone =
            self.walk.log.len() - self.walk.log.partition_point(|p| p.count < common.count);
        let crossed = self.walk.irreversible.iter().rev().take_while(|(at, _)| *at >= common.count);
        let primitives =
            crossed.filter_map(|&(_, import)| self.walk.now.world.primitive(import).ok());
        let irreversible = primitives.map(|primitive| primitive.full_name()).collect();
        let start = self.restore_point(common, to);
        let replayed = to.count - start.map_or(from.count, |start| start.count);
        Ok(Journey { from, common, to, undone, replayed, irreversible })
    }

    /// Whether the program can do to the world what cannot be undone.
    fn has_irreversible(&self) -> bool {
        let irreversible = |import| {
            matches!(self.walk.now.world.kind(import), Ok(Kind::Output { irreversible: true }))
        };
        (0..self.walk.now.world.imports().count() as u32).any(irreversible)
    }

    /// The last place that the ways to two places have in common.
    pub(crate) fn common(&self, a: Place, b: Place) -> Place {
        self.multiverse().common_place(a, b)
    }

    /// The checkpoint to go back to, or the root; `None` if going on from here is as short.
    fn restore_point(&mut self, common: Place, to: Place) -> Option<Place> {
        let here = self.here();
        // What cannot be undone is noticed by being performed: no checkpoint may hide it.
        let sought = if self.has_irreversible() { common } else { to };
        let saved = self.known.checkpoint_before(sought);
        // A program that has failed goes on nowhere, but a choice before that may have.
        let has_failed = self.walk.now.aborted.is_some()
            || matches!(self.walk.now.machine.status(), Status::Trapped(_));
        let goes_on = to == here || !has_failed;
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
        journey.check(confirm || self.options().dry)?;
        self.known.note_furthest(self.here());
        let leaf = self.multiverse().leaf(self.walk.node);
        let (walk, findings) = self.travel(&journey, control)?;
        self.walk = walk;
        self.known.learn(findings);
        self.multiverse_mut().prefer_path_to(to.node);
        // The future of here stays what it was, if it still is one.
        if self.multiverse().is_ancestor(to.node, leaf) {
            self.known.prefer_future(leaf);
        }
        self.multiverse_mut().visit(to.node);
        self.known.prefer_what_lies_ahead(to);
        Ok(journey)
    }

    /// Undoes, restores and replays, beside the session. What still stands in the world goes over
    /// into the log of whoever arrives.
    fn travel(
        &mut self,
        journey: &Journey,
        control: &mut dyn Control,
    ) -> Result<(Walk, Findings), SessionError> {
        let Journey { common, to, .. } = *journey;
        let start = self.restore_point(common, to);
        let mut now = self.walk.now.fork();
        let from = &self.walk;
        let kept = from.log.partition_point(|undoable| undoable.count < common.count);
        for undoable in from.log[kept..].iter().rev() {
            now.undo(undoable.device, undoable.undo.clone());
        }
        let mut log_goes_on = true;
        let mut replayer = self.replayer_with(Walk {
            log_start: from.log_start,
            last_checkpoint: from.last_checkpoint,
            ..Walk::new(now, from.node)
        });
        if let Some(start) = start {
            let is_before_common = start.count <= common.count
                && self.multiverse().is_ancestor(start.node, common.node);
            log_goes_on = is_before_common && from.log_start <= common.count;
            // The machine catches up with a world that stands already: beside it.
            let standing = replayer.begin_before(start).now;
            if is_before_common {
                replayer.follow_to(common, false, control)?;
                replayer.walk.irreversible.clear();
            }
            if log_goes_on {
                replayer.walk.now.stand_in(&standing);
                replayer.walk.log.clear();
                replayer.walk.log_start = from.log_start;
            }
        }
        replayer.walk.effects.clear();
        let log_start = replayer.walk.log_start;
        replayer.follow_to(to, true, control)?;
        let (mut walk, findings) = replayer.arrived();
        if log_goes_on && walk.log_start == log_start {
            walk.log.splice(..0, from.log[..kept].iter().cloned());
        }
        let stands = from.irreversible.partition_point(|(at, _)| *at < common.count);
        walk.irreversible.splice(..0, from.irreversible[..stands].iter().copied());
        Ok((walk, findings))
    }

    /// Begins again at the root and does something from there; comes back if that fails.
    pub(crate) fn restart_and<R>(
        &mut self,
        task: impl FnOnce(&mut Session) -> Result<R, SessionError>,
    ) -> Result<R, SessionError> {
        self.known.note_furthest(self.here());
        let leaf = self.multiverse().leaf(self.walk.node);
        let origin = std::mem::replace(&mut self.walk, self.known.at_root());
        let result = task(self);
        if result.is_err() {
            self.walk = origin;
            self.known.prefer_future(leaf);
        }
        result
    }
}
