;; Writes what a sensor reads into memory, three times, and adds it up.
(module
  (import "env" "chip_analog_read" (func $read (param i32) (result i32)))
  (import "env" "print_int" (func $print (param i32)))
  (memory 1)
  (data (i32.const 1024) "notes\00")
  (global $sum (export "sum") (mut i32) (i32.const 0))
  (func $note (param $index i32) (param $value i32)
    (i32.store (i32.add (i32.const 2048) (i32.mul (local.get $index) (i32.const 4)))
      (local.get $value))
    (global.set $sum (i32.add (global.get $sum) (local.get $value))))
  (func (export "main") (result i32)
    (local $i i32)
    (loop $again
      (call $note (local.get $i) (call $read (i32.const 5)))
      (call $print (global.get $sum))
      (br_if $again
        (i32.lt_s (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 3))))
    (global.get $sum)))
