//! Short forms, by what violates them.

use mw_monitor::Verdict;

use crate::common::Run;

const OPEN: &str = "before event open";
const CLOSE: &str = "before event close";

/// What is said after these events, with the value of their only parameter.
fn verdict(property: &str, events: &[(&str, i128)]) -> Verdict {
    let mut run = Run::new(property);
    for (event, value) in events {
        run.when.count += 10;
        let parameters = run.automaton.event(run.event(event)).parameters.len();
        run.happen(event, &vec![*value; parameters]);
        if event.ends_with(" end") || event.ends_with(" trap") {
            run.state.end(&run.automaton);
        }
    }
    run.state.verdict()
}

#[test]
fn each_form_is_violated_by_what_it_says() {
    use Verdict::{HoldsSoFar as Holds, Inconclusive, Violated};
    let eventually = "after open(name) eventually close(file)";
    let soon = "after open(name) eventually close(file) within 20 instructions";
    let sliced = "slice on f\nafter open(arg 0 as f) eventually close(file as f)";
    for (property, events, expected) in [
        ("never close(file)", vec![], Holds),
        ("never close(file)", vec![(CLOSE, 1)], Violated),
        ("never close(file) where file > 3", vec![(CLOSE, 3)], Holds),
        ("never close(file) where file > 3", vec![(CLOSE, 4)], Violated),
        ("always file != 0 at close(file)", vec![(CLOSE, 1)], Holds),
        ("always file != 0 at close(file)", vec![(CLOSE, 1), (CLOSE, 0)], Violated),
        ("invariant level < 5", vec![("after event write level", 4)], Holds),
        ("invariant level < 5", vec![("after event write level", 5)], Violated),
        (eventually, vec![], Holds),
        (eventually, vec![(OPEN, 1)], Holds),
        (eventually, vec![(OPEN, 1), (CLOSE, 1), ("event end", 0)], Holds),
        (eventually, vec![(OPEN, 1), ("event end", 0)], Violated),
        (eventually, vec![(OPEN, 1), ("event trap", 0)], Inconclusive),
        (soon, vec![(OPEN, 1), (OPEN, 1), (CLOSE, 1)], Holds),
        (soon, vec![(OPEN, 1), (OPEN, 1), (OPEN, 1), (CLOSE, 1)], Violated),
        (sliced, vec![(OPEN, 1), (OPEN, 2), (CLOSE, 2), (CLOSE, 1), ("event end", 0)], Holds),
        (sliced, vec![(OPEN, 1), (OPEN, 2), (CLOSE, 2), ("event end", 0)], Violated),
        ("close(file) only after open(name)", vec![(OPEN, 1), (CLOSE, 1)], Holds),
        ("close(file) only after open(name)", vec![(CLOSE, 1)], Violated),
        (
            "at most 1 close() between open() and scale()",
            vec![
                (CLOSE, 1),
                (CLOSE, 1),
                (OPEN, 1),
                (CLOSE, 1),
                ("before event scale", 0),
                (CLOSE, 1),
            ],
            Holds,
        ),
        (
            "at most 1 close() between open() and scale()",
            vec![(OPEN, 1), (CLOSE, 1), (CLOSE, 1)],
            Violated,
        ),
        (
            "at most 1 close(file) where file > 5 between open() and scale()",
            vec![(OPEN, 1), (CLOSE, 6), (CLOSE, 5)],
            Holds,
        ),
        (
            "at most 1 close(file) where file > 5 between open() and scale()",
            vec![(OPEN, 1), (CLOSE, 6), (CLOSE, 6)],
            Violated,
        ),
    ] {
        assert_eq!(verdict(property, &events), expected, "{property}\n{events:?}");
    }
}

#[test]
fn forms_bind_to_every_kind_of_event() {
    for text in [
        "never primitive chip_digital_write(pin, value) where pin == 13 and value == 1",
        "never after primitive chip_analog_read(pin, ret) where ret > 4095",
        "never message dropped",
        "never message sent ping(from, to, byte[0], word[1]) where from == to",
        "never interrupt(pin) where pin == 3",
        "never switch(from, to)",
        "never trap",
        "never event line program.wat:11",
        "always level >= 0 at every line of program.wat",
        "always level >= 0 at every line",
        "always level >= 0 after write level",
        "never after event access limit",
        "never read level where level < 0",
        "never write queue of queue_push(level)",
        "never queue_push(^level)",
        "never open(ret) where ret < 0",
    ] {
        Run::new(text);
    }
}
