//! Symbols, assumptions and assertions.

use mw_concolic::End;
use mw_vm::Value;

use crate::plain::{check, ends, explore, main_with, module};

fn pairs(ends: &[(String, String)]) -> Vec<(&str, &str)> {
    ends.iter().map(|(end, class)| (end.as_str(), class.as_str())).collect()
}

#[test]
fn symbols_of_every_type() {
    for (symbol, is_special) in [
        ("i32", "(i32.eq (call $i32) (i32.const -77777))"),
        ("i64", "(i64.eq (call $i64) (i64.const 0x123456789abc))"),
        ("f32", "(f32.eq (call $f32) (f32.const 1.5))"),
        ("f64", "(f64.gt (call $f64) (f64.const 1e300))"),
        ("i8", "(i32.eq (call $i8) (i32.const 200))"),
        ("char", "(i32.eq (call $char) (i32.const 97))"),
        ("bool", "(call $bool)"),
        ("range", "(i32.eq (call $range (i32.const -3) (i32.const 8)) (i32.const 7))"),
    ] {
        let leaves = explore(&main_with(&format!("(if {is_special} (then (unreachable)))")));
        assert_eq!(leaves.len(), 2, "{symbol}: {leaves:#?}");
        let values: Vec<Value> = leaves
            .iter()
            .filter(|leaf| matches!(leaf.end, End::Trapped(_)))
            .filter_map(|leaf| leaf.steps[0].value)
            .collect();
        let [value] = values[..] else { panic!("{symbol}: {leaves:#?}") };
        match value {
            Value::I32(v) => assert!([-77777, 200, 97, 1, 7].contains(&v), "{symbol} {v}"),
            Value::I64(v) => assert_eq!(v, 0x1234_5678_9abc),
            Value::F32(v) => assert_eq!(f32::from_bits(v), 1.5),
            Value::F64(v) => assert!(f64::from_bits(v) > 1e300),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn domains_of_small_symbols() {
    let outside = |call: &str, low: i32, high: i32| {
        let assertion = "(i32.and (i32.ge_s (local.get $i) (i32.const {low}))
                                  (i32.le_s (local.get $i) (i32.const {high})))";
        let assertion = assertion.replace("{low}", &low.to_string());
        let assertion = assertion.replace("{high}", &high.to_string());
        check(&main_with(&format!("(local.set $i {call}) (call $assert {assertion})")))
    };
    for (call, low, high) in [
        ("(call $i8)", 0, 255),
        ("(call $char)", 0, 255),
        ("(call $bool)", 0, 1),
        ("(call $range (i32.const 10) (i32.const 20))", 10, 19),
        ("(call $range (i32.const -9) (i32.const -8))", -9, -9),
    ] {
        assert_eq!(outside(call, low, high), 1, "{call}");
        assert_eq!(outside(call, low + 1, high + 1), if low == high { 1 } else { 2 }, "{call}");
    }
}

#[test]
fn an_empty_range_is_an_assumption_that_does_not_hold() {
    let program = "(drop (call $range (i32.const 4) (i32.sub (call $char) (i32.const 250))))";
    // Only 255 leaves something: 4 to 4.
    assert_eq!(check(&main_with(program)), 1);
    assert_eq!(explore(&main_with("(drop (call $range (i32.const 4) (i32.const 4)))")), []);
}

#[test]
fn an_assumption_narrows_classes() {
    let program = main_with(
        "(local.set $i (call $i8))
         (call $assume (i32.gt_u (local.get $i) (i32.const 100)))
         (call $assume (i32.lt_u (local.get $i) (i32.const 110)))
         (if (i32.eq (local.get $i) (i32.const 105)) (then (nop)))",
    );
    assert_eq!(pairs(&ends(&program)), [("Finished", "101..104, 106..109"), ("Finished", "105")]);
    assert_eq!(check(&program), 2);
}

#[test]
fn an_assumption_that_never_holds_leaves_no_path() {
    assert_eq!(explore(&main_with("(call $assume (i32.const 0))")), []);
    let contradiction = "
      (local.set $i (call $i8))
      (call $assume (i32.gt_u (local.get $i) (i32.const 100)))
      (call $assume (i32.lt_u (local.get $i) (i32.const 50)))
      (unreachable)";
    assert_eq!(explore(&main_with(contradiction)), []);
    // On one side of a branch only.
    let program = "
      (if (i32.lt_u (call $i8) (i32.const 9)) (then (call $assume (i32.const 0)) (unreachable)))
      (call $assume (i32.const 7))";
    assert_eq!(pairs(&ends(&main_with(program))), [("Finished", "9..255")]);
}

#[test]
fn an_assumption_about_the_sign() {
    let program = "(call $assume_positive (i32.sub (call $i8) (i32.const 250)))";
    assert_eq!(pairs(&ends(&main_with(program))), [("Finished", "250..255")]);
}

#[test]
fn assumptions_relate_inputs() {
    let program = "
      (local.set $i (call $range (i32.const 0) (i32.const 12)))
      (local.set $p (call $range (i32.const 0) (i32.const 12)))
      (call $assume (i32.lt_s (local.get $i) (local.get $p)))
      (call $assert (i32.ne (i32.add (local.get $i) (local.get $p)) (i32.const 5)))
      (if (local.get $i) (then (nop)))";
    assert_eq!(check(&main_with(program)), 3);
}

#[test]
fn an_assertion_that_fails_is_found_with_its_inputs() {
    let program = main_with(
        "(local.set $i (call $i8))
         (call $assert (i32.ne (i32.mul (local.get $i) (local.get $i)) (i32.const 144)))
         (call $print (local.get $i))",
    );
    assert_eq!(pairs(&ends(&program)), [("AssertionFailed", "12"), ("Finished", "0..11, 13..255")]);
    assert_eq!(check(&program), 2);
}

#[test]
fn assertions_that_are_certain() {
    let program = |n: i32| main_with(&format!("(drop (call $i8)) (call $assert (i32.const {n}))"));
    assert_eq!(pairs(&ends(&program(1))), [("Finished", "any")]);
    assert_eq!(pairs(&ends(&program(0))), [("AssertionFailed", "any")]);
    // Without any input.
    assert_eq!(pairs(&ends(&main_with("(call $assert (i32.const 0))"))), [("AssertionFailed", "")]);
}

#[test]
fn several_assertions_and_what_comes_after() {
    let program = "
      (local.set $i (call $range (i32.const 0) (i32.const 40)))
      (call $assert (i32.ge_s (local.get $i) (i32.const 5)))
      (call $assert (i32.lt_s (local.get $i) (i32.const 30)))
      (if (i32.and (local.get $i) (i32.const 1)) (then (call $exit (i32.const 0))))";
    assert_eq!(check(&main_with(program)), 4);
}

#[test]
fn assertions_in_functions_and_tail_calls() {
    let program = module(
        r#"
        (table 2 funcref) (elem (i32.const 0) $assert $assume)
        (func $claim (param $x i32)
          (return_call $assert (i32.ne (local.get $x) (i32.const 3))))
        (func (export "main") (local $i i32)
          (local.set $i (call $range (i32.const 0) (i32.const 8)))
          (call $claim (local.get $i))
          (call_indirect (param i32)
            (i32.ne (local.get $i) (i32.const 4))
            (i32.and (local.get $i) (i32.const 1)))
          (if (i32.eq (local.get $i) (i32.const 6)) (then (nop))))"#,
    );
    // 3 fails, 4 fails (even: assert), odd ones are assumed not to be 4, 6 branches.
    assert_eq!(check(&program), 5);
}

#[test]
fn a_program_ends_itself() {
    let program = "
      (if (call $bool) (then (call $exit (i32.const 0))))
      (unreachable)";
    let ends = ends(&main_with(program));
    assert_eq!(pairs(&ends), [("Exited", "1"), ("unreachable", "0")]);
    assert!(!End::Exited.is_failure() && End::AssertionFailed.is_failure());
}
