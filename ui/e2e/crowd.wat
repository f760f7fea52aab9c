;; Thirty workers in a ring, and three tokens that each of them hands on: 2,000 turns and more.
(module
  (import "actor" "spawn" (func $spawn (param i32 i32 i32 i32) (result i32)))
  (import "actor" "tell" (func $tell (param i32 i32 i32 i32 i32)))
  (import "actor" "self" (func $self (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "worker")
  (data (i32.const 16) "pass")

  (func $hand (param $to i32) (param $left i32)
    (i32.store (i32.const 32) (local.get $left))
    (call $tell (local.get $to) (i32.const 16) (i32.const 4) (i32.const 32) (i32.const 4)))

  (func (export "main")
    (local $made i32)
    (loop $more
      (drop (call $spawn (i32.const 0) (i32.const 6) (i32.const 0) (i32.const 0)))
      (local.set $made (i32.add (local.get $made) (i32.const 1)))
      (br_if $more (i32.lt_u (local.get $made) (i32.const 30))))
    (call $hand (i32.const 1) (i32.const 700))
    (call $hand (i32.const 11) (i32.const 700))
    (call $hand (i32.const 21) (i32.const 700)))

  (func (export "worker_pass") (param $left i32)
    (if (i32.eqz (local.get $left)) (then (return)))
    (call $hand
      (i32.add (i32.rem_u (call $self) (i32.const 30)) (i32.const 1))
      (i32.sub (local.get $left) (i32.const 1)))))
