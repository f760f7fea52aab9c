;; Writes to a block of memory after it was freed, if a switch says so.
(module
  (import "owi" "alloc" (func $alloc (param i32 i32) (result i32)))
  (import "summaries" "dealloc" (func $dealloc (param i32)))
  (import "env" "chip_digital_read" (func $switch (param i32) (result i32)))
  (memory 1)
  (func (export "main") (local $block i32)
    (local.set $block (call $alloc (i32.const 1024) (i32.const 8)))
    (if (call $switch (i32.const 3))
      (then (call $dealloc (local.get $block))))
    (i32.store offset=4 (local.get $block) (i32.const 7))))
