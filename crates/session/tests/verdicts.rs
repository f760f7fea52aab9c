//! Where verdicts change in the multiverse, against looking at every single place of it.

use crate::common;

use common::Setup;
use mw_monitor::Verdict;
use mw_session::{
    Control, Direction, Halt, Mock, NodeId, Options, Place, Progress, PropertyText, Session,
    Unattended, Unit, VerdictChange, monitor_of,
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

/// Violated while the sum is between 50 and 350.
const BETWEEN: &str = "
state init accepting {
  transition { before event primitive print_int(sum) { return sum > 50 && sum < 350 } success between } }
state between non-accepting {
  transition { before event primitive print_int(sum) { return sum >= 350 } success init } }
";

/// Never violated, but it waits for a fifth reading.
const FIVE: &str = "
initialization { n = 0 }
state init {
  transition { after event primitive chip_analog_read(pin) { return n == 4 }
    success enough
    failure { n = n + 1 } init } }
state enough accepting
";

/// Somebody who waits only so long.
struct Hurried(u32);

impl Control for Hurried {
    fn is_cancelled(&mut self) -> bool {
        self.0 = self.0.saturating_sub(1);
        self.0 == 0
    }

    fn progress(&mut self, _: Progress) {}
}

fn load(session: &mut Session, name: &str, text: &str) {
    let text = PropertyText { name: name.into(), text: text.into(), path: None };
    session.load_property(text, None, &mut Unattended).unwrap();
}

/// Lives a universe that reads a value from a count of instructions on, whatever is violated.
fn live(session: &mut Session, value: i32, count: u64) {
    let start = session.start();
    session.slide(start, true, &mut Unattended).unwrap();
    session.step(Unit::Instruction, Direction::Forward, count, &mut Unattended).unwrap();
    let answer = Value::I32(value).into();
    let mock = Mock { port: None, import: 0, args: None, answer, once: false };
    let id = session.mocks_mut().add(mock);
    while !matches!(session.run(Direction::Forward, &mut Unattended).unwrap(), Halt::Ended(_)) {}
    session.mocks_mut().remove(id);
}

/// All nodes with how far they are known.
fn nodes(session: &Session) -> Vec<(NodeId, u64)> {
    let tree = session.multiverse();
    let mut nodes = Vec::new();
    let mut waiting = vec![NodeId::ROOT];
    while let Some(node) = waiting.pop() {
        let next = tree.steps(node).map(|step| step.choice.count).max();
        let ended = tree.ended(node).map(|(count, _)| *count);
        nodes.push((node, next.or(ended).unwrap_or(tree.start(node))));
        waiting.extend(tree.steps(node).map(|step| step.node));
    }
    nodes
}

/// All that is known, with the nodes of which nothing is.
fn known(session: &Session) -> (Vec<VerdictChange>, Vec<NodeId>) {
    let ids: Vec<_> = session.properties().iter().map(|(id, ..)| id).collect();
    let changes = ids.iter().flat_map(|id| session.verdict_changes(*id)).collect();
    let unknown = ids.iter().flat_map(|id| session.unknown_verdicts(*id)).collect();
    (changes, unknown)
}

/// What the changes say of a place.
fn told(session: &Session, changes: &[VerdictChange], property: u32, place: Place) -> Verdict {
    let tree = session.multiverse();
    let mut way: Vec<Place> = Vec::new();
    let (mut node, mut count) = (Some(place.node), place.count);
    while let Some(at) = node {
        way.push(Place { node: at, count });
        (count, node) = (tree.start(at), tree.parent(at));
    }
    let mut verdict = Verdict::HoldsSoFar;
    for passed in way.iter().rev() {
        for change in changes.iter().filter(|change| change.property.0 == property) {
            if change.place.node == passed.node && change.place.count <= passed.count {
                verdict = change.verdict;
            }
        }
    }
    verdict
}

fn check_all(session: &mut Session, found: &[VerdictChange]) {
    for (node, end) in nodes(session) {
        for count in session.multiverse().start(node)..=end {
            let place = Place { node, count };
            let properties = session.properties().clone();
            for (id, ..) in properties.iter() {
                let looked = session.look_at(place, &mut Unattended, |now| {
                    monitor_of(now, &properties, id).unwrap().verdict()
                });
                assert_eq!(told(session, found, id.0, place), looked.unwrap(), "{place:?}");
            }
        }
    }
}

fn session() -> Session {
    let setup = Setup::of(READING, Description::board(Default::default()));
    setup.session(Options { checkpoint_interval: 7, ..Options::default() })
}

#[test]
fn verdicts_are_those_of_every_place() {
    let mut session = session();
    load(&mut session, "between", BETWEEN);
    load(&mut session, "five", FIVE);
    for (value, count) in [(1, 0), (20, 15), (300, 30)] {
        live(&mut session, value, count);
        let (changes, unknown) = known(&session);
        assert!(unknown.is_empty(), "{unknown:?}");
        check_all(&mut session, &changes);
    }
    let (changes, _) = known(&session);
    let of = |verdict| changes.iter().filter(|change| change.verdict == verdict).count();
    assert!(of(Verdict::Violated) > 1 && of(Verdict::Inconclusive) > 1, "{changes:?}");
    // Looking changes nothing of it.
    assert_eq!(known(&session).0, changes);
}

#[test]
fn what_nobody_has_come_to_with_a_property_is_unknown_until_it_is_looked_at() {
    let mut session = session();
    for (value, count) in [(1, 0), (20, 15), (300, 30)] {
        live(&mut session, value, count);
    }
    load(&mut session, "between", BETWEEN);
    let mut left = known(&session).1.len();
    assert!(left > 0, "two universes are elsewhere");
    let mut asked = 0;
    while left > 0 {
        session.find_verdicts(&mut Hurried(3 + asked)).unwrap();
        left = known(&session).1.len();
        asked += 1;
        assert!(asked < 100);
    }
    let (changes, _) = known(&session);
    check_all(&mut session, &changes);
}
