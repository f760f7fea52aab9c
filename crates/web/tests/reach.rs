//! How far a page with the token gets: to the session, and not to this machine. It starts no
//! program, and reads and writes no file, that the person has not named.
#![cfg(unix)] // For a program that leaves a trace.

use crate::common;

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;

use common::{Page, serve};

/// Reads an input and ends.
const ONCE: &str = r#"
(module
  (import "env" "chip_analog_read" (func $read (param i32) (result i32)))
  (func (export "main") (drop (call $read (i32.const 5)))))
"#;

/// Every request, with `$` wherever it takes text.
const REQUESTS: &[&str] = &[
    r#"{"request": "where"}"#,
    r#"{"request": "step", "unit": "instruction", "direction": "forward"}"#,
    r#"{"request": "run", "direction": "forward"}"#,
    r#"{"request": "play", "percent": 1000}"#,
    r#"{"request": "run-as-suggested"}"#,
    r#"{"request": "run-to", "to": "$", "direction": "forward"}"#,
    r#"{"request": "run-to", "to": {"line": {"file": "$", "line": 1}}, "direction": "back"}"#,
    r#"{"request": "restart-frame", "frame": 0}"#,
    r#"{"request": "reset"}"#,
    r#"{"request": "answer", "value": "$"}"#,
    r#"{"request": "plan", "to": "$"}"#,
    r#"{"request": "slide", "to": "$"}"#,
    r#"{"request": "slide", "to": {"bookmark": "$"}}"#,
    r#"{"request": "slide-to-line", "to": "$"}"#,
    r#"{"request": "frames"}"#,
    r#"{"request": "globals"}"#,
    r#"{"request": "print", "term": "$"}"#,
    r#"{"request": "source-frames"}"#,
    r#"{"request": "source-variables", "of": {"expression": {"expression": "$", "frame": 0}}}"#,
    r#"{"request": "set-variable", "of": "globals", "name": "$", "value": "$"}"#,
    r#"{"request": "evaluate", "expression": "$"}"#,
    r#"{"request": "source-files"}"#,
    r#"{"request": "source-text", "path": "$"}"#,
    r#"{"request": "source-lines", "around": "$:1"}"#,
    r#"{"request": "read-memory", "address": 0, "length": 1}"#,
    r#"{"request": "write-memory", "address": 0, "bytes": [1]}"#,
    r#"{"request": "world", "at": "$"}"#,
    r#"{"request": "disassemble", "around": "$"}"#,
    r#"{"request": "info"}"#,
    r#"{"request": "link"}"#,
    r#"{"request": "detach"}"#,
    r#"{"request": "names"}"#,
    r#"{"request": "tree", "from": "$"}"#,
    r#"{"request": "tree-changes"}"#,
    r#"{"request": "log"}"#,
    r#"{"request": "universe", "place": "$"}"#,
    r#"{"request": "merged"}"#,
    r#"{"request": "graph"}"#,
    r#"{"request": "ends"}"#,
    r#"{"request": "find-states", "query": "$"}"#,
    r#"{"request": "go-to-state", "state": 0}"#,
    r#"{"request": "what-parts", "first": 0, "second": 1}"#,
    r#"{"request": "actors"}"#,
    r#"{"request": "give-turn", "next": "$"}"#,
    r#"{"request": "step-turn", "actor": "$", "direction": "forward"}"#,
    r#"{"request": "finish-turn"}"#,
    r#"{"request": "pause-actor", "actor": "$", "paused": true}"#,
    r#"{"request": "turns"}"#,
    r#"{"request": "diff", "first": "$", "second": "$"}"#,
    r#"{"request": "mock", "call": "$", "value": "$"}"#,
    r#"{"request": "inputs"}"#,
    r#"{"request": "unmock", "id": "$"}"#,
    r#"{"request": "mocks"}"#,
    r#"{"request": "branch", "call": "$", "values": "$"}"#,
    r#"{"request": "suggest", "solver": "$"}"#,
    r#"{"request": "suggest", "strategy": "$"}"#,
    r#"{"request": "suggest", "towards": "$"}"#,
    r#"{"request": "suggest-more"}"#,
    r#"{"request": "add-suggested"}"#,
    r#"{"request": "remove-suggested", "below": "$"}"#,
    r#"{"request": "why", "place": "$"}"#,
    r#"{"request": "who-wrote", "term": "$"}"#,
    r#"{"request": "hits", "at": "$", "condition": "$", "log": "{$}"}"#,
    r#"{"request": "type-of", "text": "$"}"#,
    r#"{"request": "skip", "pattern": "$"}"#,
    r#"{"request": "remove-skip", "id": 1}"#,
    r#"{"request": "skips"}"#,
    r#"{"request": "trace-of", "path": 0}"#,
    r#"{"request": "coverage"}"#,
    r#"{"request": "set-reading", "call": "$", "value": "$"}"#,
    r#"{"request": "interrupt", "pin": 1}"#,
    r#"{"request": "interrupts"}"#,
    r#"{"request": "go-without"}"#,
    r#"{"request": "alter", "target": "$", "value": "$"}"#,
    r#"{"request": "bookmark", "name": "$", "place": "$"}"#,
    r#"{"request": "remove-bookmark", "name": "$"}"#,
    r#"{"request": "bookmarks"}"#,
    r#"{"request": "add-breakpoint", "trigger": "$", "condition": "$", "hits": "$", "log": "{$}"}"#,
    r#"{"request": "change-breakpoint", "id": 1, "condition": "$", "hits": "$", "log": "{$}"}"#,
    r#"{"request": "enable-breakpoint", "id": "$", "enabled": true}"#,
    r#"{"request": "remove-breakpoint", "id": "$"}"#,
    r#"{"request": "breakpoints"}"#,
    r#"{"request": "export-trace"}"#,
    r#"{"request": "replay-trace", "text": "$"}"#,
    r#"{"request": "expand-state", "state": 0}"#,
    r#"{"request": "pruned-turns"}"#,
    r#"{"request": "step-message", "message": "$"}"#,
    r#"{"request": "query", "question": "$"}"#,
    r#"{"request": "origin", "term": "$"}"#,
    r#"{"request": "influence", "input": "$"}"#,
    r#"{"request": "load-property", "name": "$", "text": "$", "path": "$"}"#,
    r#"{"request": "remove-property", "property": 1}"#,
    r#"{"request": "properties"}"#,
    r#"{"request": "automaton", "property": 1, "at": "$", "slice": "$"}"#,
    r#"{"request": "slices", "property": 1, "at": "$", "search": "$"}"#,
    r#"{"request": "property-events", "slice": "$", "until": "$"}"#,
    r#"{"request": "verdict", "at": "$"}"#,
    r#"{"request": "verdict-changes"}"#,
    r#"{"request": "witness", "property": 1}"#,
    r#"{"request": "load-scenario", "name": "$", "text": "$", "path": "$"}"#,
    r#"{"request": "remove-scenario", "scenario": 1}"#,
    r#"{"request": "scenarios"}"#,
];

#[test]
fn no_request_reaches_beyond_the_session() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(at("secret"), "xyzzy").unwrap();
    std::fs::write(at("z3"), format!("#!/bin/sh\ntouch {}\n", at("started"))).unwrap();
    std::fs::set_permissions(at("z3"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let names = || -> BTreeSet<String> {
        let files = std::fs::read_dir(folder.path()).unwrap();
        files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect()
    };
    let before = names();
    let (server, service) = serve(ONCE);
    let (mut page, _) = Page::open(&server);

    // Nothing is left out: the requests that there are, as the debugger lists them.
    let unknown = page.ask(1, r#"{"request": "fly"}"#)["error"]["message"].to_string();
    let known: BTreeSet<&str> = unknown.split('`').skip(3).step_by(2).collect();
    let name = |request: &&'static str| request.split('"').nth(3).unwrap();
    assert_eq!(REQUESTS.iter().map(name).collect::<BTreeSet<&str>>(), known);

    let mut id = 1;
    for request in REQUESTS {
        for reach in [at("secret"), at("z3"), at("new"), "exec:z3".into()] {
            id += 1;
            let answer = page.ask(id, &request.replace('$', &reach)).to_string();
            assert!(!answer.contains("xyzzy"), "{request} reads: {answer}");
            assert_eq!(names(), before, "{request} {reach} starts or writes: {answer}");
        }
    }

    // The person may allow it, by another way than a request; then a page can choose it.
    service.client("terminal").allow_solver(&at("z3"));
    let names_told = page.ask(id + 1, r#"{"request": "names"}"#);
    assert_eq!(names_told["reply"]["data"]["solvers"], serde_json::json!([at("z3")]));
    let chosen = format!(r#"{{"request": "suggest", "solver": "{}"}}"#, at("z3"));
    page.ask(id + 2, &chosen);
    assert!(names().contains("started"), "this is how it would have shown");
}
