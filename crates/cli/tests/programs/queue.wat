;; A queue of four that is filled with four values, and with one more if the button is pressed.
(module
  (import "env" "chip_digital_read" (func $button (param i32) (result i32)))
  (memory 1)
  (global $next (mut i32) (i32.const 1024))

  ;; A queue: its length, how many it has room for, and its values.
  (func $queue_new (param $size i32) (result i32)
    (local $queue i32)
    (local.set $queue (global.get $next))
    (global.set $next
      (i32.add (local.get $queue) (i32.add (i32.const 8) (i32.mul (local.get $size) (i32.const 4)))))
    (i32.store (local.get $queue) (i32.const 0))
    (i32.store offset=4 (local.get $queue) (local.get $size))
    (local.get $queue))

  (func $queue_push (param $queue i32) (param $value i32)
    (local $length i32)
    (local.set $length (i32.load (local.get $queue)))
    (i32.store offset=8
      (i32.add (local.get $queue) (i32.mul (local.get $length) (i32.const 4)))
      (local.get $value))
    (i32.store (local.get $queue) (i32.add (local.get $length) (i32.const 1))))

  (func $fill (param $queue i32) (param $count i32)
    (loop $again
      (call $queue_push (local.get $queue) (local.get $count))
      (local.set $count (i32.sub (local.get $count) (i32.const 1)))
      (br_if $again (local.get $count))))

  (func (export "main")
    (local $queue i32)
    (local.set $queue (call $queue_new (i32.const 4)))
    (drop (call $queue_new (i32.const 2)))
    (call $fill (local.get $queue)
      (i32.add (i32.const 4) (call $button (i32.const 7))))))
