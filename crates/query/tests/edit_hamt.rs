//! Edits against a plain multimap, with hashes that collide.

use std::collections::BTreeMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use mw_query::{EditHamt, Lazy};
use proptest::prelude::*;

use crate::common::cases;

/// Few keys have a hash of their own, and some differ only below the trie.
#[derive(Clone, Default)]
struct Colliding(u64);

impl Hasher for Colliding {
    fn finish(&self) -> u64 {
        match self.0 % 4 {
            0 => 0,
            1 => 33,
            2 => 33 | 1 << 31,
            _ => self.0 << 20,
        }
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.0 = self.0 * 3 + u64::from(*byte));
    }
}

type Hamt = EditHamt<'static, u8, u8, BuildHasherDefault<Colliding>>;

#[derive(Clone, Debug)]
enum Edit {
    Add(u8, u8),
    Remove(u8),
    RemoveOne(u8),
    RemoveValue(u8, u8),
    /// What follows is put together first, and then after what was before.
    Concat,
}

fn edit() -> impl Strategy<Value = Edit> {
    let (key, value) = (0..6u8, 0..3u8);
    prop_oneof![
        4 => (key.clone(), value.clone()).prop_map(|(key, value)| Edit::Add(key, value)),
        1 => key.clone().prop_map(Edit::Remove),
        2 => key.clone().prop_map(Edit::RemoveOne),
        2 => (key, value).prop_map(|(key, value)| Edit::RemoveValue(key, value)),
        1 => Just(Edit::Concat),
    ]
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn edits_are_those_of_a_multimap(edits in prop::collection::vec(edit(), 0..40)) {
        let mut plain: BTreeMap<u8, Vec<u8>> = BTreeMap::new();
        let (mut before, mut hamt) = (Vec::new(), Hamt::empty());
        for edit in edits {
            let prior = Lazy::ready(hamt.clone());
            hamt = match edit {
                Edit::Add(key, value) => {
                    plain.entry(key).or_default().push(value);
                    Hamt::add_key_value(prior, key, value)
                }
                Edit::Remove(key) => {
                    plain.remove(&key);
                    Hamt::remove(prior, key)
                }
                Edit::RemoveOne(key) => {
                    plain.get_mut(&key).and_then(Vec::pop);
                    Hamt::remove_one(prior, key)
                }
                Edit::RemoveValue(key, value) => {
                    let values = plain.entry(key).or_default();
                    if let Some(at) = values.iter().rposition(|known| *known == value) {
                        values.remove(at);
                    }
                    Hamt::remove_key_value(prior, key, value)
                }
                Edit::Concat => {
                    before.push(hamt);
                    Hamt::empty()
                }
            };
        }
        while let Some(older) = before.pop() {
            hamt = Hamt::concat(Lazy::ready(older), Lazy::ready(hamt));
        }
        for key in 0..6 {
            let found: Vec<u8> = hamt.find_multi(&key).map(Result::unwrap).collect();
            let mut expected = plain.get(&key).cloned().unwrap_or_default();
            expected.reverse();
            prop_assert_eq!(&found, &expected, "key {}", key);
            prop_assert_eq!(hamt.find(&key).unwrap(), expected.first().copied());
            prop_assert_eq!(hamt.contains(&key).unwrap(), !expected.is_empty());
        }
    }
}

#[test]
fn an_edit_needs_to_know_nothing_of_what_it_edits() {
    let asked = Arc::new(AtomicBool::new(false));
    let seen = asked.clone();
    type Plain = EditHamt<'static, &'static str, u8>;
    let prior: Lazy<'static, Plain> = Lazy::new(move || {
        seen.store(true, Relaxed);
        Ok(Plain::add_key_value(Lazy::ready(Plain::empty()), "a", 1))
    });
    let edited = Plain::add_key_value(prior.clone(), "b", 2);
    assert_eq!(edited.find(&"b").unwrap(), Some(2));
    assert!(!asked.load(Relaxed), "who looks for what was just added asks nobody else");
    let removed = Plain::remove(prior, "a");
    assert_eq!(removed.find(&"a").unwrap(), None);
    assert!(!asked.load(Relaxed), "what was removed is not looked for further back");
    assert_eq!(edited.find(&"a").unwrap(), Some(1));
    assert!(asked.load(Relaxed));
}

#[test]
fn a_long_history_is_looked_through_and_dropped_without_nesting() {
    type Set = EditHamt<'static, u32, ()>;
    let mut set = Set::empty();
    for key in 0..100_000 {
        set = Set::add(Lazy::ready(set), key);
    }
    assert!(set.contains(&0).unwrap());
    assert!(!set.contains(&100_000).unwrap());
    let mut joined = Set::empty();
    for key in 0..20_000 {
        let one = Set::add(Lazy::ready(Set::empty()), key);
        joined = Set::concat(Lazy::ready(joined), Lazy::ready(one));
    }
    assert!(joined.contains(&19_999).unwrap());
}
