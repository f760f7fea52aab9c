//! The same sessions on the firmware, in QEMU: `cargo xtask test firmware` builds it and runs this.
#![cfg(target_os = "linux")] // For `sh`.

#[path = "../../session/tests/common/mod.rs"]
mod common;
#[path = "../../api/tests/devices/mod.rs"]
mod devices;
mod golden;
mod playing;
#[path = "../../remote/tests/common/mod.rs"]
mod wire;

use mw_api::{Address, RunOn};
use mw_remote::host::Device;
use mw_session::Options;
use proptest::prelude::*;

use common::program::{Outside, program_in};
use common::walk::{Walk, command};
use common::{Setup, cases};
use devices::Desk;
use playing::{Started, check};

/// Programs that need no more than what every board has.
const SCRIPTS: [&str; 9] = [
    "calibration",
    "guide",
    "led-counter",
    "light-sensor",
    "memory",
    "places",
    "suggest",
    "temperature-dashboard",
    "trap",
];

/// The firmware in QEMU, with its serial line as standard input and output.
fn qemu() -> String {
    let kernel = std::env::var("MW_FIRMWARE").expect("MW_FIRMWARE is the firmware, as an ELF file");
    // QEMU has something to say about its timers.
    let qemu = "qemu-system-arm -M lm3s6965evb -display none -monitor none -serial stdio";
    format!("exec:{qemu} -kernel {kernel} 2>/dev/null")
}

#[test]
fn sessions_on_the_firmware() {
    check(
        "firmware",
        |name| SCRIPTS.contains(&name),
        |command, _| {
            let device = format!("mw attach \"{}\"", qemu());
            Started { command: command.replacen("mw debug", &device, 1), agent: None }
        },
    );
}

proptest! {
    #![proptest_config(cases(5))]

    /// The theorems of the session's own tests, with the machine on the firmware. What its inputs
    /// return is for the firmware to know.
    #[test]
    fn every_walk_is_sound_on_the_firmware(
        program in program_in(Outside::Chip),
        commands in prop::collection::vec(command(), 1..15),
    ) {
        let mut setup = Setup::new(&program);
        let stream = qemu().parse::<Address>().unwrap().open(None).unwrap();
        let device = Device::connect(stream, 1).unwrap();
        match Desk::new(&setup, device, RunOn::Device) {
            Ok(mut desk) => {
                let session = desk.session(&mut setup, Options::default());
                let follow = Box::new(|session: &mut _| desk.follow(session));
                let mut walk = Walk::followed(&setup, session, follow);
                commands.iter().for_each(|command| drop(walk.perform(command)));
            }
            Err(error) => prop_assert!(error.message.ends_with("too few"), "{}", error.message),
        }
    }
}
