//! What is kept counts: over the bound, exploring ends and says so.

use mw_concolic::{Cut, End, Explorer, Leaf, Options, Step, Stop};
use mw_vm::TrapKind;

use super::world::{IMPORTS, begin};
use super::{cuts, explore, explorer, main_with, options};

/// Reads so many bits, one after the other, and decides about each.
fn bits(readings: usize) -> String {
    main_with(&format!(
        "(loop $again
           (if (call $digital_read (i32.const 2)) (then (local.set $b (i32.const 1))))
           (local.set $a (i32.add (local.get $a) (i32.const 1)))
           (br_if $again (i32.lt_s (local.get $a) (i32.const {readings}))))"
    ))
}

/// A program with a memory of so many pages.
fn with_memory(pages: u32, body: &str) -> String {
    format!("(module {IMPORTS} (memory {pages}) (func (export \"main\") (local $a i32) {body}))")
}

#[test]
fn what_was_found_counts() {
    let bounded = |memory: usize| {
        options(|bounds| {
            bounds.memory = memory;
            bounds.paths = usize::MAX;
        })
    };
    let found = |memory: usize| -> (Explorer, usize) {
        let (explorer, leaves) = explore(&bits(14), bounded(memory));
        let ended = leaves.iter().filter(|leaf| leaf.end == End::Finished).count();
        (explorer, ended)
    };
    let (explorer, few) = found(1 << 20);
    assert_eq!(explorer.stopped(), Some(Cut::Memory));
    let (explorer, more) = found(4 << 20);
    assert_eq!(explorer.stopped(), Some(Cut::Memory));
    assert!(10 < few && few < more && more < 1 << 14, "{few} {more}");
    let (explorer, all) = found(1 << 30);
    assert!(explorer.is_complete());
    assert_eq!(all, 1 << 14);
}

#[test]
fn filling_memory_with_something_open_is_cut_off() {
    // More than may be kept, in one instruction.
    let fill = with_memory(
        32,
        "(memory.fill (i32.const 0) (call $four) (i32.const 2097152))
         (if (i32.load8_u (i32.const 77)) (then (nop)))",
    );
    let (explorer, leaves) = explore(&fill, options(|bounds| bounds.memory = 1 << 20));
    assert_eq!(cuts(&leaves), [Cut::Memory]);
    assert!(explorer.is_done() && !explorer.is_complete());
    // With room for it, it is followed like anything else.
    let (explorer, leaves) = explore(&fill, options(|bounds| bounds.memory = 1 << 30));
    assert!(explorer.is_complete());
    assert_eq!(leaves.len(), 2);
}

/// What does not fit into the memory traps, however much it would have been.
#[test]
fn filling_past_the_end_is_a_trap() {
    for body in [
        "(memory.fill (i32.const 8) (call $four) (i32.const -1))",
        "(i32.store8 (i32.const 0) (call $four))
         (memory.copy (i32.const 8) (i32.const 0) (i32.const -1))",
    ] {
        let (explorer, leaves) = explore(&with_memory(1, body), options(|_| {}));
        assert!(explorer.is_complete());
        let trap = End::Trapped(TrapKind::MemoryOutOfBounds);
        assert_eq!(leaves.iter().map(|leaf| &leaf.end).collect::<Vec<_>>(), [&trap]);
    }
}

/// Copies that overlap, byte by byte and by larger pieces, in both directions.
#[test]
fn what_was_copied_is_what_it_was() {
    for (to, from, length) in [(40, 8, 100), (8, 40, 100), (64, 0, 96), (0, 64, 96), (33, 32, 64)] {
        let at = to + length / 2;
        let program = with_memory(
            1,
            &format!(
                "(i32.store8 (i32.const {}) (call $byte))
                 (memory.fill (i32.const 300) (call $byte) (i32.const 200))
                 (memory.copy (i32.const {to}) (i32.const {from}) (i32.const {length}))
                 (memory.copy (i32.const 600) (i32.const 310) (i32.const 100))
                 (if (i32.eq (i32.load8_u (i32.const {at})) (i32.const 7)) (then (nop)))
                 (if (i32.eq (i32.load8_u (i32.const 650)) (i32.const 9)) (then (nop)))",
                from + length / 2
            ),
        );
        let (explorer, leaves) = explore(&program, options(|_| {}));
        assert!(explorer.is_complete());
        let value = |step: &Step| mw_concolic::integer(step.value.unwrap());
        let values = |leaf: &Leaf| leaf.steps.iter().map(value).collect::<Vec<_>>();
        let values: Vec<Vec<i64>> = leaves.iter().map(values).collect();
        assert_eq!(values, [[0, 0], [0, 9], [7, 0], [7, 9]]);
    }
}

/// Many forks over a large memory that depends on an input: those that wait take nothing.
#[test]
fn forks_over_a_large_memory_wait_for_nothing() {
    let program = with_memory(
        16,
        "(memory.fill (i32.const 0) (call $four) (i32.const 1048576))
         (drop (call $six (i32.load8_u (i32.const 77))))
         (if (i32.eqz (i32.load8_u (i32.const 1048575))) (then (nop)))",
    );
    let options = || options(|bounds| bounds.memory = 16 << 20);
    let mut explorer = explorer(&program, options());
    explorer.run(&Stop::default(), &mut |_| {});
    assert!(explorer.is_complete(), "{:?}", explorer.stopped());
    assert_eq!(explorer.leaves().len(), 16);
    // Each of them has its own values in its memory.
    let (machine, world) = begin(&program);
    let mut breadth = Options { strategy: mw_concolic::Strategy::BreadthFirst, ..options() };
    breadth.bounds.memory = 1 << 30;
    let mut other = Explorer::new(mw_ensemble::Moment::new(machine, world), breadth);
    other.run(&Stop::default(), &mut |_| {});
    assert_eq!(other.all_leaves(), explorer.all_leaves());
}
