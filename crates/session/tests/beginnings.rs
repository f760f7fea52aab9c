//! Sessions that begin in the middle of a run: each is the tail of a whole one.

use crate::common;

use std::sync::Arc;

use mw_session::{
    Direction, Halt, Mock, Options, Outcome, Place, Session, Start, StartError, TraceError,
    Unattended, Unit,
};
use mw_vm::{Limits, Module, RestoreError, Value};
use mw_world::Description;
use proptest::prelude::*;

use common::Setup;
use common::program::program;
use common::walk::{Command, Walk, command};

fn options(checkpoint_interval: u64, checkpoint_memory: usize) -> Options {
    Options { checkpoint_interval, checkpoint_memory, ..Options::default() }
}

/// Goes on for so many instructions, or to the end; what is asked is answered.
fn go_on(session: &mut Session, count: u64) {
    let goal = session.here().count + count;
    loop {
        let left = goal - session.here().count;
        let forward = Direction::Forward;
        match session.step(Unit::Instruction, forward, left, &mut Unattended).unwrap() {
            Halt::Asks => {
                let (import, _) = session.machine().import_call().unwrap();
                let mock = Mock {
                    port: None,
                    import,
                    args: None,
                    answer: Value::I32(5).into(),
                    once: true,
                };
                session.mocks_mut().add(mock);
            }
            _ => return,
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..Default::default() })]

    /// Whatever one does in a session that begins in the middle of a run, checkpoints make no
    /// difference, and every place is one that the whole session can get to, with the same machine
    /// and world.
    #[test]
    fn a_session_is_the_tail_of_a_whole_one(
        program in program(),
        before in 0..200u64,
        commands in prop::collection::vec(command(), 1..20),
        interval in 1..50u64,
    ) {
        let setup = Setup::new(&program);
        let mut whole = setup.session(options(20, 1 << 20));
        go_on(&mut whole, before);
        let middle = whole.here();
        let setup = setup.beginning_at(&whole);
        let told = |memory| {
            let mut walk = Walk::new(&setup, options(interval, memory));
            walk.check();
            let told: Vec<String> = commands.iter().map(|c| walk.perform(c)).collect();
            (walk, told)
        };
        let (mut tail, without) = told(0);
        prop_assert_eq!(&without, &told(256 << 20).1);

        prop_assert_eq!(tail.session.start().count, middle.count);
        let past = whole.trace_to(middle);
        // Each trace begins anew, whatever has been sent.
        whole.set_dry(true);
        for place in tail.visited.clone() {
            let mut trace = tail.session.trace_to(place);
            trace.choices.splice(..0, past.choices.iter().cloned());
            let there = whole.replay_trace(&trace, &mut Unattended).unwrap();
            prop_assert_eq!(there.count, place.count);
            tail.session.slide(place, true, &mut Unattended).unwrap();
            // A trace leads to the failure; one may have stood before it.
            let failed = |s: &Session| matches!(s.machine().status(), mw_vm::Status::Trapped(_));
            if failed(&whole) == failed(&tail.session) {
                prop_assert_eq!(whole.state_hash(), tail.session.state_hash());
            }
        }
    }

    /// Going back ends at the start of the session, whichever way one goes.
    #[test]
    fn nothing_goes_back_behind_the_start(
        program in program(),
        before in 1..60u64,
        commands in prop::collection::vec(command(), 1..10),
        unit in common::walk::unit(),
    ) {
        let setup = Setup::new(&program);
        let mut whole = setup.session(options(20, 1 << 20));
        go_on(&mut whole, before);
        let setup = setup.beginning_at(&whole);
        let mut walk = Walk::new(&setup, options(20, 1 << 20));
        let breaks = |command: &&Command| !matches!(command, Command::Break(..));
        commands.iter().filter(breaks).for_each(|command| drop(walk.perform(command)));
        walk.session.set_dry(true);
        let (start, leaf) = (walk.session.start(), walk.session.here());
        let control = &mut Unattended;
        if leaf.count != start.count {
            let halt = walk.session.step(unit, Direction::Back, u64::MAX, control).unwrap();
            prop_assert_eq!(halt, Halt::Edge);
            prop_assert_eq!(walk.session.here().count, start.count);
            walk.session.slide(leaf, true, control).unwrap();
            prop_assert_eq!(walk.session.run(Direction::Back, control).unwrap(), Halt::Edge);
        }
        prop_assert_eq!(walk.session.here().count, start.count);
        walk.check();
        let earlier = Place { count: start.count - 1, ..start };
        prop_assert!(walk.session.slide(earlier, true, control).is_err());
    }
}

const SUMS: &str = r#"
(module
  (import "env" "chip_analog_read" (func $read (param i32) (result i32)))
  (import "env" "abort" (func $abort (param i32 i32 i32 i32)))
  (memory 1)
  (global $sum (mut i32) (i32.const 0))
  (func (export "main") (local $i i32)
    (loop $again
      (global.set $sum (i32.add (global.get $sum) (call $read (i32.const 1))))
      (i32.store (i32.const 8192) (global.get $sum))
      (br_if $again
        (i32.lt_s (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 10))))
    (call $abort (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 2))))
"#;

fn sums() -> (Setup, Session) {
    let setup = Setup::of(SUMS, Description::board(Default::default()));
    let mut session = setup.session(Options::default());
    session.run(Direction::Forward, &mut Unattended).unwrap();
    (setup, session)
}

#[test]
fn a_program_that_has_ended_stands_at_its_end() {
    let (setup, ended) = sums();
    let message = ended.abort_message().unwrap().to_owned();
    let setup = setup.beginning_at(&ended);
    let mut session = setup.session(Options::default());
    for _ in 0..2 {
        assert_eq!(session.here(), session.start());
        assert_eq!(session.abort_message(), Some(&*message));
        let ends = Ok(Halt::Ended(Outcome::Aborted(message.clone())));
        assert_eq!(session.run(Direction::Forward, &mut Unattended), ends);
        assert_eq!(session.run(Direction::Back, &mut Unattended), Ok(Halt::Edge));
    }
    let start = session.start();
    session.slide(start, false, &mut Unattended).unwrap();
    assert_eq!(session.abort_message(), Some(&*message));
}

#[test]
fn a_session_without_its_past_has_no_traces() {
    let (setup, whole) = sums();
    let text = whole.write_trace(&whole.trace());
    let session = setup.beginning_at(&whole).session(Options::default());
    assert_eq!(session.check_traceable(), Err(TraceError::NoWholePast));
    assert_eq!(session.read_trace(&text), Err(TraceError::NoWholePast));
}

#[test]
fn a_start_is_not_believed() {
    let (setup, session) = sums();
    let (module, limits) = (&setup.module, Limits::default());
    let start = Start::of(session.machine(), None);
    let (count, state) = (start.count(), start.state().to_vec());
    assert_eq!(start.machine(module, &limits).as_ref(), Ok(session.machine()));

    let few = Limits { stack_slots: 100, ..limits };
    assert_eq!(start.machine(module, &few), Err(StartError::Limits));
    let early = Start::kept(count - 1, state.clone(), None);
    assert_eq!(early.machine(module, &limits), Err(StartError::Count(count)));
    let other = wat::parse_str("(module (func (export \"main\")))").unwrap();
    let other = Arc::new(Module::from_binary(&other, &limits).unwrap());
    let refused = Err(StartError::Machine(RestoreError::OtherModule));
    assert_eq!(start.machine(&other, &limits), refused);
    // Cut off or changed, it is refused or a machine like any other.
    let world = Arc::new(Description::board(Default::default()));
    for at in 0..state.len() {
        let cut = Start::kept(count, state[..at].to_vec(), None);
        assert!(cut.machine(module, &limits).is_err(), "{at} bytes");
        let mut changed = state.clone();
        changed[at] ^= 1 << (at % 8);
        let start = Start::kept(count, changed, None);
        if let Ok(mut session) = Session::begin(module, &world, &start, Options::default()) {
            let _ = session.step(Unit::Instruction, Direction::Forward, 1000, &mut Unattended);
            let _ = session.step(Unit::Instruction, Direction::Back, 1000, &mut Unattended);
        }
    }
}
