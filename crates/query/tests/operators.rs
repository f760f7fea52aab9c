//! Every operation over random traces, asked at random: what it answers is what an eager one has.

use mw_query::{Item, Lazy, Time, Trace};
use proptest::prelude::*;

use crate::common::{Recording, all, at, cases};

type Eager = Vec<(u64, u64)>;

/// A way to derive a trace, and the same over lists.
struct Operator {
    name: &'static str,
    lazy: fn(&Trace<'static, u64>, &Trace<'static, u64>) -> Trace<'static, u64>,
    eager: fn(&Eager, &Eager) -> Eager,
}

fn beside(lazy: Lazy<'static, Option<Item<u64>>>) -> Result<u64, mw_query::Failure> {
    Ok(lazy.force()?.as_ref().map_or(99, |item| item.value))
}

/// Associative, and not commutative: the arguments have to come in order.
fn join(left: Option<u64>, right: u64) -> u64 {
    match left {
        Some(left) => (left * 31 + right * 17 + left * right * 7) % 1009,
        None => right,
    }
}

/// `join` is not associative by itself; pairs of a first and a last value are.
fn pair(left: Option<u64>, right: u64) -> u64 {
    left.map_or(right, |left| left / 1000 * 1000 + right % 1000)
}

fn as_pair(value: u64) -> u64 {
    value * 1000 + value
}

fn fold(events: impl Iterator<Item = (u64, u64)>) -> Eager {
    let mut before = None;
    let folded = events.map(|(time, value)| {
        let value = join(before, value);
        before = Some(value);
        (time, value)
    });
    folded.collect()
}

const OPERATORS: &[Operator] = &[
    Operator {
        name: "filter",
        lazy: |a, _| a.filter(|item| Ok(item.value % 3 != 0)),
        eager: |a, _| a.iter().copied().filter(|(_, value)| value % 3 != 0).collect(),
    },
    Operator {
        name: "map",
        lazy: |a, _| a.map(|item| Ok(item.value * 2 + item.time.steps())),
        eager: |a, _| a.iter().map(|(time, value)| (*time, value * 2 + time)).collect(),
    },
    Operator {
        name: "slice",
        lazy: |a, _| a.slice(at(10), at(30)),
        eager: |a, _| a.iter().copied().filter(|(time, _)| (10..30).contains(time)).collect(),
    },
    Operator {
        name: "merge",
        lazy: |a, b| a.merge(|a, b| Ok(a * 100 + b), b),
        eager: |a, b| {
            let mut all: std::collections::BTreeMap<u64, u64> = b.iter().copied().collect();
            for (time, value) in a {
                all.entry(*time).and_modify(|b| *b += value * 100).or_insert(*value);
            }
            all.into_iter().collect()
        },
    },
    Operator {
        name: "trailing merge",
        lazy: |a, b| a.trailing_merge(|item, last| Ok(item.value * 100 + beside(last)?), b),
        eager: |a, b| {
            let last = |time: u64| b.iter().rfind(|(other, _)| *other < time);
            let value = |time| last(time).map_or(99, |(_, value)| *value);
            a.iter().map(|(time, own)| (*time, own * 100 + value(*time))).collect()
        },
    },
    Operator {
        name: "rev trailing merge",
        lazy: |a, b| a.rev_trailing_merge(|item, next| Ok(item.value * 100 + beside(next)?), b),
        eager: |a, b| {
            let next = |time: u64| b.iter().find(|(other, _)| *other > time);
            let value = |time| next(time).map_or(99, |(_, value)| *value);
            a.iter().map(|(time, own)| (*time, own * 100 + value(*time))).collect()
        },
    },
    Operator {
        name: "scan",
        lazy: |a, _| {
            let folded = a.scan(
                |before: Lazy<'static, Option<u64>>, item| {
                    Ok(Some(join(*before.force()?, item.value)))
                },
                None,
            );
            folded.map(|item| Ok(item.value.unwrap_or(0)))
        },
        eager: |a, _| fold(a.iter().copied()),
    },
    Operator {
        name: "rev scan",
        lazy: |a, _| {
            let folded = a.rev_scan(
                |after: Lazy<'static, Option<u64>>, item| {
                    Ok(Some(join(*after.force()?, item.value)))
                },
                None,
            );
            folded.map(|item| Ok(item.value.unwrap_or(0)))
        },
        eager: |a, _| {
            let mut folded = fold(a.iter().copied().rev());
            folded.reverse();
            folded
        },
    },
    Operator {
        name: "tscan",
        lazy: |a, _| {
            let pairs = a.map(|item| Ok(as_pair(item.value)));
            pairs.tscan(|left, right| Ok(pair(*left.force()?, *right.force()?)))
        },
        eager: |a, _| {
            let first = a.first().map_or(0, |(_, value)| *value);
            a.iter().map(|(time, value)| (*time, first * 1000 + value)).collect()
        },
    },
    Operator {
        name: "rev tscan",
        lazy: |a, _| {
            let pairs = a.map(|item| Ok(as_pair(item.value)));
            pairs.rev_tscan(|left, right| {
                let left = *left.force()?;
                Ok(right.force()?.map_or(left, |right| pair(Some(left), right)))
            })
        },
        eager: |a, _| {
            let last = a.last().map_or(0, |(_, value)| *value);
            a.iter().map(|(time, value)| (*time, value * 1000 + last)).collect()
        },
    },
    Operator {
        name: "several",
        lazy: |a, b| {
            let odd = a.filter(|item| Ok(item.value % 2 == 1));
            let merged = odd.merge(|a, b| Ok(a + b), b);
            merged.trailing_merge(|item, last| Ok(item.value * 100 + beside(last)?), &odd)
        },
        eager: |a, b| {
            let odd: Eager = a.iter().copied().filter(|(_, value)| value % 2 == 1).collect();
            let mut all: std::collections::BTreeMap<u64, u64> = b.iter().copied().collect();
            for (time, value) in &odd {
                *all.entry(*time).or_insert(0) += value;
            }
            let last = |time: u64| odd.iter().rfind(|(other, _)| *other < time);
            let value = |time| last(time).map_or(99, |(_, value)| *value);
            all.into_iter().map(|(time, own)| (time, own * 100 + value(time))).collect()
        },
    },
];

fn events() -> impl Strategy<Value = Eager> {
    prop::collection::btree_map(0..40u64, 0..10u64, 0..15).prop_map(|map| map.into_iter().collect())
}

#[derive(Clone, Copy, Debug)]
enum Question {
    At(u64),
    After(u64),
    Before(u64),
    First,
    Last,
    All,
}

fn question() -> impl Strategy<Value = Question> {
    prop_oneof![
        (0..42u64).prop_map(Question::At),
        (0..42u64).prop_map(Question::After),
        (0..42u64).prop_map(Question::Before),
        Just(Question::First),
        Just(Question::Last),
        Just(Question::All),
    ]
}

proptest! {
    #![proptest_config(cases(48))]

    #[test]
    fn lazy_is_eager(
        a in events(),
        b in events(),
        questions in prop::collection::vec(question(), 1..8),
    ) {
        for operator in OPERATORS {
            let (first, second) = (Recording::new(&a), Recording::new(&b));
            let trace = (operator.lazy)(&first.trace(), &second.trace());
            let expected = (operator.eager)(&a, &b);
            for question in &questions {
                let one = |found: Option<Item<u64>>| {
                    Vec::from_iter(found.map(|item| (item.time.steps(), item.value)))
                };
                let some = |found: Option<&(u64, u64)>| Vec::from_iter(found.copied());
                let (lazy, eager) = match *question {
                    Question::At(time) => (
                        one(trace.get_at(at(time)).unwrap()),
                        some(expected.iter().find(|(other, _)| *other == time)),
                    ),
                    Question::After(time) => (
                        one(trace.get_after(at(time)).unwrap()),
                        some(expected.iter().find(|(other, _)| *other > time)),
                    ),
                    Question::Before(time) => (
                        one(trace.get_before(at(time)).unwrap()),
                        some(expected.iter().rfind(|(other, _)| *other < time)),
                    ),
                    Question::First => {
                        (one(trace.get_after(Time::MIN).unwrap()), some(expected.first()))
                    }
                    Question::Last => {
                        (one(trace.get_before(Time::MAX).unwrap()), some(expected.last()))
                    }
                    Question::All => (all(&trace), expected.clone()),
                };
                prop_assert_eq!(lazy, eager, "{} at {:?}", operator.name, question);
            }
        }
    }
}

#[test]
fn tree_scan_is_scan() {
    let recording = Recording::new(&[(1, 3), (5, 4), (6, 5), (40, 6)]);
    let trace = recording.trace();
    let words = trace.map(|item| Ok(item.value.to_string()));
    let scanned =
        words.scan(|before, item| Ok(format!("{}{}", before.force()?, item.value)), String::new());
    let tree = words.tscan(|left, right| {
        Ok(format!("{}{}", left.force()?.as_deref().unwrap_or(""), right.force()?))
    });
    assert_eq!(all(&tree), all(&scanned));
    let back = words.rev_tscan(|left, right| {
        Ok(format!("{}{}", left.force()?, right.force()?.as_deref().unwrap_or("")))
    });
    let values: Vec<String> = all(&back).into_iter().map(|(_, value)| value).collect();
    assert_eq!(values, ["3456", "456", "56", "6"]);
}
