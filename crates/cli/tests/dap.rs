//! Golden tests of `mw dap`: whole exchanges with the real binary.
//!
//! Each `exchanges/NAME.txt` has requests, on lines that begin with `>`, as a command and its
//! arguments; after each, what the adapter says to it. `MW_BLESS=1 cargo test -p mw-cli` writes the
//! rest anew; read the difference.

use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use mw_dap::codec;
use serde_json::{Value, json};

/// Requests after which it is told where they ended.
const MOVING: [&str; 12] = [
    "configurationDone",
    "continue",
    "reverseContinue",
    "next",
    "stepIn",
    "stepOut",
    "stepBack",
    "mw/stepInBack",
    "goto",
    "restart",
    "terminate",
    "mw/slide",
];

#[test]
fn exchanges() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/exchanges");
    let bless = std::env::var_os("MW_BLESS").is_some();
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .expect("a folder of exchanges")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    assert!(!files.is_empty(), "there are exchanges");
    let mut differing = Vec::new();
    for file in files {
        let expected = std::fs::read_to_string(&file).expect("an exchange");
        let found = play(&expected);
        if found == expected {
            continue;
        }
        match bless {
            true => std::fs::write(&file, found).expect("an expectation can be written"),
            false => {
                let pairs = expected.lines().zip(found.lines()).find(|(a, b)| a != b);
                println!("=== {}\nfirst difference: {pairs:#?}", file.display());
                differing.push(file);
            }
        }
    }
    assert!(differing.is_empty(), "other than expected: {differing:?}, see above");
}

/// The exchange, with what the adapter really says.
fn play(text: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let root = root.canonicalize().expect("the repository").display().to_string();
    let mut child = Command::new(env!("CARGO_BIN_EXE_mw"))
        .arg("dap")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("mw can be started");
    let mut input = child.stdin.take().expect("a pipe");
    let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut found = String::new();
    let mut seq = 0;
    for line in text.lines() {
        let Some(request) = line.strip_prefix('>') else {
            if line.is_empty() || line.starts_with('#') {
                found += &format!("{line}\n");
            }
            continue;
        };
        found += &format!("{line}\n");
        seq += 1;
        let (command, arguments) = request.trim().split_once(' ').unwrap_or((request.trim(), "{}"));
        let arguments = arguments.replace("$ROOT", &root);
        let arguments: Value = serde_json::from_str(&arguments).expect("arguments are JSON");
        let message =
            json!({ "seq": seq, "type": "request", "command": command, "arguments": arguments });
        codec::write(&mut input, &message).expect("mw listens");
        input.flush().expect("mw listens");
        let mut awaited = true;
        while awaited {
            let message = codec::read(&mut output).expect("messages").expect("an answer");
            let (told, is_last) = tell(&message, command);
            found += &format!("{}\n", told.replace(&root, "$ROOT"));
            awaited = !is_last;
        }
    }
    drop(input);
    assert!(child.wait().expect("mw ends").success(), "mw ends well");
    found
}

/// A message as a line, and whether it is the last one that is said to a request.
fn tell(message: &Value, command: &str) -> (String, bool) {
    let body = &message["body"];
    if message["type"] == "event" {
        let event = message["event"].as_str().unwrap_or_default();
        let is_last = ["stopped", "terminated", "initialized"].contains(&event);
        return (format!("  event {event} {body}"), is_last);
    }
    let success = message["success"] == true;
    let told = match success {
        true => format!("  {body}"),
        false => format!("  refused: {}", message["message"].as_str().unwrap_or_default()),
    };
    let more = success && (MOVING.contains(&command) || ["launch", "attach"].contains(&command));
    (told, !more)
}
