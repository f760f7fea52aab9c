//! The slices of a monitor: for each object, which state its automaton is in, and its variables.

use std::collections::BTreeMap;
use std::sync::Arc;

use mw_source::Number;

use crate::automaton::StateId;
use crate::instance::{Instance, Mask};

/// One slice.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Slice {
    pub state: StateId,
    /// The last moment of its state's time; zero if that has none.
    pub until: u64,
    pub variables: Vec<Number>,
}

/// All slices of a monitor. Forks share them until one is written.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Slices {
    all: Arc<BTreeMap<Instance, Slice>>,
}

impl Slices {
    pub fn get(&self, instance: &Instance) -> Option<&Slice> {
        self.all.get(instance)
    }

    pub fn insert(&mut self, instance: Instance, slice: Slice) {
        Arc::make_mut(&mut self.all).insert(instance, slice);
    }

    pub fn remove(&mut self, instance: &Instance) {
        Arc::make_mut(&mut self.all).remove(instance);
    }

    pub fn get_mut(&mut self, instance: &Instance) -> Option<&mut Slice> {
        Arc::make_mut(&mut self.all).get_mut(instance)
    }

    pub fn len(&self) -> usize {
        self.all.len()
    }

    pub fn iter(&self) -> impl Iterator<Item = (&Instance, &Slice)> {
        self.all.iter()
    }

    /// The slices in which the parameters of an instance are bound, and more of them, to the same
    /// values.
    pub fn beyond(&self, instance: &Instance) -> impl Iterator<Item = (&Instance, &Slice)> {
        let mask: Mask = instance.bound();
        self.all.iter().filter(move |(other, _)| {
            other.bound() != mask
                && other.bound() & mask == mask
                && other.restricted(mask) == *instance
        })
    }
}
