//! Looking somewhere else: at other places, by any number of threads, without moving anything.

use crate::common;

use common::Setup;
use mw_session::{
    Breakpoint, Control, Direction, Halt, Mock, NodeId, Options, Place, PrimitivePattern, Progress,
    Replayer, Session, Trigger, Unattended, Unit,
};
use mw_vm::Value;
use mw_world::Description;

/// Reads a sensor four times, and prints the sum of what it read each time.
const READING: &str = r#"
(module
  (import "env" "chip_analog_read" (func $read (param i32) (result i32)))
  (import "env" "print_int" (func $print (param i32)))
  (memory 1)
  (func (export "main") (local $i i32)
    (loop $again
      (i32.store (i32.const 8)
        (i32.add (i32.load (i32.const 8)) (call $read (i32.const 5))))
      (call $print (i32.load (i32.const 8)))
      (br_if $again
        (i32.lt_s (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 4))))))
"#;

/// A session in the middle of one of several universes.
fn session() -> Session {
    let setup = Setup::of(READING, Description::board(Default::default()));
    let mut session = setup.session(Options { checkpoint_interval: 7, ..Options::default() });
    let control = &mut Unattended;
    for (value, count) in [(1, 0), (20, 15), (300, 30)] {
        let start = session.start();
        session.slide(start, true, control).unwrap();
        session.step(Unit::Instruction, Direction::Forward, count, control).unwrap();
        let mock = Mock {
            port: None,
            import: 0,
            args: None,
            answer: Value::I32(value).into(),
            once: false,
        };
        let id = session.mocks_mut().add(mock);
        session.run(Direction::Forward, control).unwrap();
        session.mocks_mut().remove(id);
    }
    session.step(Unit::Instruction, Direction::Back, 20, control).unwrap();
    session
}

/// All nodes, each where it begins.
fn places(session: &Session) -> Vec<Place> {
    let tree = session.multiverse();
    let mut places = Vec::new();
    let mut waiting = vec![NodeId::ROOT];
    while let Some(node) = waiting.pop() {
        places.push(Place { node, count: tree.start(node) });
        waiting.extend(tree.steps(node).map(|step| step.node));
    }
    places
}

#[test]
fn looking_moves_nothing() {
    let mut session = session();
    let seen = |session: &mut Session| {
        let tree = session.multiverse();
        let preferences: Vec<_> = tree.preferences().collect();
        let unvisited: Vec<_> = tree.unvisited().collect();
        (session.here(), session.state_hash(), preferences, unvisited, session.recorded_end())
    };
    // What is only suggested can be looked at, too.
    let last = places(&session).pop().unwrap();
    session.multiverse_mut().restore_unvisited([last.node]);
    let before = seen(&mut session);
    let (places, control) = (places(&session), &mut Unattended);
    assert!(places.len() > 8, "{places:?}");
    for &place in &places {
        session.look_at(place, control, |now| now.machine.count()).unwrap();
        session.plan(place, control).unwrap();
        session.diff(place, places[1], control).unwrap();
        assert_eq!(seen(&mut session), before);
    }
    assert!(session.take_effects().is_empty());
}

#[test]
fn many_look_at_once_and_see_what_one_would_who_went_there() {
    let mut session = session();
    let places = places(&session);
    let look = |mut replayer: Replayer<'_>| {
        let hash = |place: &Place| {
            replayer.go_to(*place, &mut Unattended).unwrap();
            replayer.now().hash()
        };
        places.iter().chain(places.iter().rev()).map(hash).collect::<Vec<_>>()
    };
    let looked: Vec<_> = std::thread::scope(|scope| {
        let replayers = [(); 4].map(|()| session.replayer());
        let threads = replayers.map(|replayer| scope.spawn(move || look(replayer)));
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let went: Vec<_> = (places.iter().chain(places.iter().rev()))
        .map(|place| {
            session.slide(*place, true, &mut Unattended).unwrap();
            session.state_hash()
        })
        .collect();
    assert!(looked.iter().all(|looked| *looked == went));
}

#[test]
fn every_time_is_found_afterwards() {
    let mut session = session();
    let (here, control) = (session.here(), &mut Unattended);
    let end = session.recorded_end();
    let print = PrimitivePattern { import: 1, args: None, value: None };
    let breakpoint = Breakpoint::new(Trigger::Primitive(print));
    let all = session.tally(breakpoint.clone(), end, 100, control).unwrap();
    // What a run that stops there finds.
    let mut expected = Vec::new();
    session.breakpoints_mut().add(breakpoint.clone());
    session.slide(session.start(), true, control).unwrap();
    while let Halt::Breakpoint(_) = session.run(Direction::Forward, control).unwrap() {
        expected.push(session.here());
    }
    assert_eq!(all.hits.iter().map(|hit| hit.place).collect::<Vec<_>>(), expected);
    assert_eq!((all.total, all.until), (4, end));
    // Only the last ones, and up to a hit with that hit.
    session.slide(here, true, control).unwrap();
    let some = session.tally(breakpoint.clone(), expected[2], 2, control).unwrap();
    assert_eq!(some.hits.iter().map(|hit| hit.place).collect::<Vec<_>>(), expected[1..3]);
    assert_eq!((some.total, some.until), (3, expected[2]));
    // Whoever has had enough gets what there is.
    let some = session.tally(breakpoint, end, 100, &mut HadEnough).unwrap();
    assert_eq!((some.total, some.until), (1, expected[0]));
    assert_eq!(session.here(), here);
}

/// Gives up as soon as it is asked.
struct HadEnough;

impl Control for HadEnough {
    fn is_cancelled(&mut self) -> bool {
        true
    }

    fn progress(&mut self, _: Progress) {}
}
