;; Asks a server for a page, and blinks if it begins with "on".
(module
  (import "env" "http_get" (func $get (param i32 i32 i32 i32) (result i32)))
  (import "env" "chip_digital_write" (func $write (param i32 i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "http://lamp")
  (func (export "main") (local $i i32)
    (loop $again
      (drop (call $get (i32.const 0) (i32.const 11) (i32.const 64) (i32.const 8)))
      (call $write (i32.const 13) (i32.eq (i32.load16_u (i32.const 64)) (i32.const 0x6e6f)))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $again (i32.lt_s (local.get $i) (i32.const 3))))))
