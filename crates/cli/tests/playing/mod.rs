//! Playing sessions with the real binary, here and on devices.
//!
//! Each `sessions/NAME.mws` is a list of commands, and `sessions/NAME.txt` what `mw debug` says to
//! them. The first line of a script is how the debugger is started, after `#!`; commands come
//! through a pipe, in a folder of their own with the programs of `tests/programs` in it and the
//! examples at `$EXAMPLES`. On a device everything is said as it is here.
#![allow(dead_code, reason = "not every test uses everything")]

use crate::golden;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// Plays the scripts that are wanted, each started as `start` makes of what it says, and compares.
pub fn check(kind: &str, wanted: impl Fn(&str) -> bool, start: impl Fn(&str, &Path) -> Started) {
    golden::check("sessions", "mws", "> ", |script| {
        let expectation = script.with_extension("txt");
        let name = script.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
        // What a session says is what it says here.
        let is_expected = !wanted(name) || kind != HERE && std::env::var_os("MW_BLESS").is_some();
        let said = match is_expected {
            true => std::fs::read_to_string(&expectation).unwrap_or_default(),
            false => play(kind, script, &start),
        };
        (expectation, said)
    });
}

/// Where the examples are.
const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");

/// The kind of a session without a device.
pub const HERE: &str = "sessions";

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
        // No shell puts in where the examples are.
        let arguments = arguments.replace("$EXAMPLES", EXAMPLES);
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
fn play(kind: &str, script: &Path, start: &impl Fn(&str, &Path) -> Started) -> String {
    let text = std::fs::read_to_string(script).expect("a script");
    let first = text.lines().next().unwrap_or_default();
    let command = first.strip_prefix("#!").expect("the first line says how to start").trim();
    let scratch = golden::scratch(kind, script);
    let Started { command, agent } = start(command, &scratch);
    let mw = Path::new(env!("CARGO_BIN_EXE_mw"));
    let path = std::env::var("PATH").unwrap_or_default();
    let mut child = Command::new("sh")
        .args(["-c", &command])
        .current_dir(&scratch)
        .env("PATH", format!("{}:{path}", mw.parent().expect("a folder").display()))
        .env("EXAMPLES", EXAMPLES)
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
    let said = golden::without_cost(&said);
    let errors: String = errors.lines().map(|line| format!("! {line}\n")).collect();
    format!("{said}{errors}= {code}\n")
}
