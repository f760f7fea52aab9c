//! What passes between a machine and its outside.

use mw_vm::{
    Breakpoints, CallError, ImportName, ImportValues, InstantiateError, Limits, Machine, Memory,
    NoProbe, ResumeError, Status, Stop, Table, TrapKind, ValType, Value,
};

use crate::common::drive::load;
use crate::common::programs::PROGRAMS;

const IMPORTER: &str = r#"(module
    (import "outside" "read" (func $read (param i32 f64) (result i64 i32)))
    (func (export "own") (param i32) (result i64 i32) (call $read (local.get 0) (f64.const 2.5)))
    (export "imported" (func $read)))"#;

fn machine(text: &str) -> Machine {
    let module = load(&wat::parse_str(text).unwrap());
    Machine::new(module, Limits::default(), ImportValues::default()).unwrap()
}

fn run(machine: &mut Machine) -> Stop {
    machine.run(u64::MAX, &Breakpoints::default(), &mut NoProbe)
}

#[test]
fn call_has_to_fit() {
    let mut machine = machine(IMPORTER);
    assert_eq!(machine.call(2, &[]), Err(CallError::NoFunction(2)));
    assert_eq!(machine.call(u32::MAX, &[]), Err(CallError::NoFunction(u32::MAX)));
    assert_eq!(machine.call(1, &[]), Err(CallError::Arguments));
    assert_eq!(machine.call(1, &[Value::I64(1)]), Err(CallError::Arguments));
    assert_eq!(machine.call(1, &[Value::I32(1), Value::I32(1)]), Err(CallError::Arguments));
    assert_eq!(machine.call(0, &[Value::I32(1), Value::F64(0)]), Err(CallError::Imported(0)));
    assert_eq!(machine.status(), Status::Idle, "a call that is refused is none");
    assert_eq!(machine.call(1, &[Value::I32(1)]), Ok(()));
    assert_eq!(machine.call(1, &[Value::I32(1)]), Err(CallError::Busy));
    assert_eq!(
        CallError::Busy.to_string(),
        "the machine is in the middle of a call; run it to its end first"
    );
}

#[test]
fn results_have_to_fit() {
    let mut machine = machine(IMPORTER);
    let results = [Value::I64(-1), Value::I32(6)];
    assert_eq!(machine.resume(&results), Err(ResumeError::NotImporting));
    assert_eq!(machine.refuse(), Err(ResumeError::NotImporting));
    machine.call(1, &[Value::I32(8)]).unwrap();
    assert_eq!(machine.resume(&results), Err(ResumeError::NotImporting));
    assert_eq!(machine.import_call(), None);

    assert_eq!(run(&mut machine), Stop::Import(0));
    assert_eq!(run(&mut machine), Stop::Import(0), "there is no way around it");
    assert_eq!(machine.status(), Status::Importing(0));
    let args = vec![Value::I32(8), Value::F64(2.5_f64.to_bits())];
    assert_eq!(machine.import_call(), Some((0, args)));
    let count = machine.count();
    let mut before = machine.fork();
    for wrong in [
        &[][..],
        &[Value::I64(-1)],
        &[Value::I32(6), Value::I64(-1)],
        &[Value::I64(-1), Value::I32(6), Value::I32(6)],
        &[Value::I64(-1), Value::FuncRef(None)],
    ] {
        assert_eq!(machine.resume(wrong), Err(ResumeError::Results), "{wrong:?}");
    }
    assert!(machine == before, "wrong results change nothing");
    assert_eq!(
        ResumeError::Results.to_string(),
        "the results do not fit the type of the imported function"
    );
    assert_eq!(machine.resume(&results), Ok(()));
    assert_eq!(machine.count(), count + 1, "the call is one instruction");
    assert_eq!(machine.resume(&results), Err(ResumeError::NotImporting));
    assert_eq!(run(&mut machine), Stop::Finished);
    assert_eq!(machine.results(), results);

    // In another universe the outside refuses.
    assert_eq!(before.refuse(), Ok(()));
    assert_eq!(run(&mut before), Stop::Trap(TrapKind::Host));
    assert_eq!(
        before.trap().unwrap().to_string().lines().next(),
        Some("trap: stopped by the outside")
    );
}

#[test]
fn references_of_the_outside_come_back_as_they_were() {
    let mut machine = machine(
        r#"(module (table 2 externref) (func (export "f") (param externref) (result externref i32)
            (table.set (i32.const 1) (local.get 0))
            (table.get (i32.const 1))
            (ref.is_null (local.get 0))))"#,
    );
    for number in [None, Some(0), Some(1), Some(0x7fff_ffff), Some(u32::MAX - 1), Some(u32::MAX)] {
        machine.call(0, &[Value::ExternRef(number)]).unwrap();
        assert_eq!(run(&mut machine), Stop::Finished);
        let is_null = i32::from(number.is_none());
        assert_eq!(machine.results(), [Value::ExternRef(number), Value::I32(is_null)]);
    }
}

#[test]
fn globals_and_locals_can_be_set_by_hand() {
    let mut machine = machine(
        r#"(module (global (mut i64) (i64.const 1)) (global f32 (f32.const 2))
            (func $inner (param i32) (result i32) (local f64) (local.get 0))
            (func (export "f") (param i32) (result i32) (local i64)
                (call $inner (local.get 0)) (local.get 0) (i32.sub)))"#,
    );
    assert!(!machine.set_global(0, Value::I32(1)));
    assert!(!machine.set_global(2, Value::I32(1)));
    assert!(machine.set_global(0, Value::I64(9)));
    assert_eq!(machine.global(0), Some(Value::I64(9)));
    assert_eq!(machine.global(2), None);
    assert!(!machine.set_local(0, 0, Value::I32(1)), "nothing is being executed");

    machine.call(1, &[Value::I32(5)]).unwrap();
    machine.step();
    machine.step();
    assert_eq!(machine.call_depth(), 2);
    assert!(!machine.set_local(0, 0, Value::I64(1)));
    assert!(!machine.set_local(0, 2, Value::I32(1)));
    assert!(!machine.set_local(2, 0, Value::I32(1)));
    assert!(machine.set_local(0, 0, Value::I32(100)));
    assert!(machine.set_local(0, 1, Value::F64(7)));
    assert!(machine.set_local(1, 0, Value::I32(30)));
    assert!(machine.set_local(1, 1, Value::I64(7)));
    assert_eq!(machine.call_stack()[0].locals, [100, 7]);
    assert_eq!(machine.call_stack()[1].locals, [30, 7]);
    assert_eq!(run(&mut machine), Stop::Finished);
    assert_eq!(machine.results(), [Value::I32(70)]);
}

#[test]
fn imports_have_to_fit() {
    let text = r#"(module
        (import "o" "g" (global i64)) (import "o" "m" (memory 2 4)) (import "o" "t" (table 3 5 externref))
        (func (export "f") (result i64 i32 i32)
            (global.get 0) (i32.load (i32.const 70000)) (table.size)))"#;
    let module = load(&wat::parse_str(text).unwrap());
    let name = |field: &str| ImportName { module: "o".into(), field: field.into() };
    let make = |fill: &dyn Fn(&mut ImportValues)| {
        let mut imports = ImportValues::default();
        fill(&mut imports);
        Machine::new(module.clone(), Limits::default(), imports)
    };
    let error = |field: &str, reason| InstantiateError::Import { name: name(field), reason };
    let memory =
        |min, max| make(&|i| drop(i.memories.insert(name("m"), Memory::new(min, max)))).map(drop);
    assert_eq!(memory(1, 4), Err(error("m", "too small")));
    assert_eq!(memory(2, 5), Err(error("m", "may grow too large")));
    assert_eq!(memory(2, 3), Ok(()));
    let table = |ty, min, max| {
        make(&|i| drop(i.tables.insert(name("t"), Table::new(ty, min, max, 0)))).map(drop)
    };
    assert_eq!(table(ValType::ExternRef, 2, 5), Err(error("t", "too small")));
    assert_eq!(table(ValType::ExternRef, 3, 6), Err(error("t", "may grow too large")));
    assert_eq!(table(ValType::FuncRef, 3, 5), Err(error("t", "another type")));
    assert_eq!(table(ValType::ExternRef, 5, 5), Ok(()));
    let global = |value| {
        let give = |i: &mut ImportValues| assert_eq!(i.globals.insert(name("g"), value), None);
        make(&give).map(drop)
    };
    assert_eq!(global(Value::I32(1)), Err(error("g", "another type")));
    assert_eq!(global(Value::I64(1)), Ok(()));
    assert_eq!(
        error("g", "another type").to_string(),
        "incompatible import type: o.g (another type)"
    );

    let mut machine = make(&|imports| {
        let mut memory = Memory::new(3, 3);
        memory.write(70000, &[1, 2]).unwrap();
        imports.memories.insert(name("m"), memory);
        imports.globals.insert(name("g"), Value::I64(-3));
        imports.tables.insert(name("t"), Table::new(ValType::ExternRef, 4, 5, 0));
    })
    .unwrap();
    machine.call(0, &[]).unwrap();
    assert_eq!(run(&mut machine), Stop::Finished);
    assert_eq!(machine.results(), [Value::I64(-3), Value::I32(0x201), Value::I32(4)]);
}

#[test]
fn segments_have_to_fit() {
    for (fields, segment, kind) in [
        (
            r#"(memory 1) (data (i32.const 0) "a") (data (i32.const 65535) "ab")"#,
            1,
            TrapKind::MemoryOutOfBounds,
        ),
        (r#"(memory 0) (data (i32.const 1) "")"#, 0, TrapKind::MemoryOutOfBounds),
        ("(table 1 funcref) (func) (elem (i32.const 1) func 0)", 0, TrapKind::TableOutOfBounds),
        ("(table 1 funcref) (func) (elem (i32.const -1) func 0 0)", 0, TrapKind::TableOutOfBounds),
    ] {
        let module = load(&wat::parse_str(format!("(module {fields})")).unwrap());
        let error = Machine::new(module, Limits::default(), ImportValues::default()).map(drop);
        assert_eq!(error, Err(InstantiateError::Segment { segment, kind }), "{fields}");
    }
}

#[test]
fn start_function_is_ready_to_run() {
    let mut machine = machine(
        r#"(module (global (mut i32) (i32.const 1))
            (func $start (global.set 0 (i32.const 2))) (start $start))"#,
    );
    assert_eq!(machine.status(), Status::Running);
    assert_eq!(machine.global(0), Some(Value::I32(1)));
    assert_eq!(run(&mut machine), Stop::Finished);
    assert_eq!(machine.global(0), Some(Value::I32(2)));
}

#[test]
fn every_import_call_tells_its_arguments() {
    let mut session = PROGRAMS[4].start();
    let mut seen = Vec::new();
    while let Stop::Import(_) = run(&mut session.machine) {
        seen.push(session.machine.import_call().unwrap());
        session.answer();
    }
    let one = |arg| vec![Value::I32(arg)];
    assert_eq!(
        seen,
        [(2, vec![]), (0, one(40)), (0, one(8)), (0, one(1)), (1, one(7)), (1, one(9))]
    );
}
