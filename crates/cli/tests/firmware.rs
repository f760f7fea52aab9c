//! The same sessions on the firmware, in QEMU: `cargo xtask test firmware` builds it and runs this.
#![cfg(target_os = "linux")] // For `sh`.

mod playing;

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

#[test]
fn sessions_on_the_firmware() {
    let kernel = std::env::var("MW_FIRMWARE").expect("MW_FIRMWARE is the firmware, as an ELF file");
    check(
        "firmware",
        |name| SCRIPTS.contains(&name),
        |command, _| {
            // QEMU has something to say about its timers.
            let qemu = "qemu-system-arm -M lm3s6965evb -display none -monitor none -serial stdio";
            let device = format!("mw attach \"exec:{qemu} -kernel {kernel} 2>/dev/null\"");
            Started { command: command.replacen("mw debug", &device, 1), agent: None }
        },
    );
}
