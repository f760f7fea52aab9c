//! Programs that never end, and stopping in the middle.

use std::time::{Duration, Instant};

use mw_concolic::{Cut, End, Explorer, Leaf, Stop};

use super::{begin, explore, options, program};

/// A loop that waits for what the handler does is the same in each turn: it is interrupted in one.
#[test]
fn waiting_for_ever_is_interrupted_once() {
    let wat = program(
        "(loop $again (br_if $again (i32.eqz (global.get $a))))",
        &["(global.set $a (i32.const 1))"],
    );
    let mut options = options(1);
    options.bounds.instructions = 100_000;
    let (_, leaves) = explore(&wat, options);
    let cut = leaves.iter().filter(|leaf| leaf.end == End::Cut(Cut::Instructions)).count();
    assert_eq!(cut, 1, "{leaves:#?}");
    assert!(leaves.len() <= 4, "{leaves:#?}");
}

/// One that does something else each time is bounded by turns, paths, time and memory.
#[test]
fn what_never_ends_stays_within_bounds() {
    let wat = program(
        "(loop $again (global.set $a (i32.add (global.get $a) (i32.const 1))) (br $again))",
        &["(global.set $a (i32.const 0)) (i32.store (global.get $a) (i32.const 1))"],
    );
    for jobs in [1, 2] {
        let mut options = options(2);
        options.jobs = jobs;
        options.bounds.instructions = 1_000_000;
        options.bounds.paths = 50;
        options.bounds.time = Duration::from_secs(2);
        options.bounds.memory = 64 << 20;
        let begun = Instant::now();
        let (explorer, leaves) = explore(&wat, options);
        assert!(!explorer.is_complete());
        assert!(begun.elapsed() < Duration::from_secs(20));
        assert!(leaves.iter().any(|leaf| matches!(leaf.end, End::Cut(_))), "{leaves:#?}");
    }
    let mut options = options(1);
    options.bounds.turns = 5;
    options.bounds.instructions = 10_000;
    let (_, leaves) = explore(&wat, options);
    assert!(leaves.iter().any(|leaf| leaf.end == End::Cut(Cut::Turns)), "{leaves:#?}");
    assert!(leaves.len() <= 12, "{}", leaves.len());
}

/// A handler that never returns, or takes ways without end, is tried out for a while only.
#[test]
fn a_handler_that_never_returns_is_bounded() {
    let wat = program("(global.set $a (i32.const 1)) (nop)", &["(loop $again (br $again))"]);
    let mut options = options(1);
    options.bounds.instructions = 300_000;
    let (explorer, leaves) = explore(&wat, options);
    assert!(!explorer.is_complete());
    assert_eq!(leaves.len(), 3, "{leaves:#?}");
    let wat = program(
        "(global.set $a (i32.const 1))",
        &["(loop $again (br_if $again (call $two)) (br_if $again (call $two)))"],
    );
    let mut options = super::options(1);
    options.bounds.paths = 100;
    options.bounds.inputs = 20;
    let (explorer, leaves) = explore(&wat, options);
    assert!(!explorer.is_complete() && leaves.len() > 20, "{}", leaves.len());
}

/// Where no further input may be read, a handler that wants to is cut off once.
#[test]
fn a_handler_beyond_the_bound_of_inputs_is_cut_off_once() {
    let wat = program(
        "(drop (call $two)) (global.set $a (i32.const 1)) (global.set $b (global.get $a))",
        &["(if (call $two) (then (global.set $c (i32.const 1))))"],
    );
    let mut options = options(1);
    options.bounds.inputs = 1;
    let (_, leaves) = explore(&wat, options);
    let cut = leaves.iter().filter(|leaf| leaf.end == End::Cut(Cut::Inputs)).count();
    // Before the program has read its input, it is the program that is cut off.
    assert_eq!((leaves.len(), cut), (3, 2), "{leaves:#?}");
}

/// However often it is stopped, and by however many it is explored, the paths are the same.
#[test]
fn stopping_and_sharing_change_nothing() {
    let wat = program(
        "(local.set $i (i32.const 8))
         (loop $again
           (global.set $a (i32.add (global.get $a) (call $two)))
           (br_if $again (local.tee $i (i32.sub (local.get $i) (i32.const 1)))))",
        &["(if (i32.gt_u (global.get $a) (i32.const 2)) (then (global.set $a (i32.const 0))))"],
    );
    let told = |leaves: Vec<Leaf>| -> Vec<String> {
        leaves.iter().map(|leaf| format!("{:?} {:?}", leaf.end, leaf.steps)).collect()
    };
    let (explorer, leaves) = explore(&wat, options(1));
    assert!(explorer.is_complete());
    let expected = told(leaves);
    for looks in [1, 2, 7, 100] {
        let mut explorer = Explorer::new(begin(&wat), options(1));
        let mut runs = 0;
        while !explorer.is_done() {
            explorer.run(&Stop::after_looks(looks), &mut |_| {});
            runs += 1;
            assert!(runs < 1_000_000, "no progress with {looks} looks");
        }
        explorer.run(&Stop::default(), &mut |_| {});
        assert_eq!(told(explorer.all_leaves()), expected, "{looks} looks");
    }
    let mut shared = options(1);
    shared.jobs = 4;
    let (_, leaves) = explore(&wat, shared);
    assert_eq!(told(leaves), expected);
}
