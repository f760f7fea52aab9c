//! What went wrong on the paths that were explored, each mistake once.

use mw_concolic::{Class, Leaf};
use serde::{Deserialize, Serialize};

use crate::suggested::{InputView, LeafView, SourceView};

/// Something that can go wrong, with the inputs that make it so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// `trapped`, `aborted`, `assertion-failed` or `heap`.
    pub end: String,
    /// What goes wrong: `integer divide by zero`.
    pub kind: String,
    /// The same as a sentence: `trap: integer divide by zero`.
    pub text: String,
    /// Where.
    pub at: Option<SourceView>,
    /// On how many paths.
    pub paths: u64,
    /// One of them, by its number among the leaves: the one that needs the fewest inputs.
    pub path: usize,
    /// The inputs that matter on it.
    pub inputs: Vec<InputView>,
    /// The arguments of the function that is called on it, if parameters were left open.
    pub arguments: Option<Vec<String>>,
}

/// Findings as they are gathered, path by path.
#[derive(Default)]
pub(crate) struct Findings {
    found: Vec<(Finding, Effort)>,
}

/// How much a person has to do to see it: inputs that matter, inputs at all, instructions. The
/// values decide between equals, so that it is the same path each time.
type Effort = (usize, usize, u64, Vec<Option<i64>>);

impl Findings {
    /// Something went wrong on a path: how that is told, and the inputs as people read them, for
    /// which is only asked if it is the path that is shown.
    pub fn add(
        &mut self,
        path: usize,
        leaf: &Leaf,
        told: &LeafView,
        inputs: impl FnOnce() -> Vec<InputView>,
    ) {
        let is_same = |(finding, _): &&mut (Finding, Effort)| {
            finding.end == told.end && finding.kind == told.kind && finding.at == told.at
        };
        let known = self.found.iter_mut().find(is_same);
        let effort = effort(leaf);
        if let Some((finding, least)) = known {
            finding.paths += 1;
            if effort < *least {
                *finding = self::finding(path, told, inputs(), finding.paths);
                *least = effort;
            }
            return;
        }
        self.found.push((finding(path, told, inputs(), 1), effort));
    }

    /// All of them, in the order of the program's code.
    pub fn in_order(self) -> Vec<Finding> {
        let mut findings: Vec<Finding> =
            self.found.into_iter().map(|(finding, _)| finding).collect();
        let offset = |finding: &Finding| finding.at.as_ref().and_then(|at| at.offset);
        findings.sort_by(|a, b| (offset(a), &a.kind).cmp(&(offset(b), &b.kind)));
        findings
    }
}

fn finding(path: usize, told: &LeafView, inputs: Vec<InputView>, paths: u64) -> Finding {
    let is_parameter = |input: &&InputView| input.parameter.is_some();
    let arguments: Vec<String> =
        inputs.iter().filter(is_parameter).map(|input| input.value.clone()).collect();
    Finding {
        end: told.end.clone(),
        kind: told.kind.clone(),
        text: told.text.clone(),
        at: told.at.clone(),
        paths,
        path,
        inputs: inputs.into_iter().filter(|input| input.matters).collect(),
        arguments: (!arguments.is_empty()).then_some(arguments),
    }
}

fn effort(leaf: &Leaf) -> Effort {
    let matter = leaf.steps.iter().filter(|step| !matches!(step.class, Class::Any(_))).count();
    let values = leaf.steps.iter().map(|step| step.value.map(mw_concolic::integer)).collect();
    (matter, leaf.steps.len(), leaf.count, values)
}
