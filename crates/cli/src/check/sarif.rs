//! Findings as SARIF 2.1.0, which code hosts show beside the source.

use std::path::Path;

use mw_api::{ConditionView, Finding, SourceView};
use serde_json::{Value, json};

use super::Report;
use super::junit::inputs;
use super::traces::Kept;
use crate::explore::summary;
use crate::explore::tree::condition;
use crate::sources::beside;

/// More steps than this of the way to a finding are not told.
const STEPS: usize = 100;

/// The log, as text.
pub fn log(report: &Report<'_>) -> String {
    let mut rules: Vec<String> = Vec::new();
    let mut results = Vec::new();
    for (finding, kept) in &report.findings {
        let id = rule_id(finding);
        let index = rules.iter().position(|rule| *rule == id).unwrap_or_else(|| {
            rules.push(id.clone());
            rules.len() - 1
        });
        results.push(result(report, finding, kept, &id, index));
    }
    let rules: Vec<Value> = rules.iter().map(|id| rule(report, id)).collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "Manyworlds",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            } },
            "columnKind": "utf16CodeUnits",
            "invocations": [{
                "executionSuccessful": true,
                "toolExecutionNotifications": notifications(report),
            }],
            "results": results,
        }],
    });
    format!("{log:#}\n")
}

/// What all findings of a kind have in common: `trapped/integer-divide-by-zero`.
fn rule_id(finding: &Finding) -> String {
    match finding.end.as_str() {
        // What the program says when it gives up is its own.
        "aborted" | "assertion-failed" => finding.end.clone(),
        end => format!("{end}/{}", finding.kind.replace(' ', "-")),
    }
}

fn rule(report: &Report<'_>, id: &str) -> Value {
    let finding = report.findings.iter().find(|(finding, _)| rule_id(finding) == id);
    let text = match (id, finding) {
        ("aborted", _) | (_, None) => "the program gives up".to_owned(),
        (_, Some((finding, _))) => finding.text.clone(),
    };
    json!({
        "id": id,
        "shortDescription": { "text": text },
        "defaultConfiguration": { "level": "error" },
    })
}

/// That something was cut off is to be said, too, and up to where nothing was.
fn notifications(report: &Report<'_>) -> Value {
    let suggested = report.suggested;
    let text = match suggested.complete {
        true if suggested.at_most.is_none() => return json!([]),
        true => format!("complete{}", summary::within(suggested)),
        false => summary::incomplete(suggested),
    };
    json!([{ "level": "note", "message": { "text": text } }])
}

fn result(report: &Report<'_>, finding: &Finding, kept: &Kept, id: &str, index: usize) -> Value {
    let inputs = match inputs(finding).trim_end().replace('\n', ", ") {
        none if none.is_empty() => "whatever the inputs are".to_owned(),
        inputs => format!("with {inputs}"),
    };
    let place = location(report, finding.at.as_ref(), None);
    let text = format!("{}, {inputs}. Replay: {}", finding.text, kept.replay);
    let conditions = report.suggested.conditions_of(finding.path);
    let step = |c: &ConditionView| json!({ "location": location(report, Some(&c.at), Some(&condition(c))) });
    let mut steps: Vec<Value> = conditions.into_iter().take(STEPS).map(step).collect();
    steps.push(json!({ "location": location(report, finding.at.as_ref(), Some(&finding.text)) }));
    json!({
        "ruleId": id,
        "ruleIndex": index,
        "level": if report.counts(finding) { "error" } else { "note" },
        "message": { "text": text },
        "locations": [place],
        "codeFlows": [{ "threadFlows": [{ "locations": steps }] }],
        "properties": {
            "inputs": finding.inputs,
            "paths": finding.paths,
            "trace": kept.trace.display().to_string(),
        },
    })
}

fn location(report: &Report<'_>, at: Option<&SourceView>, message: Option<&str>) -> Value {
    let program = report.program;
    let mut physical = json!({ "artifactLocation": { "uri": uri(program) } });
    let mut location = json!({});
    if let Some(at) = at {
        location["logicalLocations"] =
            json!([{ "fullyQualifiedName": at.function, "kind": "function" }]);
        match at.location.as_deref().and_then(parts) {
            Some((path, line, column)) => {
                physical["artifactLocation"]["uri"] = uri(&beside(program, path)).into();
                physical["region"] = json!({ "startLine": line, "startColumn": column });
            }
            None => {
                if let Some(offset) = at.offset {
                    physical["region"] = json!({ "byteOffset": offset, "byteLength": 1 });
                }
            }
        }
    }
    location["physicalLocation"] = physical;
    if let Some(message) = message {
        location["message"] = json!({ "text": message });
    }
    location
}

/// `file:line:column` in its parts.
fn parts(location: &str) -> Option<(&str, u32, u32)> {
    let (rest, column) = location.rsplit_once(':')?;
    let (path, line) = rest.rsplit_once(':')?;
    Some((path, line.parse().ok()?, column.parse().ok()?))
}

fn uri(path: &Path) -> String {
    let text = path.to_string_lossy().replace('\\', "/");
    let mut uri = String::from(if path.is_absolute() { "file://" } else { "" });
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => uri.push(byte.into()),
            b'-' | b'_' | b'.' | b'~' | b'/' => uri.push(byte.into()),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places() {
        assert_eq!(uri(Path::new("a b/ü.ts")), "a%20b/%C3%BC.ts");
        assert_eq!(uri(Path::new("/a.ts")), "file:///a.ts");
        assert_eq!(parts("lib/a.ts:3:7"), Some(("lib/a.ts", 3, 7)));
        assert_eq!(parts("a.ts"), None);
    }
}
