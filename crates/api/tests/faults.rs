//! Whole sessions on a device, over a link on which everything goes wrong that can.
//!
//! A session ends in the right state or says that the device does not follow. It never goes on with
//! a device that it has lost, and it never leaves the outside half taken back without saying so.

use crate::common;
use crate::devices;
use crate::wire;

use std::collections::BTreeSet;

use mw_api::RunOn;
use mw_remote::agent::Config;
use mw_session::{Direction, Options, Place, Session, SessionError};
use mw_vm::Stop;
use mw_world::{Call, Description, Kind, Sample};
use proptest::prelude::*;

use common::oracle::Plain;
use common::program::program;
use common::walk::{Command, Walk, command};
use common::{Setup, cases, contents};
use devices::{Board, Desk, ROOMY, walk, wire as a_wire};
use wire::{Fate, Faults, Wire};

/// What an error says that leaves the outside anywhere between two places.
const HALF: &str = "may be half taken back";

/// The outside as it is on the way to a place, from a count on, and as the program leaves it from
/// there if nobody decides anything.
fn on_the_way(setup: &Setup, session: &Session, to: Place, from: u64) -> BTreeSet<u128> {
    let tree = session.multiverse();
    let mut choices: Vec<_> =
        tree.ancestors(to.node).filter_map(|node| tree.choice(node)).collect();
    choices.reverse();
    let mut seen = BTreeSet::new();
    let mut plain = setup.plain();
    let mut note = |plain: &Plain| {
        if plain.machine.count() >= from {
            seen.insert(plain.world.state().hash());
        }
    };
    note(&plain);
    for until in choices.iter().map(|choice| choice.count).chain([to.count]).enumerate() {
        let (index, until) = until;
        while plain.machine.count() < until {
            plain.advance(plain.machine.count() + 1);
            note(&plain);
        }
        if let Some(choice) = choices.get(index) {
            plain.choose(*choice);
            note(&plain);
        }
    }
    for _ in 0..100_000 {
        match plain.machine.step() {
            Stop::Import(import) if plain.world.kind(import) == Ok(Kind::Input) => {
                let (_, args) = plain.machine.import_call().unwrap();
                match plain.world.sample(Call { import, args: &args }) {
                    Ok(Sample::Answer(answer)) => plain.input(import, answer),
                    _ => break,
                }
            }
            Stop::Import(import) if plain.output(import) => {}
            Stop::Import(_) | Stop::Trap(_) | Stop::Finished => break,
            _ => {}
        }
        note(&plain);
    }
    seen
}

/// What is known of a device that may be lost.
struct Followed<'a> {
    setup: &'a Setup,
    desk: Desk,
    /// Where it was brought to last.
    place: Place,
    /// What was said when it was lost, and how often the host had written then.
    trouble: Option<(SessionError, u64)>,
}

impl Followed<'_> {
    fn follow(&mut self, session: &mut Session) {
        let result = self.desk.bring(session);
        let outside = self.desk.outside().unwrap();
        let now = (result.clone(), self.desk.writes());
        match (result, &self.trouble) {
            (Ok(()), None) => {
                assert_eq!(outside, *session.world().state(), "at {:?}", session.here());
                self.place = session.here();
            }
            (Err(error), None) => {
                self.check_trouble(session, &error);
                self.trouble = Some((error, self.desk.writes()));
            }
            (_, Some((error, writes))) => {
                assert_eq!(now, (Err(error.clone()), *writes), "lost, but not left alone");
            }
        }
    }

    /// What was said is true.
    fn check_trouble(&self, session: &mut Session, error: &SessionError) {
        let said = error.to_string();
        assert!(matches!(error, SessionError::Target(_)), "{said}");
        assert!(!said.contains("not to be trusted"), "{said}");
        let is_half = said.contains(HALF);
        assert!(is_half || !said.contains("stuck"), "{said}");
        let common = session.plan(self.place, &mut mw_session::Unattended).unwrap().common;
        let from = if is_half { 0 } else { common.count };
        let mut possible = on_the_way(self.setup, session, session.here(), from);
        if is_half {
            possible.extend(on_the_way(self.setup, session, self.place, common.count));
        }
        // One that has started again has forgotten the program as well.
        possible.insert(self.setup.bound().state().hash());
        let outside = self.desk.outside().unwrap().hash();
        assert!(possible.contains(&outside), "nobody said that the outside is like this: {said}");
    }
}

/// A session over such a link. Says what was said when the device was lost, if it was.
fn session(
    setup: &mut Setup,
    wire: Wire<Board>,
    run_on: RunOn,
    commands: &[Command],
) -> Option<String> {
    let options = Options { checkpoint_interval: 20, ..Options::default() };
    let (number, fate) = (wire.random.0, wire.faults.fate);
    let mut desk = match Desk::wired(setup, wire, run_on) {
        Ok(desk) => desk,
        Err(error) => {
            assert!(fate.is_some(), "{}", error.message);
            return Some(error.message);
        }
    };
    let session = desk.session(setup, options);
    let setup = &*setup;
    let mut followed = Followed { setup, desk, place: Place::default(), trouble: None };
    let follow = Box::new(|session: &mut _| followed.follow(session));
    let (told, mut session) = walk(Walk::followed(setup, session, follow), commands);
    let Some((error, _)) = &followed.trouble else {
        let (expected, here) = walk(Walk::new(setup, options), commands);
        assert_eq!(told, expected);
        assert_eq!(contents(session.multiverse()), contents(here.multiverse()));
        return None;
    };
    // Attached again, all is right again.
    let agent = followed.desk.agent.clone().unwrap();
    agent.lock().unwrap().outside().fail = 0;
    let wire = Wire::to(agent, Faults::default(), number + 2);
    let mut desk = Desk::wired(setup, wire, run_on).unwrap();
    desk.attach(&mut session);
    desk.follow(&mut session);
    Some(error.to_string())
}

fn faults() -> impl Strategy<Value = Faults> {
    let rate = || prop_oneof![Just(0), 0..150u32];
    (rate(), rate(), rate(), rate(), prop_oneof![Just(0), 0..100u32]).prop_map(
        |(lost, flipped, repeated, delayed, broken)| Faults {
            lost,
            flipped,
            repeated,
            delayed,
            broken,
            fate: None,
        },
    )
}

fn run_on() -> impl Strategy<Value = RunOn> {
    prop_oneof![Just(RunOn::Device), Just(RunOn::Host)]
}

proptest! {
    #![proptest_config(cases(150))]

    /// What a link can get over costs nothing.
    #[test]
    fn a_bad_link_changes_nothing(
        program in program(),
        commands in prop::collection::vec(command(), 1..15),
        faults in faults(),
        run_on in run_on(),
        seed in 1..u64::MAX / 2,
    ) {
        let mut setup = Setup::new(&program);
        let wire = a_wire(&setup, ROOMY, faults, 0, seed);
        prop_assert_eq!(session(&mut setup, wire, run_on, &commands), None);
    }

    /// What it cannot get over is said, at whatever moment it comes.
    #[test]
    fn a_lost_device_is_given_up(
        program in program(),
        commands in prop::collection::vec(command(), 1..15),
        faults in faults(),
        fate in prop_oneof![Just(Fate::Breaks), Just(Fate::FallsSilent), Just(Fate::Restarts)],
        after in 0..600u64,
        run_on in run_on(),
        seed in 1..u64::MAX / 2,
    ) {
        let mut setup = Setup::new(&program);
        let faults = Faults { fate: Some((after, fate)), ..faults };
        let wire = a_wire(&setup, ROOMY, faults, 0, seed);
        if let Some(said) = session(&mut setup, wire, run_on, &commands) {
            let expected = match fate {
                Fate::Breaks => "the connection to the device is lost",
                Fate::FallsSilent => "the device does not answer",
                Fate::Restarts => "the device has restarted",
            };
            prop_assert!(said.contains(expected), "{}", said);
        }
    }

    /// What cannot be taken back is said.
    #[test]
    fn a_compensation_that_fails_is_said(
        program in program(),
        commands in prop::collection::vec(command(), 1..15),
        fail in 1..500u32,
        log in prop_oneof![Just(0), Just(300), Just(10_000usize)],
        run_on in run_on(),
        seed in 1..u64::MAX / 2,
    ) {
        let mut setup = Setup::new(&program);
        let config = Config { log, ..ROOMY };
        let wire = a_wire(&setup, config, Faults::default(), fail, seed);
        if let Some(said) = session(&mut setup, wire, run_on, &commands) {
            prop_assert!(said.contains("the motor is stuck") && said.contains(HALF), "{}", said);
        }
    }
}

/// Outputs of all kinds, inputs between them, and pages that are written.
const BUSY: &str = r#"
(module
  (import "env" "chip_analog_read" (func $read (param i32) (result i32)))
  (import "env" "chip_digital_write" (func $write (param i32 i32)))
  (import "env" "print_int" (func $print (param i32)))
  (memory 1)
  (func (export "main") (local $i i32)
    (loop $again
      (call $write (i32.const 2) (i32.and (local.get $i) (i32.const 1)))
      (call $print (call $read (i32.const 1)))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (i32.store (i32.mul (local.get $i) (i32.const 4096)) (local.get $i))
      (br_if $again (i32.lt_u (local.get $i) (i32.const 4))))))"#;

#[test]
fn a_device_is_lost_at_any_moment_of_going_back_and_forth() {
    // To the end, back to the start, and to the end again.
    let commands = [Command::Run(Direction::Forward), Command::Slide(0, 0), Command::Slide(1, 0)];
    // The host keeps all compensations, so that there are moments between them.
    let config = Config { log: 0, ..ROOMY };
    for run_on in [RunOn::Device, RunOn::Host] {
        for fate in [Fate::Breaks, Fate::FallsSilent, Fate::Restarts] {
            let mut said = Vec::new();
            for after in 0.. {
                let mut setup = Setup::of(BUSY, Description::board(Default::default()));
                let faults = Faults { fate: Some((after, fate)), ..Faults::default() };
                let wire = a_wire(&setup, config, faults, 0, 7);
                match session(&mut setup, wire, run_on, &commands) {
                    Some(error) => said.push(error),
                    // Started again before anybody has spoken to it, it is like any other.
                    None if said.is_empty() => {}
                    None => break,
                }
            }
            let half = said.iter().filter(|error| error.contains(HALF)).count();
            assert!(half > 8, "{half} of {} moments in the middle of going back", said.len());
            assert!(said.last().is_some_and(|error| !error.contains(HALF)));
        }
    }
}
