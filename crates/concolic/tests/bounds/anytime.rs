//! Over at any moment: every phase ends within one slice of its work, nothing is lost, and going on
//! leads to what would have been found without stopping. Time is counted in looks at whether to
//! stop, so that the moment is the same on every machine.

use std::collections::BTreeSet;

use mw_concolic::{Cut, Explorer, Leaf, Options, Stop, Strategy};

use super::numbers::Random;
use super::{decisions, explorer, main_with, nothing_is_lost, options};

/// So often it may be looked after it is over: a few times by each call that a question to a solver
/// would still have taken.
const AFTERWARDS: u64 = 200;

/// What is to be the same whenever it was stopped. Which example a solver finds may depend on what
/// it was asked before.
fn known(leaves: &[Leaf]) -> BTreeSet<String> {
    let known = |leaf: &Leaf| {
        let classes: Vec<_> = leaf.steps.iter().map(|step| &step.class).collect();
        format!("{:?} {:?} {:?} {classes:?}", decisions(leaf), leaf.end, leaf.inputs)
    };
    let set: BTreeSet<String> = leaves.iter().map(known).collect();
    assert_eq!(set.len(), leaves.len(), "a path was found twice");
    set
}

/// A statement of a program about its two numbers.
fn statement(random: &mut Random, depth: usize) -> String {
    let number = random.below(20);
    let (to, from) = random.pick(&[("$a", "$b"), ("$b", "$a"), ("$a", "$a")]);
    let input = random.pick(&["(call $four)", "(call $byte)", "(call $odd)", "(call $any)"]);
    let inner = |random: &mut Random| match depth {
        0 => "(nop)".to_owned(),
        _ => statement(random, depth - 1),
    };
    match random.below(9) {
        0 | 1 => format!("(local.set {to} {input})"),
        2 => format!("(local.set {to} (i32.add (local.get {from}) (i32.const {number})))"),
        3 => format!("(local.set {to} (i32.mul (local.get $a) (local.get $b)))"),
        4 => format!("(i32.store (i32.const {number}) (local.get {from}))"),
        5 => format!("(local.set {to} (i32.load8_u (i32.const {number})))"),
        6 => format!(
            "(if (i32.lt_s (local.get {from}) (i32.const {number})) (then {}) (else {}))",
            inner(random),
            inner(random)
        ),
        7 => format!(
            "(if (i32.eq (i32.and (local.get $a) (i32.const 7)) (i32.and (local.get $b) \
             (i32.const 7))) (then {}))",
            inner(random)
        ),
        _ => format!("(drop (i32.div_s (i32.const 7) (local.get {from})))"),
    }
}

fn program(random: &mut Random) -> String {
    let body: Vec<String> = (0..7).map(|_| statement(random, 2)).collect();
    main_with(&format!("(local.set $a (call $four)) {}", body.join("\n")))
}

/// How an exploration may be bounded, and on how many threads it works.
fn bounded(random: &mut Random) -> Options {
    let strategy = match random.below(4) {
        0 => Strategy::DepthFirst,
        1 => Strategy::BreadthFirst,
        2 => Strategy::Random(random.next()),
        _ => Strategy::Fair,
    };
    let (bound, size) = (random.below(4), random.below(6));
    let options = options(|bounds| match bound {
        0 => bounds.paths = 1 + size,
        1 => bounds.memory = size << 12,
        _ => {}
    });
    Options { strategy, ..options }
}

/// Goes on until everything is known, by so many looks each time.
fn to_the_end(explorer: &mut Explorer, random: &mut Random) {
    for patience in 0..1000 {
        if explorer.is_done() && explorer.inexact() == 0 {
            return;
        }
        let stop = match explorer.is_done() {
            true => Stop::default(),
            false => Stop::after_looks(1 + random.below(40 + 10 * patience) as u64),
        };
        explorer.run(&stop, &mut |_| {});
    }
    panic!("it does not come to an end");
}

#[test]
fn it_is_over_at_any_moment_and_nothing_is_lost() {
    let mut random = Random::new(12);
    let (mut paths, mut stopped) = (0, 0);
    for _ in 0..60 {
        let program = program(&mut random);
        let mut whole = explorer(&program, options(|bounds| bounds.paths = usize::MAX));
        let stop = Stop::default();
        whole.run(&stop, &mut |_| {});
        assert!(whole.is_done() && whole.inexact() == 0, "{program}");
        let (all, looks) = (whole.all_leaves(), stop.looks());
        paths += all.len();
        for _ in 0..8 {
            let mut explorer = explorer(&program, bounded(&mut random));
            let most = random.below(1 + looks as usize) as u64;
            let stop = Stop::after_looks(most);
            explorer.run(&stop, &mut |_| {});
            assert!(stop.looks() <= most + AFTERWARDS, "{} of {most}: {program}", stop.looks());
            stopped += usize::from(explorer.stopped() == Some(Cut::Cancelled));
            nothing_is_lost(&all, &explorer.all_leaves());
            to_the_end(&mut explorer, &mut random);
            assert_eq!(known(&explorer.all_leaves()), known(&all), "{program}");
        }
    }
    // They were programs with something to find, and stopped in the middle of it.
    assert!(paths > 150 && stopped > 100, "{paths} paths, stopped {stopped} times");
}

/// The same on several threads, where nobody can say at which moment each of them is.
#[test]
fn it_is_over_on_all_threads() {
    let mut random = Random::new(20);
    for _ in 0..10 {
        let program = program(&mut random);
        let mut whole = explorer(&program, options(|bounds| bounds.paths = usize::MAX));
        whole.run(&Stop::default(), &mut |_| {});
        let all = whole.all_leaves();
        for jobs in [2, 3] {
            let options = Options { jobs, ..options(|bounds| bounds.paths = 1 + random.below(9)) };
            let mut explorer = explorer(&program, options);
            while !explorer.is_done() {
                explorer.run(&Stop::default(), &mut |_| {});
                nothing_is_lost(&all, &explorer.all_leaves());
            }
            assert_eq!(known(&explorer.all_leaves()), known(&all), "{program}");
        }
    }
}

/// What is known of a path does not change by looking at it, or by others.
#[test]
fn what_is_not_known_in_time_is_said() {
    let program = main_with(
        "(local.set $a (call $byte)) (local.set $b (call $byte))
         (if (i32.eq (i32.mul (local.get $a) (local.get $b)) (i32.const 36)) (then (nop)))",
    );
    let mut explorer = explorer(&program, options(|_| {}));
    // Stopped when both paths have been found and nothing else has been done.
    let mut most = 0;
    while !explorer.is_done() {
        most += 1;
        explorer = super::explorer(&program, options(|_| {}));
        explorer.run(&Stop::after_looks(most), &mut |_| {});
    }
    assert!(explorer.is_complete());
    assert_eq!(explorer.inexact(), 2);
    let leaves = explorer.all_leaves();
    assert!(leaves.iter().all(|leaf| leaf.steps[0].class == mw_concolic::Class::Example));
    explorer.run(&Stop::default(), &mut |_| {});
    let known = explorer.all_leaves();
    assert_eq!(explorer.inexact(), 0);
    assert_eq!(
        known.iter().map(decisions).collect::<Vec<_>>(),
        leaves.iter().map(decisions).collect::<Vec<_>>()
    );
    let classes: Vec<_> = known.iter().map(|leaf| leaf.steps[0].class.show().unwrap()).collect();
    assert!(classes.contains(&"{1..4, 6, 9, 12, 18, 36}".to_owned()), "{classes:?}");
}
