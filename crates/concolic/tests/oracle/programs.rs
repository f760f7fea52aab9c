//! A program for every kind of decision.

use crate::plain::{bounds, check, check_with};
use crate::world::module;
use mw_concolic::Options;

fn main_with(body: &str) -> String {
    module(&format!("(func (export \"main\") (local $a i32) (local $b i32) {body})"))
}

#[test]
fn an_if() {
    assert_eq!(
        check(&main_with("(if (i32.lt_s (call $byte) (i32.const 50)) (then (nop)) (else (nop)))")),
        2
    );
    // Always the same way: one path, and the input does not matter.
    assert_eq!(check(&main_with("(if (i32.lt_s (call $byte) (i32.const 256)) (then (nop)))")), 1);
}

#[test]
fn both_sides_of_an_and() {
    let program = "
      (if (i32.gt_s (call $four) (i32.const 3))
        (then (if (i32.lt_s (call $four) (i32.const 7)) (then (call $print (i32.const 1))))))";
    assert_eq!(check(&main_with(program)), 3);
}

#[test]
fn relations_between_inputs() {
    let program = "
      (local.set $a (call $four)) (local.set $b (call $four))
      (if (i32.lt_s (local.get $a) (local.get $b)) (then (nop)))
      (if (i32.eq (i32.add (local.get $a) (local.get $b)) (i32.const 9)) (then (nop)))";
    assert_eq!(check(&main_with(program)), 4);
}

#[test]
fn a_branch_table() {
    let program = "
      (block $c (block $b (block $a
        (br_table $a $b $a $c $b (call $four)))
        (call $print (i32.const 1)) (return))
        (call $print (i32.const 2)))";
    assert_eq!(check(&main_with(program)), 3);
}

#[test]
fn a_branch_that_carries_a_value() {
    let program = "
      (local.set $a (call $signed))
      (if (i32.gt_s
            (block $out (result i32)
              (drop (br_if $out (i32.mul (local.get $a) (i32.const 3)) (i32.lt_s (local.get $a) (i32.const 0))))
              (i32.sub (i32.const 10) (local.get $a)))
            (i32.const 2))
        (then (nop)))";
    assert_eq!(check(&main_with(program)), 3);
}

#[test]
fn select_merges_or_forks() {
    let program = main_with(
        "(local.set $a (select (i32.const 5) (i32.const 60) (i32.lt_s (call $byte) (i32.const 9))))
         (if (i32.lt_s (local.get $a) (i32.const 7)) (then (nop)))
         (local.set $a (select (i32.const 5) (i32.const 60) (i32.lt_s (call $byte) (i32.const 9))))",
    );
    assert_eq!(check(&program), 2);
    let forking = || Options { forks_at_select: true, ..Options::default() };
    assert_eq!(check_with(&program, forking), 4);
}

#[test]
fn an_indirect_call() {
    let program = module(
        r#"
        (type $t (func (result i32)))
        (table 6 funcref)
        (elem (i32.const 0) $one $two)
        (elem (i32.const 3) $other $one)
        (func $one (type $t) (i32.const 1))
        (func $two (type $t) (call $four))
        (func $other (param i32))
        (func (export "main") (drop (call_indirect (type $t) (call $four))))"#,
    );
    // one, two, null, another type, outside.
    assert_eq!(check(&program), 5);
}

#[test]
fn a_tail_call() {
    let program = module(
        r#"
        (func $down (param $n i32) (param $x i32) (result i32)
          (if (i32.eqz (local.get $n)) (then (return (local.get $x))))
          (return_call $down (i32.sub (local.get $n) (i32.const 1)) (i32.add (local.get $x) (i32.const 2))))
        (func (export "main")
          (if (i32.gt_s (call $down (i32.const 3) (call $four)) (i32.const 12)) (then (nop))))"#,
    );
    assert_eq!(check(&program), 2);
}

#[test]
fn divisions() {
    for op in ["div_s", "div_u", "rem_s", "rem_u"] {
        let program = format!("(drop (i32.{op} (i32.const 100) (call $signed)))");
        assert_eq!(check(&main_with(&program)), 2, "{op}");
        let constant = format!("(drop (i32.{op} (call $signed) (i32.const 7)))");
        assert_eq!(check(&main_with(&constant)), 1, "{op}");
    }
    let overflow = "
      (local.set $a (call $signed))
      (drop (i32.div_s (i32.shl (local.get $a) (i32.const 27)) (call $signed)))";
    assert_eq!(check(&main_with(overflow)), 3);
    let minus_one = "
      (drop (i32.div_s (i32.shl (call $signed) (i32.const 27)) (i32.const -1)))";
    assert_eq!(check(&main_with(minus_one)), 2);
    let wide = "(drop (i64.rem_u (i64.const 77) (i64.add (call $wide) (i64.const 3))))";
    assert_eq!(check(&main_with(wide)), 2);
}

#[test]
fn conversions() {
    let nan = "
      (drop (i32.trunc_f32_s
        (f32.div (f32.convert_i32_s (call $four)) (f32.convert_i32_s (call $four)))))";
    // A number, not a number (0/0), too large (x/0).
    assert_eq!(check(&main_with(nan)), 3);
    let large = "
      (drop (i32.trunc_f64_u
        (f64.mul (f64.convert_i32_s (call $signed)) (f64.const 400000000))))";
    assert_eq!(check(&main_with(large)), 2);
    let saturating = "
      (if (i32.gt_s (i32.trunc_sat_f64_s
            (f64.mul (f64.convert_i32_s (call $signed)) (f64.const 400000000))) (i32.const 2000000000))
        (then (nop)))";
    assert_eq!(check(&main_with(saturating)), 2);
}

#[test]
fn floats() {
    let degrees = "
      (local.set $a (i32.trunc_sat_f32_s
        (f32.mul (f32.sub (f32.mul (f32.div (f32.convert_i32_s (call $byte)) (f32.const 64)) (f32.const 5))
                 (f32.const 0.5)) (f32.const 10))))
      (if (i32.lt_s (local.get $a) (i32.const 20)) (then (nop))
        (else (if (i32.lt_s (local.get $a) (i32.const 22)) (then (nop)))))";
    assert_eq!(check(&main_with(degrees)), 3);
    let minimum = "
      (if (f32.lt (f32.min (f32.convert_i32_s (call $signed)) (f32.const 3.5)) (f32.const 3)) (then (nop)))
      (if (f64.eq (f64.nearest (f64.div (f64.convert_i32_s (call $signed)) (f64.const 4))) (f64.const 2))
        (then (nop)))";
    assert_eq!(check(&main_with(minimum)), 4);
}

#[test]
fn loads_at_addresses_that_depend_on_inputs() {
    let program = module(
        r#"
        (data (i32.const 16) "\00\05\09\02\02\07\00\05\01\05\05\00\00\00\00\01")
        (func (export "main")
          (if (i32.eq (i32.load8_u offset=16 (call $four)) (i32.const 5)) (then (nop)))
          (if (i32.gt_u (i32.load16_u offset=15 (call $four)) (i32.const 1000)) (then (nop))))"#,
    );
    assert_eq!(check(&program), 4);
    let outside = "(drop (i32.load (i32.add (call $byte) (i32.const 65400))))";
    assert_eq!(check(&main_with(outside)), 2);
    let always = "(drop (i64.load (i32.add (call $byte) (i32.const 70000))))";
    assert_eq!(check(&main_with(always)), 1);
}

#[test]
fn stores_at_addresses_that_depend_on_inputs() {
    let program = "
      (i32.store (i32.const 8) (i32.const -1))
      (i32.store16 (call $four) (i32.add (call $four) (i32.const 250)))
      (if (i32.gt_u (i32.load (i32.const 8)) (i32.const 0xff00ffff)) (then (nop)))
      (if (i32.eqz (i32.load8_u (i32.const 4))) (then (nop)))";
    check(&main_with(program));
    let outside = "(i64.store (i32.add (call $byte) (i32.const 65400)) (i64.const 1))";
    assert_eq!(check(&main_with(outside)), 2);
}

#[test]
fn numbers_taken_apart_and_put_together() {
    let program = "
      (i32.store (i32.const 100) (i32.mul (call $byte) (i32.const 0x01020304)))
      (i32.store8 (i32.const 102) (call $four))
      (if (i32.lt_s (i32.load16_s (i32.const 101)) (i32.const 0)) (then (nop)))
      (if (i64.gt_u (i64.load (i32.const 98)) (i64.const 0x500000000000)) (then (nop)))
      (f32.store (i32.const 200) (f32.convert_i32_s (call $signed)))
      (if (i32.lt_s (i32.load (i32.const 200)) (i32.const 0)) (then (nop)))";
    check(&main_with(program));
}

#[test]
fn whole_ranges_of_memory() {
    let program = "
      (memory.fill (i32.const 10) (call $four) (i32.const 6))
      (i32.store8 (i32.const 12) (call $byte))
      (memory.copy (i32.const 40) (i32.const 11) (i32.const 4))
      (if (i32.gt_u (i32.load (i32.const 40)) (i32.const 0x07070707)) (then (nop)))
      (memory.copy (i32.const 41) (i32.const 40) (i32.const 3))
      (if (i32.eq (i32.load8_u (i32.const 42)) (i32.load8_u (i32.const 41))) (then (nop)))";
    check(&main_with(program));
    // Where to and how much depend on inputs: whether it stays within, and each number.
    let length = "(memory.fill (i32.const 65530) (i32.const 1) (call $four))";
    assert_eq!(check(&main_with(length)), 8);
    let target =
        "(memory.copy (i32.add (call $four) (i32.const 65525)) (i32.const 0) (i32.const 4))";
    assert_eq!(check(&main_with(target)), 9);
}

#[test]
fn growing_memory() {
    // By 0, 1 or 2 pages; more fails.
    assert_eq!(check(&main_with("(drop (memory.grow (call $four)))")), 4);
    let asks = "
      (if (i32.lt_s (memory.grow (call $signed)) (i32.const 0)) (then (nop)))
      (if (i32.gt_s (memory.size) (i32.const 2)) (then (nop)))";
    assert_eq!(check(&main_with(asks)), 4);
}

#[test]
fn tables() {
    let program = module(
        r#"
        (table 5 8 funcref)
        (elem (i32.const 1) $f)
        (elem $passive func $f $f)
        (func $f)
        (func (export "main")
          (if (ref.is_null (table.get (call $odd))) (then (nop)))
          (table.set (call $odd) (ref.null func))
          (drop (table.grow (ref.null func) (call $odd))))"#,
    );
    check(&program);
    let init = module(
        r#"
        (table 5 funcref)
        (elem $passive func $f $f)
        (func $f)
        (func (export "main")
          (table.init $passive (call $four) (i32.const 0) (i32.const 2))
          (table.fill (i32.const 1) (ref.null func) (call $four)))"#,
    );
    check(&init);
}

#[test]
fn unreachable_is_a_leaf_and_the_rest_goes_on() {
    let program = "
      (if (i32.eq (call $byte) (i32.const 77)) (then (unreachable)))
      (if (i32.eq (call $four) (i32.const 3)) (then (call $abort)))";
    assert_eq!(check(&main_with(program)), 3);
}

#[test]
fn loops_that_inputs_end() {
    let program = "
      (loop $again (br_if $again (i32.gt_s (call $four) (i32.const 9))))";
    let three = || bounds(|bounds| bounds.inputs = 3);
    assert_eq!(check_with(&main_with(program), three), 4);
    let counted = "
      (local.set $a (call $four))
      (loop $again
        (local.set $a (i32.sub (local.get $a) (i32.const 3)))
        (br_if $again (i32.gt_s (local.get $a) (i32.const 0))))";
    assert_eq!(check(&main_with(counted)), 5);
}

#[test]
fn globals_and_recursion() {
    let program = module(
        r#"
        (global $g (mut i32) (i32.const 0))
        (func $walk (param $n i32) (result i32)
          (if (result i32) (i32.le_s (local.get $n) (i32.const 1))
            (then (local.get $n))
            (else
              (global.set $g (i32.add (global.get $g) (local.get $n)))
              (i32.add (call $walk (i32.shr_u (local.get $n) (i32.const 1))) (i32.const 1)))))
        (func (export "main")
          (drop (call $walk (call $four)))
          (if (i32.gt_s (global.get $g) (i32.const 9)) (then (nop))))"#,
    );
    check(&program);
}

#[test]
fn what_is_put_out_decides_what_can_be_read() {
    // The arguments of an input.
    assert_eq!(check(&main_with("(drop (call $six (i32.and (call $four) (i32.const 3))))")), 4);
    // A rule: while the lamp is off, it is dark.
    let rule = "
      (call $set_lamp (i32.lt_s (call $four) (i32.const 5)))
      (if (i32.gt_s (call $light) (i32.const 20)) (then (nop)))";
    assert_eq!(check(&main_with(rule)), 3);
}

/// A pin that the program drives reads as what it was driven to. That is found out where it is
/// read, so that it makes no difference where it is not.
#[test]
fn a_pin_that_the_program_drives() {
    let unread = "
      (call $pin_mode (i32.const 3) (i32.const 2))
      (call $digital_write (i32.const 3) (i32.lt_s (call $four) (i32.const 5)))
      (drop (call $digital_read (i32.const 4)))";
    assert_eq!(check(&main_with(unread)), 1);
    let read = "
      (call $pin_mode (i32.const 3) (i32.const 2))
      (call $digital_write (i32.const 3) (i32.lt_s (call $four) (i32.const 5)))
      (if (call $digital_read (i32.const 3)) (then (nop)))";
    assert_eq!(check(&main_with(read)), 2);
}
