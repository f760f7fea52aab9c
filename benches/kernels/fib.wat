;; Fibonacci by double recursion: almost nothing but calls and returns.
;; `run(n)` is the n-th Fibonacci number.
(module
  (func $fib (param $n i32) (result i64)
    (if (result i64) (i32.lt_s (local.get $n) (i32.const 2))
      (then (i64.extend_i32_s (local.get $n)))
      (else
        (i64.add
          (call $fib (i32.sub (local.get $n) (i32.const 1)))
          (call $fib (i32.sub (local.get $n) (i32.const 2)))))))

  (func (export "run") (param $n i32) (result i64)
    (call $fib (local.get $n))))
