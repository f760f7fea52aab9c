//! The paths as a tree of choices: what a person looks at.
//!
//! A node is a place where an input was read; its options are the values that lead to different
//! futures, and what may happen by itself before the input is read. Paths that begin with the same values share the nodes of these.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use mw_vm::{ValType, Value};
use mw_world::{Domain, Integers};

use crate::asked::Asked;
use crate::leaf::{Class, Condition, Leaf, Step};
use crate::solver::to_slot;

/// A value that an input may return, or something that may happen, and where that leads.
#[derive(Clone, Debug)]
pub struct Possibility {
    /// The option that this one comes after, if it is not one of the first.
    pub parent: Option<usize>,
    /// After how many instructions the input is read, or it happens.
    pub count: u64,
    /// The program that runs, by its number.
    pub program: u16,
    /// The instruction that comes next: the call of the input, or what is interrupted.
    pub pc: u32,
    /// What is decided.
    pub asked: Asked,
    /// A value that leads there; none of an event, which happens.
    pub value: Option<Value>,
    /// All that do, together.
    pub class: Class,
    /// What is decided between this choice and the next.
    pub conditions: Vec<Condition>,
    /// The options after this one.
    pub children: Vec<usize>,
    /// The paths that end after this one, by their number.
    pub leaves: Vec<usize>,
    /// What can be seen of the program up to the next choice, as a hash.
    behaviour: Option<u128>,
}

/// A tree of choices over some paths.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    choices: Vec<Possibility>,
    first: Vec<usize>,
    /// The paths without any input.
    leaves: Vec<usize>,
}

impl Tree {
    /// The tree of some paths.
    pub fn new(leaves: &[Leaf]) -> Tree {
        let mut tree = Tree::default();
        for (number, leaf) in leaves.iter().enumerate() {
            tree.add_path(number, leaf);
        }
        tree.sorted()
    }

    /// Adds a path by its number. Returns what is decided on it after its last choice.
    pub fn add_path<'a>(&mut self, number: usize, leaf: &'a Leaf) -> &'a [Condition] {
        let mut at = None;
        let mut decided = leaf.conditions.as_slice();
        for (index, step) in leaf.steps.iter().enumerate() {
            let before = decided.partition_point(|condition| condition.count <= step.count);
            let (between, rest) = decided.split_at(before);
            if let Some(last) = at
                && self.options(Some(last)).is_empty()
            {
                self.choices[last].conditions = between.to_vec();
            }
            decided = rest;
            let next = leaf.steps.get(index + 1).map(|next| next.behaviour);
            let seen = next.or_else(|| leaf.end.is_whole().then(|| ended_as(leaf)));
            at = Some(self.add(at, step, seen));
        }
        match at {
            Some(at) => self.choices[at].leaves.push(number),
            None => self.leaves.push(number),
        }
        decided
    }

    /// The same with the options of each choice in the order of their values; what happens by
    /// itself comes after them, in the order in which it does.
    pub fn sorted(mut self) -> Tree {
        let keys: Vec<_> = self.choices.iter().map(|choice| (choice.value, choice.count)).collect();
        let in_order = |a: &usize, b: &usize| compare(keys[*a], keys[*b]);
        self.first.sort_by(in_order);
        self.choices.iter_mut().for_each(|choice| choice.children.sort_by(in_order));
        self
    }

    fn add(&mut self, parent: Option<usize>, step: &Step, behaviour: Option<u128>) -> usize {
        let known = self.options(parent).iter().copied();
        let slot = |value: Option<Value>| value.map(Value::to_slot);
        let same = |&at: &usize| {
            let Possibility { count, asked, value, .. } = &self.choices[at];
            (*count, asked, slot(*value)) == (step.count, &step.asked, slot(step.value))
        };
        if let Some(at) = known.into_iter().find(same) {
            let choice = &mut self.choices[at];
            choice.class = union(&choice.class, &step.class);
            return at;
        }
        let at = self.choices.len();
        self.choices.push(Possibility {
            parent,
            count: step.count,
            program: step.program,
            pc: step.pc,
            asked: step.asked.clone(),
            value: step.value,
            class: step.class.clone(),
            conditions: Vec::new(),
            children: Vec::new(),
            leaves: Vec::new(),
            behaviour,
        });
        match parent {
            Some(parent) => self.choices[parent].children.push(at),
            None => self.first.push(at),
        }
        at
    }

    /// All options, each after the one it comes after.
    pub fn choices(&self) -> &[Possibility] {
        &self.choices
    }

    /// The options after one of them; the first ones for `None`.
    pub fn options(&self, after: Option<usize>) -> &[usize] {
        match after {
            Some(after) => &self.choices[after].children,
            None => &self.first,
        }
    }

    /// The paths that end after an option; without any input for `None`.
    pub fn leaves(&self, after: Option<usize>) -> &[usize] {
        match after {
            Some(after) => &self.choices[after].leaves,
            None => &self.leaves,
        }
    }

    /// How many places there are at which something is decided.
    pub fn choice_points(&self) -> usize {
        let inner = self.choices.iter().filter(|choice| !choice.children.is_empty()).count();
        inner + usize::from(!self.first.is_empty())
    }

    /// The most options at one place.
    pub fn max_options(&self) -> usize {
        let inner = self.choices.iter().map(|choice| choice.children.len());
        inner.chain([self.first.len()]).max().unwrap_or(0)
    }

    /// The same with options of one place as one where the program behaves alike: it puts out the
    /// same, is in the same state at the next choice or at its end, and so on for all that comes
    /// after. What was cut off may behave otherwise. (Paths must have been observed.)
    pub fn merged(&self) -> Tree {
        let mut merged = Tree::default();
        self.merge_into(&mut merged, None, None);
        merged.leaves = self.leaves.clone();
        merged
    }

    /// What each option comes to: the same number where the program behaves alike.
    fn futures(&self) -> Vec<Option<usize>> {
        let mut futures = vec![None; self.choices.len()];
        let mut known: HashMap<(u128, Vec<(String, usize)>), usize> = HashMap::new();
        // What comes after an option has been added after it.
        for (at, choice) in self.choices.iter().enumerate().rev() {
            let after = choice.children.iter().map(|&child| {
                let Possibility { asked, pc, class, .. } = &self.choices[child];
                let what = match asked {
                    // Of what is known by an example alone, others may go another way.
                    Asked::Input { .. } | Asked::Parameter(_) => class.show()?,
                    Asked::Event(event) => format!("{event} at {pc}"),
                    Asked::Schedule(schedule) => schedule.to_string(),
                };
                Some((what, futures[child]?))
            });
            let after: Option<Vec<(String, usize)>> = after.collect();
            let is_one = choice.leaves.len() + usize::from(!choice.children.is_empty()) == 1;
            if let (Some(behaviour), Some(mut after), true) = (choice.behaviour, after, is_one) {
                after.sort();
                let next = known.len();
                futures[at] = Some(*known.entry((behaviour, after)).or_insert(next));
            }
        }
        futures
    }

    fn merge_into(&self, merged: &mut Tree, from: Option<usize>, to: Option<usize>) {
        let futures = self.futures();
        // A list instead of recursion: trees may be as deep as a program reads inputs.
        let mut open = vec![(from, to)];
        while let Some((from, to)) = open.pop() {
            let mut kept: Vec<(Option<usize>, usize)> = Vec::new();
            for &option in self.options(from) {
                let choice = &self.choices[option];
                let future = futures[option];
                let is_alike = |(seen, at): &&(Option<usize>, usize)| {
                    seen.is_some() && *seen == future && merged.choices[*at].asked == choice.asked
                };
                let alike = kept.iter().find(is_alike);
                if let Some(&(_, at)) = alike {
                    merged.choices[at].class = union(&merged.choices[at].class, &choice.class);
                    continue;
                }
                let at = merged.choices.len();
                merged.choices.push(Possibility {
                    parent: to,
                    children: Vec::new(),
                    ..choice.clone()
                });
                match to {
                    Some(to) => merged.choices[to].children.push(at),
                    None => merged.first.push(at),
                }
                kept.push((future, at));
                open.push((Some(option), Some(at)));
            }
        }
    }
}

/// What can be seen of a path after its last choice, how it ends included.
fn ended_as(leaf: &Leaf) -> u128 {
    let mut hasher = DefaultHasher::new();
    (format!("{:?}", leaf.end), leaf.program, leaf.pc).hash(&mut hasher);
    leaf.behaviour ^ u128::from(hasher.finish())
}

fn compare(a: (Option<Value>, u64), b: (Option<Value>, u64)) -> std::cmp::Ordering {
    let (Some(a), Some(b)) = (a.0, b.0) else {
        return (a.0.is_none(), a.1).cmp(&(b.0.is_none(), b.1));
    };
    let float = |value: Value| match value {
        Value::F32(bits) => Some(f64::from(f32::from_bits(bits))),
        Value::F64(bits) => Some(f64::from_bits(bits)),
        _ => None,
    };
    match (float(a), float(b)) {
        (Some(a), Some(b)) => a.total_cmp(&b),
        _ => crate::integer(a).cmp(&crate::integer(b)),
    }
}

/// The values of either class.
fn union(a: &Class, b: &Class) -> Class {
    match (a, b) {
        (Class::Any(_) | Class::Mocked | Class::Happens, _) => a.clone(),
        (_, Class::Any(_)) => b.clone(),
        (Class::Exact(first), Class::Exact(second)) if first == second => a.clone(),
        (Class::Exact(a), Class::Exact(b)) => {
            let ranges = a.ranges().iter().chain(b.ranges()).copied();
            let names = a.names().iter().chain(b.names()).map(|(v, name)| (*v, name.clone()));
            match Integers::new(ranges) {
                Some(set) => Class::Exact(Arc::new(set.with_names(names))),
                None => Class::Example,
            }
        }
        _ => Class::Example,
    }
}

impl Class {
    /// The values for people, the domain being whatever the input can return: `any`, ranges, or
    /// nothing if only the example is known.
    pub fn show(&self) -> Option<String> {
        match self {
            Class::Mocked => Some("mocked".into()),
            Class::Any(_) => Some("any value".into()),
            Class::Exact(set) => Some(Domain::Integers((**set).clone()).to_string()),
            Class::Happens => Some("happens".into()),
            Class::Example => None,
        }
    }

    /// Whether a value is known to be one of them.
    pub fn contains(&self, value: Value) -> bool {
        match self {
            Class::Any(domain) => domain.contains(value),
            Class::Exact(set) => set.contains(crate::integer(value)),
            Class::Mocked | Class::Example | Class::Happens => false,
        }
    }

    /// Where the values begin and end, at most so many: what to try beside the example, of this
    /// type.
    pub fn boundaries(&self, ty: ValType, most: usize) -> Vec<Value> {
        let ends = |set: &Integers| {
            let ends = set.ranges().iter().flat_map(|range| [range.low, range.high]);
            let mut ends: Vec<i64> = ends.take(most).collect();
            ends.dedup();
            ends.into_iter().map(|end| Value::from_slot(ty, to_slot(ty, end))).collect()
        };
        match self {
            Class::Any(Domain::Integers(set)) => ends(set),
            Class::Exact(set) => ends(set),
            Class::Any(Domain::Floats(_)) | Class::Mocked | Class::Example | Class::Happens => {
                Vec::new()
            }
        }
    }

    /// How many values there are, if that is known.
    pub fn count(&self) -> Option<u128> {
        match self {
            Class::Mocked | Class::Happens => Some(1),
            Class::Any(domain) => Some(domain.count()),
            Class::Exact(set) => Some(set.count()),
            Class::Example => None,
        }
    }
}
