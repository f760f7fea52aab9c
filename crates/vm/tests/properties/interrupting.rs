//! A program can be interrupted before any instruction, and goes on as if it had not been.

use mw_vm::{Breakpoints, CallError, Machine, NoProbe, ResumeError, Status, Stop, Value};

use crate::common::compare::assert_same;
use crate::common::drive::{End, Session, load};

const TEXT: &str = r#"(module
    (import "outside" "read" (func $read (param i32) (result i32)))
    (memory 1)
    (global $interrupts (mut i32) (i32.const 0))
    (func $square (param i32) (result i32) (local i64)
        (i32.mul (local.get 0) (local.get 0)))
    (func $wide (param i32 i64 f32) (result i64 i32 i32 f64) (local i32 i32)
        (i64.const -1) (i32.const -2)
        (call $square (i32.const 3))
        (f64.const 0.5)
        (global.set $interrupts (i32.add (global.get $interrupts) (i32.const 1))))
    (func (export "run") (result i32) (local $i i32) (local $sum i32)
        (loop $again
            (i32.const 100)
            (call $square (local.get $i))
            (i32.store (i32.const 8) (i32.add (local.get $i) (i32.load (i32.const 8))))
            (i32.sub)
            (call $read (local.get $i))
            (i32.add)
            (local.get $sum) (i32.xor) (local.set $sum)
            (br_if $again (i32.lt_s
                (local.tee $i (i32.add (local.get $i) (i32.const 1)))
                (i32.const 4))))
        (i32.add (local.get $sum) (i32.load (i32.const 8)))))"#;

const WIDE: u32 = 2;

fn start() -> Session {
    let module = load(&wat::parse_str(TEXT).unwrap());
    let mut session = Session::new(&module).unwrap();
    session.machine.call(module.exported_func("run").unwrap(), &[]).unwrap();
    session
}

#[test]
fn interrupted_program_goes_on_as_if_it_had_not_been() {
    let mut plain = start();
    let end = plain.finish();
    assert!(matches!(end, End::Results(_)));
    let handler = {
        let mut session = start();
        session.machine.interrupt(WIDE).unwrap();
        session.finish();
        session.machine.count() - plain.machine.count()
    };
    assert!(handler > 5);
    for count in 0..plain.machine.count() {
        let mut session = start();
        session.run_to(count, &mut NoProbe);
        let mut before = session.fork();
        let depth = session.machine.call_depth();
        session.machine.interrupt(WIDE).unwrap();
        assert_eq!(session.machine.call_depth(), depth + 1);
        assert!(session.machine != before.machine);
        // Its parameters and locals are zero, and the interrupted function is where it was.
        let stack = session.machine.call_stack();
        assert_eq!((stack[0].func, stack[0].locals), (WIDE, &[0; 5][..]));
        let interrupted = before.machine.call_stack();
        assert_eq!(stack[1..], interrupted[..], "after {count}");

        // Fast, in pieces and by way of its saved form.
        let saved = session.machine.save();
        let restored = Machine::restore(session.machine.module().clone(), &saved).unwrap();
        let mut restored = Session { machine: restored, calls: session.calls };
        assert_same(&mut session.machine, &mut restored.machine, "restored");
        let mut pieces = session.fork();
        assert_eq!(session.finish(), end, "after {count}");
        let none = Breakpoints::default();
        assert_eq!(pieces.finish_with(|m| m.run(3, &none, &mut NoProbe)), end, "after {count}");
        assert_eq!(restored.finish(), end, "after {count}");
        assert_same(&mut session.machine, &mut pieces.machine, "in pieces");
        assert_same(&mut session.machine, &mut restored.machine, "restored and run");
        assert_eq!(session.machine.count(), plain.machine.count() + handler, "after {count}");
        // All that is left of it is what it did.
        assert!(session.machine.set_global(0, Value::I32(0)));
        assert!(session.machine == plain.machine, "after {count}");
        before.finish();
        assert_same(&mut before.machine, &mut plain.machine, "not interrupted");
    }
}

#[test]
fn interrupts_can_be_interrupted_and_forked_anywhere() {
    let mut plain = start();
    let end = plain.finish();
    let mut session = start();
    session.run_to(12, &mut NoProbe);
    for depth in 1..20 {
        session.machine.interrupt(WIDE).unwrap();
        // Not yet in the function that the handler calls, or within it.
        let count = session.machine.count() + depth % 4;
        session.run_to(count, &mut NoProbe);
        let mut fork = session.fork();
        assert_eq!(fork.finish(), end);
        assert_eq!(fork.machine.global(0), Some(Value::I32(depth as i32)));
    }
}

#[test]
fn interrupt_has_to_be_possible() {
    let mut session = start();
    assert_eq!(session.machine.interrupt(99), Err(CallError::NoFunction(99)));
    assert_eq!(session.machine.interrupt(0), Err(CallError::Imported(0)));
    session.finish();
    assert_eq!(
        session.machine.interrupt(WIDE),
        Err(CallError::Busy),
        "there is nothing to interrupt"
    );
}

#[test]
fn interrupt_can_arrive_while_the_outside_is_asked() {
    let mut plain = start();
    let end = plain.finish();
    let mut session = start();
    let run = |session: &mut Session| {
        session.machine.run(u64::MAX, &Breakpoints::default(), &mut NoProbe)
    };
    let mut asked = 0;
    while let Stop::Import(func) = run(&mut session) {
        asked += 1;
        assert_eq!(session.machine.status(), Status::Importing(func));
        let question = session.machine.import_call();
        let mut fork = session.fork();
        fork.machine.interrupt(WIDE).unwrap();
        assert_eq!(fork.machine.status(), Status::Running);
        assert_eq!(fork.machine.resume(&[Value::I32(1)]), Err(ResumeError::NotImporting));
        // When the handler has returned, the outside is asked the same again.
        let mut asked_again = fork.fork();
        assert_eq!(run(&mut asked_again), Stop::Import(func));
        assert_eq!(asked_again.machine.import_call(), question);
        assert_eq!(fork.finish(), end);
        assert!(fork.machine.set_global(0, Value::I32(0)));
        assert!(fork.machine == plain.machine);
        session.answer();
    }
    assert_eq!(asked, 4);
}

#[test]
fn call_can_wait_for_the_one_under_way() {
    let text = r#"(module (global $g (mut i32) (i32.const 1))
        (func $start (global.set $g (i32.mul (global.get $g) (i32.const 10))))
        (start $start)
        (func (export "f") (param i32) (result i32) (local i64)
            (i32.add (local.get 0) (global.get $g))))"#;
    let module = load(&wat::parse_str(text).unwrap());
    let mut all = Session::new(&module).unwrap();
    assert_eq!(all.machine.call_next(1, &[]), Err(CallError::Arguments));
    assert_eq!(all.machine.call_next(7, &[]), Err(CallError::NoFunction(7)));
    all.machine.call_next(1, &[Value::I32(5)]).unwrap();
    assert_eq!(all.machine.call_next(1, &[Value::I32(5)]), Err(CallError::Busy));
    let mut stepped = all.fork();
    let last = {
        let mut end = all.fork();
        assert_eq!(end.finish(), End::Results(vec![Value::I32(15)]));
        end.machine.count()
    };
    for count in 0..=last {
        let mut run = all.fork();
        run.run_to(count, &mut NoProbe);
        assert_same(&mut run.machine, &mut stepped.machine, "after n steps");
        let restored = Machine::restore(module.clone(), &run.machine.save()).unwrap();
        let mut restored = Session { machine: restored, calls: 0 };
        assert_same(&mut run.machine, &mut restored.machine, "restored");
        assert_eq!(restored.finish(), End::Results(vec![Value::I32(15)]));
        let expected = if count < last { Stop::Budget } else { Stop::Finished };
        let stop = stepped.machine.step();
        assert!(
            stop == expected || count + 1 == last && stop == Stop::Finished,
            "{count}: {stop:?}"
        );
    }
    // When nothing is under way it is a call like any other.
    stepped.machine.call_next(1, &[Value::I32(1)]).unwrap();
    assert_eq!(stepped.finish(), End::Results(vec![Value::I32(11)]));
}
