//! What was found as one JSON object. The keys are documented in `mw explore --help`.

use std::collections::BTreeMap;

use mw_api::{
    ConditionView, CoverageView, Finding, InputView, LeafView, OptionView, PlaceView, PrunedView,
    SourceView, Suggested,
};
use serde::Serialize;

#[derive(Serialize)]
struct Object<'a> {
    paths: u64,
    complete: bool,
    at_most: Option<&'a str>,
    left_out: &'a [String],
    choices: u64,
    max_options: u64,
    traps: Vec<Trap<'a>>,
    instructions: u64,
    queries: u64,
    seconds: f64,
    path_instructions: u64,
    query_stages: Stages,
    solver_seconds: f64,
    stopped: Option<&'a str>,
    cut_off: BTreeMap<&'a str, u64>,
    findings: &'a [Finding],
    inexact: u64,
    untold: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    coverage: Option<&'a CoverageView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pruned: Option<&'a PrunedView>,
    tree: Tree<'a>,
}

#[derive(Serialize)]
struct Trap<'a> {
    kind: &'a str,
    place: Option<&'a SourceView>,
    inputs: &'a [InputView],
}

#[derive(Serialize)]
struct Stages {
    sets: u64,
    cache: u64,
    differences: u64,
    enumeration: u64,
    solver: u64,
    unknown: u64,
}

#[derive(Serialize)]
struct Tree<'a> {
    options: &'a [OptionView],
    leaves: Vec<End<'a>>,
}

#[derive(Serialize)]
struct End<'a> {
    option: Option<usize>,
    end: &'a str,
    kind: &'a str,
    text: &'a str,
    place: &'a PlaceView,
    at: Option<&'a SourceView>,
    number: Option<&'a str>,
    conditions: &'a [ConditionView],
}

fn tree(suggested: &Suggested) -> Tree<'_> {
    let leaves = suggested.leaves.iter().map(|leaf| End {
        option: leaf.option,
        end: &leaf.end,
        kind: &leaf.kind,
        text: &leaf.text,
        place: &leaf.place,
        at: leaf.at.as_ref(),
        number: leaf.number.as_deref(),
        conditions: &leaf.conditions,
    });
    Tree { options: &suggested.options, leaves: leaves.collect() }
}

/// The object, as text.
pub fn object(
    suggested: &Suggested,
    coverage: Option<&CoverageView>,
    pruned: Option<&PrunedView>,
) -> String {
    let trap = |leaf: &'_ LeafView| leaf.end == "trapped";
    let traps = suggested.leaves.iter().filter(|leaf| trap(leaf)).map(|leaf| Trap {
        kind: &leaf.kind,
        place: leaf.at.as_ref(),
        inputs: &leaf.inputs,
    });
    let queries = suggested.queries;
    let seconds = |microseconds: u64| microseconds as f64 / 1e6;
    let object = Object {
        paths: suggested.paths,
        complete: suggested.complete,
        at_most: suggested.at_most.as_deref(),
        left_out: &suggested.left_out,
        choices: suggested.choices,
        max_options: suggested.max_options,
        traps: traps.collect(),
        instructions: suggested.instructions,
        queries: queries.all,
        seconds: seconds(suggested.microseconds),
        path_instructions: suggested.path_instructions,
        query_stages: Stages {
            sets: queries.sets,
            cache: queries.cache,
            differences: queries.differences,
            enumeration: queries.enumeration,
            solver: queries.solver,
            unknown: queries.unknown,
        },
        solver_seconds: seconds(queries.microseconds),
        stopped: suggested.stopped.as_deref(),
        cut_off: suggested.cut_off(),
        findings: &suggested.findings,
        inexact: suggested.inexact,
        untold: suggested.untold,
        coverage,
        pruned,
        tree: tree(suggested),
    };
    // Numbers, strings and lists: there is nothing that JSON could not hold.
    serde_json::to_string(&object).unwrap_or_default()
}
