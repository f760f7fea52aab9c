//! What is saved can be restored, and what is an image is the module.

use std::sync::Arc;

use mw_vm::{
    Breakpoints, ImportName, ImportValues, Limits, Machine, Memory, Module, NoProbe, RestoreError,
    Status, Stop, Table, TrapKind, ValType,
};

use super::{end_of, every_count};
use crate::common::compare::assert_same;
use crate::common::drive::Session;
use crate::common::programs::PROGRAMS;

#[test]
fn restored_machine_goes_on_as_if_nothing_had_been() {
    for program in PROGRAMS {
        let (end, _) = end_of(program);
        for mut session in every_count(program) {
            let saved = session.machine.save();
            let module = session.machine.module().clone();
            let mut restored = Session {
                machine: Machine::restore(module, &saved).unwrap(),
                calls: session.calls,
            };
            assert_same(&mut session.machine, &mut restored.machine, program.name);
            assert_eq!(restored.machine.save(), saved, "{}: saved again", program.name);
            assert_eq!(restored.machine.limits(), session.machine.limits());
            if session.machine.status() != Status::Idle {
                assert_eq!(restored.finish(), end, "{}", program.name);
                session.finish();
            }
            assert_same(&mut session.machine, &mut restored.machine, program.name);
        }
    }
}

#[test]
fn machine_can_be_saved_while_it_waits_for_the_outside() {
    let program = &PROGRAMS[4];
    let (end, _) = end_of(program);
    let mut session = program.start();
    let mut waits = 0;
    while let Stop::Import(_) = session.machine.run(u64::MAX, &Breakpoints::default(), &mut NoProbe)
    {
        waits += 1;
        let machine =
            Machine::restore(session.machine.module().clone(), &session.machine.save()).unwrap();
        assert_eq!(machine.import_call(), session.machine.import_call());
        let mut restored = Session { machine, calls: session.calls };
        assert_eq!(restored.finish(), end);
        session.answer();
    }
    assert_eq!(waits, 6, "all ways to call an import, and one that is none");
}

#[test]
fn machine_can_be_saved_in_any_trap() {
    let module = |text: &str| crate::common::drive::load(&wat::parse_str(text).unwrap());
    let few = Limits { stack_slots: 20, call_depth: 4, ..Limits::default() };
    let cases = [
        ("(func (export \"f\") (unreachable))", Limits::default(), TrapKind::Unreachable),
        ("(func (export \"f\") (call 0))", few, TrapKind::CallStackExhausted),
        (
            "(func (export \"f\") (local i64 i64 i64 i64 i64 i64 i64) (call 0))",
            few,
            TrapKind::ValueStackExhausted,
        ),
        // There is no room for the frame of the very first function.
        (
            "(func (export \"f\") (local i64 i64 i64 i64 i64 i64 i64 i64 i64 i64 i64)
                (local i64 i64 i64 i64 i64 i64 i64 i64 i64 i64 i64))",
            few,
            TrapKind::ValueStackExhausted,
        ),
        // There is no room for the frame of the second.
        (
            "(func (export \"f\") (call 1)) (func (local i64 i64 i64 i64 i64 i64 i64 i64 i64 i64)
                (local i64 i64 i64 i64 i64 i64 i64 i64 i64 i64 i64 i64))",
            few,
            TrapKind::ValueStackExhausted,
        ),
    ];
    for (text, limits, kind) in cases {
        let module = module(&format!("(module {text})"));
        let mut machine = Machine::new(module.clone(), limits, Default::default()).unwrap();
        machine.call(0, &[]).unwrap();
        let stop = machine.run(u64::MAX, &Breakpoints::default(), &mut NoProbe);
        assert_eq!(stop, Stop::Trap(kind), "{text}");
        let mut restored = Machine::restore(module, &machine.save())
            .unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_same(&mut machine, &mut restored, text);
        assert_eq!(restored.trap(), machine.trap(), "{text}");
        assert_same(&mut machine.fork(), &mut restored, text);
    }
}

/// Where pages are limited, one that was written and is zero again counts as before.
#[test]
fn a_page_of_zeros_counts_when_restored() {
    let wasm = wat::parse_str(
        r#"(module (memory 1) (func (export "f")
            (i32.store (i32.const 0) (i32.const 7)) (i32.store (i32.const 0) (i32.const 0))
            (i32.store (i32.const 4096) (i32.const 7))))"#,
    );
    let module = Arc::new(Module::from_binary(&wasm.unwrap(), &Limits::default()).unwrap());
    let limits = Limits { resident_pages: 1, ..Limits::default() };
    let mut machine = Machine::new(module.clone(), limits, Default::default()).unwrap();
    machine.call(0, &[]).unwrap();
    machine.run(6, &Breakpoints::default(), &mut NoProbe);
    let mut restored = Machine::restore(module, &machine.save()).unwrap();
    let stop = machine.run(u64::MAX, &Breakpoints::default(), &mut NoProbe);
    assert!(matches!(stop, Stop::Trap(_)), "{stop:?}");
    assert_eq!(restored.run(u64::MAX, &Breakpoints::default(), &mut NoProbe), stop);
}

#[test]
fn machine_belongs_to_its_module() {
    let saved = PROGRAMS[0].start().machine.save();
    let error = Machine::restore(PROGRAMS[1].load(), &saved).unwrap_err();
    assert_eq!(error, RestoreError::OtherModule);
    assert_eq!(
        error.to_string(),
        "saved from another program; use the module that it was saved from"
    );
}

#[test]
fn image_is_the_module() {
    for program in PROGRAMS {
        let (end, count) = end_of(program);
        let original = program.load();
        for with_offsets in [true, false] {
            let image = original.to_image(with_offsets);
            let module = Arc::new(Module::from_image(&image).unwrap_or_else(|error| {
                panic!("{}: {error}", program.name);
            }));
            assert_eq!(module.fingerprint(), original.fingerprint());
            assert_eq!(module.code(), original.code());
            assert_eq!(module.exports(), original.exports());
            assert_eq!(module.to_image(with_offsets), image, "{}", program.name);
            let offset = if with_offsets { original.offset_of(0) } else { None };
            assert_eq!(module.offset_of(0), offset);
            let mut session = program.start_in(&module);
            assert_eq!(session.finish(), end, "{}", program.name);
            assert_eq!(session.machine.count(), count, "{}", program.name);
            let mut same = program.start_in(&original);
            same.finish();
            assert_same(&mut session.machine, &mut same.machine, program.name);
            // What was saved of one can be restored into the other.
            Machine::restore(original.clone(), &session.machine.save()).unwrap();
        }
    }
}

/// The results of a function that is called as a tail call need not fit into the rest of the
/// frame: its image is accepted all the same.
#[test]
fn image_of_tail_calls_with_many_results_is_accepted() {
    let text = r#"(module
        (type $many (func (result i32 i64 i32 i64 i32)))
        (import "outside" "many" (func $import (type $many)))
        (table funcref (elem $import $own))
        (func $own (type $many) (i32.const 1) (i64.const 2) (i32.const 3) (i64.const 4) (i32.const 5))
        (func (export "import") (type $many) (return_call $import))
        (func (export "own") (type $many) (return_call $own))
        (func (export "indirect") (type $many) (return_call_indirect (type $many) (i32.const 0))))"#;
    let module = crate::common::drive::load(&wat::parse_str(text).unwrap());
    let image = Arc::new(Module::from_image(&module.to_image(false)).unwrap());
    for name in ["import", "own", "indirect"] {
        let mut ends = Vec::new();
        for module in [&module, &image] {
            let mut session = Session::new(module).unwrap();
            session.machine.call(module.exported_func(name).unwrap(), &[]).unwrap();
            // A fork has no more stack than it needs.
            let mut session = session.fork();
            let end = session.finish();
            assert_eq!(session.machine.results().len(), 5, "{name}");
            ends.push((end, session.machine.hash()));
        }
        assert_eq!(ends[0], ends[1], "{name}");
    }
}

/// What the outside gives may be larger than the machine's own limits would allow.
#[test]
fn machine_with_large_imports_can_be_restored() {
    let text = r#"(module (import "o" "m" (memory 1)) (import "o" "t" (table 1 externref))
        (func (export "f") (result i32 i32) (memory.grow (i32.const 1))
            (table.grow (ref.null extern) (i32.const 1))))"#;
    let module = crate::common::drive::load(&wat::parse_str(text).unwrap());
    let limits = Limits { memory_pages: 2, table_elements: 2, ..Limits::default() };
    let name = |field: &str| ImportName { module: "o".into(), field: field.into() };
    for maximum in [5, 65536, u32::MAX] {
        let mut imports = ImportValues::default();
        imports.memories.insert(name("m"), Memory::new(3, maximum));
        imports.tables.insert(name("t"), Table::new(ValType::ExternRef, 3, maximum, 0));
        let mut machine = Machine::new(module.clone(), limits, imports).unwrap();
        machine.call(0, &[]).unwrap();
        let mut restored = Machine::restore(module.clone(), &machine.save()).unwrap();
        assert_same(&mut machine, &mut restored, "before");
        for machine in [&mut machine, &mut restored] {
            let stop = machine.run(u64::MAX, &Breakpoints::default(), &mut NoProbe);
            assert_eq!(stop, Stop::Finished);
        }
        assert_same(&mut machine, &mut restored, "after");
    }
}
