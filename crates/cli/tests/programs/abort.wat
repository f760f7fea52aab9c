;; Aborts with a message, as AssemblyScript does.
(module
  (import "env" "abort" (func $abort (param i32 i32 i32 i32)))
  (import "env" "print_int" (func $print (param i32)))
  (memory 1)
  (data (i32.const 4) "\10\00\00\00n\00o\00 \00l\00i\00g\00h\00t\00")
  (data (i32.const 36) "\08\00\00\00a\00.\00t\00s\00")
  (func $check
    (call $abort (i32.const 8) (i32.const 40) (i32.const 3) (i32.const 7)))
  (func (export "_start")
    (call $print (i32.const 1))
    (call $check)))
