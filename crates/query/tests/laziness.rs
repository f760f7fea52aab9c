//! Seed 004's guarantees about what is not done: counted, never timed.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use mw_query::{Item, Lazy, Time, Trace};

use crate::common::{Recording, all, at};

const EVENTS: [(u64, u64); 6] = [(10, 1), (20, 0), (30, 2), (50, 3), (120, 4), (200, 5)];

type Derived = Vec<(&'static str, Trace<'static, u64>)>;

/// One trace for each operation, over a trace and another one.
fn derived(trace: &Trace<'static, u64>, other: &Trace<'static, u64>) -> Derived {
    let value = |lazy: Lazy<'static, Option<Item<u64>>>| {
        Ok(lazy.force()?.as_ref().map_or(0, |item| item.value))
    };
    let sum = |left: Lazy<'static, Option<u64>>, right: Lazy<'static, u64>| {
        Ok(left.force()?.unwrap_or(0) + right.force()?)
    };
    vec![
        ("filter", trace.filter(|item| Ok(item.value % 2 == 0))),
        ("map", trace.map(|item| Ok(item.value + 1))),
        ("slice", trace.slice(at(20), at(120))),
        ("merge", trace.merge(|a, b| Ok(a * 10 + b), other)),
        ("trailing merge", trace.trailing_merge(move |_, last| value(last), other)),
        ("rev trailing merge", trace.rev_trailing_merge(move |_, next| value(next), other)),
        ("scan", trace.scan(|sum, item| Ok(sum.force()? + item.value), 0)),
        ("rev scan", trace.rev_scan(|sum, item| Ok(sum.force()? + item.value), 0)),
        ("tscan", trace.tscan(sum)),
        ("rev tscan", trace.rev_tscan(move |left, right| sum(right, left))),
    ]
}

#[test]
fn making_traces_asks_nobody_and_asking_again_asks_nobody_again() {
    let (recording, beside) = (Recording::new(&EVENTS), Recording::new(&[(15, 7), (60, 8)]));
    let (trace, other) = (recording.trace(), beside.trace());
    let derived = derived(&trace, &other);
    assert_eq!(recording.calls() + beside.calls(), 0, "to make a trace does nothing");
    for (name, trace) in &derived {
        let ask = || {
            let before = trace.get_before(at(100)).unwrap();
            (before, trace.get_after(at(25)).unwrap(), trace.get_at(at(30)).unwrap())
        };
        let first = ask();
        let calls = recording.calls() + beside.calls();
        assert_eq!(ask(), first, "{name}");
        assert_eq!(recording.calls() + beside.calls(), calls, "{name} asks again what is known");
    }
    for (name, trace) in &derived {
        let items = all(trace);
        let calls = recording.calls() + beside.calls();
        assert_eq!(all(trace), items, "{name}");
        assert_eq!(trace.len().unwrap(), items.len() as u64, "{name}");
        assert_eq!(recording.calls() + beside.calls(), calls, "{name} asks again what is known");
    }
}

#[test]
fn only_what_is_needed_is_looked_at() {
    let recording = Recording::new(&EVENTS);
    let trace = recording.trace();
    // The tree of the seed's example: lazy, a value, empty, lazy.
    assert_eq!(trace.get_before(at(100)).unwrap().map(|item| item.time), Some(at(50)));
    assert_eq!(recording.looked(), [at(50)..at(100)]);
    // What is known is not looked at again: only what lies beyond it.
    assert_eq!(trace.get_after(at(60)).unwrap().map(|item| item.time), Some(at(120)));
    assert_eq!(recording.looked()[1..], [at(100)..at(121)]);
    assert_eq!(trace.get_after(at(50)).unwrap().map(|item| item.time), Some(at(120)));
    assert_eq!(recording.calls(), 2);
    // Derived traces use what their parents know.
    let even = trace.filter(|item| Ok(item.value % 2 == 0));
    assert_eq!(even.get_after(at(49)).unwrap().map(|item| item.time), Some(at(120)));
    assert_eq!(recording.calls(), 2);
    let slice = trace.slice(at(20), at(40));
    assert_eq!(slice.len().unwrap(), 2);
    assert_eq!(recording.looked()[2..], [at(20)..at(40)]);
    assert_eq!(slice.get_after(at(30)).unwrap(), None);
    assert_eq!(slice.get_before(Time::MAX).unwrap().map(|item| item.time), Some(at(30)));
    assert_eq!(recording.calls(), 3);
}

#[test]
fn both_ends_of_time_can_be_asked_for() {
    let recording = Recording::new(&[(0, 7), (9, 8)]);
    let trace = recording.trace();
    assert_eq!(trace.get_after(Time::MIN).unwrap().map(|item| item.value), Some(7));
    assert_eq!(trace.get_before(Time::MAX).unwrap().map(|item| item.value), Some(8));
    // Strictly before and after.
    assert_eq!(trace.get_before(at(0)).unwrap(), None);
    assert_eq!(trace.get_after(at(9)).unwrap(), None);
    assert_eq!(trace.get_at(at(9)).unwrap().map(|item| item.value), Some(8));
    assert_eq!(trace.get_at(at(8)).unwrap(), None);
}

#[test]
fn scan_computes_what_is_asked_for_and_nothing_before() {
    let recording = Recording::new(&EVENTS);
    let computed = Arc::new(AtomicUsize::new(0));
    let counted = computed.clone();
    // How many numbers in a row are not zero: at a zero, nobody needs to know what was before.
    let in_a_row = recording.trace().scan(
        move |before, item| {
            counted.fetch_add(1, Relaxed);
            Ok(if item.value == 0 { 0 } else { before.force()? + 1 })
        },
        0,
    );
    assert_eq!(in_a_row.get_at(at(20)).unwrap().map(|item| item.value), Some(0));
    assert_eq!(recording.looked(), [at(20)..at(21)]);
    assert_eq!(in_a_row.get_before(at(100)).unwrap().map(|item| item.value), Some(2));
    assert_eq!(computed.load(Relaxed), 3, "of the items at 20, 30 and 50");
    let earliest = recording.looked().iter().map(|range| range.start).min();
    assert_eq!(earliest, Some(at(20)), "nothing before the zero is looked at");
}

#[test]
fn trailing_merge_looks_aside_only_if_asked() {
    let (recording, beside) = (Recording::new(&EVENTS), Recording::new(&[(15, 7), (60, 8)]));
    let merged = recording.trace().trailing_merge(
        |item, last| match item.value {
            4 => Ok(last.force()?.as_ref().map(|last| last.value)),
            _ => Ok(None),
        },
        &beside.trace(),
    );
    assert_eq!(merged.get_at(at(50)).unwrap().map(|item| item.value), Some(None));
    assert_eq!(beside.calls(), 0);
    assert_eq!(merged.get_at(at(120)).unwrap().map(|item| item.value), Some(Some(8)));
    assert_eq!(beside.calls(), 1);
}

#[test]
fn what_is_not_known_yet_is_not_taken_for_empty() {
    let store = Arc::default();
    let early = Recording::until(&EVENTS[..3], at(40));
    let trace = mw_query::trace_of(early.clone(), Arc::clone(&store));
    let doubled = trace.map(|item| Ok(item.value * 2));
    assert_eq!(doubled.get_after(at(30)).unwrap(), None);
    assert_eq!(all(&doubled).len(), 3);
    // The program has gone on: the same store, with more to see.
    let late = Recording::new(&EVENTS);
    let trace = mw_query::trace_of(late.clone(), store);
    assert_eq!(trace.get_after(at(30)).unwrap().map(|item| item.time), Some(at(50)));
    assert_eq!(all(&trace).len(), 6);
    let earliest = late.looked().iter().map(|range| range.start).min();
    assert_eq!(earliest, Some(at(40)), "what was known is not looked at again");
}

#[test]
fn what_may_still_come_is_asked_for_each_time() {
    let early = Recording::until(&[(10, 1)], at(40));
    let next =
        early.trace().rev_trailing_merge(|_, next| Ok(next.force()?.is_some()), &early.trace());
    assert_eq!(all(&next), [(10, false)]);
    // Nothing was kept of it: the functions are called again.
    let last = early.trace().rev_scan(|after, _| Ok(after.force()? + 1), 0);
    assert_eq!(all(&last), [(10, 1)]);
    assert_eq!(all(&last), [(10, 1)]);
}

#[test]
fn folding_a_long_trace_from_its_end_does_not_nest() {
    let events: Vec<(u64, u64)> = (0..20_000).map(|time| (time, 1)).collect();
    let recording = Recording::new(&events);
    let sum = recording.trace().scan(|sum, item| Ok(sum.force()? + item.value), 0);
    assert_eq!(sum.get_before(Time::MAX).unwrap().map(|item| item.value), Some(20_000));
    let back = recording.trace().rev_scan(|sum, item| Ok(sum.force()? + item.value), 0);
    assert_eq!(back.get_after(Time::MIN).unwrap().map(|item| item.value), Some(20_000));
    let twice = sum.scan(|sum, item| Ok(sum.force()? + item.value), 0);
    assert_eq!(twice.get_before(at(3)).unwrap().map(|item| item.value), Some(6));
    assert_eq!(twice.get_before(Time::MAX).unwrap().map(|item| item.value), Some(200_010_000));
}
