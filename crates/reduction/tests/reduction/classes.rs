//! One execution of each class, against a naive exploration of all executions.

use crate::actors::{Actors, Foata, Op, explore};
use mw_reduction::Reduction;
use proptest::prelude::*;

const CELLS: usize = 2;
const KINDS: usize = 3;

/// What systems are generated.
#[derive(Clone, Copy, Debug, Default)]
struct Sort {
    /// What an act touches depends on what it reads.
    adaptive: bool,
    /// Some inputs, each read once.
    inputs: bool,
    /// Some inputs, each read by several.
    common: bool,
    /// Some acts end everything.
    ends: bool,
}

fn op(sort: Sort, actors: usize, kind: usize) -> impl Strategy<Value = Op> {
    let weight = |is_wanted, weight: u32| if is_wanted { weight } else { 0 };
    prop_oneof![
        2 => (0..4u8).prop_map(Op::Change),
        weight(kind > 0, 6) => (0..actors, 0..kind.max(1)).prop_map(|(to, kind)| Op::Send(to, kind)),
        1 => (0..CELLS).prop_map(Op::Read),
        2 => (0..CELLS).prop_map(Op::Write),
        weight(sort.adaptive, 2) => (0..CELLS).prop_map(Op::Peek),
        weight(sort.adaptive, 1) => Just(Op::SkipIfOdd),
        weight(sort.inputs, 2) => Just(Op::Coin),
        weight(sort.common, 2) => (0..2usize).prop_map(Op::Common),
        weight(sort.ends, 1) => Just(Op::End),
    ]
}

fn system(sort: Sort) -> impl Strategy<Value = Actors> {
    (2..=4usize, any::<u64>()).prop_flat_map(move |(actors, order)| {
        let script = move |kind| prop::collection::vec(op(sort, actors, kind), 0..4);
        let scripts = prop::collection::vec((script(0), script(1), script(2)), actors)
            .prop_map(|all| all.into_iter().map(|(a, b, c)| vec![a, b, c]).collect());
        let initial = prop::collection::vec((0..actors, 0..actors, 0..KINDS), 2..=5);
        (scripts, initial).prop_map(move |(scripts, initial)| Actors {
            scripts,
            initial,
            order,
            ..Default::default()
        })
    })
}

/// Larger systems are left out.
const LIMIT: u64 = 1000;

fn check(system: Actors) -> Result<u64, TestCaseError> {
    let Some(all) = explore(system.clone(), Reduction::Off, LIMIT) else { return Ok(0) };
    let Some(reduced) = explore(system.clone(), Reduction::On, LIMIT) else {
        return Err(TestCaseError::fail("more than without reduction"));
    };
    let lost: Vec<_> = all.classes.keys().filter(|it| !reduced.classes.contains_key(*it)).collect();
    prop_assert!(lost.is_empty(), "lost: {:#?}", lost);
    prop_assert_eq!(reduced.classes.len(), all.classes.len());
    prop_assert_eq!(reduced.executions, all.classes.len() as u64);
    for (class, (hash, _)) in &reduced.classes {
        prop_assert_eq!(all.classes[class].0, *hash);
    }
    prop_assert_eq!(&reduced.ends, &all.ends);
    let stopping = Actors { stops: system.order | 1, ..system };
    let stopping = explore(stopping, Reduction::On, LIMIT);
    prop_assert_eq!(stopping.as_ref(), Some(&reduced));
    Ok(reduced.blocked)
}

const PLAIN: Sort = Sort { adaptive: false, inputs: false, common: false, ends: false };
const ADAPTIVE: Sort = Sort { adaptive: true, ..PLAIN };
const INPUTS: Sort = Sort { inputs: true, ..PLAIN };
const ALL: Sort = Sort { adaptive: true, inputs: true, common: true, ends: false };
const ALL_AND_ENDS: Sort = Sort { ends: true, ..ALL };

proptest! {
    #[test]
    fn each_class_is_explored_once(system in system(PLAIN)) {
        prop_assert_eq!(check(system)?, 0);
    }

    #[test]
    fn each_class_is_explored_once_if_acts_adapt(system in system(ADAPTIVE)) {
        check(system)?;
    }

    #[test]
    fn each_class_is_explored_once_with_inputs(system in system(INPUTS)) {
        check(system)?;
    }

    #[test]
    fn each_class_is_explored_once_with_all_of_it(system in system(ALL)) {
        check(system)?;
    }

    #[test]
    fn each_class_is_explored_once_with_ends(system in system(ALL_AND_ENDS)) {
        check(system)?;
    }

    #[test]
    fn what_is_shorter_than_a_bound_is_found(system in system(ALL), bound in 1..12usize) {
        let system = Actors { bound, ..system };
        let Some(all) = explore(system.clone(), Reduction::Off, LIMIT) else { return Ok(()) };
        let Some(reduced) = explore(system, Reduction::On, LIMIT) else {
            return Err(TestCaseError::fail("more than without reduction"));
        };
        let length = |class: &Foata| class.iter().map(|level| level.len()).sum::<usize>();
        for class in all.classes.keys().filter(|class| length(class) < bound) {
            prop_assert!(reduced.classes.contains_key(class), "lost: {class:?}");
        }
        for (class, (_, times)) in &reduced.classes {
            prop_assert!(all.classes.contains_key(class) && *times == 1, "{class:?}");
        }
    }

    #[test]
    fn the_order_of_acts_makes_no_difference(system in system(ALL), order: u64) {
        let other = Actors { order, ..system.clone() };
        let Some(found) = explore(system, Reduction::On, LIMIT) else { return Ok(()) };
        let Some(other) = explore(other, Reduction::On, LIMIT) else {
            return Err(TestCaseError::fail("more in another order"));
        };
        prop_assert_eq!(found.classes, other.classes);
        prop_assert_eq!(found.ends, other.ends);
    }
}

#[test]
fn known_counts() {
    let change = vec![vec![Op::Change(1)]; 8];
    let scripts = vec![change; 8];
    let to_one = |n: usize| (1..=n).map(|from| (from, 0, 0)).collect::<Vec<_>>();
    let in_pairs = |n: usize| (0..n).map(|from| (from, from, 0)).collect();
    // Two clients and an actor for arithmetic: the first one sends `double` and `result`, the
    // other one `double`. What comes in between is not what the first one expects.
    let bad_interleaving = vec![(1, 0, 0), (1, 0, 1), (2, 0, 0)];
    let cases = [
        (to_one(0), 1),
        (to_one(1), 1),
        (to_one(2), 2),
        (to_one(3), 6),
        (to_one(4), 24),
        (to_one(6), 720),
        (in_pairs(2), 1),
        (in_pairs(7), 1),
        (bad_interleaving, 3),
    ];
    for (initial, expected) in cases {
        let system = Actors { scripts: scripts.clone(), initial, order: 1, ..Default::default() };
        let found = explore(system.clone(), Reduction::On, 1000).unwrap();
        assert_eq!(found.classes.len(), expected, "{:?}", system.initial);
        assert_eq!((found.executions, found.blocked), (expected as u64, 0));
    }
}
