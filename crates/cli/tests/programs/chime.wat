(module
  ;; A bell that waits for its button, and a chime. The chime adds up what it has played in two steps;
  ;; a button of its own, which asks how often it has rung, may come in between.
  (import "actor" "spawn" (func $spawn (param i32 i32 i32 i32) (result i32)))
  (import "actor" "tell" (func $tell (param i32 i32 i32 i32 i32)))
  (import "env" "subscribe_interrupt" (func $subscribe (param i32 i32 i32)))
  (memory 1)
  (data (i32.const 0) "chime")
  (data (i32.const 8) "ring")
  (table 2 funcref)
  (elem (i32.const 0) $pressed $asked)
  (global $chime (export "chime") (mut i32) (i32.const -1))
  (global $begun (export "begun") (mut i32) (i32.const 0))
  (global $rung (export "rung") (mut i32) (i32.const 0))
  (func $pressed
    (call $tell (global.get $chime) (i32.const 8) (i32.const 4) (i32.const 0) (i32.const 0)))
  (func $asked
    (if (i32.ne (global.get $begun) (global.get $rung)) (then (unreachable))))
  (func (export "chime.init")
    (call $subscribe (i32.const 5) (i32.const 1) (i32.const 2)))
  (func (export "chime.ring")
    (global.set $begun (i32.add (global.get $begun) (i32.const 1)))
    (global.set $rung (i32.add (global.get $rung) (i32.const 1))))
  (func (export "main")
    (global.set $chime (call $spawn (i32.const 0) (i32.const 5) (i32.const 0) (i32.const 0)))
    (call $subscribe (i32.const 4) (i32.const 0) (i32.const 2))))
