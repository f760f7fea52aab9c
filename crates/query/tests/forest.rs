//! All universes at once.

use std::sync::Arc;

use mw_query::{Bounds, Events, Forest, Kind, Time, Token};
use mw_session::{Direction, Mock, Options, Session, Unattended};
use mw_vm::{Limits, Module, Value};
use mw_world::Description;

/// Three readings; with an odd one, something is written.
const READINGS: &str = r#"(module
    (import "env" "chip_analog_read" (func $read (param i32) (result i32)))
    (import "env" "chip_digital_write" (func $write (param i32 i32)))
    (func $odd (call $write (i32.const 1) (i32.const 1)))
    (func (export "main") (local $n i32)
      (loop $again
        (if (i32.and (call $read (local.get $n)) (i32.const 1)) (then (call $odd)))
        (local.set $n (i32.add (local.get $n) (i32.const 1)))
        (br_if $again (i32.lt_u (local.get $n) (i32.const 3))))))"#;

#[test]
fn what_universes_share_is_looked_at_once() {
    let binary = wat::parse_str(READINGS).unwrap();
    let module = Arc::new(Module::from_binary(&binary, &Limits::default()).unwrap());
    let board = Arc::new(Description::board(Default::default()));
    let main = module.exported_func("main").unwrap();
    let mut session =
        Session::new(module, &board, Some((main, Vec::new())), Options::default()).unwrap();
    // 000, then 001, 010, 100, 111.
    let all = [[0, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0], [1, 1, 1]];
    for readings in all {
        let start = session.start();
        session.slide(start, false, &mut Unattended).unwrap();
        for (pin, reading) in (0..).zip(readings) {
            session.mocks_mut().add(Mock {
                port: None,
                import: 0,
                args: Some(vec![Value::I32(pin)]),
                answer: Value::I32(reading).into(),
                once: true,
            });
        }
        session.run(Direction::Forward, &mut Unattended).unwrap();
    }
    let odd = Events { kind: Kind::Calls(Some(vec![2])), program: None, tests: Vec::new() };
    let (token, store) = (Token::default(), Arc::default());
    let forest = Forest::new(session.past(), &token, Bounds::default());
    assert_eq!(forest.universes().len(), 5);
    let mut counts = forest.by_universe(&odd, &store, None).unwrap();
    counts.sort_unstable();
    assert_eq!(counts, [0, 1, 1, 1, 3]);
    let replays = token.replays();
    assert_eq!(replays, 5, "each strand once");
    // Of 100 and 111, the first is one and the same.
    let sightings = forest.sightings(&odd, &store, None).unwrap();
    assert_eq!(sightings.len(), 5);
    let first = forest.first_in_each(&odd, &store, None).unwrap();
    assert_eq!(first.iter().filter(|first| first.is_some()).count(), 4);
    let after = forest.all_after(&odd, &store, Time::MIN).unwrap();
    let after: Vec<_> = after.into_iter().map(|(_, item)| item).collect();
    assert_eq!(after, first);
    assert_eq!(token.replays(), replays);
}
