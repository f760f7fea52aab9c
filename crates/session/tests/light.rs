//! A first walk, end to end: run, look, go back, go sideways.

use std::sync::Arc;

use mw_session::{Direction, Halt, Mock, Options, Outcome, Place, Session, Unattended, Unit};
use mw_vm::{Limits, Module, Value};
use mw_world::Description;

/// Reads a sensor three times and lights pin 1 or pin 2.
const PROGRAM: &str = r#"
(module
  (import "env" "chip_analog_read" (func $read (param i32) (result i32)))
  (import "env" "chip_digital_write" (func $write (param i32 i32)))
  (import "env" "chip_pin_mode" (func $mode (param i32 i32)))
  (global $sum (export "sum") (mut i32) (i32.const 0))
  (func $show (param $v i32)
    (if (i32.lt_s (local.get $v) (i32.const 100))
      (then (call $write (i32.const 1) (i32.const 1)) (call $write (i32.const 2) (i32.const 0)))
      (else (call $write (i32.const 1) (i32.const 0)) (call $write (i32.const 2) (i32.const 1)))))
  (func (export "main")
    (local $i i32) (local $v i32)
    (call $mode (i32.const 1) (i32.const 2))
    (call $mode (i32.const 2) (i32.const 2))
    (loop $again
      (local.set $v (call $read (i32.const 5)))
      (global.set $sum (i32.add (global.get $sum) (local.get $v)))
      (call $show (local.get $v))
      (br_if $again
        (i32.lt_s (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 3))))))
"#;

fn session() -> Session {
    let wasm = wat::parse_str(PROGRAM).unwrap();
    let module = Arc::new(Module::from_binary(&wasm, &Limits::default()).unwrap());
    let main = module.exported_func("main").unwrap();
    let world = Arc::new(Description::board(Default::default()));
    Session::new(module, &world, Some((main, vec![])), Options::default()).unwrap()
}

fn lights(session: &Session) -> (bool, bool) {
    let board = session.world().state().board().unwrap();
    (board.driven(1) == Some(true), board.driven(2) == Some(true))
}

#[test]
fn there_and_back() {
    let mut session = session();
    let control = &mut Unattended;
    assert_eq!(session.run(Direction::Forward, control), Ok(Halt::Ended(Outcome::Finished)));
    let end = session.here();
    assert_eq!(session.machine().exported_global("sum"), Some(Value::I32(0)));
    assert_eq!(session.multiverse().len(), 4);

    // Back to the start, one instruction at a time; the lights are never both on.
    let mut states = vec![];
    while session.here().count > 0 {
        session.step(Unit::Instruction, Direction::Back, 1, control).unwrap();
        assert_ne!(lights(&session), (true, true));
        states.push((session.here(), lights(&session)));
    }
    // And forward again: the same places, the same lights.
    for (place, lit) in states.iter().rev().skip(1) {
        session.step(Unit::Instruction, Direction::Forward, 1, control).unwrap();
        assert_eq!((session.here(), lights(&session)), (*place, *lit));
    }
    session.step(Unit::Instruction, Direction::Forward, 1, control).unwrap();
    assert_eq!(session.here(), end);
    assert_eq!(session.multiverse().len(), 4);

    // Sideways: the sensor read 200 at its second reading.
    session.slide(Place::default(), false, control).unwrap();
    let import = session.world().find("chip_analog_read").unwrap();
    session.mocks_mut().add(Mock {
        port: None,
        import,
        args: None,
        answer: Value::I32(200).into(),
        once: true,
    });
    assert_eq!(session.run(Direction::Forward, control), Ok(Halt::Ended(Outcome::Finished)));
    assert_eq!(session.machine().exported_global("sum"), Some(Value::I32(200)));
    assert_eq!(session.multiverse().len(), 7);

    // And back into the first universe, at its end.
    session.slide(end, false, control).unwrap();
    assert_eq!(session.machine().exported_global("sum"), Some(Value::I32(0)));
    assert_eq!(lights(&session), (true, false));

    // The trace of the universe leads there again, in another session.
    let text = session.write_trace(&session.trace());
    let mut other = self::session();
    let trace = other.read_trace(&text).unwrap();
    other.replay_trace(&trace, control).unwrap();
    assert_eq!(other.machine(), session.machine());
    assert_eq!(other.world().state(), session.world().state());
}

#[test]
fn steps_over_and_out() {
    let mut session = session();
    let control = &mut Unattended;
    // Over the call of $show, and back over it.
    let show = session.module().funcs().iter().position(|f| f.name.as_deref() == Some("show"));
    let trigger = mw_session::Trigger::Function(show.unwrap() as u32);
    let id = session.breakpoints_mut().add(mw_session::Breakpoint::new(trigger));
    assert_eq!(session.run(Direction::Forward, control), Ok(Halt::Breakpoint(id)));
    let inside = session.here();
    assert_eq!(session.machine().call_depth(), 2);
    session.step(Unit::Out, Direction::Back, 1, control).unwrap();
    let call = session.here();
    assert_eq!((call.count + 1, session.machine().call_depth()), (inside.count, 1));
    assert_eq!(session.step(Unit::Over, Direction::Forward, 1, control), Ok(Halt::Breakpoint(id)));
    assert_eq!(session.step(Unit::Out, Direction::Forward, 1, control), Ok(Halt::Reached));
    let after = session.here();
    assert_eq!(session.machine().call_depth(), 1);
    session.step(Unit::Over, Direction::Back, 1, control).unwrap();
    assert_eq!(session.here(), call);
    session.breakpoints_mut().remove(id);
    session.step(Unit::Over, Direction::Forward, 1, control).unwrap();
    assert_eq!(session.here(), after);
}
