;; Lights a lamp, reads the wind, and launches a rocket if it is calm.
(module
  (import "env" "chip_digital_write" (func $write (param i32 i32)))
  (import "env" "wind" (func $wind (result i32)))
  (import "env" "launch" (func $launch (param i32)))
  (func (export "main")
    (call $write (i32.const 1) (i32.const 1))
    (if (i32.lt_s (call $wind) (i32.const 10))
      (then (call $launch (i32.const 7))))
    (call $write (i32.const 1) (i32.const 0))))
