//! What went wrong on the paths that were explored, each mistake once.

use mw_concolic::{Class, Leaf, Violation};
use serde::{Deserialize, Serialize};

use crate::suggested::{InputView, LeafView, SourceView};
use crate::views::PlaceView;

/// Something that can go wrong, with the inputs that make it so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// `trapped`, `aborted`, `assertion-failed`, `heap`, `violated`, …
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
    /// How a property is violated, if that is what it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub violation: Option<ViolationView>,
}

/// How a property is violated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ViolationView {
    /// The property.
    pub property: u32,
    /// What it is called.
    pub name: String,
    /// What happened: `before event queue_push`; nothing if time had run out.
    pub event: Option<String>,
    /// What the slice is about, such as `<1024>`; nothing if the property has no slices.
    pub slice: Option<String>,
    /// The state that it was in.
    pub from: String,
    /// The state that it came to, in which the property does not hold.
    pub to: String,
    /// Where, in the multiverse.
    pub place: PlaceView,
    /// From where on it could not be avoided any more, if that was found out.
    pub inevitable: Option<InevitableView>,
}

/// From where on a property was going to be violated, whatever came.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InevitableView {
    /// The earliest place from which every path that was explored violates it.
    pub place: PlaceView,
    /// The last that was decided before that; nothing if it was so from the start.
    pub after: Option<String>,
    /// What would have avoided it there, if any path that was explored does.
    pub avoided_by: Option<String>,
    /// How many paths that were explored go on from there: all of them violate it.
    pub paths: u64,
    /// Whether these are all that there are: nothing of what could come was left out.
    pub exact: bool,
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

    /// A property was violated on a path, after so many of its inputs: how that is told, where, and
    /// all inputs before.
    pub fn add_violation(
        &mut self,
        path: usize,
        leaf: &Leaf,
        (violation, told): (&Violation, ViolationView),
        at: Option<SourceView>,
        inputs: impl FnOnce() -> Vec<InputView>,
    ) {
        let is_same = |(finding, _): &&mut (Finding, Effort)| {
            let of = finding.violation.as_ref();
            let same = |of: &ViolationView| (of.property, &of.to) == (told.property, &told.to);
            of.is_some_and(same) && finding.at == at
        };
        let effort = effort_of(leaf, violation.readings, violation.count);
        let make = |paths: u64, inputs: Vec<InputView>| Finding {
            end: "violated".into(),
            kind: told.name.clone(),
            text: format!("{} is violated", told.name),
            at: at.clone(),
            paths,
            path,
            arguments: None,
            inputs: inputs.into_iter().filter(|input| input.matters).collect(),
            violation: Some(told.clone()),
        };
        match self.found.iter_mut().find(is_same) {
            Some((finding, least)) => {
                finding.paths += 1;
                if effort < *least {
                    (*finding, *least) = (make(finding.paths, inputs()), effort);
                }
            }
            None => self.found.push((make(1, inputs()), effort)),
        }
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
        violation: None,
    }
}

fn effort(leaf: &Leaf) -> Effort {
    effort_of(leaf, leaf.steps.len(), leaf.count)
}

/// That for its first inputs, up to a count.
fn effort_of(leaf: &Leaf, inputs: usize, count: u64) -> Effort {
    let steps = &leaf.steps[..inputs.min(leaf.steps.len())];
    let matter = steps.iter().filter(|step| !matches!(step.class, Class::Any(_))).count();
    let values = steps.iter().map(|step| step.value.map(mw_concolic::integer)).collect();
    (matter, steps.len(), count, values)
}
