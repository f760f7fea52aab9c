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
    let folder = project::root().join("firmware");
    let mut cargo = process::command("cargo");
    process::run(cargo.args(["build", "--release", "--locked"]).current_dir(&folder))?;
    let target = match std::env::var_os("CARGO_TARGET_DIR") {
        Some(target) => PathBuf::from(target),
        None => folder.join("target"),
    };
    Ok(target.join(setup::FIRMWARE_TARGET).join("release/lm3s6965"))
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
