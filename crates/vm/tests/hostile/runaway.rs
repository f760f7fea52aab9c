//! Programs without end.

use std::sync::Arc;

use mw_vm::{Breakpoints, Limits, Machine, NoProbe, Probe, Stop, TrapKind, Value};

use crate::common::drive::load;

struct Watcher;

impl Probe for Watcher {}

const SMALL: Limits = Limits {
    module_bytes: 1 << 20,
    function_instructions: 1000,
    memory_pages: 20,
    resident_pages: u32::MAX,
    memories: 4,
    table_elements: 5000,
    tables: 4,
    call_depth: 300,
    stack_slots: 4000,
};

fn start(text: &str, limits: Limits) -> Machine {
    let module = load(&wat::parse_str(text).unwrap_or_else(|error| panic!("{text}: {error}")));
    let mut machine = Machine::new(module.clone(), limits, Default::default()).unwrap();
    machine.call(module.exported_func("f").unwrap(), &[]).unwrap();
    machine
}

/// Runs fast, and step by step; both have to come to the same.
fn run(text: &str, limits: Limits) -> (Machine, Stop) {
    let mut machine = start(text, limits);
    let mut watched = machine.fork();
    let none = Breakpoints::default();
    let stop = machine.run(u64::MAX, &none, &mut NoProbe);
    assert_eq!(watched.run(u64::MAX, &none, &mut Watcher), stop, "{text}");
    assert!(machine == watched, "{text}");
    assert_eq!(machine.count(), watched.count(), "{text}");
    (machine, stop)
}

#[test]
fn recursion_without_end_traps() {
    for text in [
        r#"(module (func $f (export "f") (call $f)))"#,
        r#"(module (func $f (export "f") (call $g)) (func $g (call $h)) (func $h (call $f)))"#,
        r#"(module (type $t (func)) (table funcref (elem $f))
            (func $f (export "f") (call_indirect (type $t) (i32.const 0))))"#,
        r#"(module (type $t (func)) (table funcref (elem $f $g))
            (func $f (export "f") (call_indirect (type $t) (i32.const 1)))
            (func $g (return_call $h)) (func $h (call $f)))"#,
        r#"(module (func $f (export "f") (result i32) (i32.add (call $f) (i32.const 1))))"#,
    ] {
        for limits in [SMALL, Limits::default()] {
            let (machine, stop) = run(text, limits);
            assert_eq!(stop, Stop::Trap(TrapKind::CallStackExhausted), "{text}");
            assert_eq!(machine.call_depth(), limits.call_depth as usize + 1, "{text}");
            assert_eq!(machine.trap().unwrap().kind, TrapKind::CallStackExhausted);
        }
    }
}

#[test]
fn recursion_with_large_frames_traps() {
    let text =
        format!(r#"(module (func $f (export "f") {} (call $f)))"#, "(local i64)".repeat(100));
    for limits in [SMALL, Limits::default()] {
        let (machine, stop) = run(&text, limits);
        assert_eq!(stop, Stop::Trap(TrapKind::ValueStackExhausted));
        assert_eq!(machine.call_depth(), limits.stack_slots as usize / 100);
        assert_eq!(machine.call_stack().len(), machine.call_depth());
    }
}

#[test]
fn limits_of_nothing_are_traps() {
    let none = Limits { call_depth: 0, stack_slots: 0, ..SMALL };
    let (_, stop) = run(r#"(module (func (export "f") (call 0)))"#, none);
    assert_eq!(stop, Stop::Trap(TrapKind::CallStackExhausted));
    let (machine, stop) = run(r#"(module (func (export "f") (local i32)))"#, none);
    assert_eq!(stop, Stop::Trap(TrapKind::ValueStackExhausted));
    assert_eq!(machine.count(), 0);
    assert_eq!(machine.trap().unwrap().stack[0].0, "f");
}

#[test]
fn loops_and_tail_calls_without_end_run_as_long_as_they_may() {
    for text in [
        r#"(module (func (export "f") (loop (br 0))))"#,
        r#"(module (func $f (export "f") (return_call $f)))"#,
        r#"(module (func $f (export "f") (return_call $g)) (func $g (local i64 i64) (return_call $f)))"#,
        r#"(module (type $t (func)) (table funcref (elem $f))
            (func $f (export "f") (return_call_indirect (type $t) (i32.const 0))))"#,
    ] {
        let mut machine = start(text, SMALL);
        let none = Breakpoints::default();
        for round in 1..=5 {
            assert_eq!(machine.run(1_000_003, &none, &mut NoProbe), Stop::Budget, "{text}");
            assert_eq!(machine.count(), round * 1_000_003, "{text}");
        }
        assert_eq!(machine.call_depth(), 1, "{text}");
    }
}

#[test]
fn growth_without_end_ends_at_the_limit() {
    // Grows by one until that fails, and returns how far it came.
    for (fields, size, grow, expected) in [
        ("(memory 1)", "memory.size", "(memory.grow (i32.const 1))", 20),
        ("(memory 1 7)", "memory.size", "(memory.grow (i32.const 1))", 7),
        ("(memory 1 65536)", "memory.size", "(memory.grow (i32.const 1))", 20),
        ("(memory 0)", "memory.size", "(memory.grow (i32.const 3))", 18),
        ("(table 0 funcref)", "table.size", "(table.grow (ref.null func) (i32.const 1))", 5000),
        ("(table 0 9 externref)", "table.size", "(table.grow (ref.null extern) (i32.const 1))", 9),
        ("(table 0 funcref)", "table.size", "(table.grow (ref.null func) (i32.const 999))", 4995),
    ] {
        let text = format!(
            r#"(module {fields} (func (export "f") (result i32)
                (loop $again (br_if $again (i32.ne (i32.const -1) {grow})))
                ({size})))"#
        );
        let (machine, stop) = run(&text, SMALL);
        assert_eq!(stop, Stop::Finished, "{fields}");
        assert_eq!(machine.results(), [Value::I32(expected)], "{fields}");
    }
}

#[test]
fn growth_by_the_most_fails() {
    for grow in [
        "(memory.grow (i32.const -1))",
        "(memory.grow (i32.const 65536))",
        "(memory.grow (i32.const 20))",
        "(table.grow (ref.null func) (i32.const -1))",
        "(table.grow (ref.null func) (i32.const 5000))",
    ] {
        let text = format!(
            r#"(module (memory 1) (table 1 funcref) (func (export "f") (result i32) {grow}))"#
        );
        let (machine, stop) = run(&text, SMALL);
        assert_eq!(stop, Stop::Finished, "{grow}");
        assert_eq!(machine.results(), [Value::I32(-1)], "{grow}");
    }
}

#[test]
fn memory_can_grow_as_far_as_the_default_limit() {
    // A gibibyte, of which only what is written takes any room.
    let text = r#"(module (memory 1) (func (export "f") (result i32)
        (loop $again (br_if $again (i32.ne (i32.const -1) (memory.grow (i32.const 64)))))
        (i32.store8 (i32.sub (i32.shl (memory.size) (i32.const 16)) (i32.const 1)) (i32.const 1))
        (memory.size)))"#;
    let (mut machine, stop) = run(text, Limits::default());
    assert_eq!(stop, Stop::Finished);
    assert_eq!(machine.results(), [Value::I32(16321)]);
    assert!(machine.memories()[0].unshared_bytes() < 1 << 20);
    assert!(machine.save().len() < 10_000, "zeros are not saved");
    machine.hash();
}

#[test]
fn bulk_instructions_of_any_length_are_bounded() {
    for (code, kind) in [
        ("(memory.fill (i32.const 0) (i32.const 1) (i32.const -1))", TrapKind::MemoryOutOfBounds),
        ("(memory.copy (i32.const -1) (i32.const 0) (i32.const -1))", TrapKind::MemoryOutOfBounds),
        (
            "(memory.copy 1 0 (i32.const 0) (i32.const -1) (i32.const 1))",
            TrapKind::MemoryOutOfBounds,
        ),
        (
            "(memory.copy 1 0 (i32.const 0) (i32.const 0) (i32.const -1))",
            TrapKind::MemoryOutOfBounds,
        ),
        (
            "(memory.init 0 (i32.const 0) (i32.const -1) (i32.const -1))",
            TrapKind::MemoryOutOfBounds,
        ),
        ("(memory.init 0 (i32.const -1) (i32.const 0) (i32.const 1))", TrapKind::MemoryOutOfBounds),
        ("(table.fill (i32.const 1) (ref.null func) (i32.const -1))", TrapKind::TableOutOfBounds),
        ("(table.copy (i32.const 0) (i32.const -1) (i32.const -1))", TrapKind::TableOutOfBounds),
        ("(table.init 0 (i32.const 0) (i32.const -1) (i32.const -1))", TrapKind::TableOutOfBounds),
        ("(table.init 0 (i32.const -1) (i32.const 0) (i32.const 1))", TrapKind::TableOutOfBounds),
    ] {
        let text = format!(
            r#"(module (memory 1) (memory 1) (table 2 funcref) (data "abc") (elem func 0)
                (func (export "f") {code}))"#
        );
        let (_, stop) = run(&text, SMALL);
        assert_eq!(stop, Stop::Trap(kind), "{code}");
    }
}

#[test]
fn machines_are_dropped_without_recursion() {
    // A long history of forks, each of which shares with the one before.
    let mut machine = start(r#"(module (memory 16) (func (export "f") (loop (br 0))))"#, SMALL);
    let mut history = Vec::new();
    for i in 0..5000_u32 {
        let memory = machine.memory_mut(0).unwrap();
        memory.write(u64::from(i) * 200 % 1_000_000, &i.to_le_bytes()).unwrap();
        history.push(machine.fork());
    }
    let module: Arc<_> = machine.module().clone();
    drop(machine);
    drop(history);
    assert_eq!(Arc::strong_count(&module), 1);
}
