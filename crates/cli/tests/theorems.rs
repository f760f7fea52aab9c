//! The theorems of the session's own tests, on `mw agent` as a device.
#![cfg(target_os = "linux")] // For agents as in the other tests of sessions.

use crate::common;
use crate::playing;
use crate::simulated as devices;

use std::sync::atomic::{AtomicU64, Ordering};

use mw_api::{Address, RunOn};
use mw_remote::host::Device;
use mw_session::Options;
use proptest::prelude::*;

use common::program::{GARDEN, Outside, Program, program};
use common::walk::{Command, command};
use common::{Setup, cases};
use devices::{Desk, same_with_a_device};
use playing::Agent;

/// The number of a session, as no other one has it.
static NUMBER: AtomicU64 = AtomicU64::new(1);

/// A walk on an agent of its own, started with these arguments.
fn walk(arguments: &str, program: &Program, run_on: RunOn, commands: &[Command]) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut arguments = format!("{arguments} --memory 2M");
    if program.world == Outside::Garden {
        std::fs::write(folder.path().join("garden.toml"), GARDEN).expect("a world");
        arguments += " --world garden.toml";
    }
    let (_agent, address) = Agent::start(&arguments, folder.path());
    let stream = address.parse::<Address>().unwrap().open(None).unwrap();
    let device = Device::connect(stream, NUMBER.fetch_add(1, Ordering::Relaxed)).unwrap();
    let mut setup = Setup::new(program);
    let desk = Desk::new(&setup, device, run_on).unwrap();
    same_with_a_device(desk, &mut setup, Options::default(), commands);
}

fn run_on() -> impl Strategy<Value = RunOn> {
    prop_oneof![2 => Just(RunOn::Device), 1 => Just(RunOn::Host)]
}

proptest! {
    #![proptest_config(cases(40))]

    #[test]
    fn every_walk_is_sound_on_an_agent_over_tcp(
        program in program(),
        commands in prop::collection::vec(command(), 1..15),
        run_on in run_on(),
    ) {
        walk("--tcp 127.0.0.1:0", &program, run_on, &commands);
    }

    #[test]
    fn every_walk_is_sound_on_an_agent_over_a_pty(
        program in program(),
        commands in prop::collection::vec(command(), 1..15),
        run_on in run_on(),
    ) {
        walk("--pty", &program, run_on, &commands);
    }
}
