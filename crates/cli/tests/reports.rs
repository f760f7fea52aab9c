//! Reports for other tools have what their formats require.
#![cfg(target_os = "linux")] // For the paths.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// What `mw check` writes as SARIF about a program.
fn sarif(program: &str, further: &[&str]) -> Value {
    let folder = tempfile::tempdir().expect("a folder");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let status = Command::new(env!("CARGO_BIN_EXE_mw"))
        .args(["check", "--sarif", "mw.sarif"])
        .arg(root.join(program))
        .args(further)
        .current_dir(folder.path())
        .output()
        .expect("mw runs");
    assert!(status.status.code().is_some_and(|code| code < 3), "{status:?}");
    let text = std::fs::read_to_string(folder.path().join("mw.sarif")).expect("a report");
    serde_json::from_str(&text).expect("JSON")
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

fn text(value: &Value) -> &str {
    value.as_str().filter(|text| !text.is_empty()).expect("a text")
}

fn check_location(location: &Value) {
    let physical = &location["physicalLocation"];
    let uri = text(&physical["artifactLocation"]["uri"]);
    assert!(!uri.contains([' ', '\\']), "{uri}");
    let region = &physical["region"];
    match region.get("startLine") {
        Some(line) => {
            assert!(line.as_u64() >= Some(1), "{region}");
            assert!(region["startColumn"].as_u64() >= Some(1), "{region}");
        }
        None => assert!(region["byteOffset"].is_u64(), "{region}"),
    }
}

/// What the schema of SARIF 2.1.0 requires of what we use.
fn check(log: &Value, findings: usize) {
    assert_eq!(log["version"], "2.1.0");
    assert!(text(&log["$schema"]).ends_with("sarif-2.1.0.json"));
    for run in list(&log["runs"]) {
        let driver = &run["tool"]["driver"];
        text(&driver["name"]);
        assert!(run["invocations"][0]["executionSuccessful"].is_boolean());
        let rules = list(&driver["rules"]);
        for rule in rules {
            text(&rule["id"]);
            text(&rule["shortDescription"]["text"]);
        }
        assert_eq!(list(&run["results"]).len(), findings);
        for result in list(&run["results"]) {
            text(&result["message"]["text"]);
            assert_eq!(result["level"], "error");
            let rule = &rules[result["ruleIndex"].as_u64().expect("a number") as usize];
            assert_eq!(rule["id"], result["ruleId"]);
            list(&result["locations"]).iter().for_each(check_location);
            for flow in list(&result["codeFlows"]) {
                for thread in list(&flow["threadFlows"]) {
                    let steps = list(&thread["locations"]);
                    assert!(!steps.is_empty());
                    steps.iter().for_each(|step| check_location(&step["location"]));
                }
            }
        }
    }
}

#[test]
fn sarif_of_a_program_with_lines() {
    let log = sarif("examples/while/while.wasm", &[]);
    check(&log, 1);
    let location = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert!(text(&location["artifactLocation"]["uri"]).ends_with("examples/while/while.ts"));
    assert_eq!(location["region"]["startLine"], 39);
}

#[test]
fn sarif_of_a_program_without_lines() {
    check(&sarif("crates/cli/tests/programs/mistakes.wat", &[]), 3);
}

#[test]
fn sarif_without_findings_says_what_was_cut_off() {
    let log = sarif("examples/light-sensor/light-sensor.wasm", &["--inputs", "2"]);
    check(&log, 0);
    let notes = list(&log["runs"][0]["invocations"][0]["toolExecutionNotifications"]);
    assert!(text(&notes[0]["message"]["text"]).contains("input bound"));
}
