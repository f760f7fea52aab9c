;; What can be known of functions without running them.
(module
  (import "env" "chip_analog_read" (func $read (param i32) (result i32)))
  (import "env" "print_int" (func $print (param i32)))
  (memory 1)
  (global $count (mut i32) (i32.const 0))
  (table 2 funcref)
  (elem (i32.const 0) $digit $clamp)

  ;; Neither division can trap, and the result is a digit.
  (func $digit (param $x i32) (result i32)
    (i32.rem_u (local.get $x) (i32.const 10)))

  ;; Refined by both branches.
  (func $clamp (param $x i32) (result i32)
    (if (i32.lt_s (local.get $x) (i32.const -5)) (then (return (i32.const -5))))
    (if (i32.gt_s (local.get $x) (i32.const 20)) (then (return (i32.const 20))))
    (local.get $x))

  ;; A divisor that may be zero.
  (func $ratio (param $x i32) (result i32)
    (i32.div_u (i32.const 1000) (local.get $x)))

  ;; One that cannot, as it is asked before.
  (func $safe_ratio (param $x i32) (result i32)
    (if (i32.eqz (local.get $x)) (then (return (i32.const 0))))
    (i32.div_u (i32.const 1000) (local.get $x)))

  ;; A table of sixteen bytes at 1024.
  (func $store (param $i i32)
    (i32.store8 offset=1024 (i32.and (local.get $i) (i32.const 15)) (i32.const 1))
    (global.set $count (i32.add (global.get $count) (i32.const 1))))

  ;; A loop that counts to ten, found again by narrowing.
  (func $count_up (result i32) (local $i i32)
    (loop $again
      (call $store (local.get $i))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $again (i32.lt_s (local.get $i) (i32.const 10))))
    (local.get $i))

  ;; Any function of this type that is in the table.
  (func $either (param $x i32) (result i32)
    (call_indirect (param i32) (result i32) (local.get $x) (i32.const 0)))

  (func $recurse (param $n i32) (result i32)
    (if (i32.eqz (local.get $n)) (then (return (i32.const 1))))
    (call $recurse (i32.sub (local.get $n) (i32.const 1))))

  (func $main (export "main")
    (call $print (call $clamp (call $read (i32.const 3))))
    (if (i32.gt_u (call $digit (call $count_up)) (i32.const 9)) (then unreachable))
    (drop (call $recurse (i32.const 3)))))
