//! The seeds' theorems, over generated programs and random walks.
//!
//! What must hold after each command is in `common::walk`: soundness, compensation soundness, and
//! that nothing is lost. The plain run that it is compared with (`common::oracle`) knows nothing
//! of the debugger.

use crate::common;

use mw_session::{
    Breakpoint, Direction, Halt, Mock, Options, Outcome, Place, SessionError, Site, Trigger,
    Unattended, Unit,
};
use mw_vm::Value;
use mw_world::Description;
use proptest::prelude::*;

use common::oracle::plain_run;
use common::program::program;
use common::walk::{CancelAfter, Command, Walk, command};
use common::{Setup, cases};

fn options(checkpoint_interval: u64, checkpoint_memory: usize) -> Options {
    Options { checkpoint_interval, checkpoint_memory, ..Options::default() }
}

/// Goes on without what is recorded between instructions. A step ends after what is recorded right
/// there, so that has to be left first.
fn go_without(walk: &mut Walk<'_>) {
    let session = &mut walk.session;
    let Place { mut node, count } = session.here();
    while let Some(choice) = session.multiverse().choice(node)
        && choice.count == count
        && !matches!(choice.site, Site::Input { .. })
    {
        node = session.multiverse().parent(node).unwrap();
    }
    session.slide(Place { node, count }, true, &mut Unattended).unwrap();
    session.go_without();
}

fn walk(setup: &Setup, options: Options, commands: &[Command]) -> Vec<String> {
    let mut walk = Walk::new(setup, options);
    commands.iter().map(|command| walk.perform(command)).collect()
}

proptest! {
    #![proptest_config(cases(150))]

    /// Soundness and compensation soundness on any walk; and snapshot soundness: checkpoints make
    /// no difference, wherever they are.
    #[test]
    fn every_walk_is_sound_whatever_the_checkpoints(
        program in program(),
        commands in prop::collection::vec(command(), 1..25),
        interval in 1..50u64,
    ) {
        let setup = Setup::new(&program);
        let without = walk(&setup, options(interval, 0), &commands);
        let many = walk(&setup, options(interval, 256 << 20), &commands);
        let few = walk(&setup, options(interval, 40_000), &commands);
        let default = walk(&setup, Options::default(), &commands);
        prop_assert_eq!(&without, &many);
        prop_assert_eq!(&without, &few);
        prop_assert_eq!(&without, &default);
    }
}

fn add_breakpoints(walk: &mut Walk<'_>, breakpoints: &[(u8, u16)]) {
    for &(kind, number) in breakpoints {
        let trigger = walk.trigger(kind, number);
        let breakpoint = Breakpoint::new(trigger);
        walk.session.breakpoints_mut().add(breakpoint);
    }
}

fn forget_mocks(walk: &mut Walk<'_>) {
    let ids: Vec<_> = walk.session.mocks().iter().map(|(id, _)| id).collect();
    for id in ids {
        walk.session.mocks_mut().remove(id);
    }
}

/// Runs, interrupts and alterations.
fn disturbance() -> impl Strategy<Value = Command> {
    prop_oneof![
        Just(Command::Interrupt),
        Just(Command::Run(Direction::Forward)),
        (any::<u8>(), any::<u16>(), any::<i32>()).prop_map(|(k, n, v)| Command::Alter(k, n, v)),
    ]
}

proptest! {
    #![proptest_config(cases(150))]

    /// Completeness: any plain run can be followed by mocking its inputs, one after the other,
    /// whatever breakpoints stop it on the way.
    #[test]
    fn every_plain_run_can_be_followed(
        program in program(),
        numbers in prop::collection::vec(any::<u64>(), 1..20),
        breakpoints in prop::collection::vec(any::<(u8, u16)>(), 0..4),
    ) {
        let setup = Setup::new(&program);
        let (plain, reads) = plain_run(&setup, &numbers);
        let mut walk = Walk::new(&setup, options(20, 1 << 20));
        add_breakpoints(&mut walk, &breakpoints);
        // Of several mocks the newest counts.
        for (_, import, args, answer) in reads.iter().rev() {
            let mock = Mock { port: None, import: *import, args: None, answer: answer.clone(), once: true };
            walk.session.mocks_mut().add(mock);
            prop_assert!([0, 1, 4].contains(&args.len()));
        }
        while !matches!(walk.session.run(Direction::Forward, &mut Unattended), Ok(Halt::Ended(_))) {
            walk.check();
        }
        walk.check();
        prop_assert_eq!(walk.session.machine().count(), plain.machine.count());
        prop_assert!(*walk.session.machine() == plain.machine);
        prop_assert_eq!(walk.session.world().state(), plain.world.state());
        prop_assert_eq!(walk.session.mocks().iter().count(), 0);
    }

    /// Completeness, from wherever a walk has led: also past interrupts and alterations.
    #[test]
    fn every_plain_run_can_be_followed_after_any_walk(
        program in program(),
        numbers in prop::collection::vec(any::<u64>(), 1..20),
        commands in prop::collection::vec(command(), 1..15),
    ) {
        let setup = Setup::new(&program);
        let (plain, reads) = plain_run(&setup, &numbers);
        let mut walk = Walk::new(&setup, options(20, 1 << 20));
        commands.iter().for_each(|command| drop(walk.perform(command)));
        forget_mocks(&mut walk);

        let control = &mut Unattended;
        walk.session.slide(Place::default(), true, control).unwrap();
        for (count, import, args, value) in reads {
            go_without(&mut walk);
            let steps = count - walk.session.here().count;
            walk.session.step(Unit::Instruction, Direction::Forward, steps, control).unwrap();
            let mock = Mock { port: None, import, args: Some(args), answer: value, once: true };
            walk.session.mocks_mut().add(mock);
            walk.session.step(Unit::Instruction, Direction::Forward, 1, control).unwrap();
        }
        go_without(&mut walk);
        walk.session.step(Unit::Instruction, Direction::Forward, u64::MAX, control).unwrap();
        walk.check();
        prop_assert!(*walk.session.machine() == plain.machine);
        prop_assert_eq!(walk.session.world().state(), plain.world.state());
    }

    /// Mocking non-interference: what is mocked for other arguments, or not any more, changes
    /// nothing.
    #[test]
    fn other_mocks_change_nothing(
        program in program(),
        commands in prop::collection::vec(command(), 1..15),
        value in 0..4096i32,
    ) {
        let setup = Setup::new(&program);
        let (mut plain, mut mocked) =
            (Walk::new(&setup, options(20, 0)), Walk::new(&setup, options(20, 0)));
        let read = plain.session.world().find("chip_analog_read").unwrap();
        let other = |args| Mock { port: None, import: read, args, answer: Value::I32(value).into(), once: false };
        let ours = |command: &&Command| {
            !matches!(command, Command::Unmock(_) | Command::Mock { .. } | Command::BackAndForth(_))
        };
        for command in commands.iter().filter(ours) {
            // A question is answered by a mock of its own, which a refusal would take away.
            let elsewhere = mocked.session.mocks_mut().add(other(Some(vec![Value::I32(99)])));
            let removed = mocked.session.mocks_mut().add(other(None));
            prop_assert!(mocked.session.mocks_mut().remove(removed));
            prop_assert_eq!(plain.perform(command), mocked.perform(command));
            mocked.session.mocks_mut().remove(elsewhere);
        }
    }

    /// Running back visits what running forward visited, in the opposite order. A watch stops
    /// after the write on the way there, before it on the way back.
    #[test]
    fn there_and_back_the_same_breakpoints(
        program in program(),
        numbers in prop::collection::vec(any::<u64>(), 1..20),
        breakpoints in prop::collection::vec((0..5u8, any::<u16>()), 1..4),
        watches in prop::collection::vec((5..8u8, any::<u16>()), 1..4),
        commands in prop::collection::vec(disturbance(), 0..6),
        interval in 1..50u64,
        is_watching in any::<bool>(),
    ) {
        let setup = Setup::new(&program);
        let (_, reads) = plain_run(&setup, &numbers);
        // Without what cannot be undone, which would stop the way back.
        let mut options = options(interval, 1 << 20);
        options.dry = true;
        let mut walk = Walk::new(&setup, options);
        add_breakpoints(&mut walk, if is_watching { &watches } else { &breakpoints });
        for (_, import, _, answer) in reads.iter().rev() {
            let mock = Mock { port: None, import: *import, args: None, answer: answer.clone(), once: true };
            walk.session.mocks_mut().add(mock);
        }
        // Interrupts and alterations where it stops for the first times.
        commands.iter().for_each(|command| drop(walk.perform(command)));
        let control = &mut Unattended;
        loop {
            match walk.session.run(Direction::Forward, control) {
                Ok(Halt::Asks) => {
                    let (import, _) = walk.session.machine().import_call().unwrap();
                    let mock = Mock { port: None, import, args: None, answer: Value::I32(4).into(), once: true };
                    walk.session.mocks_mut().add(mock);
                }
                Ok(Halt::Breakpoint(_)) => {}
                Ok(_) => break,
                // Altered, it reads something else than in the plain run.
                Err(_) => forget_mocks(&mut walk),
            }
        }
        // All of it is recorded now.
        forget_mocks(&mut walk);
        let end = walk.session.here();
        walk.session.slide(Place::default(), true, control).unwrap();
        let mut there = vec![];
        while walk.session.here() != end
            && let Ok(Halt::Breakpoint(id)) = walk.session.run(Direction::Forward, control)
        {
            let Place { count, .. } = walk.session.here();
            there.push((id, count - u64::from(is_watching)));
        }
        prop_assert_eq!(walk.session.here(), end);
        let mut back = vec![];
        while let Halt::Breakpoint(id) = walk.session.run(Direction::Back, control).unwrap() {
            back.push((id, walk.session.here().count));
            walk.check();
        }
        back.reverse();
        // Neither direction stops where it begins.
        there.retain(|(_, count)| *count < end.count);
        back.retain(|(_, count)| *count > 0 || is_watching);
        prop_assert_eq!(there, back);
    }
}

/// A long run with inputs and outputs, long enough to be cancelled in the middle.
const LONG: &str = r#"
(module
  (import "env" "chip_analog_read" (func $read (param i32) (result i32)))
  (import "env" "print_int" (func $print (param i32)))
  (global $sum (export "sum") (mut i32) (i32.const 0))
  (func (export "main") (local $i i32) (local $j i32)
    (loop $outer
      (call $print (call $read (i32.const 1)))
      (local.set $j (i32.const 200000))
      (loop $inner
        (global.set $sum (i32.add (global.get $sum) (local.get $j)))
        (br_if $inner (local.tee $j (i32.sub (local.get $j) (i32.const 1)))))
      (br_if $outer
        (i32.lt_s (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 10))))))
"#;

#[test]
fn cancelling_leaves_the_session_at_a_sound_place() {
    let setup = Setup::of(LONG, Description::board(Default::default()));
    for options in [options(1_000_000, 0), options(1_000_000, 1 << 20), Options::default()] {
        let mut walk = Walk::new(&setup, options);
        // Running forward stops somewhere on the way; what has been done stays done.
        let cancelled = walk.session.run(Direction::Forward, &mut CancelAfter(1));
        assert_eq!(cancelled, Err(SessionError::Cancelled));
        let middle = walk.session.here();
        assert!(middle.count > 4_000_000);
        walk.check();
        let ended = walk.session.run(Direction::Forward, &mut Unattended);
        assert_eq!(ended, Ok(Halt::Ended(Outcome::Finished)));
        let end = walk.session.here();
        walk.check();

        // A search and a slide stay where they began; in the middle of catching up, too.
        assert_eq!(
            walk.session.run(Direction::Back, &mut CancelAfter(0)),
            Err(SessionError::Cancelled)
        );
        assert_eq!(walk.session.here(), end);
        let near = Place { node: end.node, count: end.count - 10 };
        for asks in 0..3 {
            let result = walk.session.slide(near, false, &mut CancelAfter(asks));
            if result.is_err() {
                assert_eq!(result, Err(SessionError::Cancelled));
                assert_eq!(walk.session.here(), end);
                walk.check();
            }
        }
        walk.session.slide(middle, false, &mut Unattended).unwrap();
        walk.check();
        let result = walk.session.slide(end, false, &mut CancelAfter(0));
        if result.is_err() {
            assert_eq!((result, walk.session.here()), (Err(SessionError::Cancelled), middle));
        }
        walk.check();
    }
}

#[test]
fn breakpoints_are_seen_wherever_the_work_is_interrupted() {
    // The work is looked up from every few million instructions, and for checkpoints: at each of
    // them a breakpoint may be waiting.
    let setup = Setup::of(LONG, Description::board(Default::default()));
    let mut walk = Walk::new(&setup, options(1, 1 << 20));
    let code = walk.session.module().code().len() as u32;
    for pc in 0..code {
        let breakpoint = Breakpoint::new(Trigger::Instruction(pc));
        walk.session.breakpoints_mut().add(breakpoint);
    }
    for count in 1..100 {
        let halt = walk.session.run(Direction::Forward, &mut Unattended);
        assert!(matches!(halt, Ok(Halt::Breakpoint(_))));
        assert_eq!(walk.session.here().count, count);
    }
}
