//! Breakpoints and watchpoints of each kind, there and back.

use crate::common;

use common::Setup;
use mw_session::{
    Breakpoint, BreakpointId, Condition, Direction, Halt, Mock, Names, Options, Outcome,
    PrimitivePattern, Session, Trigger, Unattended, Unit, Watch,
};
use mw_vm::{Cell, Op, Value};
use mw_world::Description;

/// Reads three times: 0, 5, 0. Stores what it read; `double` is called each time.
const PROGRAM: &str = r#"
(module
  (import "env" "chip_analog_read" (func $read (param i32) (result i32)))
  (import "env" "print_int" (func $print (param i32)))
  (memory 1)
  (global $sum (export "sum") (mut i32) (i32.const 0))
  (func $double (param $v i32) (result i32)
    (local $twice i32)
    (local.set $twice (i32.add (local.get $v) (local.get $v)))
    (local.get $twice))
  (func (export "main") (local $i i32)
    (loop $again
      (i32.store (i32.const 8) (call $double (call $read (local.get $i))))
      (global.set $sum (i32.add (global.get $sum) (i32.load (i32.const 8))))
      (call $print (global.get $sum))
      (br_if $again
        (i32.lt_s (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 3))))))
"#;

fn session() -> Session {
    let setup = Setup::of(PROGRAM, Description::board(Default::default()));
    let mut session = setup.session(Options { checkpoint_interval: 7, ..Options::default() });
    let args = Some(vec![Value::I32(1)]);
    session.mocks_mut().add(Mock {
        port: None,
        import: 0,
        args,
        answer: Value::I32(5).into(),
        once: false,
    });
    session
}

fn add(session: &mut Session, trigger: Trigger, condition: Option<&str>) -> BreakpointId {
    let condition =
        condition.map(|text| Condition::parse(text, &Names::of(session.module())).unwrap());
    session.breakpoints_mut().add(Breakpoint { condition, ..Breakpoint::new(trigger) })
}

/// The counts at which a breakpoint stops the program on the way to its end, and on the way back.
fn stops(trigger: Trigger, condition: Option<&str>) -> (Vec<u64>, Vec<u64>) {
    let mut session = session();
    let id = add(&mut session, trigger, condition);
    let mut visit = |direction, end| {
        let mut counts = vec![];
        loop {
            match session.run(direction, &mut Unattended).unwrap() {
                Halt::Breakpoint(hit) if hit == id => counts.push(session.here().count),
                halt => {
                    assert_eq!(halt, end);
                    return counts;
                }
            }
        }
    };
    let there = visit(Direction::Forward, Halt::Ended(Outcome::Finished));
    let mut back = visit(Direction::Back, Halt::Edge);
    back.reverse();
    (there, back)
}

fn same(counts: Vec<u64>) -> (Vec<u64>, Vec<u64>) {
    (counts.clone(), counts)
}

/// The instructions of one turn of the loop.
const TURN: u64 = 25;

fn turns(first: u64) -> Vec<u64> {
    (0..3).map(|turn| first + TURN * turn).collect()
}

#[test]
fn on_functions() {
    let read = turns(2);
    let double: Vec<u64> = read.iter().map(|count| count + 2).collect();
    assert_eq!(stops(Trigger::Function(2), None), same(double.clone()));
    // With a condition, only where that holds.
    assert_eq!(stops(Trigger::Function(2), Some("local 0 == 5")), same(vec![double[1]]));
    assert_eq!(stops(Trigger::Function(2), Some("local 0 == 6")), same(vec![]));
    // An import has no code.
    assert_eq!(stops(Trigger::Function(0), None), same(vec![]));
    assert_eq!(stops(Trigger::Function(99), None), same(vec![]));
}

#[test]
fn on_instructions() {
    let session = session();
    let code = session.module().code();
    let find = |is: fn(&Op) -> bool| code.iter().position(is).unwrap() as u32;
    let import = find(|op| matches!(op, Op::CallImport { func: 0, .. }));
    assert_eq!(stops(Trigger::Instruction(import), None), same(turns(2)));
    // Right after a call of a primitive, too.
    assert_eq!(stops(Trigger::Instruction(import + 1), None), same(turns(3)));
    assert_eq!(stops(Trigger::Instruction(u32::MAX), None), same(vec![]));
}

#[test]
fn on_primitives() {
    let pattern = |args: Option<i32>, value: Option<i32>| {
        let args = args.map(|arg| vec![Value::I32(arg)]);
        Trigger::Primitive(PrimitivePattern { import: 0, args, value: value.map(Value::I32) })
    };
    assert_eq!(stops(pattern(None, None), None), same(turns(2)));
    assert_eq!(stops(pattern(Some(2), None), None), same(vec![turns(2)[2]]));
    assert_eq!(stops(pattern(Some(7), None), None), same(vec![]));
    // For a value that was read, after the call.
    assert_eq!(stops(pattern(None, Some(5)), None), same(vec![turns(3)[1]]));
    assert_eq!(stops(pattern(None, Some(0)), None), same(vec![turns(3)[0], turns(3)[2]]));
    assert_eq!(stops(pattern(Some(0), Some(5)), None), same(vec![]));
    let output = PrimitivePattern { import: 1, args: Some(vec![Value::I32(10)]), value: None };
    let stops = stops(Trigger::Primitive(output), Some("sum == 10"));
    assert_eq!(stops.0.len(), 2);
    assert_eq!(stops.0, stops.1);
}

#[test]
fn watches_stop_after_the_write_and_back_before_it() {
    for watch in [
        Watch::new(Cell::Global(0), 0),
        Watch::new(Cell::bytes(11, 1), 0),
        Watch::new(Cell::Local { depth: 0, local: 1 }, 2),
        Watch::new(Cell::Local { depth: 0, local: 0 }, 1),
    ] {
        let (there, back) = stops(Trigger::Watch(watch), None);
        assert_eq!(there.len(), 3, "{watch:?}");
        assert_eq!(there.iter().map(|count| count - 1).collect::<Vec<_>>(), back);
        assert!(there.is_sorted_by(|a, b| a + TURN == *b));
    }
    for watch in [
        Watch::new(Cell::bytes(12, 4), 0),
        Watch::new(Cell::bytes(0, 8), 0),
        Watch::new(Cell::Local { depth: 0, local: 0 }, 3),
    ] {
        assert_eq!(stops(Trigger::Watch(watch), None), same(vec![]), "{watch:?}");
    }
    // A condition speaks of what has been written.
    let (there, back) =
        stops(Trigger::Watch(Watch::new(Cell::Global(0), 0)), Some("sum == 10 and local 0 == 1"));
    assert_eq!((there.len(), back), (1, vec![there[0] - 1]));
}

#[test]
fn of_several_at_one_place_the_one_whose_condition_holds() {
    let mut session = session();
    let trigger = Trigger::Primitive(PrimitivePattern { import: 0, args: None, value: None });
    add(&mut session, trigger.clone(), Some("sum == 99"));
    let second = add(&mut session, trigger, Some("sum == 10"));
    assert_eq!(session.run(Direction::Forward, &mut Unattended), Ok(Halt::Breakpoint(second)));
    let writes = Trigger::Watch(Watch::new(Cell::Global(0), 0));
    add(&mut session, writes.clone(), Some("sum == 99"));
    let fourth = add(&mut session, writes, None);
    assert_eq!(session.run(Direction::Forward, &mut Unattended), Ok(Halt::Breakpoint(fourth)));
    // Switched off, or removed, they are not there.
    assert!(session.breakpoints_mut().enable(fourth, false));
    assert!(session.breakpoints_mut().remove(second));
    let ended = Ok(Halt::Ended(Outcome::Finished));
    assert_eq!(session.run(Direction::Forward, &mut Unattended), ended);
    assert!(!session.breakpoints_mut().remove(second));
}

#[test]
fn stepping_over_stops_for_them_too() {
    let mut session = session();
    let control = &mut Unattended;
    session.step(Unit::Instruction, Direction::Forward, 3, control).unwrap();
    let id =
        add(&mut session, Trigger::Watch(Watch::new(Cell::Local { depth: 0, local: 1 }, 2)), None);
    assert_eq!(session.step(Unit::Over, Direction::Forward, 1, control), Ok(Halt::Breakpoint(id)));
    assert_eq!(session.machine().call_depth(), 2);
    assert_eq!(session.step(Unit::Out, Direction::Forward, 1, control), Ok(Halt::Reached));
    assert_eq!(session.machine().call_depth(), 1);
}
