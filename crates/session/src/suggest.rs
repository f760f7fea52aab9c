//! Suggesting: the future universes that differ in control flow, from wherever the program stands.

use mw_concolic::{Class, End, Explorer, Leaf, Mocked, Options as Exploring};
use mw_multiverse::{NodeId, Outcome, Place, Site};

use crate::session::Session;

impl Session {
    /// An exploration that begins here. What has been read is what it was; what is mocked stays
    /// mocked; everything else that the program may read is open.
    pub fn explorer(&mut self, mut options: Exploring) -> Explorer {
        let mocked = |mock: &crate::Mock| Mocked {
            import: mock.import,
            args: mock.args.clone(),
            value: mock.value,
            once: mock.once,
        };
        options.mocks = self.mocks.iter().map(|(_, mock)| mocked(mock)).collect();
        Explorer::new(self.machine.fork(), self.world.clone(), options)
    }

    /// Adds the universes of paths that an exploration from a place has found; each node gets its
    /// class of values as a label. Returns where each path leads, as far as it is known. Where one
    /// stands, and where one would go from here, stays the same.
    pub fn adopt(&mut self, from: Place, leaves: &[Leaf]) -> Vec<Place> {
        let preferred = self.multiverse.preferred(from.node).map(|step| step.node);
        let preferred = preferred.map(|node| self.multiverse.leaf(node));
        let places: Vec<Place> = leaves.iter().map(|leaf| self.adopt_path(from, leaf)).collect();
        match preferred {
            Some(node) => self.multiverse.prefer_path_to(node),
            None => self.multiverse.prefer_no_choice(from.node),
        }
        places
    }

    fn adopt_path(&mut self, from: Place, leaf: &Leaf) -> Place {
        let mut node = from.node;
        for step in leaf.steps.iter().filter(|step| step.import != mw_concolic::PARAMETER) {
            let site = Site::Input {
                import: step.import,
                args: step.args.iter().map(|arg| arg.to_slot()).collect(),
            };
            node = self.multiverse.follow_or_create(node, step.count, &site, step.value.to_slot());
            self.label(node, &step.class);
        }
        let outcome = match &leaf.end {
            End::Finished => Some(Outcome::Finished),
            End::Trapped(kind) => Some(Outcome::Trapped(*kind)),
            End::Aborted(message) => Some(Outcome::Aborted(message.clone())),
            _ => None,
        };
        if let Some(outcome) = outcome {
            self.multiverse.end(node, leaf.count, outcome);
        }
        Place { node, count: leaf.count }
    }

    fn label(&mut self, node: NodeId, class: &Class) {
        let values = match class {
            Class::Any(_) | Class::Exact(_) => class.show(),
            Class::Mocked | Class::Example => None,
        };
        if let Some(values) = values {
            self.labels.insert(node, values);
        }
    }

    /// The values that lead to the same future as the one chosen at a node, as far as that has
    /// been found out.
    pub fn label_of(&self, node: NodeId) -> Option<&str> {
        self.labels.get(&node).map(String::as_str)
    }

    /// All labels.
    pub fn labels(&self) -> impl Iterator<Item = (NodeId, &str)> {
        self.labels.iter().map(|(node, text)| (*node, text.as_str()))
    }

    /// Puts labels back.
    pub fn restore_labels(&mut self, labels: impl IntoIterator<Item = (NodeId, String)>) {
        self.labels.extend(labels);
    }
}
