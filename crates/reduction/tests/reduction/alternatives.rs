//! What was not explored, and why.

use crate::actors::{Actors, Op, explore};
use mw_reduction::{Exploration, Fate, Reduction};

/// Two messages race for actor 0, one goes to actor 1.
fn system() -> Actors {
    let scripts = vec![vec![vec![Op::Change(1)]]; 4];
    Actors { scripts, initial: vec![(2, 0, 0), (3, 0, 0), (2, 1, 0)], ..Default::default() }
}

#[test]
fn each_act_has_a_fate() {
    let mut system = system();
    let mut exploration = Exploration::new(system.start());
    let mut told = Vec::new();
    while let Ok(Some(execution)) = exploration.next(&mut system) {
        let acts: Vec<_> = execution.events().iter().map(|it| it.event.act).collect();
        let fates: Vec<_> = (0..acts.len())
            .map(|at| execution.alternatives(at).into_iter().map(|(act, fate)| (*act, fate)))
            .map(Vec::from_iter)
            .collect();
        told.push((acts, fates));
    }
    let (a, b, c) = ((2, 0, 0), (3, 0, 0), (2, 1, 0));
    let expected = [
        (
            vec![a, c, b],
            vec![
                // The race of `a` and `b` has just been seen: `c`, then `b`.
                vec![(a, Fate::Taken), (c, Fate::Planned), (b, Fate::Commutes)],
                vec![(c, Fate::Taken), (b, Fate::Commutes)],
                vec![(b, Fate::Taken)],
            ],
        ),
        (
            vec![c, b, a],
            vec![
                vec![(a, Fate::Explored), (c, Fate::Taken), (b, Fate::Commutes)],
                // It was explored at the beginning, and `c` makes no difference to it.
                vec![(a, Fate::Asleep { since: 0 }), (b, Fate::Taken)],
                vec![(a, Fate::Taken)],
            ],
        ),
    ];
    assert_eq!(told, expected);
}

#[test]
fn without_reduction_everything_is_explored() {
    let found = explore(system(), Reduction::Off, 100).unwrap();
    assert_eq!((found.executions, found.classes.len()), (6, 2));
}
