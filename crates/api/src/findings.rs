//! What went wrong on the paths that were explored, each mistake once.

use serde::{Deserialize, Serialize};

use crate::suggested::{InputView, LeafView, SourceView, Suggested};

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

impl Suggested {
    /// What went wrong, each kind at each place once, in the order of the program's code.
    pub fn findings(&self) -> Vec<Finding> {
        let mut findings: Vec<Finding> = Vec::new();
        for (path, leaf) in self.leaves.iter().enumerate().filter(|(_, leaf)| leaf.is_failure()) {
            let same = |finding: &&mut Finding| {
                finding.end == leaf.end && finding.kind == leaf.kind && finding.at == leaf.at
            };
            match findings.iter_mut().find(same) {
                Some(finding) => {
                    finding.paths += 1;
                    if effort(leaf) < effort(&self.leaves[finding.path]) {
                        *finding = self.finding(path, leaf, finding.paths);
                    }
                }
                None => findings.push(self.finding(path, leaf, 1)),
            }
        }
        let offset = |finding: &Finding| finding.at.as_ref().and_then(|at| at.offset);
        findings.sort_by(|a, b| (offset(a), &a.kind).cmp(&(offset(b), &b.kind)));
        findings
    }

    fn finding(&self, path: usize, leaf: &LeafView, paths: u64) -> Finding {
        let is_parameter = |input: &&InputView| input.parameter.is_some();
        let arguments: Vec<String> =
            leaf.inputs.iter().filter(is_parameter).map(|input| input.value.clone()).collect();
        Finding {
            end: leaf.end.clone(),
            kind: leaf.kind.clone(),
            text: leaf.text.clone(),
            at: leaf.at.clone(),
            paths,
            path,
            inputs: leaf.inputs.iter().filter(|input| input.matters).cloned().collect(),
            arguments: (!arguments.is_empty()).then_some(arguments),
        }
    }
}

/// How much a person has to do to see it: inputs that matter, inputs at all, instructions. The
/// values decide between equals, so that it is the same path each time.
fn effort(leaf: &LeafView) -> (usize, usize, u64, Vec<&str>) {
    let matter = leaf.inputs.iter().filter(|input| input.matters).count();
    let values = leaf.inputs.iter().map(|input| input.value.as_str()).collect();
    (matter, leaf.inputs.len(), leaf.place.count, values)
}
