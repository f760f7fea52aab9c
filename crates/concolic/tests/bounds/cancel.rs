//! Being stopped by somebody: noticed soon, and nothing is lost.

use mw_concolic::{Cut, Stop};

use super::{all, cuts, essence, explorer, main_with, nothing_is_lost, options, program};

/// Instructions that may pass until somebody is asked again: a few milliseconds.
const SOON: u64 = 200_000;

#[test]
fn it_looks_often_while_the_program_runs() {
    let long = main_with(
        "(if (call $four) (then (nop)))
         (local.set $a (i32.const 400000))
         (loop $again (br_if $again (local.tee $a (i32.sub (local.get $a) (i32.const 1)))))",
    );
    for patience in [0, 1, 3, 5] {
        let mut explorer = explorer(&long, options(|_| {}));
        let stop = Stop::after_looks(patience);
        explorer.run(&stop, &mut |_| {});
        assert_eq!(explorer.stopped(), Some(Cut::Cancelled));
        assert!(explorer.executed() <= patience * SOON, "{patience}: {}", explorer.executed());
        // And that was what stopped it.
        assert!(stop.looks() <= patience + 2, "{} looks", stop.looks());
    }
    let mut explorer = explorer(&long, options(|_| {}));
    let stop = Stop::default();
    explorer.run(&stop, &mut |_| {});
    assert!(explorer.is_complete() && explorer.executed() > 2_000_000);
    assert!(stop.looks() >= explorer.executed() / SOON);
}

#[test]
fn it_looks_while_a_solver_works() {
    // The factors of a large number: nobody finds them in time.
    let hard = main_with(
        "(if (i64.eq (i64.mul (i64.extend_i32_u (call $any)) (i64.extend_i32_u (call $any)))
                     (i64.const 8061068612618766373))
           (then (nop)))",
    );
    let mut explorer =
        explorer(&hard, options(|bounds| bounds.solver_time = std::time::Duration::MAX));
    let stop = Stop::after_looks(20);
    explorer.run(&stop, &mut |_| {});
    assert_eq!(explorer.stopped(), Some(Cut::Cancelled));
    assert!(stop.looks() < 30, "it looked {} times, most of them when it was over", stop.looks());
    assert!(!explorer.is_complete());
    assert_eq!(cuts(&explorer.all_leaves()), [Cut::Cancelled]);
}

#[test]
fn going_on_leads_to_the_same() {
    let all = all(&program());
    for patience in 1..12 {
        let mut explorer = explorer(&program(), options(|_| {}));
        let mut found = 0;
        while !explorer.is_done() {
            explorer.run(&Stop::after_looks(patience), &mut |_| found += 1);
            let leaves = explorer.all_leaves();
            nothing_is_lost(&all, &leaves);
            match explorer.is_done() {
                true => assert_eq!(explorer.stopped(), None),
                false => assert_eq!(explorer.stopped(), Some(Cut::Cancelled)),
            }
            assert_eq!(explorer.is_complete(), explorer.is_done());
        }
        explorer.run(&Stop::default(), &mut |_| found += 1);
        assert_eq!(explorer.inexact(), 0);
        assert_eq!(essence(&explorer.leaves()), essence(&all), "{patience}");
        assert_eq!(found, all.len(), "each path is announced once");
    }
}

/// Stopped between what is said about numbers that are too many and the paths for the others.
#[test]
fn what_is_cut_off_is_said_once() {
    let filling = main_with(
        "(memory.fill (i32.const 0) (i32.const 1)
           (i32.and (i32.mul (call $any) (i32.const 3)) (i32.const 15)))",
    );
    let bounded = || options(|bounds| bounds.values = 5);
    let mut explorer = explorer(&filling, bounded());
    explorer.run(&Stop::default(), &mut |_| {});
    let expected = essence(&explorer.leaves());
    assert_eq!(expected.len(), 6);
    for patience in 1..100 {
        let mut explorer = self::explorer(&filling, bounded());
        explorer.run(&Stop::after_looks(patience), &mut |_| {});
        while !explorer.is_done() {
            explorer.run(&Stop::default(), &mut |_| {});
        }
        assert_eq!(cuts(&explorer.leaves()), [Cut::Values], "stopped at {patience}");
        assert_eq!(explorer.leaves().len(), 6, "stopped at {patience}");
    }
}
