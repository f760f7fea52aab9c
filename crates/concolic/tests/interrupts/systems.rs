//! Interrupts in programs of several actors, against an oracle that lets everybody have every turn and
//! every interrupt arrive before every instruction, and between all turns.

use std::collections::BTreeSet;

use mw_concolic::{Asked, Leaf, Step};
use mw_ensemble::{Answered, Moment, Rest, Standing};
use mw_vm::{Breakpoints, NoProbe, Status, Stop};
use mw_world::Call;
use proptest::prelude::*;

use super::{begin, explore, options};

/// A program that makes a worker, asks for the interrupts of pin 4 and does what it is to do; it has
/// a handler `go`, as the worker has.
fn program(main: &str, go: &str, worker: &str, handler: &str) -> String {
    format!(
        r#"(module
  (import "actor" "spawn" (func $spawn (param i32 i32 i32 i32) (result i32)))
  (import "actor" "self" (func $self (result i32)))
  (import "actor" "tell" (func $tell_to (param i32 i32 i32 i32 i32)))
  (import "actor" "sender" (func $sender (result i32)))
  (import "actor" "stop" (func $stop))
  (import "env" "subscribe_interrupt" (func $subscribe (param i32 i32 i32)))
  (import "env" "unsubscribe_interrupt" (func $unsubscribe (param i32)))
  (import "env" "print_int" (func $print (param i32)))
  (memory 1)
  (data (i32.const 0) "go")
  (data (i32.const 8) "w")
  (table 4 funcref)
  (elem (i32.const 0) $handler)
  (global $w (mut i32) (i32.const -1))
  (global $a (mut i32) (i32.const 0))
  (global $b (mut i32) (i32.const 0))
  (func $tell (param $to i32)
    (call $tell_to (local.get $to) (i32.const 0) (i32.const 2) (global.get $a) (i32.const 0)))
  (func $handler {handler})
  (func (export "go") {go})
  (func (export "w.go") {worker})
  (func (export "main")
    (global.set $w (call $spawn (i32.const 8) (i32.const 1) (i32.const 0) (i32.const 0)))
    (call $subscribe (i32.const 4) (i32.const 0) (i32.const 2))
    {main}))"#
    )
}

const TELL_WORKER: &str = "(call $tell (global.get $w))";
const TELL_MYSELF: &str = "(call $tell (call $self))";
const ASK: &str = "(call $subscribe (i32.const 4) (i32.const 0) (i32.const 2))";
const ASK_NO_MORE: &str = "(call $unsubscribe (i32.const 4))";
const FAIL: &str = "(if (i32.eq (global.get $a) (i32.const 3)) (then (unreachable)))";

/// How everything ended: how, and in which state if nobody failed.
type Ended = (String, Option<(u128, u128)>);

/// Everything that can happen from here.
fn all_runs(mut now: Moment, left: u32, handler: Option<usize>, ends: &mut BTreeSet<Ended>) {
    let mut handler = handler;
    loop {
        if handler.is_some_and(|depth| now.machine.call_depth() < depth) {
            handler = None;
        }
        if handler.is_none() && left > 0 && now.machine.status() == Status::Running {
            for event in now.pending().collect::<Vec<_>>() {
                let mut fork = now.fork();
                fork.happen(event).unwrap();
                let depth = Some(fork.machine.call_depth());
                all_runs(fork, left - 1, depth, ends);
            }
        }
        match step(&mut now) {
            None => {}
            Some(failed) => {
                if let Some(how) = failed {
                    ends.insert((how, None));
                    now.bury();
                }
                return all_turns(now, left, ends);
            }
        }
    }
}

/// Everybody's next turn.
fn all_turns(mut now: Moment, left: u32, ends: &mut BTreeSet<Ended>) {
    let mut options = match now.rest() {
        Rest::Choice(options) => options,
        rest => {
            let all = now.ensemble.as_deref().unwrap();
            if !all.tasks().any(|(_, task)| task.standing == Standing::Failed) {
                ends.insert((format!("{rest:?}"), Some(now.hash())));
            }
            vec![]
        }
    };
    options.extend(now.interrupts().into_iter().filter(|_| left > 0));
    for next in options {
        let mut fork = now.fork();
        fork.take(next).unwrap();
        let depth = next.is_interrupt().then(|| fork.machine.call_depth());
        all_runs(fork, left - u32::from(next.is_interrupt()), depth, ends);
    }
}

/// Executes one instruction; says whether the turn is over, and how it failed if it did.
fn step(now: &mut Moment) -> Option<Option<String>> {
    match now.run(1, &Breakpoints::default(), &mut NoProbe) {
        Stop::Budget => None,
        Stop::Finished => Some(None),
        Stop::Trap(kind) => Some(Some(format!("trap: {kind}"))),
        Stop::Import(import) => {
            let (_, args) = now.machine.import_call().unwrap();
            match now.perform(Call { import, args: &args }).unwrap() {
                Answered::Aborted(message) => Some(Some(format!("aborted: {message}"))),
                _ => (now.machine.status() == Status::Idle).then_some(None),
            }
        }
        stop => panic!("{stop:?}"),
    }
}

/// How a run ends that makes these choices.
fn replay(wat: &str, leaf: &Leaf) -> Ended {
    let mut now = begin(wat);
    let mut steps = leaf.steps.iter().peekable();
    loop {
        while let Some(Step { asked: Asked::Event(event), .. }) =
            steps.next_if(|step| step.count == now.machine.count() && now.rest() == Rest::Busy)
        {
            now.happen(*event).unwrap();
        }
        if let Some(failed) = step(&mut now) {
            if let Some(how) = failed {
                if steps.peek().is_none() {
                    return (how, None);
                }
                now.bury();
            }
            match steps.next() {
                Some(Step { asked: Asked::Schedule(schedule), .. }) => {
                    now.take(schedule.next).unwrap();
                }
                None => return (format!("{:?}", now.rest()), Some(now.hash())),
                Some(step) => panic!("{step:?}"),
            }
        }
    }
}

/// Explores a program and compares the ends with those of all runs: how many there are, and how many
/// executions were explored.
#[track_caller]
fn check(wat: &str, interrupts: u32) -> (usize, u64) {
    let mut all = BTreeSet::new();
    all_runs(begin(wat), interrupts, None, &mut all);
    let (explorer, leaves) = explore(wat, options(interrupts));
    assert!(explorer.is_complete(), "{leaves:#?}\n{wat}");
    let found: BTreeSet<Ended> = leaves.iter().map(|leaf| replay(wat, leaf)).collect();
    let lost: Vec<_> = all.difference(&found).collect();
    let invented: Vec<_> = found.difference(&all).collect();
    assert!(lost.is_empty() && invented.is_empty(), "lost {lost:?}, invented {invented:?}\n{wat}");
    (all.len(), explorer.executions())
}

#[test]
fn an_actor_that_waits_is_interrupted() {
    // Nothing else ever happens to it: only an interrupt lets it tell anybody.
    let wat = program("", "", "(global.set $a (i32.const 1))", TELL_WORKER);
    let (ends, executions) = check(&wat, 1);
    assert_eq!(ends, 2);
    assert!(executions <= 4, "{executions}");
}

#[test]
fn an_update_is_torn_within_a_turn() {
    let twice = "(global.set $a (i32.const 1)) (call $print (global.get $b))
                 (global.set $b (i32.const 1))";
    let fails = "(if (i32.ne (global.get $a) (global.get $b)) (then (unreachable)))";
    let wat = program(TELL_MYSELF, twice, "", fails);
    check(&wat, 1);
    let (_, leaves) = explore(&wat, options(1));
    assert!(leaves.iter().any(|leaf| leaf.end.is_failure()));
}

#[test]
fn a_handler_that_nobody_meets_is_run_once() {
    let loops = "(loop $again (global.set $a (i32.add (global.get $a) (i32.const 1)))
                   (br_if $again (i32.lt_s (global.get $a) (i32.const 100))))";
    let wat = program(TELL_WORKER, "", loops, "(global.set $b (i32.const 1))");
    let (ends, executions) = check(&wat, 1);
    assert_eq!(ends, 2);
    assert!(executions <= 4, "{executions}");
}

/// In the first moment of a turn, a handler knows whose message it is; right before, it does not.
#[test]
fn a_handler_may_know_the_turn_that_it_interrupts() {
    let asks = "(global.set $b (i32.add (call $sender) (i32.const 5)))";
    assert_eq!(check(&program(TELL_MYSELF, "", "", asks), 1).0, 3);
    check(&program(TELL_MYSELF, TELL_WORKER, "", "(call $stop)"), 2);
}

#[test]
fn after_no_more_is_asked_for_it_is_too_late() {
    let wat = program(TELL_MYSELF, ASK_NO_MORE, "", "(global.set $b (i32.const 1))");
    assert_eq!(check(&wat, 1).0, 2);
    let wat = program(&format!("{TELL_MYSELF} {TELL_WORKER}"), ASK_NO_MORE, ASK, TELL_WORKER);
    check(&wat, 1);
}

/// What a handler prints comes after what another actor has printed, and before it is too late: only
/// between two turns.
#[test]
fn an_interrupt_arrives_between_turns_of_others() {
    let worker = "(call $print (i32.const 1)) (call $tell (call $sender))";
    let wat = program(TELL_WORKER, ASK_NO_MORE, worker, "(call $print (i32.const 2))");
    assert_eq!(check(&wat, 1).0, 3);
}

fn simple() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => (1..3u32)
            .prop_map(|by| format!("(global.set $a (i32.add (global.get $a) (i32.const {by})))")),
        2 => Just("(global.set $b (global.get $a))".to_owned()),
        1 => Just("(global.set $a (global.get $b))".to_owned()),
        1 => Just("(call $print (global.get $a))".to_owned()),
        1 => Just("(global.set $b (i32.add (call $sender) (i32.const 5)))".to_owned()),
        1 => Just(ASK_NO_MORE.to_owned()),
        1 => Just(ASK.to_owned()),
        1 => Just(FAIL.to_owned()),
    ]
}

fn body(most: usize, tells: &'static [&'static str]) -> impl Strategy<Value = String> {
    let told = prop::collection::vec(prop::sample::select(tells), 0..=1);
    (prop::collection::vec(simple(), 0..=most), told)
        .prop_map(|(all, told)| format!("{}{}", all.join("\n"), told.concat()))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, max_shrink_iters: 400, ..ProptestConfig::default() })]

    #[test]
    fn one_interrupt(
        main in body(2, &[TELL_MYSELF, TELL_WORKER, ""]),
        go in body(2, &[TELL_WORKER, ""]),
        worker in body(2, &[""]),
        handler in body(2, &[TELL_WORKER, TELL_MYSELF, ""]),
    ) {
        check(&program(&main, &go, &worker, &handler), 1);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20, failure_persistence: None, max_shrink_iters: 400, ..ProptestConfig::default() })]

    #[test]
    fn two_interrupts(
        main in body(1, &[TELL_MYSELF, ""]),
        go in body(1, &[TELL_WORKER, ""]),
        worker in body(1, &[""]),
        handler in body(1, &[TELL_WORKER, ""]),
    ) {
        check(&program(&main, &go, &worker, &handler), 2);
    }
}
