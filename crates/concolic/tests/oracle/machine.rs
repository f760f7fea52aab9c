//! Programs that lead inputs through more of the machine: further memories, tables that change,
//! calls in calls, values that branches carry.

use crate::plain::check;
use crate::world::module;

fn main_with(body: &str) -> String {
    module(&format!("(func (export \"main\") (local $a i32) (local $b i32) (local $w i64) {body})"))
}

#[test]
fn several_memories() {
    let program = module(
        r#"
        (memory $other 1)
        (data (memory $other) (i32.const 8) "\05\06\07\08\09\0a\0b\0c")
        (func (export "main") (local $a i32)
          (local.set $a (call $four))
          ;; The same address, another memory.
          (i32.store8 (i32.const 8) (local.get $a))
          (if (i32.gt_u (i32.load8_u (i32.const 8)) (i32.const 7)) (then (nop)))
          (if (i32.eq (i32.load8_u $other (i32.const 8)) (i32.const 5)) (then (nop)))
          (if (i32.gt_u (i32.load8_u $other (i32.add (local.get $a) (i32.const 4))) (i32.const 8))
            (then (nop)))
          (i32.store16 $other (local.get $a) (i32.const 0x1234))
          (memory.copy 0 $other (i32.const 100) (i32.const 0) (i32.const 16))
          (if (i32.eq (i32.load8_u (i32.const 107)) (i32.const 0x12)) (then (nop)))
          (memory.fill $other (i32.const 0) (local.get $a) (i32.const 4))
          (if (i32.eq (i32.load $other (i32.const 0)) (i32.const 0x03030303)) (then (nop)))
          (drop (i32.load $other (i32.add (local.get $a) (i32.const 65524)))))"#,
    );
    assert!(check(&program) > 5);
}

#[test]
fn memory_from_segments() {
    let program = module(
        r#"
        (data $bytes "\01\02\03\04\05\06\07\08")
        (func (export "main")
          (i32.store (i32.const 0) (i32.mul (call $four) (i32.const 0x01010101)))
          ;; Known bytes over bytes that an input had a say in.
          (memory.init $bytes (i32.const 1) (i32.const 3) (i32.const 2))
          (if (i32.gt_u (i32.load (i32.const 0)) (i32.const 0x09050409)) (then (nop)))
          (memory.init $bytes (i32.const 16) (call $four) (i32.const 2))
          (if (i32.gt_u (i32.load16_u (i32.const 16)) (i32.const 0x0500)) (then (nop))))"#,
    );
    // Seven places in the segment, or outside.
    assert!(check(&program) > 15);
    let dropped = module(
        r#"
        (data $bytes "\01\02\03\04")
        (func (export "main")
          (if (i32.gt_s (call $four) (i32.const 3)) (then (data.drop $bytes)))
          (memory.init $bytes (i32.const 0) (i32.const 0) (i32.and (call $four) (i32.const 1))))"#,
    );
    assert_eq!(check(&dropped), 4);
}

#[test]
fn loads_with_signs() {
    for (store, load) in [
        ("i32.store8", "i64.load8_s"),
        ("i32.store8", "i64.load8_u"),
        ("i32.store16", "i64.load16_s"),
        ("i32.store16", "i64.load16_u"),
        ("i32.store", "i64.load32_s"),
        ("i32.store", "i64.load32_u"),
        ("i32.store", "i64.load"),
    ] {
        let known = format!(
            "({store} (i32.const 40) (i32.mul (call $signed) (i32.const 0x0f0f0f0f)))
             (if (i64.lt_s ({load} (i32.const 40)) (i64.const -5)) (then (nop)))
             (if (i64.gt_u ({load} (i32.const 39)) (i64.const 0x0f0f)) (then (nop)))"
        );
        check(&main_with(&known));
        let at_an_input = format!(
            "({store} (i32.const 40) (i32.const 0x8f9fafbf))
             (i32.store8 (i32.const 44) (i32.const 0x7f))
             (local.set $w ({load} offset=30 (call $four)))
             (if (i64.lt_s (local.get $w) (i64.const 0)) (then (nop)))
             (if (i64.gt_u (local.get $w) (i64.const 0x7f)) (then (nop)))"
        );
        assert!(check(&main_with(&at_an_input)) > 1, "{load}");
    }
}

/// What is cut off when a wide number is stored narrow stays cut off.
#[test]
fn narrow_stores_of_wide_numbers() {
    for number in ["(i64.const 0x100000005)", "(i64.add (call $wide) (i64.const 0xfff00000005))"] {
        let program = format!(
            "(i32.store (i32.const 4) (i32.const 6))
             (i32.store8 (i32.const 5) (i32.const 0))
             (i64.store32 (i32.shl (i32.and (call $four) (i32.const 3)) (i32.const 2)) {number})
             (i32.store8 (i32.const 105) (i32.const 1))
             (if (i32.load8_u offset=100 (i32.and (i32.load (i32.const 4)) (i32.const 0xffff)))
               (then (nop)))
             (local.set $a (i32.load (i32.const 4)))
             (if (i32.load8_u offset=100 (i32.and (local.get $a) (i32.const 0x7f))) (then (nop)))
             (if (i64.gt_u (i64.extend_i32_u (local.get $a)) (i64.const 0xffffffff)) (then (nop)))"
        );
        check(&main_with(&program));
    }
    let address = "
      (i32.store8 (i32.const 105) (i32.const 1))
      (i64.store32 (i32.shl (i32.and (call $four) (i32.const 3)) (i32.const 2))
        (i64.const 0x100000005))
      (if (i32.load8_u offset=100 (i32.load (i32.const 4))) (then (nop)))";
    assert_eq!(check(&main_with(address)), 2);
}

#[test]
fn a_table_that_changes() {
    let program = module(
        r#"
        (type $t (func (param i32) (result i32)))
        (table $table 4 funcref)
        (elem (i32.const 0) $double $half)
        (elem declare func $square)
        (func $double (type $t) (i32.mul (local.get 0) (i32.const 2)))
        (func $half (type $t) (i32.shr_s (local.get 0) (i32.const 1)))
        (func $square (type $t) (i32.mul (local.get 0) (local.get 0)))
        (func (export "main") (local $a i32)
          (local.set $a (call $four))
          (table.set $table (i32.and (local.get $a) (i32.const 3)) (ref.func $square))
          (if (i32.gt_s
                (call_indirect $table (type $t) (local.get $a) (i32.shr_u (local.get $a) (i32.const 2)))
                (i32.const 20))
            (then (nop))))"#,
    );
    assert!(check(&program) > 6);
}

#[test]
fn calls_in_calls() {
    let program = module(
        r#"
        (func $between (param $x i32) (param $low i32) (param $high i32) (result i32)
          (i32.and (i32.ge_s (local.get $x) (local.get $low))
                   (i32.le_s (local.get $x) (local.get $high))))
        (func $clamp (param $x i32) (param $low i32) (param $high i32) (result i32) (local $kept i32)
          (if (call $between (local.get $x) (local.get $low) (local.get $high))
            (then (local.set $kept (local.get $x)))
            (else
              (if (i32.lt_s (local.get $x) (local.get $low))
                (then (local.set $kept (local.get $low)))
                (else (local.set $kept (local.get $high))))))
          (local.get $kept))
        (func $two (param $x i32) (result i32 i32)
          (call $clamp (local.get $x) (i32.const -3) (i32.const 4))
          (i32.sub (i32.const 0) (local.get $x)))
        (func (export "main")
          (if (i32.lt_s (i32.add (call $two (call $signed))) (i32.const -2)) (then (nop)))
          (drop (i32.div_s (i32.const 8)
            (call $clamp (call $four) (call $clamp (i32.const 0) (i32.const -5) (i32.const 5))
              (i32.const 3)))))"#,
    );
    assert!(check(&program) > 8);
}

/// A frame that is left and entered again has none of the old locals.
#[test]
fn locals_begin_as_zero() {
    let program = module(
        r#"
        (func $leaves (param $x i32) (local $l i32) (local.set $l (local.get $x)))
        (func $finds (param $x i32) (result i32) (local $l i32) (local.get $l))
        (func (export "main")
          (call $leaves (call $four))
          (if (call $finds (call $four)) (then (unreachable))))"#,
    );
    assert_eq!(check(&program), 1);
}

#[test]
fn a_branch_table_that_carries_values() {
    let program = main_with(
        "(local.set $a (call $four))
         (if (i32.gt_s
               (block $c (result i32)
                 (i32.add (i32.const 100)
                   (block $b (result i32)
                     (i32.add (i32.const 10)
                       (block $a (result i32)
                         (br_table $a $b $c $b (i32.mul (local.get $a) (local.get $a))
                           (i32.and (local.get $a) (i32.const 7))))))))
               (i32.const 120))
           (then (nop)))",
    );
    assert!(check(&program) >= 5);
}

#[test]
fn recursion_as_deep_as_an_input_says() {
    let program = module(
        r#"
        (func $sum (param $n i32) (param $x i32) (result i32)
          (if (result i32) (i32.eqz (local.get $n))
            (then (local.get $x))
            (else
              (i32.add (local.get $x)
                (call $sum (i32.sub (local.get $n) (i32.const 1))
                           (i32.xor (local.get $x) (local.get $n)))))))
        (func (export "main")
          (if (i32.gt_s (call $sum (i32.and (call $byte) (i32.const 7)) (call $four)) (i32.const 30))
            (then (nop))))"#,
    );
    assert!(check(&program) > 10);
    // So deep that the stack ends, for some inputs.
    let deep = module(
        r#"
        (func $down (param $n i32)
          (if (local.get $n) (then (call $down (i32.sub (local.get $n) (i32.const 1))))))
        (func (export "main")
          (call $down (i32.mul (i32.and (call $four) (i32.const 1)) (i32.const 1000))))"#,
    );
    assert_eq!(check(&deep), 2);
}

#[test]
fn globals_of_all_types() {
    let program = module(
        r#"
        (global $i (mut i64) (i64.const 0)) (global $f (mut f32) (f32.const 0))
        (global $d (mut f64) (f64.const 0))
        (func (export "main")
          (global.set $i (call $wide))
          (global.set $f (f32.convert_i64_s (global.get $i)))
          (global.set $d (f64.promote_f32 (f32.div (global.get $f) (f32.const 8))))
          (if (f64.lt (f64.nearest (global.get $d)) (f64.const -1)) (then (global.set $i (i64.const 3))))
          (if (i64.eqz (i64.rem_s (global.get $i) (i64.const 3))) (then (nop)))
          (f64.store (i32.const 1) (global.get $d))
          (if (i64.gt_u (i64.load (i32.const 0)) (i64.const 0)) (then (nop))))"#,
    );
    assert!(check(&program) > 5);
}
