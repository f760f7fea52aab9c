//! The tree against a naive one: a node is a struct with its parent and its children.

use std::collections::BTreeSet;

use mw_multiverse::{Addition, Multiverse, NodeId, Outcome, Payload, Record, Site};
use mw_vm::Cell;
use mw_world::{Event, Port, PrimitiveId};
use proptest::prelude::*;

/// A node of the naive tree.
#[derive(Clone, Debug, Default)]
struct Node {
    parent: Option<usize>,
    /// The choice that leads to it.
    choice: Option<(u64, Site, Payload)>,
    children: Vec<usize>,
    preferred: Option<usize>,
    ended: Option<(u64, Outcome)>,
    /// Whether it was suggested, and the program has not been there.
    unvisited: bool,
}

#[derive(Debug, Default)]
struct Model {
    nodes: Vec<Node>,
}

impl Model {
    fn new() -> Model {
        Model { nodes: vec![Node::default()] }
    }

    fn start(&self, node: usize) -> u64 {
        let after = |(count, site, _): &(u64, Site, Payload)| {
            count + u64::from(matches!(site, Site::Input { .. }))
        };
        self.nodes[node].choice.as_ref().map_or(0, after)
    }

    /// The node after a choice; one that is new is unvisited, or not.
    fn find_or_create(
        &mut self,
        after: usize,
        choice: (u64, Site, Payload),
        unvisited: bool,
    ) -> usize {
        let known = self.nodes[after].children.iter().copied();
        let node = known.clone().find(|&n| self.nodes[n].choice.as_ref() == Some(&choice));
        node.unwrap_or_else(|| {
            let (parent, choice) = (Some(after), Some(choice));
            let node = Node { parent, choice, unvisited, ..Node::default() };
            self.nodes.push(node);
            let new = self.nodes.len() - 1;
            self.nodes[after].children.push(new);
            new
        })
    }

    /// The preferred way on: the last one of those that were taken, if none of them is.
    fn preferred(&self, node: usize) -> Option<usize> {
        let Node { preferred, children, .. } = &self.nodes[node];
        let is_visited = |node: &usize| !self.nodes[*node].unvisited;
        preferred.filter(is_visited).or_else(|| {
            let mut others = children.iter().copied().filter(|_| preferred.is_some());
            others.rfind(is_visited)
        })
    }

    /// Goes to a node.
    fn visit(&mut self, node: usize) {
        self.prefer_path_to(node);
        for node in self.ancestors(node) {
            self.nodes[node].unvisited = false;
        }
    }

    fn ancestors(&self, node: usize) -> Vec<usize> {
        std::iter::successors(Some(node), |&node| self.nodes[node].parent).collect()
    }

    fn prefer_path_to(&mut self, node: usize) {
        for node in self.ancestors(node) {
            if let Some(parent) = self.nodes[node].parent {
                self.nodes[parent].preferred = Some(node);
            }
        }
    }

    /// Removes what was suggested after a node, itself included, and does not lead to `kept`. Says
    /// of each node whether it stays.
    fn remove(&mut self, below: usize, kept: usize) -> Vec<bool> {
        let way = self.ancestors(kept);
        let goes = |node: usize| {
            let is_below = self.ancestors(node).contains(&below);
            self.nodes[node].unvisited && is_below && !way.contains(&node)
        };
        let stays: Vec<bool> = (0..self.nodes.len()).map(|node| !goes(node)).collect();
        let preferred: Vec<_> = (0..self.nodes.len()).map(|node| self.preferred(node)).collect();
        let mut next = 0..;
        let new: Vec<Option<usize>> =
            stays.iter().map(|stays| stays.then(|| next.next().unwrap())).collect();
        for (node, way_on) in self.nodes.iter_mut().zip(preferred) {
            node.parent = node.parent.and_then(|parent| new[parent]);
            node.preferred = way_on.or(node.preferred).and_then(|next| new[next]);
            node.children = node.children.iter().filter_map(|child| new[*child]).collect();
        }
        let mut is_left = stays.iter();
        self.nodes.retain(|_| *is_left.next().unwrap());
        stays
    }

    fn leaf(&self, node: usize) -> usize {
        std::iter::successors(Some(node), |&node| self.preferred(node)).last().unwrap()
    }

    fn common_ancestor(&self, a: usize, b: usize) -> usize {
        let of_a = self.ancestors(a);
        self.ancestors(b).into_iter().find(|node| of_a.contains(node)).unwrap()
    }
}

#[derive(Clone, Debug)]
enum Operation {
    Choose { after: usize, delay: u64, site: u8, slot: u64 },
    Suggest { after: usize, delay: u64, site: u8, slot: u64 },
    Visit(usize),
    PreferPath(usize),
    PreferNoChoice(usize),
    End { node: usize, delay: u64, trapped: bool },
    Remove { below: usize, kept: usize },
}

fn operation() -> impl Strategy<Value = Operation> {
    // Often after the newest node, so that rows of choices get long.
    let node = || prop_oneof![2 => Just(usize::MAX), 1 => any::<usize>()];
    prop_oneof![
        12 => (node(), 0..300u64, any::<u8>(), 0..4u64)
            .prop_map(|(after, delay, site, slot)| Operation::Choose { after, delay, site, slot }),
        5 => (node(), 0..300u64, any::<u8>(), 0..4u64)
            .prop_map(|(after, delay, site, slot)| Operation::Suggest { after, delay, site, slot }),
        2 => any::<usize>().prop_map(Operation::PreferPath),
        2 => any::<usize>().prop_map(Operation::Visit),
        1 => any::<usize>().prop_map(Operation::PreferNoChoice),
        2 => (node(), 0..300u64, any::<bool>())
            .prop_map(|(node, delay, trapped)| Operation::End { node, delay, trapped }),
        1 => (any::<usize>(), any::<usize>())
            .prop_map(|(below, kept)| Operation::Remove { below, kept }),
    ]
}

fn site(number: u8) -> Site {
    match number % 8 {
        0 => Site::Alteration(Cell::Global(u32::from(number / 64))),
        1 => Site::Event(Event::Interrupt { pin: number / 64, table_index: 0 }),
        id => {
            let port = Port { primitive: PrimitiveId(id.into()), ty: 0 };
            Site::Input { port, args: vec![u64::from(number / 64)] }
        }
    }
}

/// A number; with bytes, or without.
fn payload(number: u64) -> Payload {
    let bytes = (number % 2 == 1).then(|| vec![number as u8; 3].into());
    Payload { slot: number / 2, bytes }
}

/// Compares everything that can be asked about the tree.
fn compare(tree: &Multiverse, model: &Model, ids: &[NodeId]) {
    assert_eq!(tree.len(), model.nodes.len());
    let id = |node: usize| ids[node];
    for (index, node) in model.nodes.iter().enumerate() {
        let at = id(index);
        assert!(tree.contains(at));
        assert_eq!(tree.parent(at), node.parent.map(id));
        let choice = tree.choice(at).map(|c| (c.count, c.site.clone(), c.payload()));
        assert_eq!(choice, node.choice);
        assert_eq!(tree.start(at), model.start(index));
        assert_eq!(tree.ended(at), node.ended.as_ref());
        let steps: Vec<NodeId> = tree.steps(at).map(|step| step.node).collect();
        let children: Vec<NodeId> = node.children.iter().copied().map(id).collect();
        assert_eq!(steps, children);
    }
}

fn compare_preferred(tree: &Multiverse, model: &Model, ids: &[NodeId]) {
    for (index, node) in model.nodes.iter().enumerate() {
        let preferred = tree.preferred(ids[index]).map(|step| step.node);
        assert_eq!(preferred, model.preferred(index).map(|node| ids[node]));
        assert_eq!(tree.is_visited(ids[index]), !node.unvisited);
        assert_eq!(tree.leaf(ids[index]), ids[model.leaf(index)]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn is_what_a_naive_tree_is(
        operations in prop::collection::vec(operation(), 1..120),
        pairs in prop::collection::vec((any::<usize>(), any::<usize>(), 0..20_000u64), 20),
    ) {
        let (mut tree, mut model) = (Multiverse::default(), Model::new());
        let mut ids = vec![NodeId::ROOT];
        let mut mirror = Multiverse::default();
        let mut all = vec![];
        let mut removed = BTreeSet::new();
        for operation in operations {
            let pick = |node: usize| match node {
                usize::MAX => ids.len() - 1,
                node => node % ids.len(),
            };
            match operation {
                Operation::Choose { after, delay, site: number, slot } => {
                    let after = pick(after);
                    if model.nodes[after].unvisited {
                        tree.prefer_path_to(ids[after]);
                        tree.visit(ids[after]);
                        model.visit(after);
                    }
                    let (count, site) = (model.start(after) + delay, site(number));
                    let new = tree.follow_or_create(ids[after], count, &site, payload(slot));
                    tree.visit(new);
                    let node = model.find_or_create(after, (count, site, payload(slot)), false);
                    model.nodes[after].preferred = Some(node);
                    model.nodes[node].unvisited = false;
                    if node == ids.len() {
                        ids.push(new);
                    }
                    prop_assert_eq!(new, ids[node]);
                }
                Operation::Suggest { after, delay, site: number, slot } => {
                    let after = pick(after);
                    let (count, site) = (model.start(after) + delay, site(number));
                    let new = tree.suggest(ids[after], count, &site, payload(slot));
                    let node = model.find_or_create(after, (count, site, payload(slot)), true);
                    if node == ids.len() {
                        ids.push(new);
                    }
                    prop_assert_eq!(new, ids[node]);
                }
                Operation::Visit(node) => {
                    tree.prefer_path_to(ids[pick(node)]);
                    tree.visit(ids[pick(node)]);
                    model.visit(pick(node));
                }
                Operation::PreferPath(node) => {
                    tree.prefer_path_to(ids[pick(node)]);
                    model.prefer_path_to(pick(node));
                }
                Operation::PreferNoChoice(node) => {
                    tree.prefer_no_choice(ids[pick(node)]);
                    model.nodes[pick(node)].preferred = None;
                }
                Operation::End { node, delay, trapped } => {
                    let node = pick(node);
                    let outcome = match trapped {
                        true => Outcome::Trapped(mw_vm::TrapKind::Unreachable),
                        false => Outcome::Finished,
                    };
                    let count = model.start(node) + delay;
                    tree.end(ids[node], count, outcome.clone());
                    model.nodes[node].ended.get_or_insert((count, outcome));
                }
                Operation::Remove { below, kept } => {
                    let (below, kept) = (pick(below), pick(kept));
                    let gone = tree.remove_suggested(ids[below], &[ids[kept]]);
                    let mut stays = model.remove(below, kept).into_iter();
                    let was: BTreeSet<NodeId> = ids.iter().copied().collect();
                    ids.retain(|_| stays.next().unwrap());
                    let is: BTreeSet<NodeId> = ids.iter().copied().collect();
                    prop_assert_eq!(&gone, &was.difference(&is).copied().collect());
                    prop_assert!(gone.iter().all(|node| !tree.contains(*node)));
                    removed.extend(gone);
                    all = tree.take_all_changes();
                    mirror = Multiverse::default().with_cuts(tree.cuts().clone());
                    prop_assert!(all.iter().all(|change| mirror.apply(change)));
                }
            }
            // What is gone is not what another is called.
            prop_assert!(ids.iter().all(|node| !removed.contains(node)));
            compare_preferred(&tree, &model, &ids);
            let changes = tree.take_changes();
            for change in &changes {
                prop_assert!(mirror.apply(change));
            }
            all.extend(changes);
        }
        compare(&tree, &model, &ids);
        compare(&mirror, &model, &ids);
        let mut at_once = Multiverse::default().with_cuts(tree.cuts().clone());
        prop_assert!(all.iter().all(|change| at_once.apply(change)));
        compare(&at_once, &model, &ids);

        for (a, b, count) in pairs {
            let (a, b) = (a % ids.len(), b % ids.len());
            let common = model.common_ancestor(a, b);
            prop_assert_eq!(tree.common_ancestor(ids[a], ids[b]), ids[common]);
            prop_assert_eq!(tree.is_ancestor(ids[a], ids[b]), common == a);
            let way = model.ancestors(b);
            let next = way.iter().position(|&node| node == a).and_then(|i| i.checked_sub(1));
            prop_assert_eq!(tree.step_towards(ids[a], ids[b]), next.map(|i| ids[way[i]]));
            let at = way.into_iter().find(|&node| model.start(node) <= count).unwrap();
            prop_assert_eq!(tree.node_at(ids[b], count), ids[at]);
            let altered = |&node: &usize| {
                matches!(model.nodes[node].choice, Some((_, Site::Alteration(_), _)))
            };
            prop_assert_eq!(tree.is_altered(ids[a]), model.ancestors(a).iter().any(altered));
        }
    }

    /// Changes that do not fit are refused and leave the tree as it is.
    #[test]
    fn foreign_changes_are_refused(
        operations in prop::collection::vec((0..300u64, any::<u8>(), 0..4u64), 1..40),
        dropped in any::<usize>(),
    ) {
        let mut tree = Multiverse::default();
        let mut node = NodeId::ROOT;
        for (delay, number, slot) in operations {
            node = tree.follow_or_create(node, tree.start(node) + delay, &site(number), slot);
        }
        tree.end(node, tree.start(node), Outcome::Finished);
        let changes = tree.take_changes();
        let dropped = dropped % changes.len();
        let mut other = Multiverse::default();
        for (index, change) in changes.iter().enumerate() {
            let before = other.len();
            if index != dropped && !other.apply(change) {
                prop_assert_eq!(other.len(), before);
            }
        }
        // A second time, what is unique is not.
        let again = changes.iter().filter(|c| !matches!(c, Addition::Choice { .. }));
        for change in again {
            prop_assert!(!tree.clone().apply(change));
        }
    }
}

#[test]
fn a_site_with_two_numbers_is_one() {
    let mut tree = Multiverse::default();
    assert!(tree.apply(&Addition::Site(site(2))));
    tree.repeat_site(site(2));
    let record = Record { count: 5, site: 1, slot: 7, bytes: None };
    assert!(tree.apply(&Addition::Choice { after: NodeId::ROOT, record }));
    assert_eq!(tree.follow_or_create(NodeId::ROOT, 5, &site(2), 7), NodeId::from_parts(0, 1));
    assert_eq!(tree.len(), 2);
}
