;; Imports what no board has, and something under another type.
(module
  (import "env" "humidity" (func (param i32) (result f32)))
  (import "env" "chip_delay" (func (param i64)))
  (func (export "main")))
