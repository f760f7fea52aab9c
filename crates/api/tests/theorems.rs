//! The theorems of the session's own tests, with a device that follows.
//!
//! After each command the device has the session's machine, and its outside is the session's world:
//! nothing is left done or undone. What happens is what happens without a device.

use crate::common;
use crate::devices;
use crate::wire;

use mw_api::RunOn;
use mw_remote::agent::Config;
use mw_session::{Direction, Halt, Mock, Options, Place, Unattended};
use proptest::prelude::*;

use common::oracle::plain_run;
use common::program::program;
use common::walk::{Command, Walk, command};
use common::{Setup, cases};
use devices::{Desk, ROOMY, same_with_a_device, wire as a_wire};
use wire::Faults;

fn options(checkpoint_interval: u64) -> Options {
    Options { checkpoint_interval, checkpoint_memory: 1 << 20, ..Options::default() }
}

proptest! {
    #![proptest_config(cases(100))]

    /// Soundness and compensation soundness, with the machine on the device.
    #[test]
    fn every_walk_is_sound_on_a_device(
        program in program(),
        commands in prop::collection::vec(command(), 1..25),
        interval in 1..50u64,
    ) {
        let mut setup = Setup::new(&program);
        let wire = a_wire(&setup, ROOMY, Faults::default(), 0, 1);
        let desk = Desk::wired(&setup, wire, RunOn::Device).unwrap();
        same_with_a_device(desk, &mut setup, options(interval), &commands);
    }

    /// The same with only primitives on the device.
    #[test]
    fn every_walk_is_sound_with_primitives_on_a_device(
        program in program(),
        commands in prop::collection::vec(command(), 1..25),
        interval in 1..50u64,
    ) {
        let mut setup = Setup::new(&program);
        let wire = a_wire(&setup, ROOMY, Faults::default(), 0, 1);
        let desk = Desk::wired(&setup, wire, RunOn::Host).unwrap();
        same_with_a_device(desk, &mut setup, options(interval), &commands);
    }

    /// The same on a device with little memory, where programs may run out of it.
    #[test]
    fn every_walk_is_sound_on_a_small_device(
        program in program(),
        commands in prop::collection::vec(command(), 1..25),
        memory in 12..40usize,
    ) {
        let mut setup = Setup::new(&program);
        let config = Config { memory: memory << 10, stack_slots: 40, call_depth: 5, ..Config::SMALL };
        let wire = a_wire(&setup, config, Faults::default(), 0, 1);
        match Desk::wired(&setup, wire, RunOn::Device) {
            Ok(desk) => same_with_a_device(desk, &mut setup, options(20), &commands),
            Err(error) => prop_assert!(error.message.ends_with("too few"), "{}", error.message),
        }
    }

    /// Completeness: any plain run can be followed on a device, and back.
    #[test]
    fn every_plain_run_can_be_followed_on_a_device(
        program in program(),
        numbers in prop::collection::vec(any::<u64>(), 1..20),
        commands in prop::collection::vec(command(), 0..5),
        on_host in any::<bool>(),
    ) {
        let mut setup = Setup::new(&program);
        let wire = a_wire(&setup, ROOMY, Faults::default(), 0, 1);
        let run_on = if on_host { RunOn::Host } else { RunOn::Device };
        let mut desk = Desk::wired(&setup, wire, run_on).unwrap();
        let session = desk.session(&mut setup, options(20));
        let (plain, reads) = plain_run(&setup, &numbers);
        let mut walk = Walk::followed(&setup, session, Box::new(|session| desk.follow(session)));
        // What was done by hand would come again where the run reads what was read before it.
        let by_hand = |command: &&Command| {
            matches!(command, Command::Alter(..) | Command::AlterBefore(..) | Command::Interrupt)
        };
        for command in commands.iter().filter(|command| !by_hand(command)) {
            walk.perform(command);
        }
        let control = &mut Unattended;
        walk.session.slide(Place::default(), true, control).unwrap();
        walk.check();
        walk.session.go_without();
        let ids: Vec<_> = walk.session.mocks().iter().map(|(id, _)| id).collect();
        for id in ids {
            walk.session.mocks_mut().remove(id);
        }
        // Of several mocks the newest counts.
        for (_, import, _, answer) in reads.iter().rev() {
            let mock = Mock { port: None, import: *import, args: None, answer: answer.clone(), once: true };
            walk.session.mocks_mut().add(mock);
        }
        while !matches!(walk.session.run(Direction::Forward, control).unwrap(), Halt::Ended(_)) {
            walk.check();
            walk.session.go_without();
        }
        walk.check();
        prop_assert!(*walk.session.machine() == plain.machine);
        prop_assert!(desk.outside().as_ref() == Some(plain.world.state()));
        walk.session.slide(Place::default(), true, control).unwrap();
        walk.check();
        let start = setup.bound();
        prop_assert!(desk.outside().as_ref() == Some(start.state()));
    }
}
