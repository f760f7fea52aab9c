;; A clock of hours and minutes that is set in two steps, and a count that two add to. Buttons at
;; pins 4 and 5 look at the clock, and count.
(module
  (import "env" "subscribe_interrupt" (func $subscribe (param i32 i32 i32)))
  (import "symbolic" "assert" (func $assert (param i32)))
  (memory 1)
  (table 2 funcref)
  (elem (i32.const 0) $look $count)
  (global $counted (mut i32) (i32.const 0))
  (global $expected (mut i32) (i32.const 1))
  ;; Minutes are 30 where hours are 12, or both are 0.
  (func $look
    (if (i32.ne (i32.mul (i32.load16_u (i32.const 2)) (i32.const 2))
                (i32.mul (i32.load16_u (i32.const 0)) (i32.const 5)))
      (then (unreachable))))
  (func $count
    (global.set $expected (i32.const 2))
    (global.set $counted (i32.add (global.get $counted) (i32.const 1))))
  (func (export "main")
    (call $subscribe (i32.const 4) (i32.const 0) (i32.const 2))
    (i32.store16 (i32.const 0) (i32.const 12))
    (i32.store16 (i32.const 2) (i32.const 30))
    (call $subscribe (i32.const 5) (i32.const 1) (i32.const 2))
    (global.set $counted (i32.add (global.get $counted) (i32.const 1)))
    (call $assert (i32.eq (global.get $counted) (global.get $expected)))))
