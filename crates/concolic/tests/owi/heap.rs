//! Blocks of memory: what is used after it was freed, freed twice, or reached past its end.

use mw_concolic::{End, HeapError};
use mw_vm::{Breakpoints, NoProbe, Stop};
use mw_world::{Call, Outcome};

use crate::plain::{begin, ends, explore, explore_from, main_with, module};

/// How the paths of `main` end, and the values of the first input on each.
#[track_caller]
fn check(body: &str, expected: &[(&str, &str)]) {
    check_module(&main_with(body), expected);
}

#[track_caller]
fn check_module(wat: &str, expected: &[(&str, &str)]) {
    let ends = ends(wat);
    let ends: Vec<(&str, &str)> = ends.iter().map(|(e, c)| (e.as_str(), c.as_str())).collect();
    assert_eq!(ends, expected, "{wat}");
}

const OVERFLOW: &str = "access outside of its block of memory";
const AFTER_FREE: &str = "memory used after it was freed";

#[test]
fn what_stays_within_is_fine() {
    check(
        "(local.set $p (call $alloc (i32.const 1024) (i32.const 16)))
         (i64.store (local.get $p) (i64.const 1)) (i64.store offset=8 (local.get $p) (i64.const 1))
         (drop (i32.load8_u offset=15 (local.get $p)))
         (memory.fill (local.get $p) (i32.const 7) (i32.const 16))
         (memory.copy (i32.add (local.get $p) (i32.const 8)) (local.get $p) (i32.const 8))
         (i32.store (i32.const 0) (i32.const 5)) (drop (i64.load (i32.const 2000)))
         (call $free (local.get $p)) (call $free (i32.const 0))
         (call $assert (i32.eq (call $dealloc (call $alloc (i32.const 64) (i32.const 8)))
                               (i32.const 64)))",
        &[("Finished", "")],
    );
}

#[test]
fn use_after_free() {
    for access in [
        "(drop (i32.load (local.get $p)))",
        "(i32.store8 offset=7 (local.get $p) (i32.const 1))",
        "(memory.fill (local.get $p) (i32.const 0) (i32.const 1))",
        "(memory.copy (i32.const 0) (local.get $p) (i32.const 4))",
        // By its number alone.
        "(drop (i32.load (i32.const 1024)))",
        // The memory belongs to another block by now.
        "(drop (call $alloc (i32.const 1024) (i32.const 8))) (drop (i32.load (local.get $p)))",
    ] {
        let body = format!(
            "(local.set $p (call $alloc (i32.const 1024) (i32.const 8)))
             (i32.store (local.get $p) (i32.const 42))
             (call $free (local.get $p)) {access} (unreachable)"
        );
        check(&body, &[(AFTER_FREE, "")]);
    }
}

#[test]
fn memory_is_used_again() {
    check(
        "(local.set $p (call $alloc (i32.const 0) (i32.const 4)))
         (i32.store (local.get $p) (i32.const 42))
         (call $free (local.get $p))
         (local.set $p (call $alloc (i32.const 0) (i32.const 8)))
         (i64.store (local.get $p) (i64.const 84))
         (call $free (local.get $p))",
        &[("Finished", "")],
    );
    // What freeing returns is for the allocator.
    check(
        "(local.set $p (call $alloc (i32.const 64) (i32.const 8)))
         (local.set $q (call $dealloc (local.get $p)))
         (i32.store (local.get $q) (i32.const 1)) (i32.store (i32.const 128) (local.get $q))
         (drop (i32.load (i32.sub (i32.load (i32.const 128)) (i32.const 4))))",
        &[("Finished", "")],
    );
}

#[test]
fn double_and_invalid_frees() {
    let twice = "
      (local.set $p (call $alloc (i32.const 1024) (i32.const 8)))
      (call $free (local.get $p))
      (if (i32.eq (call $i8) (i32.const 9)) (then (call $free (local.get $p))))";
    check(twice, &[("Finished", "0..8, 10..255"), ("memory freed twice", "9")]);
    check("(call $free (i32.const 8))", &[("freed what was not allocated", "")]);
    let inside = "
      (local.set $p (call $alloc (i32.const 1024) (i32.const 8)))
      (call $free (i32.add (local.get $p) (i32.and (call $i8) (i32.const 2))))";
    // The address is made up of an input: each is a path.
    let ends = ends(&main_with(inside));
    let ends: Vec<&str> = ends.iter().map(|(end, _)| end.as_str()).collect();
    assert_eq!(ends, ["Finished", "freed what was not allocated"]);
}

#[test]
fn one_past_the_end() {
    for access in [
        "(i32.store offset=8 (local.get $p) (i32.const 1))",
        "(i32.store offset=5 (local.get $p) (i32.const 1))",
        "(drop (i32.load8_u offset=8 (local.get $p)))",
        "(drop (i32.load8_u (i32.sub (local.get $p) (i32.const 1))))",
        "(memory.fill (local.get $p) (i32.const 0) (i32.const 9))",
        "(memory.copy (i32.const 0) (i32.add (local.get $p) (i32.const 4)) (i32.const 5))",
        "(memory.init $d (i32.add (local.get $p) (i32.const 6)) (i32.const 0) (i32.const 3))",
        // By its number alone, out of it and into it.
        "(i32.store (i32.const 1030) (i32.const 1))",
        "(i32.store (i32.const 1022) (i32.const 1))",
        // Into the next block.
        "(drop (call $alloc (i32.const 1032) (i32.const 8)))
         (drop (i32.load8_u offset=8 (local.get $p)))",
        // Far away.
        "(drop (i32.load8_u offset=5000 (local.get $p)))",
    ] {
        let body = format!(
            "(data $d \"abcdef\")
             (func (export \"main\") (local $p i32)
               (local.set $p (call $alloc (i32.const 1024) (i32.const 8)))
               {access} (unreachable))"
        );
        check_module(&module(&body), &[(OVERFLOW, "")]);
    }
}

#[test]
fn memory_that_is_not_announced_is_nobodys() {
    for access in [
        // Right behind a block, right before one, and between two.
        "(i32.store8 (i32.const 1032) (i32.const 1))",
        "(i64.store (i32.const 1016) (i64.const 1))",
        "(drop (call $alloc (i32.const 1048) (i32.const 8))) (i64.store (i32.const 1040) (i64.const 1))",
        // An allocator fills a block before it announces it.
        "(memory.fill (i32.const 1032) (i32.const 0) (i32.const 8))
         (drop (i32.load (call $alloc (i32.const 1032) (i32.const 8))))",
    ] {
        let body = format!("(drop (call $alloc (i32.const 1024) (i32.const 8))) {access}");
        check(&body, &[("Finished", "")]);
    }
    // The same, up to where freed memory begins.
    let body = "
      (call $free (call $alloc (i32.const 1032) (i32.const 8)))
      (drop (i32.load (i32.add (i32.const 1020) (call $range (i32.const 0) (i32.const 24)))))";
    check(body, &[("Finished", "0..8, 20..23"), (AFTER_FREE, "9..19")]);
}

#[test]
fn the_memory_ends_first() {
    let body = "
      (local.set $p (call $alloc (i32.const 1024) (i32.const 8)))
      (drop (i32.load (i32.add (local.get $p) (i32.const 0x10000))))";
    check(body, &[("out of bounds memory access", "")]);
}

#[test]
fn a_symbolic_index_is_found_for_exactly_the_bad_values() {
    // Elements of 4 bytes, of which there are 10.
    for access in [
        "(i32.store (i32.add (local.get $p) (i32.shl (local.get $i) (i32.const 2))) (i32.const 1))",
        "(drop (i32.load (i32.add (local.get $p) (i32.mul (local.get $i) (i32.const 4)))))",
        "(local.set $q (i32.add (local.get $p) (i32.mul (local.get $i) (i32.const 4))))
         (drop (i32.load (i32.add (local.get $q) (i32.const 0))))",
    ] {
        let body = format!(
            "(local.set $p (call $alloc (i32.const 1024) (i32.const 40)))
             (drop (call $alloc (i32.const 1064) (i32.const 400)))
             (local.set $i (call $i8)) {access}"
        );
        check(&body, &[("Finished", "0..9"), (OVERFLOW, "10..255")]);
    }
    // Downwards, with an offset, and by bytes.
    let body = "
      (local.set $p (call $alloc (i32.const 1024) (i32.const 40)))
      (drop (i64.load offset=16 (i32.sub (local.get $p) (call $range (i32.const -50) (i32.const 50)))))";
    check(body, &[("Finished", "-16..16"), (OVERFLOW, "-50..-17, 17..49")]);
}

#[test]
fn more_addresses_than_can_be_enumerated() {
    let body = "
      (local.set $p (call $alloc (i32.const 1024) (i32.const 4)))
      (local.set $i (call $range (i32.const 0) (i32.const 60000)))
      (i32.store8 (i32.add (local.get $p) (local.get $i)) (i32.const 1))";
    check(body, &[("Finished", "0..3"), (OVERFLOW, "4..59999")]);
}

#[test]
fn a_symbolic_address_of_which_nothing_is_known() {
    let body = "
      (drop (call $alloc (i32.const 16) (i32.const 8)))
      (drop (call $alloc (i32.const 32) (i32.const 8)))
      (call $free (i32.const 32))
      (drop (i32.load8_u (call $range (i32.const 0) (i32.const 60))))";
    check(body, &[("Finished", "0..31, 40..59"), (AFTER_FREE, "32..39")]);
}

#[test]
fn a_symbolic_size() {
    let body = "
      (local.set $i (call $range (i32.const 1) (i32.const 9)))
      (local.set $p (call $alloc (i32.const 1024) (local.get $i)))
      (drop (i32.load8_u offset=5 (local.get $p)))";
    let ends = ends(&main_with(body));
    let bad: Vec<&str> =
        ends.iter().filter(|(end, _)| end == OVERFLOW).map(|(_, class)| class.as_str()).collect();
    assert_eq!((ends.len(), bad), (8, vec!["1", "2", "3", "4", "5"]));
}

#[test]
fn a_symbolic_length() {
    let body = "
      (local.set $p (call $alloc (i32.const 1024) (i32.const 4)))
      (memory.fill (local.get $p) (i32.const 1) (call $range (i32.const 0) (i32.const 7)))";
    let ends = ends(&main_with(body));
    let bad: Vec<&str> =
        ends.iter().filter(|(end, _)| end == OVERFLOW).map(|(_, class)| class.as_str()).collect();
    assert_eq!((ends.len(), bad), (7, vec!["5", "6"]));
}

#[test]
fn pointers_are_followed() {
    let program = |way: &str| {
        module(&format!(
            r#"
            (func $id (param i32) (result i32) (local.get 0))
            (func $tail (param i32) (param i32) (result i32) (return_call $id (local.get 1)))
            (func (export "main") (local $p i32) (local $q i32)
              (local.set $p (call $alloc (i32.const 1024) (i32.const 8)))
              (local.set $q (call $alloc (i32.const 1032) (i32.const 8)))
              (local.set $p {way})
              (drop (i32.load8_u offset=8 (local.get $p))))"#
        ))
    };
    for way in [
        "(call $id (local.get $p))",
        "(call $tail (i32.const 1) (local.get $p))",
        "(block (result i32) (i32.store (i32.const 0) (local.get $p)) (i32.load (i32.const 0)))",
        "(block (result i32) (global.set $g (local.get $p)) (global.get $g))",
        "(block $b (result i32) (br $b (local.get $p)))",
        "(block $b (result i32) (br_if $b (local.get $p) (i32.const 1)))",
        "(select (local.get $p) (local.get $q) (i32.const 1))",
        "(block (result i32) (i32.store (i32.const 0) (local.get $p))
           (memory.copy (i32.const 6) (i32.const 0) (i32.const 4)) (i32.load (i32.const 6)))",
        "(i32.and (i32.or (local.get $p) (i32.const 1)) (i32.const -2))",
        "(i32.wrap_i64 (i64.extend_i32_u (local.get $p)))",
    ] {
        check_module(&program(way), &[(OVERFLOW, "")]);
    }
    // The second block has these bytes, and so has a number that is no pointer any more.
    for way in [
        "(i32.sub (local.get $q) (i32.const 8))",
        "(block (result i32) (i32.store (i32.const 0) (local.get $p))
           (i32.store8 (i32.const 3) (i32.const 0)) (i32.load (i32.const 0)))",
        "(i32.mul (local.get $p) (i32.const 1))",
    ] {
        check_module(&program(way), &[("Finished", "")]);
    }
}

#[test]
fn a_pointer_that_an_input_chooses() {
    let blocks = "
      (local.set $p (call $alloc (i32.const 1024) (i32.const 8)))
      (local.set $q (call $alloc (i32.const 1032) (i32.const 16)))";
    // By select, and by an array of pointers.
    let select = "(i32.load8_u offset=8 (select (local.get $p) (local.get $q) (call $bool)))";
    check(&format!("{blocks} (drop {select})"), &[("Finished", "0"), (OVERFLOW, "1")]);
    let array = "
      (i32.store (i32.const 0) (local.get $p)) (i32.store (i32.const 4) (local.get $q))
      (drop (i32.load8_u offset=8 (i32.load (i32.mul (call $bool) (i32.const 4)))))";
    check(&format!("{blocks} {array}"), &[("Finished", "1"), (OVERFLOW, "0")]);
    // A pointer that is stored where an input says.
    let stored = "
      (i32.store (i32.mul (call $bool) (i32.const 4)) (local.get $p))
      (drop (i32.load8_u offset=8 (i32.load (i32.const 4))))";
    check(&format!("{blocks} {stored}"), &[("Finished", "0"), (OVERFLOW, "1")]);
    // Nothing is decided if it does not matter.
    let same = "(i32.load8_u offset=7 (select (local.get $p) (local.get $p) (call $bool)))";
    check(&format!("{blocks} (drop {same})"), &[("Finished", "any")]);
}

#[test]
fn a_list_of_blocks() {
    // Pushes three nodes (value, next), frees them along the list, and reads one afterwards if an
    // input says so.
    let program = module(
        r#"
        (global $top (mut i32) (i32.const 4096))
        (func $malloc (param $size i32) (result i32)
          (global.set $top (i32.add (global.get $top) (local.get $size)))
          (call $alloc (i32.sub (global.get $top) (local.get $size)) (local.get $size)))
        (func (export "main") (local $node i32) (local $list i32) (local $next i32) (local $i i32)
          (loop $push
            (local.set $node (call $malloc (i32.const 8)))
            (i32.store (local.get $node) (call $i8))
            (i32.store offset=4 (local.get $node) (local.get $list))
            (local.set $list (local.get $node))
            (local.set $i (i32.add (local.get $i) (i32.const 1)))
            (br_if $push (i32.lt_u (local.get $i) (i32.const 3))))
          (loop $pop
            (local.set $next (i32.load offset=4 (local.get $list)))
            (call $free (local.get $list))
            (local.set $list (local.get $next))
            (br_if $pop (local.get $list)))
          (if (call $bool) (then (drop (i32.load (local.get $node))))))"#,
    );
    let leaves = explore(&program);
    assert_eq!(leaves.len(), 2);
    check_module(&program, &[("Finished", "any"), (AFTER_FREE, "any")]);
}

#[test]
fn blocks_of_before_are_known() {
    let wat = main_with(
        "(local.set $p (call $alloc (i32.const 1024) (i32.const 8)))
         (local.set $q (call $alloc (i32.const 2048) (i32.const 8)))
         (call $free (local.get $q))
         (if (call $bool) (then (drop (i32.load8_u offset=8 (local.get $p)))))
         (if (call $bool) (then (drop (i32.load (local.get $q)))))
         (call $free (local.get $p))
         (if (call $bool) (then (call $free (local.get $q))))",
    );
    // Plainly over the first three calls.
    let (mut machine, mut world) = begin(&wat);
    for _ in 0..3 {
        let Stop::Import(import) = machine.run(100, &Breakpoints::default(), &mut NoProbe) else {
            panic!("a call")
        };
        let (_, args) = machine.import_call().unwrap();
        let call = Call { import, args: &args };
        let Outcome::Done { reply, .. } = world.perform(call, &machine).unwrap() else {
            panic!("an output")
        };
        machine.resume(&reply.results).unwrap();
    }
    let mut ends: Vec<End> =
        explore_from((machine, world)).into_iter().map(|leaf| leaf.end).collect();
    ends.sort_by_key(|end| format!("{end:?}"));
    let expected = [HeapError::DoubleFree, HeapError::Overflow, HeapError::UseAfterFree];
    let expected: Vec<End> = [End::Finished].into_iter().chain(expected.map(End::Heap)).collect();
    assert_eq!(ends, expected);
}

/// Actors have memories of their own, so blocks at the same addresses are different ones, whoever ran
/// in between.
#[test]
fn actors_have_blocks_of_their_own() {
    let program = |worker: &str| {
        format!(
            r#"(module
              (import "actor" "spawn" (func $spawn (param i32 i32 i32 i32) (result i32)))
              (import "actor" "tell" (func $tell (param i32 i32 i32 i32 i32)))
              (import "owi" "alloc" (func $alloc (param i32 i32) (result i32)))
              (import "owi" "dealloc" (func $free (param i32) (result i32)))
              (memory 1)
              (data (i32.const 0) "w")
              (data (i32.const 8) "go")
              (global $worker (mut i32) (i32.const 0))
              (global $p (mut i32) (i32.const 0))
              (func $tells (call $tell (global.get $worker)
                (i32.const 8) (i32.const 2) (i32.const 0) (i32.const 0)))
              (func (export "w.go")
                (if (i32.eqz (global.get $p))
                  (then (global.set $p (call $alloc (i32.const 1024) (i32.const 8))))
                  (else {worker})))
              (func (export "main")
                (global.set $p (call $alloc (i32.const 1024) (i32.const 8)))
                (global.set $worker
                  (call $spawn (i32.const 0) (i32.const 1) (i32.const 0) (i32.const 0)))
                (call $tells)
                (call $tells)
                (i32.store (global.get $p) (i32.const 1))
                (drop (call $free (global.get $p)))))"#
        )
    };
    let ends = |worker: &str| -> Vec<End> {
        let leaves = explore_from(begin(&program(worker)));
        leaves.into_iter().map(|leaf| leaf.end).collect()
    };
    assert_eq!(ends("(drop (i32.load (global.get $p)))"), [End::Finished]);
    let past_the_end = "(drop (i32.load offset=8 (global.get $p)))";
    assert_eq!(ends(past_the_end), [End::Heap(HeapError::Overflow)]);
}
