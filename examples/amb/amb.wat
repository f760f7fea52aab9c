;; (+ (amb 1 2) (amb 3 4)): the sum of two numbers, each of which is one of two. What is left of the
;; program is the sum alone, so that equal sums are equal states.
(module
  (import "amb" "one_or_two" (func $one_or_two (result i32)))
  (import "amb" "three_or_four" (func $three_or_four (result i32)))

  (global $sum (export "sum") (mut i32) (i32.const 0))

  (func $main (export "main")
    (global.set $sum (i32.add (call $one_or_two) (call $three_or_four)))))
