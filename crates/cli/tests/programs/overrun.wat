;; Prints what is not in its memory.
(module
  (import "env" "print_string" (func $print (param i32 i32)))
  (memory 1)
  (func (export "main") (call $print (i32.const 65530) (i32.const 10))))
