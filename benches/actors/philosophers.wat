;; Dining philosophers: so many, with as many forks. Each takes the fork to the left, then the one to
;; the right, eats, and puts both back. A fork that is taken answers whoever asks for it later.
(module
  (import "actor" "spawn" (func $spawn (param i32 i32 i32 i32) (result i32)))
  (import "actor" "send" (func $send (param i32 i32 i32 i32 i32) (result i32)))
  (import "actor" "tell" (func $tell (param i32 i32 i32 i32 i32)))
  (import "actor" "when" (func $when (param i32 i32 i32 i32 i32)))
  (import "actor" "defer" (func $defer (result i32)))
  (import "actor" "resolve" (func $resolve (param i32 i32 i32)))
  (memory 1)
  (data (i32.const 0) "fork")
  (data (i32.const 4) "philosopher")
  (data (i32.const 16) "take")
  (data (i32.const 20) "takeOther")
  (data (i32.const 32) "eat")
  (data (i32.const 36) "release")
  (global $taken (mut i32) (i32.const 0))
  ;; Who waits for a fork; -1 is nobody.
  (global $waiting (mut i32) (i32.const -1))

  (func $fork (result i32)
    (call $spawn (i32.const 0) (i32.const 4) (i32.const 0) (i32.const 0)))

  ;; Both forks as the content of a message, at 64.
  (func $both (param $first i32) (param $second i32)
    (i32.store offset=64 (i32.const 0) (local.get $first))
    (i32.store offset=68 (i32.const 0) (local.get $second)))

  (func $sit (param $left i32) (param $right i32)
    (call $both (local.get $left) (local.get $right))
    (drop (call $spawn (i32.const 4) (i32.const 11) (i32.const 64) (i32.const 8))))

  (func (export "main") (param $philosophers i32)
    (local $first i32) (local $left i32) (local $right i32)
    (local.set $first (call $fork))
    (local.set $left (local.get $first))
    (loop $each
      (local.set $philosophers (i32.sub (local.get $philosophers) (i32.const 1)))
      (local.set $right (call $fork))
      (call $sit (local.get $left) (local.get $right))
      (local.set $left (local.get $right))
      (br_if $each (i32.gt_u (local.get $philosophers) (i32.const 1))))
    ;; The table is round.
    (call $sit (local.get $left) (local.get $first)))

  (func (export "fork.take")
    (if (global.get $taken) (then (global.set $waiting (call $defer))))
    (global.set $taken (i32.const 1)))

  (func (export "fork.release")
    (if (i32.eq (global.get $waiting) (i32.const -1))
      (then (global.set $taken (i32.const 0)))
      (else
        (call $resolve (global.get $waiting) (i32.const 0) (i32.const 0))
        (global.set $waiting (i32.const -1)))))

  (func (export "philosopher.init") (param $first i32) (param $second i32)
    (call $both (local.get $first) (local.get $second))
    (call $when
      (call $send (local.get $first) (i32.const 16) (i32.const 4) (i32.const 0) (i32.const 0))
      (i32.const 20) (i32.const 9) (i32.const 64) (i32.const 8)))

  (func (export "philosopher.takeOther") (param $first i32) (param $second i32)
    (call $both (local.get $first) (local.get $second))
    (call $when
      (call $send (local.get $second) (i32.const 16) (i32.const 4) (i32.const 0) (i32.const 0))
      (i32.const 32) (i32.const 3) (i32.const 64) (i32.const 8)))

  (func (export "philosopher.eat") (param $first i32) (param $second i32)
    (call $tell (local.get $first) (i32.const 36) (i32.const 7) (i32.const 0) (i32.const 0))
    (call $tell (local.get $second) (i32.const 36) (i32.const 7) (i32.const 0) (i32.const 0))))
