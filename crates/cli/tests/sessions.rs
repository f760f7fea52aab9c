//! Golden tests of the debugger: whole sessions with the real binary, here and on devices.
//!
//! What exploring took is left out. `MW_BLESS=1 cargo test -p mw-cli` writes the expectations anew; read the difference.
#![cfg(target_os = "linux")] // For `sh`.

use crate::playing;

use playing::{Agent, HERE, Started, check, world_of};

/// Room for all programs of the scripts.
const MEMORY: &str = "--memory 2M";

/// Whether a device can run the program of a script: it has one machine.
fn is_of_one_machine(script: &str) -> bool {
    !["actors", "graph", "property-elevator", "turns"].contains(&script)
}

#[test]
fn sessions() {
    check(HERE, |_| true, |command, _| Started { command: command.into(), agent: None });
}

#[test]
fn sessions_on_a_device() {
    check("pipe", is_of_one_machine, |command, _| {
        let agent = format!("mw attach \"exec:mw agent {MEMORY} {}\"", world_of(command));
        Started { command: command.replacen("mw debug", &agent, 1), agent: None }
    });
}

#[test]
fn sessions_on_a_device_over_tcp() {
    check("tcp", is_of_one_machine, |command, folder| {
        let arguments = format!("{MEMORY} --tcp 127.0.0.1:0 {}", world_of(command));
        let (agent, address) = Agent::start(&arguments, folder);
        let command = command.replacen("mw debug", &format!("mw attach {address}"), 1);
        Started { command, agent: Some(agent) }
    });
}

#[test]
fn sessions_on_a_device_over_a_pty() {
    check("pty", is_of_one_machine, |command, folder| {
        let (agent, address) =
            Agent::start(&format!("{MEMORY} --pty {}", world_of(command)), folder);
        let command = command.replacen("mw debug", &format!("mw attach {address}"), 1);
        Started { command, agent: Some(agent) }
    });
}

#[test]
fn sessions_with_only_primitives_on_the_device() {
    check("out-of-place", is_of_one_machine, |command, _| {
        let agent = format!("mw attach --run-on host \"exec:mw agent {}\"", world_of(command));
        Started { command: command.replacen("mw debug", &agent, 1), agent: None }
    });
}
