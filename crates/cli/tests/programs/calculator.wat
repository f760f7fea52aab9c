;; Functions of several types, to be called by name.
(module
  (import "env" "chip_delay" (func $delay (param i32)))
  (memory (export "memory") 1)
  (export "pause" (func $delay))
  (func (export "add") (param i32 i32) (result i32)
    (i32.add (local.get 0) (local.get 1)))
  (func (export "half") (param f64) (result f64)
    (f64.div (local.get 0) (f64.const 2)))
  (func (export "swap") (param i64 f32) (result f32 i64)
    (local.get 1) (local.get 0))
  (func (export "is_null") (param externref) (result i32)
    (ref.is_null (local.get 0))))
