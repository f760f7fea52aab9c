//! A fork and its original have nothing in common but their past.

use mw_vm::{Breakpoints, Machine, Memory, NoProbe, Status, Stop, Value};

use super::{end_of, every_count};
use crate::common::compare::assert_same;
use crate::common::drive::Session;
use crate::common::programs::PROGRAMS;

/// Goes on into another universe: memory, globals and locals are changed, imported calls answered
/// otherwise, and all run to their end.
fn diverge(mut session: Session) {
    let machine = &mut session.machine;
    for index in 0..machine.memories().len() {
        let memory = machine.memory_mut(index as u32).unwrap();
        memory.fill(0, 0xab, memory.byte_size()).unwrap();
        memory.grow(1);
    }
    for index in 0..machine.module().globals().len() as u32 {
        let Some(value) = machine.global(index) else { continue };
        let _ = machine.set_global(index, Value::from_slot(value.ty(), 0x1234));
    }
    for index in 0..machine.tables().len() {
        let table = machine.table_mut(index as u32).unwrap();
        let nulls = vec![0; table.size() as usize];
        table.write(0, &nulls).unwrap();
    }
    let _ = machine.set_local(0, 0, Value::I32(3));
    for _ in 0..5000 {
        match machine.run(1000, &Breakpoints::default(), &mut NoProbe) {
            Stop::Import(func) => {
                let module = machine.module().clone();
                let ty = module.func_type(&module.funcs()[func as usize]);
                let zeros: Vec<Value> = ty.results.iter().map(|&ty| Value::zero(ty)).collect();
                machine.resume(&zeros).unwrap();
            }
            Stop::Budget => {}
            _ => break,
        }
    }
    machine.abandon();
}

#[test]
fn original_is_untouched_by_its_fork() {
    for program in PROGRAMS {
        for mut session in every_count(program) {
            let (hash, saved) = (session.machine.hash(), session.machine.save());
            let mut unforked = session.fork();
            diverge(session.fork());
            assert_eq!(session.machine.save(), saved, "{}", program.name);
            assert_eq!(session.machine.hash(), hash, "{}", program.name);
            assert_same(&mut session.machine, &mut unforked.machine, program.name);
        }
    }
}

#[test]
fn fork_is_untouched_by_its_original() {
    for program in PROGRAMS {
        for mut session in every_count(program) {
            let mut fork = session.fork();
            let (hash, saved) = (fork.machine.hash(), fork.machine.save());
            diverge(session);
            assert_eq!(fork.machine.save(), saved, "{}", program.name);
            assert_eq!(fork.machine.hash(), hash, "{}", program.name);
        }
    }
}

/// Here the original is a machine that has run, and nothing is asked of it between that and its
/// going on.
#[test]
fn earlier_forks_are_untouched_by_what_comes_later() {
    for program in PROGRAMS {
        let (end, last) = end_of(program);
        let mut session = program.start();
        let mut forks = Vec::new();
        for count in 0..=last {
            session.run_to(count, &mut NoProbe);
            let fork = session.fork();
            let saved = fork.machine.save();
            forks.push((fork, saved));
        }
        for (mut fork, saved) in forks {
            assert!(fork.machine.save() == saved, "{}", program.name);
            let mut restored =
                Machine::restore(fork.machine.module().clone(), &saved).expect("just saved");
            assert_same(&mut fork.machine, &mut restored, program.name);
            if fork.machine.status() != Status::Idle {
                assert_eq!(fork.finish(), end, "{}", program.name);
            }
        }
    }
}

#[test]
fn fork_goes_on_like_its_original() {
    for program in PROGRAMS {
        for mut session in every_count(program) {
            // Also a fork of a fork, and one that has been saved and restored.
            let mut fork = session.fork().fork();
            assert_same(&mut session.machine, &mut fork.machine, program.name);
            assert_eq!(session.finish(), fork.finish(), "{}", program.name);
            assert_same(&mut session.machine, &mut fork.machine, program.name);
        }
    }
}

/// The stack of a fork is as long as it has to be, and not longer: also for a caller that needs
/// more of it than the function it has called.
#[test]
fn fork_has_room_for_its_callers() {
    let text = format!(
        r#"(module
            (func $leaf (result i32) (i32.const 1))
            (func $large (result i32) (call $leaf) {} {})
            (func (export "run") (result i32) (call $large)))"#,
        "(i32.const 1)".repeat(2000),
        "(i32.add)".repeat(2000),
    );
    let module = crate::common::drive::load(&wat::parse_str(text).unwrap());
    let mut session = Session::new(&module).unwrap();
    session.machine.call(module.exported_func("run").unwrap(), &[]).unwrap();
    session.run_to(2, &mut NoProbe);
    assert_eq!(session.machine.call_depth(), 3, "in the leaf");
    let mut forks: Vec<Session> = (0..100).map(|_| session.fork()).collect();
    for fork in &mut forks {
        fork.finish();
        assert_eq!(fork.machine.results(), [Value::I32(2001)]);
    }
}

#[test]
fn forks_share_what_neither_has_written() {
    let mut memory = Memory::new(256, 256);
    memory.fill(0, 1, memory.byte_size()).unwrap();
    let mut fork = memory.fork();
    assert_eq!(memory.unshared_pages(&fork).count(), 0);
    fork.write(70_000, &[2]).unwrap();
    fork.write(4096 * 1000, &[2]).unwrap();
    memory.write(70_001, &[3]).unwrap();
    let unshared: Vec<usize> = memory.unshared_pages(&fork).collect();
    assert_eq!(unshared, [70_000 / 4096, 1000]);
    let mut byte = [0];
    memory.read(70_000, &mut byte).unwrap();
    assert_eq!(byte, [1]);
    fork.read(70_001, &mut byte).unwrap();
    assert_eq!(byte, [1]);
}

#[test]
fn machines_and_modules_can_go_to_other_threads() {
    fn is_send<T: Send>() {}
    is_send::<Machine>();
    is_send::<mw_vm::Module>();
    is_send::<Breakpoints>();
    is_send::<Memory>();
    // In Miri, which is slow, those with memories and tables.
    let programs = if cfg!(miri) { &PROGRAMS[2..4] } else { PROGRAMS };
    for program in programs {
        let mut session = program.start();
        session.run_to(20, &mut NoProbe);
        let mut fork = session.fork();
        let elsewhere = std::thread::spawn(move || (fork.finish(), fork.machine));
        let end = session.finish();
        let (other_end, mut other) = elsewhere.join().unwrap();
        assert_eq!(end, other_end);
        assert_same(&mut session.machine, &mut other, program.name);
    }
}
