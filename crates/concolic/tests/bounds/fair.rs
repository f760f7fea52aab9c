//! No path waits for ever behind another, and what ends at once is noted at once.

use mw_concolic::{Cut, End, Options, Strategy};

use super::{explore, main_with, options};

/// A trap on the first reading, before a loop that reads and decides for ever.
fn near_and_far() -> String {
    main_with(
        "(if (i32.eq (call $four) (i32.const 9)) (then (call $print (i32.const 1)) (unreachable)))
         (loop $again
           (if (call $digital_read (i32.const 2)) (then (local.set $b (i32.const 1))))
           (br $again))",
    )
}

#[test]
fn what_is_near_does_not_wait_for_what_is_far() {
    let (explorer, leaves) = explore(&near_and_far(), options(|bounds| bounds.paths = 3));
    assert_eq!(explorer.stopped(), Some(Cut::Paths));
    assert!(leaves.iter().any(|leaf| matches!(leaf.end, End::Trapped(_))));
    // One path after the other does not come back to it.
    let depth = Options { strategy: Strategy::DepthFirst, ..options(|bounds| bounds.paths = 3) };
    let (_, leaves) = explore(&near_and_far(), depth);
    assert!(!leaves.iter().any(|leaf| matches!(leaf.end, End::Trapped(_))));
}

#[test]
fn what_ends_at_once_is_noted_at_once() {
    let bodies = [
        ("(drop (i32.div_s (i32.const 1) (call $four)))", "Trapped"),
        ("(drop (i32.load (i32.mul (call $four) (i32.const 65536))))", "Trapped"),
    ];
    for (body, end) in bodies {
        let program = main_with(&format!("{body} (loop $again (drop (call $four)) (br $again))"));
        for strategy in [
            Strategy::Fair,
            Strategy::DepthFirst,
            Strategy::BreadthFirst,
            Strategy::CoverageFirst,
            Strategy::Random(3),
        ] {
            let one = Options { strategy: strategy.clone(), ..options(|bounds| bounds.paths = 1) };
            let (explorer, _) = explore(&program, one);
            let ended = explorer.leaves();
            assert!(format!("{:?}", ended[0].end).starts_with(end), "{strategy:?} {ended:?}");
        }
    }
}
