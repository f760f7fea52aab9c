;; Uses a proposal that the machine does not support.
(module
  (import "env" "chip_delay" (func (param i32)))
  (func $plain)
  (func $vector (export "main") (drop (i32x4.splat (i32.const 1)))))
