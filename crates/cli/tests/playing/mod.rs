//! Playing sessions with the real binary, here and on devices.
//!
//! Each `sessions/NAME.mws` is a list of commands, and `sessions/NAME.txt` what `mw debug` says to
//! them. The first line of a script is how the debugger is started, after `#!`; commands come
//! through a pipe, in a folder of their own with the programs of `tests/programs` in it and the
//! examples at `$EXAMPLES`. On a device everything is said as it is here.
#![allow(dead_code, reason = "not every test uses everything")]

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// The scripts.
pub fn scripts() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sessions");
    let mut scripts: Vec<PathBuf> = std::fs::read_dir(&folder)
        .expect("a folder of sessions")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "mws"))
        .collect();
    scripts.sort();
    assert!(!scripts.is_empty(), "there are sessions");
    scripts
}

/// Plays scripts, each started as `start` makes of what it says, and compares.
pub fn check(name: &str, scripts: Vec<PathBuf>, mut start: impl FnMut(&str, &Path) -> Started) {
    let bless = std::env::var_os("MW_BLESS").is_some();
    let mut differing = Vec::new();
    for script in scripts {
        let found = play(name, &script, &mut start);
        let file = script.with_extension("txt");
        let expected = std::fs::read_to_string(&file).unwrap_or_default();
        if found == expected {
            continue;
        }
        match bless && name == "here" {
            true => std::fs::write(&file, found).expect("an expectation can be written"),
            false => {
                println!("=== {}\n{}", script.display(), difference(&expected, &found));
                differing.push(script);
            }
        }
    }
    assert!(differing.is_empty(), "other than expected: {differing:?}, see above");
}

/// How a session is started, and what ends with it.
pub struct Started {
    pub command: String,
    pub agent: Option<Agent>,
}

/// A process that is an agent.
pub struct Agent(Child);

impl Drop for Agent {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Agent {
    /// Starts one, and says where it can be found.
    pub fn start(arguments: &str, folder: &Path) -> (Agent, String) {
        let mut child = Command::new(env!("CARGO_BIN_EXE_mw"))
            .arg("agent")
            .args(arguments.split_whitespace())
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("mw runs");
        let mut line = String::new();
        BufReader::new(child.stderr.take().expect("a pipe")).read_line(&mut line).expect("a line");
        let address = line.split(' ').find(|word| word.contains(':') && !word.ends_with(':'));
        let address = address.unwrap_or_else(|| panic!("{line:?}")).to_owned();
        (Agent(child), address)
    }
}

/// The world of a session, for the agent: `--world FILE` or nothing.
pub fn world_of(command: &str) -> String {
    match command.split_once("--world ") {
        Some((_, rest)) => format!("--world {}", rest.split(' ').next().unwrap_or_default()),
        None => String::new(),
    }
}

/// Everything that is said in a session.
fn play(kind: &str, script: &Path, start: &mut impl FnMut(&str, &Path) -> Started) -> String {
    let text = std::fs::read_to_string(script).expect("a script");
    let first = text.lines().next().unwrap_or_default();
    let command = first.strip_prefix("#!").expect("the first line says how to start").trim();
    let name = script.file_stem().expect("a name");
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sessions").join(kind).join(name);
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let _ = std::fs::remove_dir_all(&scratch);
    std::fs::create_dir_all(&scratch).expect("a folder to work in");
    for program in std::fs::read_dir(tests.join("programs")).expect("programs") {
        let path = program.expect("a program").path();
        std::fs::copy(&path, scratch.join(path.file_name().expect("a name"))).expect("a copy");
    }
    let Started { command, agent } = start(command, &scratch);
    let mw = Path::new(env!("CARGO_BIN_EXE_mw"));
    let path = std::env::var("PATH").unwrap_or_default();
    let mut child = Command::new("sh")
        .args(["-c", &command])
        .current_dir(&scratch)
        .env("PATH", format!("{}:{path}", mw.parent().expect("a folder").display()))
        .env("EXAMPLES", Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples"))
        .env_remove("CLICOLOR_FORCE")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("sh runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    // A session that ends before its script does closes the pipe.
    let _ = stdin.write_all(text.as_bytes());
    drop(stdin);
    let output = child.wait_with_output().expect("an end");
    drop(agent);
    let code = output.status.code().map_or("killed".into(), |code| code.to_string());
    let (said, errors) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    // How long exploring took, and how, may change.
    let line = |line: &str| match line.strip_prefix("took ") {
        Some(_) => "took …\n".to_owned(),
        None => line.to_owned(),
    };
    let said: String = said.split_inclusive('\n').map(line).collect();
    let errors: String = errors.lines().map(|line| format!("! {line}\n")).collect();
    format!("{said}{errors}= {code}\n")
}

/// The lines from the first one that differs on, with the command that it belongs to.
fn difference(expected: &str, found: &str) -> String {
    let (expected, found): (Vec<&str>, Vec<&str>) =
        (expected.lines().collect(), found.lines().collect());
    let same = expected.iter().zip(&found).take_while(|(a, b)| a == b).count();
    let command = found[..same.min(found.len())].iter().rfind(|line| line.starts_with("> "));
    let rest = |lines: &[&str]| {
        let rest = lines.get(same..).unwrap_or_default();
        rest.iter().take(12).map(|line| format!("    {line}\n")).collect::<String>()
    };
    format!(
        "{}\n  expected from line {} on:\n{}  found:\n{}",
        command.unwrap_or(&"(before the first command)"),
        same + 1,
        rest(&expected),
        rest(&found)
    )
}
