//! The slices of a monitor: for each object, which state its automaton is in, and its variables.

use smallvec::SmallVec;

use crate::automaton::StateId;
use crate::instance::{Instance, Mask};
use crate::moved::Last;
use crate::table::Table;

/// One slice.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Slice<N> {
    pub state: StateId,
    /// How it came to be there: for people, and no part of what it is.
    pub last: Option<Last>,
    /// The last moment of its state's time; zero if that has none.
    pub until: u64,
    pub variables: SmallVec<[N; 2]>,
}

/// All slices of a monitor, found by what they are about.
#[derive(Clone, Debug)]
pub(crate) struct Slices<N> {
    all: Table<Slice<N>>,
    /// The sets of parameters that events name, but for all of them together.
    parts: SmallVec<[Mask; 4]>,
    /// For the values of such parameters, the slices with more parameters bound than these.
    beyond: Table<Vec<Instance>>,
}

impl<N: Clone> Slices<N> {
    pub fn new(parts: &[Mask]) -> Slices<N> {
        let parts = SmallVec::from_slice(parts);
        Slices { all: Table::default(), parts, beyond: Table::default() }
    }

    pub fn get(&self, instance: &Instance) -> Option<&Slice<N>> {
        self.all.get(instance)
    }

    pub fn get_mut(&mut self, instance: &Instance) -> Option<&mut Slice<N>> {
        self.all.get_mut(instance)
    }

    pub fn insert(&mut self, instance: Instance, slice: Slice<N>) {
        for part in self.parts_of(&instance) {
            match self.beyond.get_mut(&part) {
                Some(found) => found.push(instance.clone()),
                None => self.beyond.insert(part, vec![instance.clone()]),
            }
        }
        self.all.insert(instance, slice);
    }

    pub fn remove(&mut self, instance: &Instance) {
        self.all.remove(instance);
        for part in self.parts_of(instance) {
            if let Some(found) = self.beyond.get_mut(&part) {
                found.retain(|known| known != instance);
                if found.is_empty() {
                    self.beyond.remove(&part);
                }
            }
        }
    }

    /// Under which values of fewer parameters an instance is found.
    fn parts_of(&self, instance: &Instance) -> SmallVec<[Instance; 2]> {
        let bound = instance.bound();
        let parts = self.parts.iter().filter(|part| **part != bound && bound & **part == **part);
        parts.map(|part| instance.restricted(*part)).collect()
    }

    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Bytes that it takes, about.
    pub fn bytes(&self) -> usize {
        let spilled = |slice: &Slice<N>| match slice.variables.spilled() {
            true => slice.variables.capacity() * size_of::<N>(),
            false => 0,
        };
        self.all.bytes(spilled) + self.beyond.bytes(|list| list.capacity() * size_of::<Instance>())
    }

    /// All slices, in no order that means anything.
    pub fn iter(&self) -> impl Iterator<Item = (&Instance, &Slice<N>)> {
        self.all.iter()
    }

    /// The slices that are about these values, and about more.
    pub fn beyond(&self, instance: &Instance) -> impl Iterator<Item = (&Instance, &Slice<N>)> {
        let found = self.beyond.get(instance).map(Vec::as_slice).unwrap_or_default();
        found.iter().filter_map(|instance| Some((instance, self.get(instance)?)))
    }

    /// Whether there are the same slices, as far as `same` tells.
    pub fn are(&self, other: &Slices<N>, same: impl Fn(&Slice<N>, &Slice<N>) -> bool) -> bool {
        self.all.are(&other.all, same)
    }

    /// The same with other numbers.
    pub fn map<M>(&self, mut change: impl FnMut(&Instance, u16, &N) -> M) -> Slices<M> {
        let all = self.all.map(|instance, slice| {
            let numbers = (0..).zip(&slice.variables);
            let variables =
                numbers.map(|(index, number)| change(instance, index, number)).collect();
            let Slice { state, last, until, .. } = *slice;
            Slice { state, last, until, variables }
        });
        Slices { all, parts: self.parts.clone(), beyond: self.beyond.clone() }
    }
}
