//! `cargo xtask fuzz`: a fuzzer looks for inputs that nobody thought of. What it found on the way
//! is small and covers much, so some of it is kept and tried again in every run of the tests.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::builder::PossibleValuesParser;

use crate::{examples, process, project, setup};

/// A target of `fuzz/`.
struct Target {
    name: &'static str,
    /// No input is longer.
    longest: u32,
    /// A folder with inputs to begin with, beside those that were kept.
    seeds: Option<&'static str>,
}

const TARGETS: [Target; 4] = [
    Target { name: "differential", longest: 4096, seeds: None },
    Target { name: "link", longest: 1024, seeds: None },
    Target { name: "load", longest: 4096, seeds: None },
    Target { name: "source", longest: 16384, seeds: Some("crates/source/tests/fixtures") },
];

/// How many inputs are kept of a target, and how many bytes they have together.
const KEPT_INPUTS: usize = 60;
const KEPT_BYTES: u64 = 40 << 10;

/// What `cargo xtask fuzz` takes.
#[derive(clap::Args)]
pub struct Arguments {
    /// The target to run [default: each of them]
    #[arg(value_parser = PossibleValuesParser::new(TARGETS.map(|target| target.name)))]
    target: Option<String>,
    /// How long each of them runs
    #[arg(long, value_name = "N", default_value_t = 5)]
    minutes: u32,
    /// Write fuzz/corpus anew, with a few of the inputs that cover most
    #[arg(long)]
    keep: bool,
}

/// Run the targets, one after the other, until one of them fails.
pub fn run(arguments: &Arguments) -> Result<()> {
    setup::cargo_fuzz()?;
    let asked_for =
        |target: &&Target| arguments.target.as_deref().is_none_or(|name| name == target.name);
    for target in TARGETS.iter().filter(asked_for) {
        target.run(arguments.minutes)?;
        if arguments.keep {
            target.keep()?;
        }
    }
    Ok(())
}

impl Target {
    /// The inputs that are checked in.
    fn kept(&self) -> PathBuf {
        project::root().join("fuzz/corpus").join(self.name)
    }

    /// All that were found on this machine.
    fn found(&self) -> PathBuf {
        project::root().join("fuzz/target/corpus").join(self.name)
    }

    fn run(&self, minutes: u32) -> Result<()> {
        let seeds = self.seeds.map(|folder| project::root().join(folder));
        let folders = [self.found(), self.kept()].into_iter().chain(seeds);
        let seconds = minutes * 60;
        self.fuzz(&folders.collect::<Vec<_>>(), &[format!("-max_total_time={seconds}")])
    }

    /// Replaces what is kept by a part of what was found.
    fn keep(&self) -> Result<()> {
        let (kept, least) = (self.kept(), self.found().with_extension("least"));
        clear(&least)?;
        let folders = [least.clone(), self.found(), kept.clone()];
        self.fuzz(&folders, &["-set_cover_merge=1".to_owned()])?;
        clear(&kept)?;
        let mut inputs = Vec::new();
        for path in examples::entries(&least)? {
            inputs.push((fs::metadata(&path)?.len(), path));
        }
        inputs.sort();
        // Some of all sizes.
        let mut room = KEPT_BYTES;
        for (size, path) in inputs.iter().step_by(inputs.len().div_ceil(KEPT_INPUTS).max(1)) {
            let Some(left) = room.checked_sub(*size) else { break };
            room = left;
            fs::copy(path, kept.join(path.file_name().expect("it is a file")))?;
        }
        Ok(())
    }

    /// Calls the fuzzer, which writes to the first of the folders.
    fn fuzz(&self, folders: &[PathBuf], options: &[String]) -> Result<()> {
        for folder in folders {
            make(folder)?;
        }
        let mut fuzz = process::nightly_cargo();
        fuzz.args(["fuzz", "run", self.name]).args(folders).arg("--");
        // Long ones from the start: a module does not begin with four bytes.
        fuzz.args(options).arg("-len_control=0").arg(format!("-max_len={}", self.longest));
        process::run(&mut fuzz)
    }
}

fn make(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("could not make {}", folder.display()))
}

fn clear(folder: &Path) -> Result<()> {
    make(folder)?;
    fs::remove_dir_all(folder)?;
    make(folder)
}
