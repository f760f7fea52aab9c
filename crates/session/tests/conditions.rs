//! Conditions: what can be said, and what is said about what cannot be understood.

use std::sync::Arc;

use mw_session::{Condition, Names};
use mw_source::Sources;
use mw_vm::{ImportValues, Limits, Machine, Module, Value};

const PROGRAM: &str = r#"
(module
  (memory 1)
  (data (i32.const 16) "\ff\fe\ff\ff\ff\ff\ff\ff\00\00\c0\3f\00\00\00\00\00\00\04\40")
  (global $count (mut i32) (i32.const -5))
  (global $large (mut i64) (i64.const 9007199254740993))
  (global $warm (mut f32) (f32.const 1.5))
  (global $reference (mut funcref) (ref.null func))
  (func (export "main") (param $a i32) (param $b f64) nop))
"#;

fn machine() -> Machine {
    let wasm = wat::parse_str(PROGRAM).unwrap();
    let module = Arc::new(Module::from_binary(&wasm, &Limits::default()).unwrap());
    let main = module.exported_func("main").unwrap();
    let mut machine = Machine::new(module, Limits::default(), ImportValues::default()).unwrap();
    machine.call(main, &[Value::I32(7), Value::from(2.5)]).unwrap();
    machine
}

fn check(text: &str, expected: bool) {
    let machine = machine();
    let condition =
        Condition::parse(text, &Names::of(machine.module())).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(condition.holds(&Sources::default(), &machine), Ok(expected), "{text}");
    // What is kept means the same where nothing has a name.
    let kept = Condition::kept(&condition.to_string(), &Names::default());
    assert_eq!(kept.holds(&Sources::default(), &machine), Ok(expected), "{kept}");
}

fn check_error(text: &str, expected: &str) {
    let machine = machine();
    let error = Condition::parse(text, &Names::of(machine.module())).unwrap_err();
    assert_eq!(error.to_string(), expected);
}

#[test]
fn every_term_can_be_compared() {
    check("global 0 == -5", true);
    check("global 0 = -0x5", true);
    check("count<0", true);
    check("count >= -4", false);
    check("local 0 != 7", false);
    check("local 1 > 2", true);
    check("local 1 <= 2.5", true);
    check("u8 @ 16 == 255", true);
    check("i32 @ 16 == -257", true);
    check("i64@16 == -257", true);
    check("f32 @ 24 == 1.5", true);
    check("f64 @ 28 == 2.5", true);
    check("i8 @ 16 == -1 and u16 @ 16 == 65279 and i16 @ 16 == -257", true);
    check("5 == 5.0", true);
    check("1.5e0 == warm and .5 < warm and inf > warm", true);
    check("warm == nan or warm != nan and --5 == 5", true);
    // No float stands between two integers.
    check("global 1 == 9007199254740992", false);
    check("global 1 == 9007199254740993", true);
    check("-9223372036854775808 < global 1", true);
}

#[test]
fn terms_are_computed_with() {
    check("count", true);
    check("!count", false);
    check("count * -2 + local 0 == 17", true);
    check("(count & 0xff) == 0xfb", true);
    check("global 1 % 2", true);
    check("(count > 0) == false", true);
}

#[test]
fn and_binds_tighter_than_or() {
    check("count == -5 or count == 1 and local 0 == 0", true);
    check("count == 1 && local 0 == 0 || local 0 == 7", true);
    check("count == 1 or local 0 == 7 and local 0 == 8", false);
}

#[test]
fn what_is_not_there_is_never_true() {
    check("local 9 == 0", false);
    check("local 9 != 0", false);
    check("global 9 == 0", false);
    check("i32 @ 65534 == 0", false);
    check("global 3 == 0", false);
    check("local 9 == 0 or local 0 == 7", true);
    check("local 9 + 1 != 0", false);
    check("!local 9 or !global 3 or local 0 of frame 1 or 0..3", false);
    check("local 9 or local 0 == 7", true);
    check("!(local 9 == 0) or (local 9 == 0) == false", false);
}

#[test]
fn errors_say_what_to_write() {
    let at = |expected: &str, position| format!("{expected}, at {position} in the expression");
    check_error("", &at("a value was expected", 0));
    check_error("apples == 3", "there is no apples here");
    check_error("count ==", &at("a value was expected", 8));
    check_error("-0x-8000000000000000 == 5", &at("this is no number of up to 64 bits", 1));
    check_error("count => 3", &at("an operator was expected", 6));
    check_error("count == 3 count", &at("an operator was expected", 11));
    check_error("global x == 3", "there is no global x here");
    check_error("local -1 == 3", "there is no local here");
    check_error("i32 == 3", "there is no i32 here");
    check_error("i32 @ == 3", &at("an address was expected", 6));
    check_error("i32 @ 4294967296 == 3", &at("an address was expected", 6));
}
