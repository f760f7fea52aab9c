;; Blinks the LED at pin 13 five times, half a second on and half a second off.
(module
  (import "env" "chip_pin_mode" (func $pin_mode (param $pin i32) (param $mode i32)))
  (import "env" "chip_digital_write" (func $digital_write (param $pin i32) (param $value i32)))
  (import "env" "chip_delay" (func $delay (param $milliseconds i32)))

  (global $led i32 (i32.const 13))
  (global $output i32 (i32.const 2))

  (func $blink
    (call $digital_write (global.get $led) (i32.const 1))
    (call $delay (i32.const 500))
    (call $digital_write (global.get $led) (i32.const 0))
    (call $delay (i32.const 500)))

  (func $main (export "main")
    (local $left i32)
    (call $pin_mode (global.get $led) (global.get $output))
    (local.set $left (i32.const 5))
    (loop $again
      (call $blink)
      (local.tee $left (i32.sub (local.get $left) (i32.const 1)))
      (br_if $again))))
