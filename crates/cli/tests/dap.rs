//! Golden tests of `mw dap`: whole exchanges with the real binary.
//!
//! Each `exchanges/NAME.txt` has requests, on lines that begin with `>`, as a command and its
//! arguments; after each, what the adapter says to it. After one that begins with `>>` it is told
//! where one is, which goes without saying for those that always move. `$ROOT` is the repository,
//! `$SCRATCH` a folder of its own, and `mw` can be run by its name. `MW_BLESS=1 cargo test -p mw-cli` writes the
//! rest anew; read the difference.

use crate::golden;

use std::io::{BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use mw_dap::codec;
use serde_json::{Value, json};

/// Requests after which it is told where they ended.
const MOVING: [&str; 19] = [
    "configurationDone",
    "continue",
    "reverseContinue",
    "next",
    "stepIn",
    "stepOut",
    "stepBack",
    "mw/stepInBack",
    "mw/stepOutBack",
    "restartFrame",
    "launch",
    "attach",
    "goto",
    "restart",
    "terminate",
    "mw/slide",
    "mw/nextTurn",
    "mw/previousTurn",
    "mw/giveTurn",
];

/// Events that say where a movement has ended.
const END: [&str; 3] = ["stopped", "terminated", "initialized"];

#[test]
fn exchanges() {
    golden::check("exchanges", "txt", ">", |file| {
        let text = std::fs::read_to_string(file).expect("an exchange");
        (file.to_owned(), play(&text, file))
    });
}

/// An adapter, its input and its output.
fn start() -> (Child, ChildStdin, BufReader<ChildStdout>) {
    let mw = Path::new(env!("CARGO_BIN_EXE_mw"));
    let path = std::env::var("PATH").unwrap_or_default();
    let mut child = Command::new(mw)
        .arg("dap")
        .env("PATH", format!("{}:{path}", mw.parent().expect("a folder").display()))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("mw can be started");
    let input = child.stdin.take().expect("a pipe");
    let output = BufReader::new(child.stdout.take().expect("a pipe"));
    (child, input, output)
}

/// The exchange, with what the adapter really says.
fn play(text: &str, file: &Path) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let root = root.canonicalize().expect("the repository").display().to_string();
    let scratch = golden::scratch("exchanges", file).display().to_string();
    let (mut child, mut input, mut output) = start();
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
        let (request, moves) = match request.strip_prefix('>') {
            Some(request) => (request.trim(), true),
            None => (request.trim(), false),
        };
        let (command, arguments) = request.split_once(' ').unwrap_or((request, "{}"));
        let moves = moves || MOVING.contains(&command);
        let arguments = arguments.replace("$ROOT", &root).replace("$SCRATCH", &scratch);
        let arguments: Value = serde_json::from_str(&arguments).expect("arguments are JSON");
        let message =
            json!({ "seq": seq, "type": "request", "command": command, "arguments": arguments });
        codec::write(&mut input, &message).expect("mw listens");
        input.flush().expect("mw listens");
        let (mut is_answered, mut is_told) = (false, !moves);
        while !(is_answered && is_told) {
            let message = codec::read(&mut output).expect("messages").expect("an answer");
            match message["type"] == "event" {
                true => is_told |= END.contains(&message["event"].as_str().unwrap_or_default()),
                false => {
                    is_answered = true;
                    is_told |= message["success"] == false;
                }
            }
            let told =
                tell(&message, command).replace(&scratch, "$SCRATCH").replace(&root, "$ROOT");
            found += &format!("{told}\n");
        }
    }
    drop(input);
    assert!(child.wait().expect("mw ends").success(), "mw ends well");
    found
}

/// A message as a line. How long exploring took is left out, and the address of the page and the
/// figures of a link, which are others each time.
fn tell(message: &Value, command: &str) -> String {
    let mut body = message["body"].clone();
    if message["event"] == "mw/page" {
        body = json!({});
    }
    if command == "mw/suggest" && message["type"] == "response" {
        body = json!({ "complete": body["complete"], "leaves": body["leaves"] });
    }
    if body["reply"] == "link" {
        for side in ["host", "device_side"] {
            assert!(body["data"][side]["bytes_sent"].as_u64() > Some(100), "{body}");
            body["data"][side] = json!({});
        }
        body["data"]["stalls"].take();
    }
    if message["type"] == "event" {
        return format!("  event {} {body}", message["event"].as_str().unwrap_or_default());
    }
    match message["success"] == true {
        true => format!("  {body}"),
        false => format!("  refused: {}", message["message"].as_str().unwrap_or_default()),
    }
}

/// A device that goes away is told of while nobody asks for anything.
#[test]
#[cfg(target_os = "linux")] // For `kill`.
fn a_device_that_is_gone_is_told_of() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("agent");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let program = root.join("examples/light-sensor/light-sensor.wasm").display().to_string();
    let (mut child, mut input, mut output) = start();
    let mut ask = |command: &str, arguments: Value| {
        let message =
            json!({ "seq": 1, "type": "request", "command": command, "arguments": arguments });
        codec::write(&mut input, &message).expect("mw listens");
    };
    let mut hear = |name: &str| loop {
        let message = codec::read(&mut output).expect("messages").expect("a message");
        if message["event"] == name {
            return message["body"].clone();
        }
    };
    let device = format!("exec:sh -c 'echo $$ > {}; exec mw agent'", file.display());
    ask("initialize", json!({}));
    ask("launch", json!({ "program": program, "device": device, "stopOnEntry": true }));
    assert_eq!(hear("mw/device")["link"], json!({ "state": "connected" }));
    ask("configurationDone", json!({}));
    hear("stopped");
    let agent = std::fs::read_to_string(&file).expect("a number");
    let killed = Command::new("kill").args(["-9", agent.trim()]).status().expect("kill runs");
    assert!(killed.success());
    let link = hear("mw/device")["link"].clone();
    let why = link["why"].as_str().unwrap_or_default();
    assert_eq!(link["state"], "broken");
    assert!(why.starts_with("the connection to the device is lost: "), "{why}");
    ask("stepIn", json!({}));
    let stopped = hear("stopped");
    let said = stopped["text"].as_str().unwrap_or_default();
    assert!(said.contains(why) && said.contains("attach again"), "{said}");
    drop(input);
    assert!(child.wait().expect("mw ends").success(), "mw ends well");
}

/// Requests of all kinds, right and wrong, in any order: each is answered, and nothing breaks.
#[test]
fn whatever_is_asked_is_answered() {
    const COMMANDS: [&str; 50] = [
        "initialize",
        "launch",
        "attach",
        "configurationDone",
        "restart",
        "cancel",
        "pause",
        "setBreakpoints",
        "setFunctionBreakpoints",
        "setInstructionBreakpoints",
        "setDataBreakpoints",
        "dataBreakpointInfo",
        "setExceptionBreakpoints",
        "breakpointLocations",
        "threads",
        "stackTrace",
        "scopes",
        "variables",
        "setVariable",
        "setExpression",
        "evaluate",
        "completions",
        "continue",
        "reverseContinue",
        "next",
        "stepIn",
        "stepOut",
        "stepBack",
        "mw/stepInBack",
        "mw/stepOutBack",
        "gotoTargets",
        "goto",
        "restartFrame",
        "exceptionInfo",
        "readMemory",
        "writeMemory",
        "disassemble",
        "source",
        "loadedSources",
        "mw/mock",
        "mw/slide",
        "mw/tree",
        "mw/request",
        "mw/actors",
        "mw/nextTurn",
        "mw/previousTurn",
        "mw/giveTurn",
        "mw/pauseActor",
        "mw/resumeActor",
        "terminate",
    ];
    const KEYS: [&str; 32] = [
        "source",
        "breakpoints",
        "line",
        "endLine",
        "name",
        "variablesReference",
        "frameId",
        "expression",
        "context",
        "value",
        "text",
        "column",
        "granularity",
        "targetId",
        "memoryReference",
        "offset",
        "count",
        "data",
        "instructionOffset",
        "instructionCount",
        "call",
        "to",
        "request",
        "program",
        "session",
        "filters",
        "start",
        "levels",
        "bytes",
        "asAddress",
        "requestId",
        "instructionReference",
    ];
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let program = root.join("examples/light-sensor/light-sensor.wasm").display().to_string();
    let values = [
        json!(null),
        json!(true),
        json!(-1),
        json!(0),
        json!(1),
        json!(26),
        json!(255),
        json!(4294967296u64),
        json!(i64::MAX),
        json!(i64::MIN),
        json!(u64::MAX),
        json!(1.5),
        json!(""),
        json!("light"),
        json!("0x101"),
        json!("watch light"),
        json!("main"),
        json!("repl"),
        json!("instruction"),
        json!("tree"),
        json!("start"),
        json!("step 3"),
        json!("77"),
        json!("color_sensor(0)"),
        json!("AQID"),
        json!("{"),
        json!("größer"),
        json!([]),
        json!([1]),
        json!({}),
        json!([{ "line": 26 }]),
        json!([{ "name": "main" }]),
        json!({ "path": "light-sensor.ts" }),
        json!([{ "dataId": "watch 0..18446744073709551615" }]),
        json!([{ "instructionReference": "0x101", "offset": i64::MAX }]),
        json!("where"),
        json!({ "sourceReference": 3 }),
        json!([{ "line": i64::MAX, "logMessage": "{i" }]),
    ];
    let (mut child, mut input, mut output) = start();
    let mut state = 7u64;
    let mut draw = |below: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % below
    };
    for seq in 1..4000 {
        let mut command = COMMANDS[draw(COMMANDS.len())];
        let keys = draw(5);
        let mut arguments = serde_json::Map::new();
        for _ in 0..keys {
            arguments.insert(KEYS[draw(KEYS.len())].into(), values[draw(values.len())].clone());
        }
        let mut arguments = Value::Object(arguments);
        if seq == 1 {
            command = "initialize";
        } else if seq % 500 == 2 {
            (command, arguments) = ("launch", json!({ "program": program }));
        } else if draw(40) == 0 {
            arguments = values[draw(values.len())].clone();
        }
        let message =
            json!({ "seq": seq, "type": "request", "command": command, "arguments": arguments });
        codec::write(&mut input, &message).expect("mw listens");
        loop {
            let answer = codec::read(&mut output).expect("messages");
            let answer = answer.unwrap_or_else(|| panic!("no answer to {message}"));
            if answer["type"] == "response" {
                assert_eq!(answer["request_seq"], seq, "{message} is answered by {answer}");
                let problem = answer["message"].as_str().unwrap_or_default();
                assert!(answer["success"] == true || !problem.is_empty(), "{answer}");
                break;
            }
        }
    }
    drop(input);
    assert!(child.wait().expect("mw ends").success(), "mw ends well");
}
