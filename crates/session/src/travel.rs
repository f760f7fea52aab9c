//! Sliding: from here to any place.
//!
//! 1. Outputs are undone, newest first, back to the last place that both universes have in common.
//! 2. The machine is restored from the last checkpoint on the way to the goal, and replayed.
//! 3. Up to the common place, the replay does not do again what still stands in the world; from
//!    there on it performs the goal's outputs.

use mw_multiverse::{NodeId, Place};
use mw_vm::{Breakpoints, NoProbe};
use mw_world::{Kind, State};
use serde::{Deserialize, Serialize};

use crate::control::Control;
use crate::drive::{Drive, Goal, Mode};
use crate::error::SessionError;
use crate::session::{Performed, Session};

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
    /// What sliding to a place would take.
    pub fn plan(&mut self, to: Place) -> Result<Journey, SessionError> {
        self.check_place(to)?;
        let from = self.here();
        let common = self.common(from, to);
        let crossed = self.log.iter().rev().take_while(|p| p.count >= common.count);
        let (mut undone, mut irreversible) = (0, Vec::new());
        for performed in crossed {
            undone += 1;
            if self.is_irreversible(performed)
                && let Ok(primitive) = self.world.primitive(performed.import)
            {
                irreversible.push(primitive.full_name());
            }
        }
        let start = self.restore_point(common, to);
        let replayed = to.count - start.map_or(from.count, |start| start.count);
        Ok(Journey { from, common, to, undone, replayed, irreversible })
    }

    fn is_irreversible(&self, performed: &Performed) -> bool {
        let kind = self.world.kind(performed.import);
        matches!(kind, Ok(Kind::Output { irreversible: true }))
    }

    fn check_place(&self, place: Place) -> Result<(), SessionError> {
        let known = self.multiverse.contains(place.node)
            && place.count >= self.multiverse.start(place.node);
        // Beyond the next choice, whatever it is, lies another node.
        let mut next = self.multiverse.steps(place.node).map(|step| step.choice.count);
        let within = next.next().is_none_or(|count| place.count <= count);
        let ended = self.multiverse.ended(place.node);
        let alive = ended.is_none_or(|(count, _)| place.count <= *count);
        match known && within && alive {
            true => Ok(()),
            false => Err(SessionError::NoSuchPlace(place)),
        }
    }

    /// The last place that the ways to two places have in common.
    pub(crate) fn common(&self, a: Place, b: Place) -> Place {
        let node = self.multiverse.common_ancestor(a.node, b.node);
        // Where the way to a place leaves the node: at its next choice, or not at all.
        let leaves = |place: Place| match place.node == node {
            true => place.count,
            false => {
                let after = |other: &NodeId| self.multiverse.parent(*other) == Some(node);
                let next = self.multiverse.ancestors(place.node).find(after);
                next.and_then(|next| self.multiverse.choice(next)).map_or(0, |c| c.count)
            }
        };
        Place { node, count: leaves(a).min(leaves(b)) }
    }

    /// The checkpoint to go back to, or the root; `None` if going on from here is as short.
    fn restore_point(&mut self, common: Place, to: Place) -> Option<Place> {
        let here = self.here();
        let saved = self.checkpoints.before(&self.multiverse, to).map(|(place, _)| place);
        match saved {
            _ if common == here && saved.is_none_or(|place| place.count <= here.count) => None,
            Some(place) => Some(place),
            None => Some(Place::default()),
        }
    }

    /// Goes to a place. With `confirm`, also back over outputs that cannot be undone.
    pub fn slide(
        &mut self,
        to: Place,
        confirm: bool,
        control: &mut dyn Control,
    ) -> Result<Journey, SessionError> {
        let journey = self.plan(to)?;
        if !journey.irreversible.is_empty() && !confirm && !self.options.dry {
            return Err(SessionError::Irreversible(journey.irreversible.join(", ")));
        }
        let preferred = self.leaf();
        let arrived = self.travel(&journey, control);
        if let Err(error) = arrived {
            // Back to where it was, which has been reached before and cannot fail but by being
            // cancelled once more.
            let back = self.plan(journey.from)?;
            self.travel(&back, &mut crate::control::Unattended)?;
            self.multiverse.prefer_path_to(preferred);
            return Err(error);
        }
        // The future of here stays what it was, if it still is one.
        if self.multiverse.is_ancestor(to.node, preferred) {
            self.multiverse.prefer_path_to(preferred);
        }
        Ok(journey)
    }

    /// The last node of the recorded future.
    fn leaf(&self) -> NodeId {
        let next = |node: &NodeId| self.multiverse.preferred(*node).map(|step| step.node);
        std::iter::successors(Some(self.node), next).last().unwrap_or(self.node)
    }

    fn travel(&mut self, journey: &Journey, control: &mut dyn Control) -> Result<(), SessionError> {
        let Journey { common, to, .. } = *journey;
        let start = self.restore_point(common, to);
        self.multiverse.prefer_path_to(to.node);
        let is_complete = self.log_start <= common.count;
        while let Some(performed) = self.log.pop_if(|p| p.count >= common.count) {
            self.world.undo(performed.undo);
        }
        if let Some(start) = start {
            let before_common =
                start.count <= common.count && self.multiverse.is_ancestor(start.node, common.node);
            if before_common && is_complete {
                // The machine catches up with a world that stands already: beside it.
                let standing = self.world.clone();
                let log = std::mem::take(&mut self.log);
                self.restore(start);
                let caught_up = self.replay(common, control);
                self.world = standing;
                self.log = log;
                caught_up?;
            } else {
                self.restore(start);
                self.log.clear();
                self.log_start = start.count;
            }
        }
        self.effects.clear();
        self.replay(to, control)
    }

    /// Replays forward to a place on the preferred way.
    fn replay(&mut self, to: Place, control: &mut dyn Control) -> Result<(), SessionError> {
        let mut goal = Goal {
            count: to.count,
            node: Some(to.node),
            breakpoints: &Breakpoints::default(),
            on_primitive: &mut |_, _| false,
        };
        match self.drive(Mode::Replay, &mut goal, &mut NoProbe, control)? {
            Drive::Reached => Ok(()),
            // The place may be the end itself.
            Drive::Ended(_) if self.here() == to => Ok(()),
            _ => Err(SessionError::NoSuchPlace(to)),
        }
    }

    /// Puts machine and world into the state of a checkpoint, or of the root.
    fn restore(&mut self, place: Place) {
        let saved = self.checkpoints.before(&self.multiverse, place);
        match saved.filter(|(at, _)| *at == place) {
            Some((_, checkpoint)) => {
                self.machine = checkpoint.machine.fork();
                self.world.restore(checkpoint.world.clone());
            }
            None => {
                self.machine = self.root.0.fork();
                self.world.restore(self.root.1.clone());
            }
        }
        self.node = place.node;
        self.last_checkpoint = place.count;
        self.aborted = None;
    }

    /// Does something at the checkpoint that lies before a place of the past, on the way to
    /// `here`, and comes back as if nothing had been.
    pub(crate) fn scout<R>(
        &mut self,
        here: Place,
        place: Place,
        task: impl FnOnce(&mut Session) -> R,
    ) -> Result<R, SessionError> {
        let saved = self.checkpoints.before(&self.multiverse, place).map(|(place, _)| place);
        let machine = self.machine.fork();
        let world: State = self.world.state().clone();
        let log = std::mem::take(&mut self.log);
        let (log_start, last_checkpoint) = (self.log_start, self.last_checkpoint);
        let (effects, aborted) = (std::mem::take(&mut self.effects), self.aborted.take());
        let leaf = self.leaf();
        self.multiverse.prefer_path_to(here.node);
        self.restore(saved.unwrap_or_default());
        let result = task(self);
        self.machine = machine;
        self.world.restore(world);
        self.node = here.node;
        (self.log, self.log_start, self.last_checkpoint) = (log, log_start, last_checkpoint);
        (self.effects, self.aborted) = (effects, aborted);
        self.multiverse.prefer_path_to(leaf);
        Ok(result)
    }
}
