//! Slices: which ones an event moves, and what they know.

use crate::common::Run;

const LINKS: &str = "\
slice on a, b
initialization { n = 0 }
state init accepting {
  transition { before event link(a, b) success { n = n + 1 } linked }
  transition { before event close(file as a) success { n = n + 100 } init }
  transition { before event scale() success { n = n + 1000 } init } }
state linked accepting {
  transition { before event link(a, b) success { n = n + 1 } linked }
  transition { before event close(file as a) success { n = n + 10 } linked }
  transition { before event scale() success { n = n + 10000 } linked }
  transition { before event open(name as b) success over } }
state over accepting final
";

const LINK: &str = "before event link";
const CLOSE: &str = "before event close";

#[test]
fn an_event_reaches_the_slices_that_are_about_what_it_names() {
    let mut run = Run::new(LINKS);
    run.happen(LINK, &[1, 2]);
    run.happen(LINK, &[1, 3]);
    run.happen(LINK, &[4, 2]);
    assert_eq!(
        run.shown(),
        ["<none> init 0", "<1, 2> linked 1", "<1, 3> linked 1", "<4, 2> linked 1"]
    );
    // All that are about 1.
    run.happen(CLOSE, &[1]);
    assert_eq!(
        run.shown(),
        ["<none> init 0", "<1, 2> linked 11", "<1, 3> linked 11", "<4, 2> linked 1"]
    );
    // Nobody knows of 9: there is one about it now.
    run.happen(CLOSE, &[9]);
    assert_eq!(run.shown()[1], "<9, ?> init 100");
    // What it knows goes on to those that are about more.
    run.happen(LINK, &[9, 2]);
    assert_eq!(run.shown().last().unwrap(), "<9, 2> linked 101");
    // What names nothing reaches all.
    run.happen("before event scale", &[]);
    let all =
        ["<none> init 1000", "<9, ?> init 1100", "<1, 2> linked 10011", "<1, 3> linked 10011"];
    assert_eq!(run.shown()[..4], all);
    assert_eq!(run.shown()[4..], ["<4, 2> linked 10001", "<9, 2> linked 10101"]);
    // What is over is forgotten, and begins anew.
    run.happen("before event open", &[2]);
    assert_eq!(run.shown(), ["<none> init 1000", "<9, ?> init 1100", "<1, 3> linked 10011"]);
    run.happen(LINK, &[1, 2]);
    assert_eq!(run.shown()[2], "<1, 2> linked 1001");
}

#[test]
fn the_same_object_is_the_same_however_its_number_is_read() {
    let mut run = Run::new(super::queue::PROPERTY);
    run.happen("after event queue_new", &[-16, 3]);
    run.happen("before event queue_push", &[0xffff_fff0]);
    assert_eq!(run.shown(), ["<none> init 0 0", "<4294967280> queue_ready 1 3"]);
}

#[test]
fn what_happens_once_moves_a_slice_once() {
    let text = "\
slice on q
initialization { n = 0 }
state init accepting {
  transition { before event queue_push() success { n = n + 1 } init }
  transition { before event queue_push(queue as q) success { n = n + 100 } one } }
state one accepting {
  transition { before event queue_push() success { n = n + 1 } one }
  transition { before event queue_push(queue as q) success { n = n + 100 } one } }
";
    let mut run = Run::new(text);
    run.happen("before event queue_push", &[7]);
    // The one about 7 is new, and has been moved; the others have seen that something was pushed.
    assert_eq!(run.shown(), ["<none> init 1", "<7> one 100"]);
    run.happen("before event queue_push", &[8]);
    assert_eq!(run.shown(), ["<none> init 2", "<7> one 101", "<8> one 101"]);
}

#[test]
fn a_guard_may_say_nothing_and_transitions_are_tried_in_order() {
    let text = "\
initialization { n = 0 }
state init accepting {
  transition { before event close(file) { if file < 3 { return file == 1 } } success { n = 1 } init }
  transition { before event close(file) { file < 10 } success { n = 2 } init failure { n = 3 } init } }
";
    let mut run = Run::new(text);
    for (file, expected) in [(1, 1), (2, 2), (3, 2), (10, 3)] {
        run.happen(CLOSE, &[file]);
        assert_eq!(run.shown(), [format!("<none> init {expected}")], "{file}");
    }
}

#[test]
fn what_cannot_be_evaluated_is_said_and_moves_nothing() {
    let text = "\
initialization { n = 0 }
state init accepting { transition { before event close(file) { 10 / file > 1 } success { n = n + 1 } init } }
";
    let mut run = Run::new(text);
    let moved = run.happen(CLOSE, &[0]);
    assert!(moved.changes.is_empty());
    assert_eq!(moved.faults[0].message, "this divides by zero");
    assert_eq!(run.state.fault(), Some("this divides by zero"));
    run.happen(CLOSE, &[2]);
    assert_eq!(run.shown(), ["<none> init 1"]);
    let event = run.event(CLOSE);
    let moved = mw_monitor::step(
        &run.automaton,
        &mut run.state,
        event,
        &[None],
        run.when,
        &mut mw_monitor::Concrete,
    );
    assert_eq!(moved.unwrap().faults[0].message, "file is not available here");
}
