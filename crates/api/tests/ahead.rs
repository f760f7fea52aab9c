//! A device that runs ahead of the session: no round trip for each input, and nothing left done
//! that the session has not done.

use crate::wire as common;

use common::{Faults, Shared, Wire, agent};
use mw_api::request::{AddBreakpoint, Link, Print, Run, Step, Where};
use mw_api::{
    Ask, Debugger, Direction, Envelope, Event, HaltView, Listener, Printed, RunOn, Setup,
    Unattended, Unit,
};

const WORLD: &str = r#"
name = "bench"

[import.env.sensor]
kind = "input"
params = ["i32"]
result = "i32"
domain = "0..100"
source = { constant = 5 }

[import.env.pin]
kind = "output"
params = ["i32", "i32"]
compensation = "none"

[import.env.print]
kind = "output"
params = ["i32"]
compensation = "irreversible"
"#;

/// Reads, shows, and prints every tenth reading.
const PROGRAM: &str = r#"(module
    (import "env" "sensor" (func $sensor (param i32) (result i32)))
    (import "env" "pin" (func $pin (param i32 i32)))
    (import "env" "print" (func $print (param i32)))
    (global $i (export "i") (mut i32) (i32.const 0))
    (global $v (export "v") (mut i32) (i32.const 0))
    (global $before (export "before") (mut i32) (i32.const 0))
    (func $fifth)
    (func $tenth (call $print (global.get $i)))
    (func (export "main")
        (loop $again
            (global.set $before (global.get $v))
            (global.set $v (call $sensor (i32.const 0)))
            (call $pin (i32.const 1) (global.get $v))
            (global.set $i (i32.add (global.get $i) (i32.const 1)))
            (if (i32.eqz (i32.rem_u (global.get $i) (i32.const 5))) (then (call $fifth)))
            (if (i32.eqz (i32.rem_u (global.get $i) (i32.const 10))) (then (call $tenth)))
            (br $again))))"#;

/// Does nothing but count.
const COUNTS: &str = r#"(module
    (global $i (export "i") (mut i32) (i32.const 0))
    (func (export "main")
        (loop $again
            (global.set $i (i32.add (global.get $i) (i32.const 1)))
            (br $again))))"#;

fn attach(bench: &Shared, program: &str) -> Debugger {
    let binary = wat::parse_str(program).unwrap();
    let setup = Setup::new(&binary).unwrap().usual_entry(&[]).unwrap();
    let setup = setup.world_file("bench.toml", WORLD, &|file| Err(file.into())).unwrap();
    let (wire, _) = Wire::new(agent(bench), Faults::default(), 1);
    Debugger::attach_stream(setup, Box::new(wire), RunOn::Device, None, &mut Unattended).unwrap()
}

fn ask<A: Ask>(debugger: &mut Debugger, request: A) -> A::Reply {
    debugger.ask(request, &mut Unattended).unwrap()
}

fn step(count: u64, direction: Direction) -> Envelope<Step> {
    Envelope { request: Step { unit: Unit::Instruction, direction, count }, confirm: true }
}

fn run() -> Envelope<Run> {
    Envelope { request: Run { direction: Direction::Forward }, confirm: true }
}

/// Runs on and gives up.
fn run_for(debugger: &mut Debugger, asked: usize) {
    let stopped = debugger.ask(run(), &mut CancelAfter(asked)).unwrap();
    assert_eq!(stopped.halt, HaltView::Cancelled);
    assert_eq!(stopped.position, ask(debugger, Where {}));
}

fn number(debugger: &mut Debugger, term: &str) -> i32 {
    match ask(debugger, Print::new(term)) {
        Printed::Machine(variable) => variable.value.text.parse().unwrap(),
        reply => panic!("{reply:?}"),
    }
}

fn sent(debugger: &mut Debugger) -> u64 {
    ask(debugger, Link {}).host.messages_sent
}

/// What the session says that was done to the outside is what was done there.
fn check(debugger: &mut Debugger, bench: &Shared) {
    let [i, v, before] = ["i", "v", "before"].map(|name| number(debugger, name));
    let bench = bench.lock().unwrap();
    let printed: Vec<i32> = (1..=i).filter(|i| i % 10 == 0).collect();
    // One may stand right before the call or right after it.
    assert!(printed.starts_with(&bench.printed), "{i}: {:?}", bench.printed);
    assert!(bench.printed.len() + 1 >= printed.len(), "{i}: {:?}", bench.printed);
    assert!([v, before].contains(&bench.pins[1]), "{} is neither {v} nor {before}", bench.pins[1]);
}

#[test]
fn inputs_take_no_round_trips() {
    let bench = Shared::default();
    let mut debugger = attach(&bench, PROGRAM);
    let before = sent(&mut debugger);
    ask(&mut debugger, step(10_000, Direction::Forward));
    let messages = sent(&mut debugger) - before;
    let read = bench.lock().unwrap().read as u64;
    check(&mut debugger, &bench);
    // Every tenth reading is printed, which is not done ahead of the session.
    assert!(read > 300, "{read}");
    assert!(messages < read / 3, "{messages} messages for {read} inputs");
}

#[test]
fn a_device_stops_at_breakpoints_by_itself() {
    let bench = Shared::default();
    let mut debugger = attach(&bench, PROGRAM);
    let (condition, hits, log) = (None, None, None);
    let trigger = serde_json::from_str(r#"{"function":"fifth"}"#).unwrap();
    let temporary = false;
    ask(&mut debugger, AddBreakpoint { trigger, condition, hits, log, temporary });
    for fives in 1..8 {
        ask(&mut debugger, run());
        assert_eq!(number(&mut debugger, "i"), fives * 5);
        // Nothing has been read beyond that, not even for a moment.
        assert_eq!(bench.lock().unwrap().read as i32, fives * 5);
        check(&mut debugger, &bench);
    }
}

#[test]
fn what_was_done_ahead_is_taken_back() {
    let bench = Shared::default();
    let mut debugger = attach(&bench, PROGRAM);
    for cancelled_after in [1, 2, 5, 20, 50] {
        run_for(&mut debugger, cancelled_after);
        check(&mut debugger, &bench);
        let i = number(&mut debugger, "i");
        ask(&mut debugger, step(100, Direction::Forward));
        assert!(number(&mut debugger, "i") > i);
        check(&mut debugger, &bench);
    }
}

#[test]
fn a_program_that_reads_nothing_stops_where_the_device_is() {
    let bench = Shared::default();
    let mut debugger = attach(&bench, COUNTS);
    let mut last = 0;
    for _ in 0..3 {
        run_for(&mut debugger, 3);
        let i = number(&mut debugger, "i");
        assert!(i > last, "the device has come no further than {i}");
        last = i;
        ask(&mut debugger, step(7, Direction::Back));
        ask(&mut debugger, step(7, Direction::Forward));
    }
}

/// Gives up after being asked so many times.
struct CancelAfter(usize);

impl Listener for CancelAfter {
    fn event(&mut self, _: Event) {}

    fn is_cancelled(&mut self) -> bool {
        self.0 = self.0.saturating_sub(1);
        self.0 == 0
    }
}
