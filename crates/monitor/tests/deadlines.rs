//! Time between events.

use mw_monitor::{Concrete, Deadline, Outcome, When, expire};

use crate::common::Run;

const PROPERTY: &str = "\
slice on f
state init accepting { transition { before event open(name as f) success waiting } }
state waiting {
  within 500 ms else { late = late + 1 } late
  transition { before event close(file as f) success done }
  transition { before event queue_push(queue as f) success waiting } }
state late non-accepting { within 100 instructions else init }
state done accepting final
";

fn property() -> String {
    PROPERTY.replacen("state init", "initialization { late = 0 }\nstate init", 1)
}

#[test]
fn time_passes_from_when_a_state_was_come_to() {
    let mut run = Run::new(&property());
    run.when = When { count: 5, clock: 1_000 };
    run.happen("before event open", &[1]);
    run.when = When { count: 6, clock: 100_000 };
    run.happen("before event open", &[2]);
    // What stays does not begin anew.
    run.happen("before event queue_push", &[1]);
    assert_eq!(run.state.deadline(), Deadline { count: None, clock: Some(501_000) });
    run.when = When { count: 7, clock: 501_000 };
    assert!(!run.state.deadline().is_past(run.when));
    let mut early = run.state.clone();
    let moved = expire(&run.automaton, &mut early, run.when, &mut Concrete).unwrap();
    assert!(moved.is_empty());
    // What is due comes before what happens.
    run.when.clock += 1;
    let moved = run.happen("before event close", &[1]);
    assert_eq!(moved.changes.len(), 1);
    assert_eq!(moved.changes[0].outcome, Outcome::Timeout);
    assert_eq!(run.shown(), ["<none> init 0", "<1> late 1", "<2> waiting 0"]);
    assert_eq!(run.state.deadline(), Deadline { count: Some(107), clock: Some(600_000) });
    run.happen("before event close", &[2]);
    assert_eq!(run.shown(), ["<none> init 0", "<1> late 1"]);
    run.when.count = 108;
    expire(&run.automaton, &mut run.state, run.when, &mut Concrete).unwrap();
    assert_eq!(run.shown(), ["<none> init 0", "<1> init 1"]);
    assert_eq!(run.state.deadline(), Deadline::default());
}

#[test]
fn what_time_is_left_tells_states_apart_and_not_when_it_is() {
    let mut one = Run::new(&property());
    one.happen("before event open", &[1]);
    let mut other = Run::new(&property());
    other.when.clock = 77;
    other.happen("before event open", &[1]);
    let hash = |run: &Run, clock| run.state.hash(When { count: 9, clock }, &run.automaton);
    assert_eq!(hash(&one, 10), hash(&other, 87));
    assert_ne!(hash(&one, 10), hash(&other, 10));
}
