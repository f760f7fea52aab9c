;; The start function runs before the entry.
(module
  (import "env" "print_int" (func $print (param i32)))
  (func $begin (call $print (i32.const 1)))
  (func (export "main") (call $print (i32.const 2)))
  (start $begin))
