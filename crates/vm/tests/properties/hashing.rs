//! Two machines have the same hash exactly if they are in the same state.

use mw_vm::{Machine, NoProbe, Stop, Value};

use super::every_count;
use crate::common::drive::{Session, load};
use crate::common::programs::PROGRAMS;

/// Compares all pairs; returns how many are equal.
fn check_pairs(machines: &mut [Machine], what: &str) -> usize {
    let hashes: Vec<u128> = machines.iter_mut().map(Machine::hash).collect();
    let mut equal = 0;
    for (i, one) in machines.iter().enumerate() {
        for (j, other) in machines.iter().enumerate().skip(i + 1) {
            let same = one == other;
            equal += usize::from(same);
            assert_eq!(same, hashes[i] == hashes[j], "{what}: states {i} and {j}");
        }
    }
    equal
}

#[test]
fn hash_is_equal_exactly_if_the_state_is() {
    for program in PROGRAMS {
        let mut machines: Vec<Machine> =
            every_count(program).map(|session| session.machine).collect();
        // And each a second time, by another way.
        let mut again: Vec<Machine> = machines
            .iter()
            .map(|machine| Machine::restore(machine.module().clone(), &machine.save()).unwrap())
            .collect();
        let count = machines.len();
        machines.append(&mut again);
        let equal = check_pairs(&mut machines, program.name);
        assert!(equal >= count, "{}: every state is equal to its copy", program.name);
    }
}

#[test]
fn state_that_comes_back_is_recognised() {
    // The machine is where it was after every seven instructions, but has counted on.
    let text = r#"(module (memory 1) (global $g (mut i32) (i32.const 0)) (func (export "run")
        (loop $again
            (i32.store (i32.const 9) (global.get $g))
            (global.set $g (i32.xor (global.get $g) (i32.const 1)))
            (br $again))))"#;
    let module = load(&wat::parse_str(text).unwrap());
    let mut session = Session::new(&module).unwrap();
    session.machine.call(0, &[]).unwrap();
    let mut machines: Vec<Machine> = (0..64)
        .map(|count| {
            session.run_to(count, &mut NoProbe);
            session.machine.fork()
        })
        .collect();
    let period = 16;
    for first in 16..48 {
        let (before, after) = machines.split_at_mut(first + period);
        assert!(before[first] == after[0], "after {first} and {period} more");
        assert_eq!(before[first].hash(), after[0].hash());
        assert_ne!(before[first].count(), after[0].count());
    }
    check_pairs(&mut machines, "a loop");
}

#[test]
fn every_part_of_the_state_counts() {
    let text = r#"(module
        (memory 2 4) (memory 1 2)
        (global (mut i64) (i64.const 1)) (global (mut f32) (f32.const 1))
        (table 3 6 externref)
        (table 3 6 funcref)
        (data $d "x") (elem $e func 0)
        (func (export "f") (param i32) (result i32) (local i64)
            (data.drop $d) (elem.drop $e)
            (i32.const 9) (call 1 (local.get 0)) (i32.add))
        (func (param i32) (result i32) (i32.add (local.get 0) (i32.const 1))))"#;
    let module = load(&wat::parse_str(text).unwrap());
    let mut session = Session::new(&module).unwrap();
    session.machine.call(0, &[Value::I32(5)]).unwrap();
    session.run_to(6, &mut NoProbe);
    let start = &mut session.machine;
    assert_eq!(start.call_depth(), 2);
    let mut machines = vec![start.fork()];
    let mut change = |change: &dyn Fn(&mut Machine)| {
        let mut fork = start.fork();
        change(&mut fork);
        machines.push(fork);
    };
    change(&|m| m.memory_mut(0).unwrap().write(0, &[1]).unwrap());
    change(&|m| m.memory_mut(0).unwrap().write(1, &[1]).unwrap());
    change(&|m| m.memory_mut(0).unwrap().write(4096, &[1]).unwrap());
    change(&|m| m.memory_mut(0).unwrap().write(131_071, &[1]).unwrap());
    change(&|m| m.memory_mut(1).unwrap().write(0, &[1]).unwrap());
    change(&|m| assert_eq!(m.memory_mut(0).unwrap().grow(1), Some(2)));
    change(&|m| assert_eq!(m.memory_mut(1).unwrap().grow(1), Some(1)));
    change(&|m| assert!(m.set_global(0, Value::I64(2))));
    change(&|m| assert!(m.set_global(1, Value::F32(0x7fc0_0000))));
    change(&|m| assert!(m.set_global(1, Value::F32(0xffc0_0000))));
    change(&|m| m.table_mut(0).unwrap().write(0, &[1]).unwrap());
    change(&|m| m.table_mut(0).unwrap().write(1, &[1]).unwrap());
    change(&|m| m.table_mut(1).unwrap().write(0, &[1]).unwrap());
    change(&|m| assert!(m.set_local(0, 0, Value::I32(6))));
    change(&|m| assert!(m.set_local(1, 0, Value::I32(6))));
    change(&|m| assert!(m.set_local(1, 1, Value::I64(6))));
    change(&|m| m.abandon());
    change(&|m| assert_eq!(m.step(), Stop::Budget));
    let equal = check_pairs(&mut machines, "changes");
    assert_eq!(equal, 0, "every change makes another state");

    // A change that is taken back is none.
    let mut fork = session.machine.fork();
    fork.memory_mut(0).unwrap().write(5000, &[1]).unwrap();
    fork.hash();
    fork.memory_mut(0).unwrap().write(5000, &[0]).unwrap();
    assert!(fork == session.machine);
    assert_eq!(fork.hash(), session.machine.hash());
}

#[test]
fn dropped_segments_are_state() {
    let text = r#"(module (memory 1) (table 1 funcref) (data $d "x") (elem $e func 0)
        (func (export "data") (data.drop $d)) (func (export "elem") (elem.drop $e))
        (func (export "none")))"#;
    let module = load(&wat::parse_str(text).unwrap());
    let mut machines = Vec::new();
    for name in ["data", "elem", "none"] {
        let mut session = Session::new(&module).unwrap();
        session.machine.call(module.exported_func(name).unwrap(), &[]).unwrap();
        session.finish();
        session.machine.abandon();
        machines.push(session.machine);
    }
    assert_eq!(check_pairs(&mut machines, "segments"), 0);
}
