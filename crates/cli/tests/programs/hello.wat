;; Prints, in colour, what can be redirected.
(module
  (import "env" "print_string" (func $print (param i32 i32)))
  (import "env" "print_int" (func $print_int (param i32)))
  (memory 1)
  (data (i32.const 0) "\1b[32mhello\1b[0m, worlds: ")
  (func (export "main")
    (call $print (i32.const 0) (i32.const 24))
    (call $print_int (i32.const 1024))
    (call $print (i32.const 9) (i32.const 1))))
