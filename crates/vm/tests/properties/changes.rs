//! A machine becomes another one by what differs, as a device does that goes back.

use mw_vm::{Breakpoints, Limits, Machine, Module, NoProbe, RestoreError, Status, Stop, TrapKind};

use super::{end_of, every_count};
use crate::common::compare::assert_same;
use crate::common::drive::{Session, load};
use crate::common::programs::PROGRAMS;

/// Makes `machine` what `goal` is; says how many pages that took.
fn become_another(machine: &mut Machine, goal: &Machine) -> usize {
    let before: Vec<Vec<(usize, Vec<u8>)>> = (machine.memories().iter())
        .map(|memory| memory.written_pages().map(|(index, page)| (index, page.to_vec())).collect())
        .collect();
    machine.restore_without_pages(&goal.save_without_pages()).unwrap();
    let mut written = 0;
    for (index, memory) in goal.memories().iter().enumerate() {
        for (page, content) in memory.written_pages() {
            if !before[index].contains(&(page, content.to_vec())) {
                assert!(machine.restore_page(index as u32, page as u32, content));
                written += 1;
            }
        }
    }
    written
}

#[test]
fn any_state_leads_to_any_other() {
    for program in PROGRAMS {
        let (end, _) = end_of(program);
        let states: Vec<Session> = every_count(program).collect();
        let stride = (states.len() / 12).max(1);
        for from in (0..states.len()).step_by(stride) {
            let mut moving = Session {
                machine: Machine::restore(
                    states[from].machine.module().clone(),
                    &states[from].machine.save(),
                )
                .unwrap(),
                calls: 0,
            };
            for goal in states.iter().step_by(stride) {
                become_another(&mut moving.machine, &goal.machine);
                assert!(moving.machine == goal.machine, "{}", program.name);
                assert_eq!(moving.machine.count(), goal.machine.count());
                let mut copy =
                    Machine::restore(goal.machine.module().clone(), &goal.machine.save()).unwrap();
                assert_same(&mut moving.machine, &mut copy, program.name);
            }
            moving.calls = states[(states.len() - 1) / stride * stride].calls;
            if moving.machine.status() != Status::Idle {
                assert_eq!(moving.finish(), end, "{}", program.name);
            }
        }
    }
}

#[test]
fn pages_that_did_not_exist_are_gone_and_memories_shrink() {
    let text = r#"(module (memory 1 4)
        (func (export "f")
            (drop (memory.grow (i32.const 2)))
            (i32.store (i32.const 150000) (i32.const 7))
            (i32.store (i32.const 0) (i32.const 7))))"#;
    let module = load(&wat::parse_str(text).unwrap());
    let mut machine = Machine::new(module.clone(), Limits::default(), Default::default()).unwrap();
    machine.call(module.exported_func("f").unwrap(), &[]).unwrap();
    let mut start = machine.fork();
    assert_eq!(machine.run(u64::MAX, &Breakpoints::default(), &mut NoProbe), Stop::Finished);
    let end = machine.fork();
    assert_eq!(become_another(&mut machine, &start), 0);
    assert_eq!((machine.memories()[0].size(), machine.memories()[0].resident_pages()), (1, 0));
    assert_same(&mut machine, &mut start, "back");
    assert_eq!(become_another(&mut machine, &end), 2);
    assert_eq!(machine.memories()[0].size(), 3);
    assert!(machine == end);
}

#[test]
fn what_does_not_fit_changes_nothing() {
    let session = PROGRAMS[0].start();
    let mut machine = session.machine;
    let before = machine.save();
    let saved = machine.save_without_pages();
    for length in 0..saved.len() {
        assert!(machine.restore_without_pages(&saved[..length]).is_err(), "{length}");
    }
    let module = load(&wat::parse_str(r#"(module (func (export "f")))"#).unwrap());
    let other = Machine::new(module, Limits::default(), Default::default()).unwrap();
    let refused = machine.restore_without_pages(&other.save_without_pages());
    assert_eq!(refused, Err(RestoreError::OtherModule));
    assert_eq!(machine.save(), before);
}

#[test]
fn a_compact_module_runs_the_same() {
    for program in PROGRAMS {
        let (end, count) = end_of(program);
        let image = program.start().machine.module().to_image(false);
        let full = Module::from_image(&image).unwrap();
        let compact = Module::from_image_compact(&image).unwrap();
        assert!(compact.footprint() < full.footprint(), "{}", program.name);
        let mut session = program.start_in(&compact.into());
        assert_eq!(session.finish(), end, "{}", program.name);
        assert_eq!(session.machine.count(), count, "{}", program.name);
    }
}

#[test]
fn writing_more_pages_than_there_may_be_is_a_trap() {
    let text = |body: &str| format!(r#"(module (memory 2) (func (export "f") {body}))"#);
    let limits = Limits { resident_pages: 3, ..Limits::default() };
    let run = |body: &str| {
        let module = load(&wat::parse_str(text(body)).unwrap());
        let mut machine = Machine::new(module.clone(), limits, Default::default()).unwrap();
        machine.call(module.exported_func("f").unwrap(), &[]).unwrap();
        let stop = machine.run(u64::MAX, &Breakpoints::default(), &mut NoProbe);
        (stop, machine.memories()[0].resident_pages())
    };
    let exhausted = Stop::Trap(TrapKind::MemoryExhausted);
    let fill = |pages: u32| {
        format!("(memory.fill (i32.const 1) (i32.const 1) (i32.const {}))", pages * 4096 - 1)
    };
    assert_eq!(run(&fill(3)), (Stop::Finished, 3));
    assert_eq!(run(&fill(4)), (exhausted, 0), "all or nothing");
    let store = "(i32.store (i32.const 50000) (i32.const 1))";
    assert_eq!(run(&format!("{} {store}", fill(2))), (Stop::Finished, 3));
    assert_eq!(run(&format!("{} {store}", fill(3))), (exhausted, 3));
    let read = "(drop (i32.load (i32.const 100000)))";
    assert_eq!(run(&format!("{} {read}", fill(3))), (Stop::Finished, 3), "reading takes nothing");
    let copy = "(memory.copy (i32.const 60000) (i32.const 0) (i32.const 5000))";
    assert_eq!(run(&format!("{} {copy}", fill(2))), (exhausted, 2));
}

#[test]
fn overlapping_ranges_are_copied_as_if_at_once() {
    for (to, from, length) in [(5u64, 0u64, 5000u64), (0, 5, 5000), (4000, 100, 3000), (7, 7, 100)]
    {
        let mut memory = mw_vm::Memory::new(1, 1);
        let bytes: Vec<u8> = (0..10_000u32).map(|i| (i * 7 + i / 256) as u8).collect();
        memory.write(0, &bytes).unwrap();
        memory.copy_within(to, from, length).unwrap();
        let mut expected = bytes;
        expected.copy_within(from as usize..(from + length) as usize, to as usize);
        assert_eq!(memory.read_vec(0, 10_000).unwrap(), expected, "{to} {from} {length}");
    }
}
