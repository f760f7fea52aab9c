//! What an actor begins with, where it comes from an input and its program has a start function.

use mw_concolic::End;

use crate::plain::{begin, explore_from};

fn program(start: &str) -> String {
    format!(
        r#"(module
          (import "actor" "spawn" (func $spawn (param i32 i32 i32 i32) (result i32)))
          (import "owi" "i8_symbol" (func $i8 (result i32)))
          (import "env" "print_int" (func $print (param i32)))
          (memory 1)
          (data (i32.const 0) "w")
          (global $begun (mut i32) (i32.const 0))
          (func $start {start})
          (start $start)
          (func (export "w.init") (param $size i32)
            (if (i32.ne (global.get $begun) (i32.const 7)) (then (unreachable)))
            (if (i32.gt_s (local.get $size) (i32.const 100)) (then (unreachable)))
            (if (i32.eq (local.get $size) (i32.const 13)) (then (call $print (i32.const 1)))))
          (func (export "main")
            (i32.store (i32.const 16) (call $i8))
            (drop (call $spawn (i32.const 0) (i32.const 1) (i32.const 16) (i32.const 4)))))"#
    )
}

#[test]
fn each_class_of_what_an_actor_begins_with_is_explored() {
    let plain = "(global.set $begun (i32.const 7))";
    let calls = "(call $print (i32.const 5)) (global.set $begun (i32.const 7))
                 (call $print (i32.const 6))";
    let loops = "(loop $more
        (global.set $begun (i32.add (global.get $begun) (i32.const 1)))
        (br_if $more (i32.lt_s (global.get $begun) (i32.const 7))))";
    for start in [plain, calls, loops] {
        let leaves = explore_from(begin(&program(start)));
        let traps = leaves.iter().filter(|leaf| matches!(leaf.end, End::Trapped(_))).count();
        assert_eq!((leaves.len(), traps), (3, 1), "{start}: {leaves:#?}");
        assert!(leaves.iter().all(|leaf| leaf.omitted.is_empty()));
    }
}
