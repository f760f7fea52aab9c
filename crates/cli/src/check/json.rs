//! Findings as one JSON object. The keys are documented in `mw check --help`.

use std::collections::BTreeMap;

use mw_api::{CheckedView, CoverageView, InputView, SourceView, ViolationView};
use serde::Serialize;

use super::Report;

#[derive(Serialize)]
struct Object<'a> {
    findings: Vec<Told<'a>>,
    paths: u64,
    complete: bool,
    at_most: Option<&'a str>,
    left_out: &'a [String],
    cut_off: BTreeMap<&'a str, u64>,
    seconds: f64,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    properties: &'a [CheckedView],
    #[serde(skip_serializing_if = "Option::is_none")]
    coverage: Option<&'a CoverageView>,
}

#[derive(Serialize)]
struct Told<'a> {
    end: &'a str,
    kind: &'a str,
    text: &'a str,
    place: Option<&'a SourceView>,
    inputs: &'a [InputView],
    arguments: Option<&'a [String]>,
    paths: u64,
    counts: bool,
    trace: String,
    replay: &'a str,
    debug: &'a str,
    replayed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    violation: Option<&'a ViolationView>,
}

/// The object, as text.
pub fn object(report: &Report<'_>, coverage: Option<&CoverageView>) -> String {
    let told = report.findings.iter().map(|(finding, kept)| Told {
        end: &finding.end,
        kind: &finding.kind,
        text: &finding.text,
        place: finding.at.as_ref(),
        inputs: &finding.inputs,
        arguments: finding.arguments.as_deref(),
        paths: finding.paths,
        counts: report.counts(finding),
        trace: kept.trace.display().to_string(),
        replay: &kept.replay,
        debug: &kept.debug,
        replayed: kept.problem.is_none(),
        violation: finding.violation.as_ref(),
    });
    let suggested = report.suggested;
    let object = Object {
        findings: told.collect(),
        paths: suggested.paths,
        complete: suggested.complete,
        at_most: suggested.at_most.as_deref(),
        left_out: &suggested.left_out,
        cut_off: suggested.cut_off(),
        seconds: suggested.microseconds as f64 / 1e6,
        properties: &suggested.properties,
        coverage,
    };
    // Numbers, strings and lists: there is nothing that JSON could not hold.
    serde_json::to_string(&object).unwrap_or_default()
}
