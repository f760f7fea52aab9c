//! Seed 004's micro-benchmark, by what is computed: for each call of `foo`, the last call of `bar` with
//! the same number.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use mw_query::{EditHamt, Lazy, Time};

use crate::common::{Recording, all};

/// Calls with their times and arguments.
type Calls = Vec<(u64, u64)>;

/// The calls of the seed's program: those of `foo` with `y`, those of `bar` with `z`.
fn calls() -> [Calls; 2] {
    let (mut foos, mut bars, mut time) = (Vec::new(), Vec::new(), 0);
    let mut call = |calls: &mut Vec<(u64, u64)>, argument| {
        time += 10;
        calls.push((time, argument));
    };
    for i in 0..16 {
        for j in 0..16 {
            (0..16).for_each(|k| call(&mut bars, i * 16 + k));
            call(&mut foos, i * 16 + j);
            (0..8).for_each(|l| call(&mut bars, i * 8 + l));
        }
    }
    [foos, bars]
}

#[test]
fn no_more_snapshots_are_taken_than_are_needed() {
    let [foos, bars] = calls();
    assert_eq!((foos.len(), bars.len()), (256, 6144));
    let taken = Arc::new(AtomicUsize::new(0));
    let counted = taken.clone();
    type Map = EditHamt<'static, u64, u64>;
    let (foos, bars) = (Recording::new(&foos), Recording::new(&bars));
    // To look at the argument of a call takes a snapshot.
    let maps = bars.trace().map(move |item| {
        counted.fetch_add(1, Relaxed);
        Ok(Map::add_key_value(Lazy::ready(Map::empty()), item.value, item.time.steps()))
    });
    let maps = maps.scan(
        |before, item| Ok(Map::concat(before, Lazy::ready(item.value.clone()))),
        Map::empty(),
    );
    let found = foos.trace().trailing_merge(
        |item, map| match map.force()? {
            Some(map) => map.value.find(&item.value),
            None => Ok(None),
        },
        &maps,
    );
    assert_eq!(taken.load(Relaxed), 0);
    let found = all(&found);
    assert_eq!(taken.load(Relaxed), 2176);
    // Each finds the call among the sixteen that come right before it.
    for (number, (time, bar)) in (0..).zip(&found) {
        assert_eq!(*bar, Some(time - (16 - number % 16) * 10));
    }
}

#[test]
fn a_map_that_is_not_lazy_takes_all_of_them_for_one_answer() {
    let [foos, bars] = calls();
    let taken = Arc::new(AtomicUsize::new(0));
    let counted = taken.clone();
    let (foos, bars) = (Recording::new(&foos), Recording::new(&bars));
    let maps = bars.trace().scan(
        move |before: Lazy<'static, Arc<BTreeMap<u64, u64>>>, item| {
            counted.fetch_add(1, Relaxed);
            let mut map = BTreeMap::clone(before.force()?);
            map.insert(item.value, item.time.steps());
            Ok(Arc::new(map))
        },
        Arc::default(),
    );
    let found = foos.trace().trailing_merge(
        |item, map| Ok(map.force()?.as_ref().and_then(|map| map.value.get(&item.value).copied())),
        &maps,
    );
    let last = found.get_before(Time::MAX).unwrap().unwrap();
    assert_eq!(last.value, Some(last.time.steps() - 10));
    // Some were begun before it was known that all of them are needed.
    let eager = maps.slice(Time::MIN, last.time).len().unwrap();
    assert_eq!(eager, 6136);
    assert!(taken.load(Relaxed) >= 6136);
}
