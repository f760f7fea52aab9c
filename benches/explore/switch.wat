;; A loop that reads a switch and remembers the last reading, for ever: each
;; reading is the same as the last one or not, so there are two paths after one
;; reading, four after two, and so on.
(module
  (import "env" "chip_digital_read" (func $read (param i32) (result i32)))
  (func (export "main") (local $now i32) (local $last i32)
    (loop $again
      (local.set $now (call $read (i32.const 2)))
      (if (i32.ne (local.get $now) (local.get $last))
        (then (local.set $last (local.get $now))))
      (br $again))))
