//! A trap is a state that can be looked into.

use mw_vm::{Breakpoints, CallFrame, Limits, Machine, NoProbe, Status, Stop, TrapKind, Value};

use crate::common::drive::load;

/// A machine in which the export `f` has trapped, and the offset of the text in the binary.
fn trapped(text: &str, limits: Limits) -> (Machine, TrapKind) {
    let module = load(&wat::parse_str(text).unwrap_or_else(|error| panic!("{text}: {error}")));
    let mut machine = Machine::new(module.clone(), limits, Default::default()).unwrap();
    machine.call(module.exported_func("f").unwrap(), &[]).unwrap();
    match machine.run(u64::MAX, &Breakpoints::default(), &mut NoProbe) {
        Stop::Trap(kind) => (machine, kind),
        stop => panic!("{text}: {stop:?}"),
    }
}

#[test]
fn every_kind_of_trap_says_what_it_is() {
    let cases = [
        ("(unreachable)", TrapKind::Unreachable, "unreachable"),
        (
            "(drop (i32.div_u (i32.const 1) (i32.const 0)))",
            TrapKind::DivisionByZero,
            "integer divide by zero",
        ),
        (
            "(drop (i64.rem_s (i64.const 1) (i64.const 0)))",
            TrapKind::DivisionByZero,
            "integer divide by zero",
        ),
        (
            "(drop (i32.div_s (i32.const 0x80000000) (i32.const -1)))",
            TrapKind::IntegerOverflow,
            "integer overflow",
        ),
        (
            "(drop (i32.trunc_f64_s (f64.const 1e10)))",
            TrapKind::IntegerOverflow,
            "integer overflow",
        ),
        (
            "(drop (i64.trunc_f32_u (f32.const nan)))",
            TrapKind::InvalidConversion,
            "invalid conversion to integer",
        ),
        (
            "(drop (i32.load (i32.const 65533)))",
            TrapKind::MemoryOutOfBounds,
            "out of bounds memory access",
        ),
        (
            "(i64.store offset=0xffffffff (i32.const -1) (i64.const 0))",
            TrapKind::MemoryOutOfBounds,
            "out of bounds memory access",
        ),
        (
            "(memory.fill (i32.const 1) (i32.const 0) (i32.const 65536))",
            TrapKind::MemoryOutOfBounds,
            "out of bounds memory access",
        ),
        (
            "(drop (table.get (i32.const 2)))",
            TrapKind::TableOutOfBounds,
            "out of bounds table access",
        ),
        (
            "(call_indirect (type $f) (i32.const 2))",
            TrapKind::UndefinedElement,
            "undefined element",
        ),
        (
            "(call_indirect (type $f) (i32.const 1))",
            TrapKind::UninitializedElement,
            "uninitialized element",
        ),
        (
            "(drop (call_indirect (result i32) (i32.const 0)))",
            TrapKind::IndirectCallTypeMismatch,
            "indirect call type mismatch",
        ),
        ("(call $f)", TrapKind::CallStackExhausted, "call stack exhausted"),
        (
            "(call $wide)",
            TrapKind::ValueStackExhausted,
            "call stack exhausted: no room for another frame",
        ),
        (
            "(return_call $wide)",
            TrapKind::ValueStackExhausted,
            "call stack exhausted: no room for another frame",
        ),
    ];
    let limits = Limits { stack_slots: 1000, call_depth: 100, ..Limits::default() };
    for (code, kind, message) in cases {
        let text = format!(
            r#"(module (memory 1) (type $f (func)) (table 2 funcref) (elem (i32.const 0) func $f)
                (func $f (export "f") {code})
                (func $wide {}))"#,
            "(local i64)".repeat(1001)
        );
        let (machine, actual) = trapped(&text, limits);
        assert_eq!(actual, kind, "{code}");
        assert_eq!(machine.status(), Status::Trapped(kind), "{code}");
        let report = machine.trap().unwrap();
        assert_eq!(report.kind, kind, "{code}");
        assert_eq!(report.stack[0].0, "f", "{code}");
        let printed = report.to_string();
        assert_eq!(printed.lines().next().unwrap(), format!("trap: {message}"), "{code}");
        // The offset leads to the instruction that cannot be executed.
        let module = machine.module();
        assert_eq!(report.stack[0].1, module.offset_of(machine.pc()), "{code}");
        assert_eq!(module.pc_at_offset(report.stack[0].1.unwrap()), Some(machine.pc()), "{code}");
    }
}

#[test]
fn operands_and_callers_are_still_there() {
    let text = r#"(module
        (func $inner (param i32 i64) (result i32) (local f32)
            (local.set 2 (f32.const 1.5))
            (i32.const 70)
            (i32.const 71)
            (i32.div_s (i32.const 6) (local.get 0))
            (i32.add) (i32.add))
        (func $middle (param i32) (result i32)
            (i32.const 50)
            (call $inner (local.get 0) (i64.const -2))
            (i32.add))
        (func (export "f") (result i32) (local i64)
            (i32.const 30)
            (local.set 0 (i64.const 31))
            (call $middle (i32.const 0))
            (i32.add)))"#;
    // In fast code, and step by step.
    let (fast, kind) = trapped(text, Limits::default());
    assert_eq!(kind, TrapKind::DivisionByZero);
    let mut stepped =
        Machine::new(fast.module().clone(), Limits::default(), Default::default()).unwrap();
    stepped.call(2, &[]).unwrap();
    while stepped.step() == Stop::Budget {}
    assert!(fast == stepped);
    for machine in [&fast, &stepped] {
        let stack = machine.call_stack();
        let expected: [(u32, &[u64], &[u64]); 3] = [
            (0, &[0, -2_i64 as u64, 0x3fc0_0000], &[70, 71, 6, 0]),
            (1, &[0], &[50]),
            (2, &[31], &[30]),
        ];
        let seen: Vec<(u32, &[u64], &[u64])> = stack
            .iter()
            .map(|frame: &CallFrame<'_>| (frame.func, frame.locals, frame.operands))
            .collect();
        assert_eq!(seen, expected);
        assert_eq!(machine.call_depth(), 3);
        let names: Vec<String> =
            machine.trap().unwrap().stack.into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["inner", "middle", "f"]);
        // Callers are at their calls.
        let code = machine.module().code();
        for frame in &stack[1..] {
            assert!(matches!(code[frame.pc as usize], mw_vm::Op::Call { .. }), "{frame:?}");
        }
    }
    assert_eq!(
        fast.trap().unwrap().to_string().lines().collect::<Vec<_>>().len(),
        4,
        "the trap and three functions"
    );
}

#[test]
fn long_stacks_are_cut_when_printed() {
    let text = r#"(module (func $f (export "f") (call $f)))"#;
    let limits = Limits { call_depth: 1000, ..Limits::default() };
    let (machine, _) = trapped(text, limits);
    let report = machine.trap().unwrap();
    assert_eq!(report.stack.len(), 1001);
    let printed = report.to_string();
    assert_eq!(printed.lines().count(), 18);
    assert_eq!(printed.lines().last().unwrap(), "  … and 985 more");
}

#[test]
fn memory_is_as_it_was_before_the_instruction_that_traps() {
    // A bulk instruction that does not fit writes nothing; neither does a store across the end.
    for code in [
        "(memory.fill (i32.const 65530) (i32.const 1) (i32.const 7))",
        "(memory.copy (i32.const 65530) (i32.const 0) (i32.const 7))",
        "(memory.copy (i32.const 0) (i32.const 65530) (i32.const 7))",
        "(memory.init 1 (i32.const 65530) (i32.const 0) (i32.const 7))",
        "(memory.init 1 (i32.const 0) (i32.const 3) (i32.const 7))",
        "(i64.store (i32.const 65530) (i64.const -1))",
    ] {
        let text = format!(
            r#"(module (memory 1) (data (i32.const 0) "before") (data "new bytes")
                (func (export "f") {code}))"#
        );
        let (machine, kind) = trapped(&text, Limits::default());
        assert_eq!(kind, TrapKind::MemoryOutOfBounds, "{code}");
        let memory = &machine.memories()[0];
        assert_eq!(memory.read_vec(0, 8).unwrap(), b"before\0\0", "{code}");
        assert_eq!(memory.read_vec(65528, 8).unwrap(), [0; 8], "{code}");
    }
}

#[test]
fn trapped_machine_can_be_used_again() {
    let text = r#"(module (func (export "f") (unreachable)) (func (export "g") (result i32) (i32.const 4)))"#;
    let (mut machine, _) = trapped(text, Limits::default());
    assert_eq!(machine.call(1, &[]), Err(mw_vm::CallError::Busy));
    machine.abandon();
    assert_eq!(machine.trap(), None);
    machine.call(1, &[]).unwrap();
    assert_eq!(machine.run(u64::MAX, &Breakpoints::default(), &mut NoProbe), Stop::Finished);
    assert_eq!(machine.results(), [Value::I32(4)]);
}
