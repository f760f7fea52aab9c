//! Every command ends on every example: in time, within memory, with output that can be read.
//!
//! The limits are far from what a command should take, and only there to catch what has none: a
//! command that is killed, panics, aborts or says more than anybody reads fails this part. What it
//! took is shown, so that a limit that comes near is seen before it is reached.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use super::{Outcome, conclude};
use crate::scratch::ScratchFolder;
use crate::{debugger, examples, project};

/// A command, and how much memory it may address.
struct Trial {
    name: &'static str,
    words: &'static [&'static str],
    mebibytes: u64,
}

/// What is done with every program. `PROGRAM` stands for it, `SCRIPT` for [`STORY`].
const TRIALS: &[Trial] = &[
    Trial { name: "inspect", words: &["inspect", "--json", "PROGRAM"], mebibytes: 512 },
    Trial { name: "run", words: &["run", "--budget=1000000", "PROGRAM"], mebibytes: 512 },
    Trial {
        name: "trace",
        words: &["run", "--trace", "--json", "--budget=1000000", "PROGRAM"],
        mebibytes: 512,
    },
    Trial { name: "debug", words: &["debug", "--script=SCRIPT", "PROGRAM"], mebibytes: 1024 },
    Trial { name: "replay", words: &["replay", "story.trace", "PROGRAM"], mebibytes: 512 },
    // With the bounds that there are by default, but for the time.
    Trial { name: "explore", words: &["explore", "--time=1", "PROGRAM"], mebibytes: 3072 },
    Trial { name: "check", words: &["check", "--time=1", "PROGRAM"], mebibytes: 3072 },
    Trial {
        name: "explore, small",
        words: &["explore", "--time=1", "--memory=16", "--paths=100", "--jobs=1", "PROGRAM"],
        mebibytes: 512,
    },
    Trial {
        name: "check, small",
        words: &["check", "--time=1", "--memory=16", "--inputs=8", "--jobs=1", "PROGRAM"],
        mebibytes: 512,
    },
];

/// A debugger's session that ends with every program.
const STORY: &str = "\
stepi 20_000
trace story.trace
info world
reverse-stepi 5_000
-suggest inputs 2 paths 20 time 0.5
tree
universe
-step
backtrace
";

/// Kills a command that does not end. No measure of speed: other work may slow this machine down.
const PATIENCE: Duration = Duration::from_secs(90);
/// What a command may take beside the time that it says it took.
const BESIDE: Duration = Duration::from_secs(15);
/// The most that a command may say.
const OUTPUT: u64 = 16 << 20;

/// Run all commands on all examples.
pub fn run() -> Result<Outcome> {
    if !cfg!(target_os = "linux") {
        return Ok(Outcome::Skipped("limits of memory are set as Linux does".into()));
    }
    let mw = debugger::build()?;
    let scratch = ScratchFolder::new()?;
    fs::write(scratch.path().join("story.mws"), STORY)?;
    let mut complaints = Vec::new();
    println!("{:40} {:>7} {:>9} {:>10}  exit", "", "time", "memory", "output");
    for (program, world) in programs()? {
        let world = world.map(|world| format!("--world={}", world.display()));
        for trial in TRIALS {
            let mut words: Vec<String> = trial.words.iter().map(|word| word.to_string()).collect();
            // Options come before the program, which is last.
            words.splice(1..1, world.clone());
            let words = words.into_iter().map(|word| {
                word.replace("PROGRAM", &program.display().to_string())
                    .replace("SCRIPT", "story.mws")
            });
            let taken = attempt(&mw, &words.collect::<Vec<_>>(), trial.mebibytes, scratch.path())?;
            let example = program.file_stem().unwrap_or_default().to_string_lossy();
            let in_world = if world.is_some() { " in its world" } else { "" };
            let name = format!("{example}{in_world}: {}", trial.name);
            println!("{name:40} {taken}");
            complaints.extend(taken.complaint().map(|what| format!("{name}: {what}")));
        }
    }
    conclude(&complaints, &[])
}

/// The examples, each on the board and in the world that lies beside it.
fn programs() -> Result<Vec<(PathBuf, Option<PathBuf>)>> {
    let mut programs = Vec::new();
    for folder in examples::entries(&project::examples())? {
        let Some(name) = folder.file_name() else { continue };
        let module = folder.join(name).with_extension("wasm");
        if !module.is_file() {
            continue;
        }
        let world = folder.join("world.toml");
        programs.push((module.clone(), None));
        programs.extend(world.is_file().then_some((module, Some(world))));
    }
    Ok(programs)
}

/// What a command took.
struct Taken {
    /// `None` if it had to be killed.
    status: Option<ExitStatus>,
    time: Duration,
    /// How long it says that it took.
    said: Option<Duration>,
    kibibytes: u64,
    output: u64,
    /// The last line of what it complained about.
    last: String,
}

impl Taken {
    fn complaint(&self) -> Option<String> {
        let ended = self.status.and_then(|status| status.code());
        let beside = self.time.saturating_sub(self.said.unwrap_or(self.time));
        match ended {
            None if self.status.is_none() => Some(format!("did not end in {PATIENCE:?}")),
            // What `mw --help` lists.
            Some(0..=4) if self.output > OUTPUT => Some(format!("says {} bytes", self.output)),
            Some(0..=4) if beside > BESIDE => {
                Some(format!("took {:?}, and said {:?}", self.time, self.said.unwrap_or_default()))
            }
            Some(0..=4) => None,
            _ => Some(format!("ended by a mistake: {}", self.last)),
        }
    }
}

impl std::fmt::Display for Taken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let exit = self.status.map_or("killed".into(), |status| match status.code() {
            Some(code) => code.to_string(),
            None => status.to_string(),
        });
        write!(
            f,
            "{:5.1} s {:5} MiB {:6} KiB  {exit}",
            self.time.as_secs_f64(),
            self.kibibytes >> 10,
            self.output >> 10
        )
    }
}

fn attempt(mw: &Path, words: &[String], mebibytes: u64, folder: &Path) -> Result<Taken> {
    let (out, err) = (folder.join("stdout"), folder.join("stderr"));
    let begun = Instant::now();
    // The shell sets the limit and becomes the command, so that its number is the command's.
    let mut child = Command::new("sh")
        .args(["-c", "ulimit -v $0; ulimit -c 0; exec \"$@\""])
        .arg((mebibytes << 10).to_string())
        .arg(mw)
        .args(words)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(File::create(&out)?)
        .stderr(File::create(&err)?)
        .spawn()
        .context("could not start sh")?;
    let (status, kibibytes) = wait(&mut child, begun)?;
    let time = begun.elapsed();
    let text = |path: &Path| -> Result<String> {
        Ok(String::from_utf8_lossy(&fs::read(path)?).into_owned())
    };
    let output = fs::metadata(&out)?.len();
    let said = text(&out)?;
    let said = said.lines().filter_map(|line| line.strip_prefix("took ")).next_back();
    let seconds = said.and_then(|said| said.split_whitespace().next()?.parse().ok());
    let last = text(&err)?.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("").to_owned();
    let said = seconds.map(Duration::from_secs_f64);
    Ok(Taken { status, time, said, kibibytes, output, last })
}

/// Waits for a command, and ends it if it does not end; and the most memory that it was seen with.
fn wait(child: &mut Child, begun: Instant) -> Result<(Option<ExitStatus>, u64)> {
    let mut most = 0;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok((Some(status), most));
        }
        most = most.max(memory(child.id()).unwrap_or_default());
        if begun.elapsed() > PATIENCE {
            child.kill()?;
            child.wait()?;
            return Ok((None, most));
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The most memory that a process has had, in KiB.
fn memory(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attempted(script: &str, mebibytes: u64) -> Taken {
        let folder = ScratchFolder::new().unwrap();
        let words = ["-c".to_owned(), script.to_owned()];
        attempt(Path::new("/bin/sh"), &words, mebibytes, folder.path()).unwrap()
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn what_is_beyond_a_limit_is_complained_about() {
        assert_eq!(attempted("echo took 0.1 s", 512).complaint(), None);
        let late = Taken { time: BESIDE * 2, ..attempted("echo took 0.1 s", 512) };
        assert!(late.complaint().is_some_and(|what| what.contains("said 100ms")));
        let endless = Taken { status: None, ..attempted("true", 512) };
        assert!(endless.complaint().is_some_and(|what| what.contains("did not end")));
        let aborted = attempted("echo no memory >&2; kill -ABRT $$", 512);
        assert!(aborted.complaint().is_some_and(|what| what.contains("no memory")));
        let large = attempted("x=$(head -c 200000000 /dev/zero | tr '\\0' x); echo ${#x}", 64);
        assert!(large.complaint().is_some(), "more memory than there is");
        let talkative = Taken { output: OUTPUT + 1, ..attempted("true", 512) };
        assert!(talkative.complaint().is_some());
    }
}
