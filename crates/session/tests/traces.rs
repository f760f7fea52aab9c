//! Traces as text: what they look like, and what is said about those that do not fit.

use crate::common;

use common::Setup;
use mw_session::{Direction, Mock, Options, Session, Unattended};
use mw_vm::Value;
use mw_world::Description;

const PROGRAM: &str = r#"
(module
  (import "env" "chip_analog_read" (func $read (param i32) (result i32)))
  (import "env" "chip_analog_read" (func $again (param i32) (result i32)))
  (import "env" "chip_digital_read" (func $level (param i32) (result i32)))
  (global $sum (export "sum") (mut i32) (i32.const 0))
  (func (export "main")
    (global.set $sum (i32.add (call $read (i32.const 1)) (call $again (i32.const 2))))
    (drop (call $level (i32.const 3)))))
"#;

fn session() -> Session {
    Setup::of(PROGRAM, Description::board(Default::default())).session(Options::default())
}

fn recorded() -> (Session, String) {
    let mut session = session();
    for (import, value) in [(0, 10), (1, 20)] {
        let value = Value::I32(value);
        session.mocks_mut().add(Mock {
            port: None,
            import,
            args: None,
            answer: value.into(),
            once: true,
        });
    }
    session.run(Direction::Forward, &mut Unattended).unwrap();
    let text = session.write_trace(&session.trace());
    (session, text)
}

/// What is said about the trace with one thing replaced.
fn error(from: &str, to: &str) -> String {
    let text = recorded().1;
    assert!(text.contains(from), "{text}");
    let mut session = session();
    let error = match session.read_trace(&text.replace(from, to)) {
        Err(error) => error.to_string(),
        Ok(trace) => session.replay_trace(&trace, &mut Unattended).unwrap_err().to_string(),
    };
    assert_eq!(session.here(), Default::default());
    // Whatever of it was in order, the program still runs as it does by itself.
    session.run(Direction::Forward, &mut Unattended).unwrap();
    assert_eq!(session.machine().exported_global("sum"), Some(Value::I32(0)));
    error
}

#[test]
fn a_trace_is_a_few_lines() {
    let (session, text) = recorded();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "manyworlds trace 2");
    assert_eq!(lines[1], format!("program {:032x}", session.module().fingerprint()));
    assert_eq!(
        lines[3..],
        [
            "1 chip_analog_read(1) = 10",
            "3 chip_analog_read(2) = 20",
            "7 chip_digital_read(3) = 0",
            "10 here"
        ]
    );
    // Blank lines and remarks do not matter; a module may import a primitive twice.
    let mut other = self::session();
    let trace = other.read_trace(&text.replace("3 chip", "\n# the second\n3 chip")).unwrap();
    other.replay_trace(&trace, &mut Unattended).unwrap();
    assert_eq!(other.machine().exported_global("sum"), Some(Value::I32(30)));
    assert_eq!(other.write_trace(&other.trace()), text);
    // Cut off, it ends after its last choice.
    let cut = text.split_inclusive('\n').take(5).collect::<String>();
    let trace = other.read_trace(&cut).unwrap();
    assert_eq!(other.replay_trace(&trace, &mut Unattended).unwrap().count, 4);
}

#[test]
fn what_does_not_fit_is_refused() {
    assert_eq!(
        error("manyworlds", "otherworlds"),
        "not a trace: it does not start with the line `manyworlds trace 2`"
    );
    let here = session().module().fingerprint();
    let other = |name: &str| {
        format!(
            "the trace was made with another program, {name}fingerprint \
             00000000000000000000000000000005; the fingerprint of this one is {here:032x}; use the \
             module that it was made with"
        )
    };
    assert_eq!(error("program ", "program 5\n# "), other(""));
    // What it reads may make no sense here.
    assert_eq!(
        error("program ", "program 5 a lamp.wasm\n3 lamp(1) = 5\n# "),
        other("a lamp.wasm, ")
    );
    assert_eq!(
        error("world ", "world 5\n# "),
        "the trace was recorded in another world; use the world file that it was made with"
    );
    let help = "a line is a count and a choice, such as `412 chip_analog_read(12) = 77`";
    assert_eq!(
        error("chip_analog_read(1)", "chip_dialog_read(1)"),
        format!("line 4: cannot read `1 chip_dialog_read(1) = 10`; {help}")
    );
    assert_eq!(
        error("3 chip_analog_read(2)", "0 chip_analog_read(2)"),
        "line 5: cannot read `0 chip_analog_read(2) = 20`; \
         choices must come in order, and `here` last"
    );
}

#[test]
fn what_the_program_cannot_do_is_refused() {
    let fit = |count: u64, recorded: &str, actual: &str| {
        format!(
            "the recording does not fit: after {count} instructions it has {recorded}, \
             but the program {actual}; was it made with another program or world?"
        )
    };
    assert_eq!(
        error("= 20", "= 5000"),
        "chip_analog_read(2): 5000 is not one of the possible values 0..4095; the nearest is 4095"
    );
    assert_eq!(
        error("3 chip_analog_read(2)", "3 chip_analog_read(7)"),
        fit(3, "chip_analog_read(7) = 20", "calls chip_analog_read(2)")
    );
    assert_eq!(
        error("3 chip_analog_read(2)", "2 chip_analog_read(2)"),
        fit(2, "chip_analog_read(2) = 20", "calls nothing")
    );
    assert_eq!(
        error("7 chip_digital_read(3) = 0", "6 interrupt of pin 4, element 0"),
        "the program has not subscribed element 0 of the table to interrupts of pin 4 here"
    );
    assert_eq!(
        error("3 chip_analog_read(2) = 20\n", ""),
        fit(7, "chip_digital_read(3) = 0", "calls chip_analog_read(2) after 3")
    );
    assert_eq!(
        error("10 here", "100 here"),
        fit(100, "the end of the trace", "has ended after 10")
    );
}
