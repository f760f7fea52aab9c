//! Suggesting: the future universes that differ in control flow, from wherever the program stands.

use mw_concolic::{Asked, End, Explorer, Leaf, Mocked, Options as Exploring, Step};
use mw_ensemble::Next;
use mw_multiverse::{NodeId, Outcome, Payload, Place, Site};
use mw_vm::Value;
use mw_world::Call;

use crate::control::Control;
use crate::drive::site_of;
use crate::error::SessionError;
use crate::session::Session;

impl Session {
    /// An exploration that begins at a place. What has been read is what it was; what is mocked
    /// stays mocked; everything else that the program may read is open.
    pub fn explorer(
        &mut self,
        from: Place,
        mut options: Exploring,
        control: &mut dyn Control,
    ) -> Result<Explorer, SessionError> {
        let mocked = |mock: &crate::Mock| Mocked {
            port: mock.port,
            import: mock.import,
            args: mock.args.clone(),
            answer: mock.answer.clone(),
            once: mock.once,
        };
        options.mocks = self.mocks().iter().map(|(_, mock)| mocked(mock)).collect();
        let now = match from == self.here() {
            true => self.walk.now.fork(),
            false => self.look_at(from, control, |now| now.fork())?,
        };
        Ok(Explorer::new(now, options))
    }

    /// Adds the universes of paths that an exploration from a place has found; each node gets its
    /// class of values as a label. Returns where each path leads, as far as it is known. Where one
    /// stands, and where one would go from here, stays the same.
    ///
    /// Where any value of a class leads the same way, one that is recorded there already is taken
    /// as the example, or else what the input has been set to: a path that is known is not told
    /// twice.
    pub fn adopt(&mut self, from: Place, leaves: &mut [Leaf]) -> Vec<Place> {
        for leaf in leaves.iter_mut() {
            self.settle(from, leaf);
        }
        leaves.iter().map(|leaf| self.adopt_settled(from, leaf)).collect()
    }

    /// Takes values as examples that a person has seen, as [`adopt`](Self::adopt) does. Returns how
    /// many of its first inputs are recorded.
    pub fn settle(&self, from: Place, leaf: &mut Leaf) -> usize {
        let steps = leaf.steps.iter_mut().filter(|step| step.asked.is_choice());
        let mut steps: Vec<&mut Step> = steps.collect();
        // The nodes that each step may lead to, each with the one before it.
        let mut known = vec![vec![(from.node, 0)]];
        for step in &steps {
            let next: Vec<_> = known[known.len() - 1]
                .iter()
                .enumerate()
                .flat_map(|(before, (node, _))| {
                    self.recorded(*node, step).into_iter().map(move |node| (node, before))
                })
                .collect();
            if next.is_empty() {
                break;
            }
            known.push(next);
        }
        let unseen = known.len() - 1;
        let mut at = 0;
        for (step, nodes) in steps[..unseen].iter_mut().zip(&known[1..]).rev() {
            let (node, before) = nodes[at];
            if let (Some(choice), Some(value)) = (self.multiverse().choice(node), step.value) {
                step.value = Some(choice.value(value.ty()));
            }
            at = before;
        }
        for step in steps[unseen..].iter_mut().filter(|step| step.independent) {
            let Asked::Input { import, args, .. } = &step.asked else { continue };
            let reading = self.walk.now.world.reading(Call { import: *import, args });
            step.value = reading.filter(|value| step.class.contains(*value)).or(step.value);
        }
        unseen
    }

    /// Where a step of a path may lead that has been recorded: the way that was taken last first.
    fn recorded(&self, node: NodeId, step: &Step) -> Vec<NodeId> {
        let Some(site) = self.site(step) else { return Vec::new() };
        let fits = |known: &mw_multiverse::Step<'_>| {
            let may_be = |value: Value| {
                let known = known.choice.value(value.ty());
                known == value || step.independent && step.class.contains(known)
            };
            known.choice.count == step.count
                && *known.choice.site == site
                && step.value.is_none_or(may_be)
        };
        let preferred = self.multiverse().preferred(node).map(|known| known.node);
        let nodes = self.multiverse().steps(node).filter(fits).map(|known| known.node);
        let mut nodes: Vec<NodeId> = nodes.collect();
        nodes.sort_by_key(|node| Some(*node) != preferred);
        nodes
    }

    /// The same for a path that has been [settled](Self::settle).
    pub fn adopt_settled(&mut self, from: Place, leaf: &Leaf) -> Place {
        let mut node = from.node;
        for step in leaf.steps.iter().filter(|step| step.asked.is_choice()) {
            let Some(site) = self.site(step) else { continue };
            let slot = step.value.map_or(0, Value::to_slot);
            let payload = Payload { slot, bytes: step.bytes.clone() };
            node = self.multiverse_mut().suggest(node, step.count, &site, payload);
            self.known.label(node, &step.class);
        }
        let outcome = match &leaf.end {
            End::Finished => Some(Outcome::Finished),
            End::Trapped(kind) => Some(Outcome::Trapped(*kind)),
            End::Aborted(message) => Some(Outcome::Aborted(message.clone())),
            End::Deadlocked(who) => Some(Outcome::Deadlocked(who.clone())),
            End::Unanswered(who) => Some(Outcome::Unanswered(who.clone())),
            End::Unhandled(what) => Some(Outcome::Unhandled(what.clone())),
            _ => None,
        };
        if let Some(outcome) = outcome {
            self.multiverse_mut().end(node, leaf.count, outcome);
        }
        Place { node, count: leaf.count }
    }

    /// Removes a node and all after it, as far as the program has not been there; what leads to a
    /// bookmark stays. Returns how many nodes are gone.
    pub fn remove_suggested(&mut self, below: NodeId) -> usize {
        let kept: Vec<NodeId> = self.bookmarks().iter().map(|(_, place)| place.node).collect();
        self.known.remove_suggested(below, &kept)
    }

    /// What was suggested first for an input that is read here and now, and is not recorded.
    pub(crate) fn suggested(&self, call: Call<'_>) -> Option<u64> {
        let (count, site) = (self.here().count, site_of(&self.walk.now.world, call).ok()?);
        let mut steps = self.multiverse().steps(self.walk.node);
        let fits = |step: &mw_multiverse::Step<'_>| {
            step.choice.count == count
                && *step.choice.site == site
                && !self.multiverse().is_visited(step.node)
        };
        steps.find(fits).map(|step| step.choice.slot)
    }

    /// Who was suggested first to have the next turn here, if that is not recorded.
    pub(crate) fn suggested_turn(&self) -> Option<Next> {
        let count = self.here().count;
        let mut steps = self.multiverse().steps(self.walk.node);
        steps.find_map(|step| match step.choice.site {
            Site::Schedule(schedule)
                if step.choice.count == count && !self.multiverse().is_visited(step.node) =>
            {
                Some(schedule.next)
            }
            _ => None,
        })
    }

    /// What is decided at a step of a path, if the multiverse has a name for it.
    fn site(&self, step: &Step) -> Option<Site> {
        match &step.asked {
            Asked::Input { port, args, .. } => {
                let args = args.iter().map(|arg| arg.to_slot()).collect();
                Some(Site::Input { port: *port, args })
            }
            Asked::Event(event) => Some(Site::Event(*event)),
            Asked::Schedule(schedule) => Some(Site::Schedule((**schedule).clone())),
            Asked::Parameter(_) => None,
        }
    }
}
