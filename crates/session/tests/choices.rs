//! Choices that are no plain inputs, and ends that are no plain returns.

use crate::common;

use common::Setup;
use mw_session::{
    Breakpoint, Direction, Halt, Mock, Options, Outcome, Place, Session, SessionError, Site,
    Trigger, Unattended, Unit,
};
use mw_vm::{Cell, TrapKind, Value};
use mw_world::Description;

fn session(wat: &str) -> Session {
    let setup = Setup::of(wat, Description::board(Default::default()));
    setup.session(Options::default())
}

/// Subscribes to interrupts of pin 4 and counts them while it waits.
const INTERRUPTED: &str = r#"
(module
  (import "env" "subscribe_interrupt" (func $subscribe (param i32 i32 i32)))
  (import "env" "print_int" (func $print (param i32)))
  (global $count (export "count") (mut i32) (i32.const 0))
  (table funcref (elem $pressed))
  (func $pressed
    (global.set $count (i32.add (global.get $count) (i32.const 1)))
    (call $print (global.get $count)))
  (func (export "main") (local $i i32)
    (call $subscribe (i32.const 4) (i32.const 0) (i32.const 1))
    (loop $wait
      (br_if $wait
        (i32.lt_s (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 10))))))
"#;

/// The end of what was executed is remembered, also after the last choice.
#[test]
fn what_was_executed_last_is_not_forgotten() {
    let mut session = session(INTERRUPTED);
    let control = &mut Unattended;
    let start = session.here();
    session.step(Unit::Instruction, Direction::Forward, 30, control).unwrap();
    let furthest = session.here();
    session.step(Unit::Instruction, Direction::Back, 12, control).unwrap();
    assert!(session.is_in_the_past());
    assert_eq!(session.recorded_end(), furthest);
    session.slide(start, true, control).unwrap();
    assert_eq!(session.recorded_end(), furthest);
    session.slide(session.recorded_end(), true, control).unwrap();
    assert!(!session.is_in_the_past());
    // Where another choice was made meanwhile, and in the universe without it.
    session.slide(Place { count: 20, ..start }, true, control).unwrap();
    session.interrupt(4).unwrap();
    session.step(Unit::Instruction, Direction::Forward, 3, control).unwrap();
    let interrupted = session.here();
    session.slide(start, true, control).unwrap();
    assert_eq!(session.recorded_end(), interrupted);
    session.go_without();
    assert_eq!(session.recorded_end(), furthest);
}

/// Where there is no room for a call, the program ends as soon as an interrupt arrives.
#[test]
fn an_interrupt_without_room_for_its_callback_ends_the_program() {
    let mut setup = Setup::of(INTERRUPTED, Description::board(Default::default()));
    setup.limits.call_depth = 1;
    let mut session = setup.session(Options::default());
    let control = &mut Unattended;
    session.step(Unit::Instruction, Direction::Forward, 10, control).unwrap();
    session.interrupt(4).unwrap();
    // In the middle of the first callback.
    session.interrupt(4).unwrap();
    let here = session.here();
    let outcome = Outcome::Trapped(TrapKind::CallStackExhausted);
    assert_eq!(session.multiverse().ended(here.node), Some(&(here.count, outcome.clone())));
    // It is the same end that a replay comes to.
    session.slide(session.start(), true, control).unwrap();
    assert_eq!(session.run(Direction::Forward, control), Ok(Halt::Ended(outcome)));
    assert_eq!(session.here(), here);
}

fn count(session: &Session) -> Option<Value> {
    session.machine().exported_global("count")
}

#[test]
fn interrupts_arrive_where_the_program_has_asked_for_them() {
    let mut session = session(INTERRUPTED);
    let control = &mut Unattended;
    let error = session.interrupt(4).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the program has not subscribed to interrupts of pin 4 here; it has subscribed to none"
    );
    session.step(Unit::Instruction, Direction::Forward, 10, control).unwrap();
    let error = session.interrupt(5).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the program has not subscribed to interrupts of pin 5 here; it has to pins 4"
    );
    let before = session.here();
    let interrupted = session.machine().pc();
    session.interrupt(4).unwrap();
    let arrived = session.here();
    assert_eq!((arrived.count, session.machine().call_depth()), (before.count, 2));
    assert_eq!(session.frames()[0].name, session.module().func_name(2));

    // The callback runs and returns to what it interrupted.
    assert_eq!(session.step(Unit::Out, Direction::Forward, 1, control), Ok(Halt::Reached));
    assert_eq!((session.machine().pc(), session.machine().call_depth()), (interrupted, 1));
    assert_eq!(count(&session), Some(Value::I32(1)));
    let after = session.here();
    // Stepping back over it does not go into it.
    session.step(Unit::Over, Direction::Back, 1, control).unwrap();
    assert_eq!(session.here().count, before.count - 1);
    assert_eq!(count(&session), Some(Value::I32(0)));
    session.step(Unit::Over, Direction::Forward, 1, control).unwrap();
    assert_eq!(session.here(), after);

    // It arrives again on every slide, and stays away where it is to.
    let ended = Ok(Halt::Ended(Outcome::Finished));
    assert_eq!(session.run(Direction::Forward, control), ended);
    let end = session.here();
    session.slide(Place::default(), false, control).unwrap();
    assert_eq!(session.run(Direction::Forward, control), ended);
    assert_eq!((session.here(), count(&session)), (end, Some(Value::I32(1))));
    session.slide(before, false, control).unwrap();
    session.go_without();
    assert_eq!(session.run(Direction::Forward, control), ended);
    assert_eq!(count(&session), Some(Value::I32(0)));
    let without = session.here();
    session.slide(end, false, control).unwrap();
    assert_eq!(count(&session), Some(Value::I32(1)));
    session.slide(without, false, control).unwrap();
    assert_eq!(count(&session), Some(Value::I32(0)));
}

#[test]
fn a_breakpoint_in_the_callback_stops_a_replayed_interrupt() {
    let mut session = session(INTERRUPTED);
    let control = &mut Unattended;
    session.step(Unit::Instruction, Direction::Forward, 10, control).unwrap();
    session.interrupt(4).unwrap();
    let arrived = session.here();
    session.run(Direction::Forward, control).unwrap();
    let breakpoint = Breakpoint::new(Trigger::Function(2));
    let id = session.breakpoints_mut().add(breakpoint);
    assert_eq!(session.run(Direction::Back, control), Ok(Halt::Breakpoint(id)));
    assert_eq!(session.here(), arrived);
    session.slide(Place::default(), false, control).unwrap();
    assert_eq!(session.run(Direction::Forward, control), Ok(Halt::Breakpoint(id)));
    assert_eq!(session.here(), arrived);
}

#[test]
fn what_is_set_by_hand_is_marked() {
    let mut session = session(INTERRUPTED);
    let control = &mut Unattended;
    session.step(Unit::Instruction, Direction::Forward, 8, control).unwrap();
    let before = session.here();
    assert!(!session.multiverse().is_altered(before.node));
    session.alter(Cell::Global(0), Value::I32(40)).unwrap();
    session.alter(Cell::Local { depth: 0, local: 0 }, Value::I32(9)).unwrap();
    let altered = session.here();
    assert_eq!(altered.count, before.count);
    let choice = session.multiverse().choice(altered.node).unwrap();
    assert_eq!(
        session.write_trace(&session.trace()).lines().skip(3).collect::<Vec<_>>(),
        ["8 altered global 0 = 40", "8 altered local 0 of frame 0 = 9", "8 here"]
    );
    assert!(matches!(choice.site, Site::Alteration(_)));
    session.run(Direction::Forward, control).unwrap();
    assert!(session.multiverse().is_altered(session.here().node));
    assert_eq!(count(&session), Some(Value::I32(40)));

    // Not before it, and what is not there cannot be set.
    session.slide(before, false, control).unwrap();
    assert!(!session.multiverse().is_altered(session.here().node));
    let error = session.alter(Cell::Global(7), Value::I32(0)).unwrap_err();
    assert_eq!(
        error,
        SessionError::Unknown("there is no global 7: the program has 1 of them".into())
    );
    let error = session.alter(Cell::Local { depth: 0, local: 5 }, Value::I32(0));
    let says = "main has no local 5: there are 1, counted from 0";
    assert_eq!(error, Err(SessionError::Unknown(says.into())));
    let error = session.alter(Cell::bytes(0, 4), Value::I32(0));
    assert_eq!(error, Err(SessionError::Unknown("the program has no memory".into())));
    assert_eq!(session.here(), before);
}

#[test]
fn the_program_also_goes_on_without() {
    // With checkpoints everywhere: those of the way without are not on the way with.
    let setup = Setup::of(INTERRUPTED, Description::board(Default::default()));
    let mut session = setup.session(Options { checkpoint_interval: 1, ..Options::default() });
    let control = &mut Unattended;
    session.step(Unit::Instruction, Direction::Forward, 30, control).unwrap();
    let without = session.here();
    session.step(Unit::Instruction, Direction::Back, 20, control).unwrap();
    session.alter(Cell::Global(0), Value::I32(40)).unwrap();
    session.step(Unit::Instruction, Direction::Forward, 30, control).unwrap();
    let with = session.here();
    for _ in 0..2 {
        session.slide(without, false, control).unwrap();
        assert_eq!(count(&session), Some(Value::I32(0)));
        // Back and forth, one stays in the universe.
        session.step(Unit::Instruction, Direction::Back, 25, control).unwrap();
        session.step(Unit::Instruction, Direction::Forward, 25, control).unwrap();
        assert_eq!(session.here(), without);
        session.slide(with, false, control).unwrap();
        assert_eq!(count(&session), Some(Value::I32(40)));
        session.step(Unit::Instruction, Direction::Back, 25, control).unwrap();
        assert_eq!(count(&session), Some(Value::I32(40)));
        session.step(Unit::Instruction, Direction::Back, 10, control).unwrap();
        assert_eq!(count(&session), Some(Value::I32(0)));
        session.step(Unit::Instruction, Direction::Forward, 35, control).unwrap();
        assert_eq!(session.here(), with);
    }
}

/// Divides by what it reads, or gives up.
const FAILING: &str = r#"
(module
  (import "env" "chip_analog_read" (func $read (param i32) (result i32)))
  (import "env" "print_int" (func $print (param i32)))
  (import "env" "abort" (func $abort (param i32 i32 i32 i32)))
  (memory 1)
  (data (i32.const 4) "\06\00\00\00n\00o\00!\00")
  (func (export "main") (local $v i32)
    (call $print (i32.const 1))
    (local.set $v (call $read (i32.const 0)))
    (if (i32.eq (local.get $v) (i32.const 7))
      (then (call $abort (i32.const 8) (i32.const 0) (i32.const 0) (i32.const 0))))
    (call $print (i32.div_s (i32.const 100) (local.get $v)))))
"#;

#[test]
fn failures_are_ends_that_one_can_go_back_from_and_return_to() {
    let mut session = session(FAILING);
    let control = &mut Unattended;
    let trapped = Halt::Ended(Outcome::Trapped(TrapKind::DivisionByZero));
    assert_eq!(session.run(Direction::Forward, control), Ok(trapped.clone()));
    let trap = session.here();
    assert!(session.machine().trap().is_some());
    assert!(!session.is_in_the_past());
    assert_eq!(
        session.alter(Cell::Local { depth: 0, local: 0 }, Value::I32(1)),
        Err(SessionError::Unknown("the program has ended here; step back first".into()))
    );

    session.step(Unit::Instruction, Direction::Back, 1, control).unwrap();
    assert!(session.machine().trap().is_none());
    assert!(session.is_in_the_past());
    assert_eq!(session.step(Unit::Instruction, Direction::Forward, 1, control), Ok(trapped));
    assert_eq!(session.here(), trap);

    session.slide(Place::default(), false, control).unwrap();
    session.mocks_mut().add(Mock {
        port: None,
        import: 0,
        args: None,
        answer: Value::I32(7).into(),
        once: true,
    });
    let aborted = Halt::Ended(Outcome::Aborted("no!".into()));
    assert_eq!(session.run(Direction::Forward, control), Ok(aborted.clone()));
    let abort = session.here();
    assert_eq!(session.abort_message(), Some("no!"));
    assert_eq!(session.run(Direction::Forward, control), Ok(aborted));

    session.slide(trap, false, control).unwrap();
    assert!(session.machine().trap().is_some());
    assert_eq!(session.abort_message(), None);
    session.slide(abort, false, control).unwrap();
    assert_eq!(session.abort_message(), Some("no!"));

    // The trace of a failure leads to it.
    let text = session.write_trace(&session.trace());
    let mut other = self::session(FAILING);
    let trace = other.read_trace(&text).unwrap();
    other.replay_trace(&trace, control).unwrap();
    assert_eq!(other.abort_message(), Some("no!"));
}

#[test]
fn a_question_waits_for_its_answer() {
    let world = r#"
[import.env.answer]
kind = "input"
result = "i32"
domain = "40..50"
source = "ask"
"#;
    let wat = r#"
(module
  (import "env" "answer" (func $answer (result i32)))
  (global $sum (export "sum") (mut i32) (i32.const 0))
  (func (export "main")
    (global.set $sum (i32.add (call $answer) (call $answer)))))
"#;
    let world = Description::parse("world.toml", world, &|_| Err(String::new())).unwrap();
    let mut session = Setup::of(wat, world).session(Options::default());
    let control = &mut Unattended;
    assert_eq!(session.run(Direction::Forward, control), Ok(Halt::Asks));
    assert_eq!(session.run(Direction::Forward, control), Ok(Halt::Asks));
    let answer = |session: &mut Session, value| {
        session.mocks_mut().add(Mock {
            port: None,
            import: 0,
            args: None,
            answer: Value::I32(value).into(),
            once: true,
        });
        session.run(Direction::Forward, &mut Unattended)
    };
    let refused = answer(&mut session, 7).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "answer(): 7 is not one of the possible values 40..50; the nearest is 40"
    );
    assert_eq!(session.here(), Place::default());
    // The answer stands until it is taken back.
    let (id, _) = session.mocks().iter().next().unwrap();
    assert!(session.mocks_mut().remove(id));
    assert_eq!(answer(&mut session, 42), Ok(Halt::Asks));
    assert_eq!(session.here().count, 1);
    assert_eq!(answer(&mut session, 43), Ok(Halt::Ended(Outcome::Finished)));
    // The answers are recorded: nobody is asked again.
    assert_eq!(session.mocks().iter().count(), 0);
    session.slide(Place::default(), false, control).unwrap();
    assert_eq!(session.run(Direction::Forward, control), Ok(Halt::Ended(Outcome::Finished)));
    assert_eq!(session.machine().exported_global("sum"), Some(Value::I32(85)));
}

#[test]
fn two_places_differ_in_what_came_after_they_parted() {
    let wat = r#"
(module
  (import "env" "chip_analog_read" (func $read (param i32) (result i32)))
  (import "env" "print_int" (func $print (param i32)))
  (memory 1)
  (global $last (mut i32) (i32.const 0))
  (func $show (param $v i32)
    (i32.store (i32.const 100) (local.get $v))
    (call $print (local.get $v)))
  (func (export "main")
    (drop (call $read (i32.const 1)))
    (global.set $last (call $read (i32.const 2)))
    (call $show (global.get $last))))
"#;
    let mut session = session(wat);
    let control = &mut Unattended;
    session.run(Direction::Forward, control).unwrap();
    let first = session.here();
    session.slide(Place::default(), false, control).unwrap();
    let args = Some(vec![Value::I32(2)]);
    session.mocks_mut().add(Mock {
        port: None,
        import: 0,
        args,
        answer: Value::I32(0x0203).into(),
        once: true,
    });
    session.run(Direction::Forward, control).unwrap();
    let second = session.here();
    session.step(Unit::Over, Direction::Back, 2, control).unwrap();
    let here = session.here();
    session.take_effects();

    let (difference, _) = session.diff(first, second, control).unwrap();
    assert_eq!((session.here(), session.take_effects()), (here, vec![]));
    assert_eq!(difference.common, Place { node: difference.common.node, count: 4 });
    let parted = (difference.parted.0.unwrap(), difference.parted.1.unwrap());
    let slots = [parted.0, parted.1].map(|node| session.multiverse().choice(node).unwrap().slot);
    assert_eq!(slots, [0, 0x0203]);
    assert_eq!(difference.globals, [(0, Value::I32(0), Value::I32(0x0203))]);
    assert_eq!(difference.memory.len(), 1);
    assert_eq!(difference.memory[0].address, 100);
    assert_eq!(difference.memory[0].first, [0, 0]);
    assert_eq!(difference.memory[0].second, [3, 2]);
    assert_eq!(difference.stacks, None);
    assert!(difference.worlds.is_some());

    // A place does not differ from itself.
    let (difference, _) = session.diff(second, second, control).unwrap();
    assert_eq!((difference.common, difference.parted), (second, (None, None)));
    assert!(difference.globals.is_empty() && difference.memory.is_empty());
    assert_eq!(difference.worlds, None);
}
