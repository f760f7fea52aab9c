//! Every bound: how far, and what is said where it ends.

use std::time::Duration;

use mw_concolic::{Cut, End, Stop};

use super::{all, cuts, essence, explore, explorer, main_with, nothing_is_lost, options, program};

#[test]
fn instructions() {
    let forever = main_with(
        "(if (i32.lt_s (call $four) (i32.const 5)) (then (loop $again (br $again))))
         (call $print (i32.const 1))",
    );
    let (explorer, leaves) = explore(&forever, options(|bounds| bounds.instructions = 1000));
    assert!(!explorer.is_complete() && explorer.is_done());
    assert_eq!(cuts(&leaves), [Cut::Instructions]);
    let cut = leaves.iter().find(|leaf| !leaf.end.is_whole()).unwrap();
    assert_eq!(cut.count, 1000);
    assert_eq!(cut.inputs, Some(5));
    assert!(leaves.iter().any(|leaf| leaf.end == End::Finished && leaf.inputs == Some(11)));
    // Whatever the number, it is not exceeded, and every path is somewhere.
    let all = all(&program());
    let longest = all.iter().map(|leaf| leaf.count).max().unwrap();
    for most in 1..=longest + 1 {
        let (explorer, leaves) = explore(&program(), options(|bounds| bounds.instructions = most));
        assert!(leaves.iter().all(|leaf| leaf.count <= most), "{most}");
        assert_eq!(explorer.is_complete(), most >= longest, "{most}");
        nothing_is_lost(&all, &leaves);
    }
}

#[test]
fn inputs() {
    let asking = main_with(
        "(loop $again
           (br_if $again (i32.gt_s (call $four) (i32.const 9))))",
    );
    for most in 0..5 {
        let (explorer, leaves) = explore(&asking, options(|bounds| bounds.inputs = most));
        assert!(!explorer.is_complete() && explorer.is_done());
        assert_eq!(cuts(&leaves), [Cut::Inputs]);
        assert_eq!(leaves.len(), most + 1);
        let cut = leaves.iter().find(|leaf| !leaf.end.is_whole()).unwrap();
        assert_eq!(cut.steps.len(), most);
        assert!(leaves.iter().all(|leaf| leaf.steps.len() <= most));
    }
}

#[test]
fn turns() {
    let counting = main_with(
        "(local.set $a (call $byte))
         (loop $again
           (local.set $a (i32.sub (local.get $a) (i32.const 3)))
           (br_if $again (i32.gt_s (local.get $a) (i32.const 0))))",
    );
    let all = all(&counting);
    assert_eq!(all.len(), 85);
    for most in 0..6 {
        let (explorer, leaves) = explore(&counting, options(|bounds| bounds.turns = most));
        assert!(!explorer.is_complete() && explorer.is_done());
        assert_eq!(cuts(&leaves), [Cut::Turns]);
        assert_eq!(leaves.len(), most as usize + 1);
        nothing_is_lost(&all, &leaves);
    }
    // A loop that no input decides may turn as often as it likes.
    let plain = main_with(
        "(if (call $four) (then (nop)))
         (local.set $a (i32.const 5000))
         (loop $again (br_if $again (local.tee $a (i32.sub (local.get $a) (i32.const 1)))))",
    );
    let (explorer, leaves) = explore(&plain, options(|bounds| bounds.turns = 2));
    assert!(explorer.is_complete());
    assert_eq!(leaves.len(), 2);
}

#[test]
fn values() {
    // 64 lengths, of which so many are allowed.
    let filling = main_with("(memory.fill (i32.const 0) (i32.const 1) (call $six (i32.const 0)))");
    let all_of_64 = all(&filling);
    assert_eq!(all_of_64.len(), 64);
    for most in [1, 8, 63] {
        let (explorer, leaves) = explore(&filling, options(|bounds| bounds.values = most));
        assert!(!explorer.is_complete() && explorer.is_done());
        assert_eq!(cuts(&leaves), [Cut::Values]);
        assert_eq!(leaves.len(), most + 1);
        assert!(essence(&all_of_64).is_superset(&essence(&leaves[1..])));
    }
    let (explorer, leaves) = explore(&filling, options(|bounds| bounds.values = 64));
    assert!(explorer.is_complete());
    assert_eq!(essence(&leaves), essence(&all_of_64));

    // An address with more values than can be said in one expression.
    let loading = main_with(
        "(i32.store8 (i32.const 3) (i32.const 1))
         (if (i32.load8_u (call $byte)) (then (nop)))",
    );
    assert_eq!(all(&loading).len(), 2);
    let (explorer, leaves) = explore(&loading, options(|bounds| bounds.values = 10));
    assert!(!explorer.is_complete());
    assert_eq!(cuts(&leaves), [Cut::Values]);
    assert_eq!(leaves.len(), 11);
}

/// The same where values cannot be tried out but are found one after the other.
#[test]
fn values_of_an_input_with_many() {
    let filling = main_with(
        "(memory.fill (i32.const 0) (i32.const 1)
           (i32.and (i32.mul (call $any) (i32.const 3)) (i32.const 7)))",
    );
    for most in [3, 7] {
        let (explorer, leaves) = explore(&filling, options(|bounds| bounds.values = most));
        assert!(!explorer.is_complete() && explorer.is_done());
        assert_eq!(cuts(&leaves), [Cut::Values]);
        assert_eq!(leaves.len(), most + 1);
    }
    for most in [8, 9] {
        let (explorer, leaves) = explore(&filling, options(|bounds| bounds.values = most));
        assert!(explorer.is_complete(), "there are no more than 8: {:?}", cuts(&leaves));
        assert_eq!(leaves.len(), 8);
    }
}

#[test]
fn paths() {
    let all = all(&program());
    assert!(all.len() > 20, "{}", all.len());
    for most in [1, 2, 3, 7, all.len() - 1] {
        let mut explorer = explorer(&program(), options(|bounds| bounds.paths = most));
        let mut runs = 0;
        while !explorer.is_done() {
            explorer.run(&Stop::default(), &mut |_| {});
            runs += 1;
            assert_eq!(explorer.leaves().len(), all.len().min(runs * most));
            if explorer.is_done() {
                break;
            }
            assert!(!explorer.is_complete());
            assert_eq!(explorer.stopped(), Some(Cut::Paths));
            let now = explorer.all_leaves();
            assert!(cuts(&now).iter().all(|&cut| cut == Cut::Paths));
            nothing_is_lost(&all, &now);
        }
        assert!(explorer.is_complete());
        assert_eq!(essence(&explorer.leaves()), essence(&all));
    }
    // As many as there are is enough.
    let (explorer, _) = explore(&program(), options(|bounds| bounds.paths = all.len()));
    assert!(explorer.is_complete());
}

#[test]
fn memory() {
    let all = all(&program());
    let (explorer, leaves) = explore(&program(), options(|bounds| bounds.memory = 0));
    assert_eq!(explorer.stopped(), Some(Cut::Memory));
    assert!(!explorer.is_complete());
    let cut = cuts(&leaves);
    assert!(!cut.is_empty() && cut.iter().all(|&cut| cut == Cut::Memory));
    nothing_is_lost(&all, &leaves);
    // Going on allows as much again, and leads to the end.
    for jobs in [1, 2] {
        let mut options = options(|bounds| bounds.memory = 1);
        options.jobs = jobs;
        let mut explorer = self::explorer(&program(), options);
        while !explorer.is_done() {
            explorer.run(&Stop::default(), &mut |_| {});
            assert!(matches!(explorer.stopped(), None | Some(Cut::Memory)));
        }
        assert_eq!(essence(&explorer.all_leaves()), essence(&all));
    }
}

#[test]
fn time() {
    let all = all(&program());
    // There is no time at all: nothing happens, and that is said.
    let (explorer, leaves) = explore(&program(), options(|bounds| bounds.time = Duration::ZERO));
    assert_eq!(explorer.stopped(), Some(Cut::Time));
    assert_eq!(explorer.executed(), 0);
    assert_eq!(cuts(&leaves), [Cut::Time]);
    nothing_is_lost(&all, &leaves);
    // However often it is over: going on leads to the end.
    let little = Duration::from_micros(300);
    let mut explorer = self::explorer(&program(), options(|bounds| bounds.time = little));
    while !explorer.is_done() || explorer.inexact() > 0 {
        explorer.run(&Stop::default(), &mut |_| {});
        assert!(matches!(explorer.stopped(), None | Some(Cut::Time)));
    }
    assert_eq!(essence(&explorer.leaves()), essence(&all));
}

/// Reads a switch for ever and remembers the last reading: all readings hang together.
#[test]
fn a_switch_that_is_read_for_ever() {
    let switch = main_with(
        "(loop $again
           (local.set $a (call $digital_read (i32.const 2)))
           (if (i32.ne (local.get $a) (local.get $b)) (then (local.set $b (local.get $a))))
           (br $again))",
    );
    // Ten readings, all of them: each path has its one value for each.
    let ten = options(|bounds| {
        bounds.inputs = 10;
        bounds.paths = 2000;
    });
    let (explorer, leaves) = explore(&switch, ten);
    assert!(explorer.is_done());
    assert_eq!((leaves.len(), explorer.inexact()), (1024, 0));
    let is_one = |step: &mw_concolic::Step| step.class.count() == Some(1);
    assert!(leaves.iter().all(|leaf| leaf.steps.len() == 10 && leaf.steps.iter().all(is_one)));
    // A thousand readings: some paths, within all bounds.
    let mut thousand = options(|bounds| bounds.paths = 2);
    thousand.strategy = mw_concolic::Strategy::DepthFirst;
    let (_, leaves) = explore(&switch, thousand);
    assert!(leaves.iter().filter(|leaf| leaf.steps.len() == 1000).count() >= 2);
}
