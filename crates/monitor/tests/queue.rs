//! The queue of the seed: 17 pushes into one of 16.

use mw_monitor::{Outcome, Point, Read, Verdict};

use crate::common::Run;

/// As it is printed in the specification.
pub const PROPERTY: &str = "\
slice on queue
initialization { N = 0; max = 0 }
state init accepting {
  transition { after event queue_new(queue, size)
    success { max = size } queue_ready } }
state queue_ready accepting {
  transition { before event queue_push(queue) { return N < max }
    success { N = N + 1 } queue_ready
    failure sink } }
state sink non-accepting
";

#[test]
fn the_seventeenth_push_is_one_too_many() {
    let mut run = Run::new(PROPERTY);
    let points: Vec<&Point> = run.automaton.watches().iter().map(|watch| &watch.point).collect();
    let program = 0;
    assert_eq!(points, [&Point::Return { program, func: 2 }, &Point::Call { program, func: 3 }]);
    let (new, push) = ("after event queue_new", "before event queue_push");
    assert!(run.state.needed().contains(run.event(new)));
    assert!(!run.state.needed().contains(run.event(push)));
    let moved = run.happen(new, &[1024, 16]);
    assert!(moved.needs_changed && moved.changes[0].copied_from.is_some());
    for _ in 0..16 {
        let moved = run.happen(push, &[1024]);
        assert_eq!(moved.changes[0].outcome, Outcome::Success);
        assert_eq!(moved.verdict.1, Verdict::HoldsSoFar);
    }
    let moved = run.happen(push, &[1024]);
    assert_eq!(moved.changes[0].outcome, Outcome::Failure);
    assert_eq!(moved.verdict, (Verdict::HoldsSoFar, Verdict::Violated));
    assert_eq!(run.shown(), ["<none> init 0 0", "<1024> sink 16 16"]);
    let guard = &run.automaton.transition(moved.changes[0].transition).guard_reads;
    assert_eq!(guard, &[Read::Variable(0), Read::Variable(1)]);
}
