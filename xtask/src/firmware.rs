//! Building the firmware, and what it takes of its microcontroller.

use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use crate::{process, project, setup};

/// The flash and RAM of the board that the firmware is for, in bytes.
const FLASH: u32 = 256 << 10;
const RAM: u32 = 64 << 10;

/// Flags and kinds of sections.
const ALLOCATED: u32 = 2;
const WRITABLE: u32 = 1;
const NO_BITS: u32 = 8;

/// Builds the firmware; returns the ELF file.
pub fn build() -> Result<PathBuf> {
    build_binary("lm3s6965", &[])
}

fn build_binary(name: &str, features: &[&str]) -> Result<PathBuf> {
    let folder = project::root().join("firmware");
    let mut cargo = process::command("cargo");
    cargo.args(["build", "--release", "--locked", "--bin", name]).args(features);
    process::run(cargo.current_dir(&folder))?;
    let target = match std::env::var_os("CARGO_TARGET_DIR") {
        Some(target) => PathBuf::from(target),
        None => folder.join("target"),
    };
    Ok(target.join(setup::FIRMWARE_TARGET).join("release").join(name))
}

/// Measures in QEMU, where time is instructions, what recording costs the processor.
pub fn measure() -> Result<()> {
    let kernel = build_binary("measure", &["--features=measure"])?;
    let mut qemu = process::command(setup::QEMU);
    qemu.args(["-M", "mps2-an385", "-icount", "shift=0", "-display", "none", "-monitor", "none"]);
    qemu.args(["-serial", "null", "-semihosting-config", "enable=on,target=native", "-kernel"]);
    let said = process::output(qemu.arg(&kernel)).context("QEMU could not measure")?;
    println!("\nInstructions of a Cortex-M3 for those of a program, against a plain run.\n");
    println!("| program  | the agent | plain | with the agent | ratio |");
    println!("|----------|-----------|------:|---------------:|------:|");
    for line in said.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let ["measured", program, what, length, plain, took] = words[..] else { continue };
        let number = |text: &str| text.parse::<f64>().context("no number");
        let (length, plain, took) = (number(length)?, number(plain)?, number(took)?);
        // A tick of the clock of 25 MHz is 40 nanoseconds, each of them an instruction.
        let each = |ticks: f64| ticks * 40.0 / length;
        println!(
            "| {program:<8} | {what:<9} | {:>5.1} | {:>14.1} | {:>4.2}x |",
            each(plain),
            each(took),
            took / plain
        );
    }
    Ok(())
}

/// What a firmware takes.
pub struct Size {
    /// Bytes of flash: code and constants.
    flash: u32,
    /// Bytes of RAM that are taken at link time: the heap and little else.
    ram: u32,
}

impl Size {
    /// Reads the sections of an ELF file of 32 bits.
    pub fn of(file: &Path) -> Result<Size> {
        let bytes = std::fs::read(file).with_context(|| format!("reading {}", file.display()))?;
        ensure!(bytes.starts_with(b"\x7fELF\x01\x01"), "{} is no ELF file", file.display());
        let word = |at: usize| -> Result<u32> {
            let word = bytes.get(at..at + 4).context("the ELF file is cut off")?;
            Ok(u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
        };
        let (start, sizes) = (word(32)? as usize, word(46)?);
        let (size, count) = ((sizes & 0xffff) as usize, (sizes >> 16) as usize);
        let (mut flash, mut ram) = (0, 0);
        for section in (0..count).map(|index| start + index * size) {
            let (kind, flags, length) =
                (word(section + 4)?, word(section + 8)?, word(section + 20)?);
            if flags & ALLOCATED == 0 {
                continue;
            }
            ram += if flags & WRITABLE != 0 { length } else { 0 };
            flash += if kind != NO_BITS { length } else { 0 };
        }
        Ok(Size { flash, ram })
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |part: u32, whole: u32| f64::from(part) * 100.0 / f64::from(whole);
        let (flash, ram) = (self.flash, self.ram);
        writeln!(f, "flash: {flash} of {FLASH} bytes ({:.0} %)", percent(flash, FLASH))?;
        write!(
            f,
            "static RAM: {ram} of {RAM} bytes ({:.0} %), the heap included",
            percent(ram, RAM)
        )
    }
}
