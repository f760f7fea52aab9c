//! The seeds' theorems, over generated programs and random walks.
//!
//! What must hold after each command is in `common::walk`: soundness, compensation soundness, and
//! that nothing is lost. The plain run that it is compared with (`common::oracle`) knows nothing
//! of the debugger.

mod common;

use mw_session::{
    Breakpoint, Direction, Halt, Mock, Options, Place, SessionError, Trigger, Unattended, Unit,
};
use mw_vm::{Breakpoints, NoProbe, Stop, Value};
use mw_world::{Call, Kind};
use proptest::prelude::*;

use common::Setup;
use common::program::program;
use common::walk::{CancelAfter, Command, Walk, command, possible};

fn options(checkpoint_interval: u64, checkpoint_memory: usize) -> Options {
    Options { checkpoint_interval, checkpoint_memory, ..Options::default() }
}

fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

fn walk(setup: &Setup, options: Options, commands: &[Command]) -> Vec<String> {
    let mut walk = Walk::new(setup, options);
    commands.iter().map(|command| walk.perform(command)).collect()
}

proptest! {
    #![proptest_config(cases(4000))]

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
