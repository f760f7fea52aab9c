;; Waits for a button's interrupt, which counts.
(module
  (import "env" "subscribe_interrupt" (func $subscribe (param i32 i32 i32)))
  (import "env" "print_int" (func $print (param i32)))
  (table 1 funcref)
  (elem (i32.const 0) $ring)
  (global $rings (export "rings") (mut i32) (i32.const 0))
  (func $ring (global.set $rings (i32.add (global.get $rings) (i32.const 1))))
  (func (export "main")
    (call $subscribe (i32.const 4) (i32.const 0) (i32.const 2))
    (nop)
    (nop)
    (call $print (global.get $rings))))
