(module
  (import "env" "subscribe_interrupt" (func $subscribe_interrupt (param i32 i32 i32)))
  (table 1 funcref)
  (elem (i32.const 0) $alarm)
  (func $alarm (unreachable))
  (func (export "main") (call $subscribe_interrupt (i32.const 4) (i32.const 0) (i32.const 2))))
