//! A map by what slices are about. Forks share it; what one of them writes to is copied in small
//! parts, so that a fork and a change after it cost little, however many slices there are.

use std::sync::Arc;

use smallvec::SmallVec;

use crate::instance::Instance;

/// How many entries a part has, on average, before the number of parts is doubled.
const CROWDED: usize = 8;

type Part<T> = Vec<(Instance, T)>;

/// How many parts are in a group, which is what a fork copies when it writes for the first time.
const GROUP: usize = 128;

type Group<T> = Vec<Arc<Part<T>>>;

/// One of them is enough for a thousand slices.
type Groups<T> = SmallVec<[Arc<Group<T>>; 1]>;

/// See the [module](self). Which part an entry is in follows from its instance; the order of entries
/// means nothing.
#[derive(Clone, Debug)]
pub(crate) struct Table<T> {
    /// All but the last group are full.
    groups: Groups<T>,
    /// How many parts there are: a power of two.
    parts: usize,
    count: usize,
}

impl<T> Default for Table<T> {
    fn default() -> Table<T> {
        Table { groups: grouped(vec![Vec::new()]), parts: 1, count: 0 }
    }
}

/// Parts in their groups.
fn grouped<T>(parts: Vec<Part<T>>) -> Groups<T> {
    let mut parts = parts.into_iter().map(Arc::new).peekable();
    let mut groups = SmallVec::new();
    while parts.peek().is_some() {
        groups.push(Arc::new(parts.by_ref().take(GROUP).collect()));
    }
    groups
}

/// Where an instance is.
fn part_of(instance: &Instance, parts: usize) -> usize {
    match parts {
        1 => 0,
        parts => (instance.spread() >> 32) as usize & (parts - 1),
    }
}

impl<T> Table<T> {
    pub fn len(&self) -> usize {
        self.count
    }

    fn part(&self, instance: &Instance) -> &Part<T> {
        let index = part_of(instance, self.parts);
        &self.groups[index / GROUP][index % GROUP]
    }

    fn all_parts(&self) -> impl Iterator<Item = &Part<T>> {
        self.groups.iter().flat_map(|group| group.iter()).map(|part| &**part)
    }

    pub fn get(&self, instance: &Instance) -> Option<&T> {
        self.part(instance).iter().find(|(known, _)| known == instance).map(|(_, value)| value)
    }

    /// Whether both have the same entries, as far as `same` tells.
    pub fn are(&self, other: &Table<T>, same: impl Fn(&T, &T) -> bool) -> bool {
        let in_other = |(instance, value): (&Instance, &T)| {
            other.get(instance).is_some_and(|other| same(value, other))
        };
        let shared = self.groups.len() == other.groups.len()
            && self.groups.iter().zip(&other.groups).all(|(one, other)| Arc::ptr_eq(one, other));
        self.count == other.count && (shared || self.iter().all(in_other))
    }

    /// Bytes that it takes, about: as if it shared nothing.
    pub fn bytes(&self, beside: impl Fn(&T) -> usize) -> usize {
        let parts = self.all_parts().map(|part| {
            let entries = part.capacity() * size_of::<(Instance, T)>();
            let beside = part.iter().map(|(at, value)| at.spilled_bytes() + beside(value));
            size_of::<(usize, usize, Part<T>, Arc<Part<T>>)>() + entries + beside.sum::<usize>()
        });
        size_of::<Self>() + parts.sum::<usize>()
    }

    /// All entries, in no order that means anything.
    pub fn iter(&self) -> impl Iterator<Item = (&Instance, &T)> {
        self.all_parts().flatten().map(|(instance, value)| (instance, value))
    }
}

impl<T: Clone> Table<T> {
    fn part_mut(&mut self, instance: &Instance) -> &mut Part<T> {
        let index = part_of(instance, self.parts);
        let group = Arc::make_mut(&mut self.groups[index / GROUP]);
        Arc::make_mut(&mut group[index % GROUP])
    }

    pub fn get_mut(&mut self, instance: &Instance) -> Option<&mut T> {
        let part = self.part_mut(instance);
        part.iter_mut().find(|(known, _)| known == instance).map(|(_, value)| value)
    }

    /// Adds an entry. There is none of this instance.
    pub fn insert(&mut self, instance: Instance, value: T) {
        if self.count >= CROWDED * self.parts {
            self.spread();
        }
        self.count += 1;
        self.part_mut(&instance).push((instance, value));
    }

    pub fn remove(&mut self, instance: &Instance) -> Option<T> {
        let part = self.part_mut(instance);
        let index = part.iter().position(|(known, _)| known == instance)?;
        let (_, removed) = part.swap_remove(index);
        self.count -= 1;
        Some(removed)
    }

    /// Doubles the number of parts.
    fn spread(&mut self) {
        let count = 2 * self.parts;
        let mut parts: Vec<Part<T>> = (0..count).map(|_| Vec::new()).collect();
        for (instance, value) in self.iter() {
            parts[part_of(instance, count)].push((instance.clone(), value.clone()));
        }
        (self.groups, self.parts) = (grouped(parts), count);
    }

    /// The same with other values.
    pub fn map<M>(&self, mut change: impl FnMut(&Instance, &T) -> M) -> Table<M> {
        let mut part = |part: &Part<T>| {
            part.iter().map(|(at, value)| (at.clone(), change(at, value))).collect()
        };
        let parts = self.all_parts().map(&mut part).collect();
        Table { groups: grouped(parts), parts: self.parts, count: self.count }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn instance(value: u64) -> Instance {
        let mut instance = Instance::unbound(1);
        instance.bind(0, value);
        instance
    }

    #[test]
    fn forks_know_nothing_of_each_other() {
        let mut table = Table::default();
        for value in 0..3000 {
            table.insert(instance(value), value);
        }
        let fork = table.clone();
        *table.get_mut(&instance(7)).unwrap() = 70;
        table.remove(&instance(8));
        table.insert(instance(9000), 200);
        assert_eq!(fork.get(&instance(7)), Some(&7));
        assert_eq!(fork.get(&instance(8)), Some(&8));
        assert_eq!((fork.len(), fork.get(&instance(9000))), (3000, None));
        assert_eq!((table.get(&instance(7)), table.get(&instance(8))), (Some(&70), None));
        assert_eq!(table.iter().count(), table.len());
        assert!(!table.are(&fork, u64::eq));
    }

    #[test]
    fn the_same_entries_are_the_same_table_however_they_came_in() {
        let (mut one, mut other) = (Table::default(), Table::default());
        for value in 0..50 {
            one.insert(instance(value), value);
            other.insert(instance(49 - value), 49 - value);
        }
        for value in 100..1000 {
            one.insert(instance(value), value);
        }
        for value in 100..1000 {
            one.remove(&instance(value));
        }
        assert!(one.are(&other, u64::eq));
    }
}
