//! Events of real programs: the same by stretches, on several threads and by themselves; no more
//! replayed than is needed, and shared by universes.

use std::sync::Arc;

use mw_multiverse::Place;
use mw_query::{
    Bounds, Comparison, Event, Events, Execution, Kind, Number, Subject, Test, Time, Token, Trace,
    Universe,
};
use mw_session::{Options, Session, Unattended, Watch};
use mw_vm::{Breakpoints, Cell, ImportValues, Limits, Machine, Module, Probe, Stop, Value};
use mw_world::Description;

/// The program of seed 004's micro-benchmark, with a global that is written.
const MICRO: &str = r#"(module
    (global $last (mut i32) (i32.const 0))
    (memory 1)
    (func $foo (param i32 i32) (global.set $last (local.get 1)))
    (func $bar (param i32) (result i32)
      (i32.store (i32.const 64) (local.get 0))
      (i32.load (i32.const 64)))
    (func (export "main") (local $i i32) (local $j i32) (local $k i32)
      (loop $is
        (local.set $j (i32.const 0))
        (loop $js
          (local.set $k (i32.const 0))
          (loop $ks
            (drop (call $bar (i32.add (i32.mul (local.get $i) (i32.const 16)) (local.get $k))))
            (local.set $k (i32.add (local.get $k) (i32.const 1)))
            (br_if $ks (i32.lt_u (local.get $k) (i32.const 16))))
          (call $foo (local.get $i)
            (i32.add (i32.mul (local.get $i) (i32.const 16)) (local.get $j)))
          (local.set $k (i32.const 0))
          (loop $ls
            (drop (call $bar (i32.add (i32.mul (local.get $i) (i32.const 8)) (local.get $k))))
            (local.set $k (i32.add (local.get $k) (i32.const 1)))
            (br_if $ls (i32.lt_u (local.get $k) (i32.const 8))))
          (local.set $j (i32.add (local.get $j) (i32.const 1)))
          (br_if $js (i32.lt_u (local.get $j) (i32.const 16))))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br_if $is (i32.lt_u (local.get $i) (i32.const 16))))))"#;

/// Reads a sensor and goes another way for each half of its values; the function begins with a loop.
const SENSOR: &str = r#"(module
    (import "env" "chip_analog_read" (func $read (param i32) (result i32)))
    (import "env" "chip_digital_write" (func $write (param i32 i32)))
    (func $spin (param $n i32)
      (loop $again
        (local.set $n (i32.sub (local.get $n) (i32.const 1)))
        (br_if $again (i32.gt_s (local.get $n) (i32.const 0)))))
    (func (export "main")
      (call $spin (i32.const 5))
      (if (i32.lt_s (call $read (i32.const 3)) (i32.const 100))
        (then (call $spin (i32.const 2)) (call $write (i32.const 1) (i32.const 1)))
        (else (call $write (i32.const 2) (i32.const 0))))
      (call $spin (call $read (i32.const 4)))))"#;

fn module_of(wat: &str) -> Arc<Module> {
    let binary = wat::parse_str(wat).unwrap();
    Arc::new(Module::from_binary(&binary, &Limits::default()).unwrap())
}

/// A session that has run to its end, with moments kept so far apart.
fn session(wat: &str, interval: u64) -> Session {
    let module = module_of(wat);
    let board = Arc::new(Description::board(Default::default()));
    let main = module.exported_func("main").unwrap();
    let options = Options { checkpoint_interval: interval, ..Options::default() };
    let mut session = Session::new(module, &board, Some((main, Vec::new())), options).unwrap();
    session.run(mw_session::Direction::Forward, &mut Unattended).unwrap();
    session
}

fn events(kind: Kind) -> Events {
    Events { kind, program: None, tests: Vec::new() }
}

fn execution<'a>(session: &'a Session, token: &Token, threads: usize) -> Execution<'a> {
    let bounds = Bounds { threads, ..Bounds::default() };
    Execution::new(session.past(), session.recorded_end(), token.clone(), bounds)
}

fn times<'a>(trace: &Trace<'a, Event>) -> Vec<(u64, Event)> {
    let items = trace.iter().unwrap().map(Result::unwrap);
    items.map(|item| (item.time.steps(), item.value)).collect()
}

/// Sees calls as the machine makes them.
#[derive(Default)]
struct Calls(Vec<(u64, u32)>, u64);

impl Probe for Calls {
    fn instruction(&mut self, _: u32, _: mw_vm::Op, frame: mw_vm::Frame<'_>) {
        self.1 = frame.count;
    }

    fn call(&mut self, func: u32, _: &[u64]) {
        self.0.push((self.1 + 1, func));
    }
}

#[test]
fn calls_are_those_that_the_machine_makes() {
    let module = module_of(MICRO);
    let mut machine =
        Machine::new(module.clone(), Limits::default(), ImportValues::default()).unwrap();
    machine.call(module.exported_func("main").unwrap(), &[]).unwrap();
    let mut calls = Calls::default();
    assert_eq!(machine.run(u64::MAX, &Breakpoints::none(), &mut calls), Stop::Finished);
    let session = session(MICRO, 1000);
    let token = Token::default();
    let all = execution(&session, &token, 2).events(events(Kind::Calls(None)), Arc::default());
    let mut seen = times(&all);
    assert_eq!(seen.remove(0), (0, 2), "the entry is called first");
    assert_eq!(seen, calls.0);
    assert!(token.replays() > 100, "by stretches");
    let count = |func| calls.0.iter().filter(|(_, called)| *called == func).count();
    assert_eq!((count(0), count(1)), (256, 6144));
}

#[test]
fn stretches_make_no_difference() {
    let (whole, parts) = (session(MICRO, u64::MAX), session(MICRO, 777));
    let memory = Watch::new(Cell::bytes(66, 4), 1);
    let above = Test::Compares(Subject::Argument(0), Comparison::Greater, Number::Integer(200));
    let kinds = [
        (events(Kind::Calls(Some(vec![0]))), 256),
        (Events { tests: vec![above], ..events(Kind::Calls(Some(vec![1]))) }, 880),
        (events(Kind::Returns(Some(vec![1]))), 6144),
        (events(Kind::Writes(memory)), 6144),
        (events(Kind::Reads(memory)), 6144),
        (events(Kind::Writes(Watch::new(Cell::Global(0), 1))), 256),
        (events(Kind::Writes(Watch::new(Cell::Local { depth: 0, local: 1 }, 1))), 272),
        (events(Kind::Instructions(vec![0])), 256),
        (events(Kind::Growth), 0),
        (events(Kind::Choices), 0),
        (events(Kind::Failures), 0),
    ];
    let token = Token::default();
    for (events, count) in kinds {
        let trace = |session, threads| {
            execution(session, &token, threads).events(events.clone(), Arc::default())
        };
        let expected = times(&trace(&whole, 1));
        assert_eq!(expected.len(), count, "{events:?}");
        assert_eq!(times(&trace(&parts, 1)), expected, "{events:?}");
        assert_eq!(times(&trace(&parts, 3)), expected, "{events:?}");
        // Asked from the end, and for a part.
        let back = trace(&parts, 1);
        let last = back.last(5).unwrap().into_iter().map(|item| item.time.steps());
        let expected_last = expected.iter().rev().take(5).map(|(time, _)| *time);
        assert_eq!(last.collect::<Vec<_>>(), expected_last.collect::<Vec<_>>(), "{events:?}");
        let (from, until) = (Time::new(5_000), Time::new(40_000));
        let part = times(&trace(&parts, 2).slice(from, until));
        let expected = expected.into_iter().filter(|(time, _)| (5_000..40_000).contains(time));
        assert_eq!(part, expected.collect::<Vec<_>>(), "{events:?}");
    }
}

#[test]
fn no_more_is_replayed_than_is_needed() {
    let session = session(MICRO, 1000);
    let token = Token::default();
    let store = Arc::default();
    let bars = || {
        execution(&session, &token, 1)
            .events(events(Kind::Calls(Some(vec![1]))), Arc::clone(&store))
    };
    let trace = bars();
    assert_eq!(token.replays(), 0);
    trace.get_before(Time::MAX).unwrap().unwrap();
    assert_eq!(token.replays(), 1, "the last stretch alone");
    trace.get_after(Time::MIN).unwrap().unwrap();
    assert_eq!(token.replays(), 2, "and the first");
    trace.slice(Time::new(10_000), Time::new(12_500)).len().unwrap();
    let replays = token.replays();
    assert!(replays <= 6, "{replays}");
    // What was found is kept beyond the trace.
    drop(trace);
    bars().slice(Time::new(10_000), Time::new(12_500)).len().unwrap();
    bars().get_before(Time::MAX).unwrap().unwrap();
    assert_eq!(token.replays(), replays);
}

#[test]
fn universes_share_what_they_have_in_common() {
    let mut session = session(SENSOR, 1000);
    let spins = || events(Kind::Calls(Some(vec![2])));
    let store = Arc::default();
    let token = Token::default();
    let ask = |session: &Session| {
        let trace = execution(session, &token, 1).events(spins(), Arc::clone(&store));
        times(&trace)
    };
    let first = session.recorded_end();
    let seen = ask(&session);
    assert_eq!(seen.len(), 3);
    let replays = token.replays();
    // Another universe: the second half of the sensor's values.
    let multiverse = session.multiverse();
    let node = multiverse.ancestors(first.node).nth(1).unwrap();
    let before = Place { node: multiverse.parent(node).unwrap(), count: 0 };
    session.slide(before, false, &mut Unattended).unwrap();
    let read = session.world().find("chip_analog_read").unwrap();
    session.mocks_mut().add(mw_session::Mock {
        port: None,
        import: read,
        args: Some(vec![Value::I32(3)]),
        answer: Value::I32(2000).into(),
        once: true,
    });
    session.run(mw_session::Direction::Forward, &mut Unattended).unwrap();
    let other = session.recorded_end();
    assert_ne!(first.node, other.node);
    let others = ask(&session);
    assert_eq!(others.len(), 2);
    assert_eq!(others[0], seen[0]);
    // The common beginning is known: the replay covers what is different.
    assert_eq!(token.replays(), replays + 1);
    let past = session.past();
    for end in [first, other] {
        let universe = Universe::new(past, end);
        let multiverse = past.multiverse();
        let mut last = None;
        for count in 0..=universe.end().count {
            let node = multiverse.node_at(universe.leaf(), count);
            let place = Place { node, count };
            let time = universe.time_of(place);
            assert_eq!(universe.place_at(time), place);
            assert!(last < Some(time));
            last = Some(time);
        }
        let choices = execution(&session, &token, 1).events(events(Kind::Choices), Arc::default());
        assert_eq!(times(&choices).len(), 2);
    }
}

#[test]
fn primitives_with_what_they_return() {
    let session = session(SENSOR, 1000);
    let token = Token::default();
    let count = |kind: Kind, tests: Vec<Test>| {
        let events = Events { tests, ..events(kind) };
        execution(&session, &token, 1).events(events, Arc::default()).len().unwrap()
    };
    assert_eq!(count(Kind::Primitives(None), vec![]), 3);
    assert_eq!(count(Kind::Primitives(Some(vec![0])), vec![]), 2);
    assert_eq!(count(Kind::Outputs, vec![]), 1);
    let returns = |number| {
        let number = Number::Integer(number);
        vec![Test::Compares(Subject::Value, Comparison::Equal, number)]
    };
    assert_eq!(count(Kind::Primitives(None), returns(0)), 2);
    assert_eq!(count(Kind::Primitives(None), returns(1)), 0);
    let pin = Test::Compares(Subject::Argument(0), Comparison::Equal, Number::Integer(4));
    assert_eq!(count(Kind::Primitives(None), vec![pin]), 1);
}

#[test]
fn who_cancels_gets_no_answer_and_loses_nothing() {
    let session = session(MICRO, 1000);
    let token = Token::default();
    let store = Arc::default();
    let events = events(Kind::Calls(Some(vec![1])));
    let trace = execution(&session, &token, 1).events(events.clone(), Arc::clone(&store));
    token.cancel();
    assert_eq!(trace.len(), Err(mw_query::Failure::Cancelled));
    let token = Token::default();
    let trace = execution(&session, &token, 1).events(events.clone(), store);
    assert_eq!(trace.len(), Ok(6144));
    let bounds = Bounds { events: 1000, ..Bounds::default() };
    let bounded = Execution::new(session.past(), session.recorded_end(), token, bounds);
    let trace = bounded.events(events, Arc::default());
    assert_eq!(trace.len(), Err(mw_query::Failure::TooMany { most: 1000 }));
}
