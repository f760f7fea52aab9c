//! Counts are exact, and n steps are a run of n.

use mw_vm::{Breakpoints, NoProbe, Probe, Status, Stop};

use super::end_of;
use crate::common::compare::assert_same;
use crate::common::drive::{End, Session};
use crate::common::programs::PROGRAMS;

/// One instruction, imported calls included.
fn step(session: &mut Session) -> Stop {
    let stop = session.machine.step();
    if let Stop::Import(_) = stop {
        session.answer();
        return Stop::Budget;
    }
    stop
}

#[test]
fn run_stops_exactly_at_every_count() {
    for program in PROGRAMS {
        let (_, last) = end_of(program);
        let mut stepping = program.start();
        for count in 0..=last {
            let mut run = program.start();
            run.run_to(count, &mut NoProbe);
            assert_eq!(run.machine.count(), count, "{}", program.name);
            assert_same(&mut run.machine, &mut stepping.machine, program.name);
            let stop = step(&mut stepping);
            let expected = count + u64::from(count < last);
            assert_eq!(stepping.machine.count(), expected, "{}: {stop:?}", program.name);
        }
    }
}

#[test]
fn one_run_can_be_cut_into_any_two() {
    struct Watcher;
    impl Probe for Watcher {}
    for program in PROGRAMS {
        let (end, last) = end_of(program);
        for count in 0..=last {
            let mut session = program.start();
            session.run_to(count, &mut Watcher);
            assert_eq!(session.finish(), end, "{} after {count}", program.name);
            assert_eq!(session.machine.count(), last, "{} after {count}", program.name);
        }
    }
}

#[test]
fn budget_of_zero_does_nothing() {
    for program in PROGRAMS {
        let mut session = program.start();
        let mut before = session.machine.fork();
        let stop = session.machine.run(0, &Breakpoints::default(), &mut NoProbe);
        assert_eq!(stop, Stop::Budget, "{}", program.name);
        assert_same(&mut session.machine, &mut before, program.name);
    }
}

#[test]
fn budget_that_just_suffices_finishes() {
    for program in PROGRAMS.iter().filter(|program| !program.load().imports().any(|_| true)) {
        let (end, last) = end_of(program);
        let mut session = program.start();
        let stop = session.machine.run(last, &Breakpoints::default(), &mut NoProbe);
        match end {
            End::Results(_) => assert_eq!(stop, Stop::Finished, "{}", program.name),
            // A trap is found by the attempt to execute what comes after the last instruction.
            End::Trap(_) => assert_eq!(stop, Stop::Budget, "{}", program.name),
        }
    }
}

#[test]
fn trap_is_not_counted_and_stays() {
    let program = PROGRAMS.iter().find(|program| program.name.contains("trap")).unwrap();
    let mut session = program.start();
    let End::Trap(kind) = session.finish() else { panic!("it traps") };
    let mut before = session.machine.fork();
    for _ in 0..3 {
        assert_eq!(session.machine.step(), Stop::Trap(kind));
        assert_same(&mut session.machine, &mut before, "a trap that is stepped");
    }
}

#[test]
fn stop_reasons_of_an_idle_machine() {
    let mut session = PROGRAMS[0].start();
    session.finish();
    let count = session.machine.count();
    assert_eq!(session.machine.status(), Status::Idle);
    assert_eq!(session.machine.step(), Stop::Finished);
    assert_eq!(session.machine.count(), count);
}
