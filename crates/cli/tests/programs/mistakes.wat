;; Several mistakes, each behind a condition on what is read.
(module
  (import "env" "chip_analog_read" (func $read (param i32) (result i32)))
  (import "env" "abort" (func $abort (param i32 i32 i32 i32)))
  (memory 1)
  (data (i32.const 4) "\10\00\00\00t\00o\00o\00 \00w\00a\00r\00m\00")
  (data (i32.const 36) "\08\00\00\00a\00.\00t\00s\00")
  (func $check (param $heat i32) (param $limit i32)
    (if (i32.gt_u (local.get $heat) (i32.const 3000))
      (then
        (if (i32.lt_u (local.get $limit) (i32.const 7))
          (then (call $abort (i32.const 8) (i32.const 40) (i32.const 3) (i32.const 7)))))))
  (func (export "main")
    (local $heat i32)
    (local $limit i32)
    (drop (call $read (i32.const 9)))
    (local.set $heat (call $read (i32.const 1)))
    (if (i32.eq (local.get $heat) (i32.const 42)) (then (unreachable)))
    (local.set $limit (call $read (i32.const 2)))
    (call $check (local.get $heat) (local.get $limit))
    (drop
      (i32.load (i32.shl (i32.shr_u (local.get $heat) (i32.const 10)) (i32.const 15)))))
  (func (export "ratio") (param $a i32) (param $b i32) (result i32)
    (i32.div_s (local.get $a) (local.get $b))))
