//! What exploring has found, as plain data: options as a tree, the ends of paths, their conditions.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::findings::Finding;
use crate::views::PlaceView;

/// What was found by exploring.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suggested {
    /// Where the exploration began.
    pub from: PlaceView,
    /// How many paths there are, those that were cut off included; such that behave alike are one.
    pub paths: u64,
    /// How many paths were found and not added to the multiverse, as they are many. Nothing is told
    /// of them but their number; `add-suggested` adds them.
    pub withheld: u64,
    /// Whether nothing was cut off, and nothing left out but what `at_most` says.
    pub complete: bool,
    /// Up to where it may be complete, if more could happen: `at most 1 interrupt`. What is beyond
    /// that is said in `left_out` as well.
    pub at_most: Option<String>,
    /// What could have happened and was not explored, in words: `interrupts`.
    pub left_out: Vec<String>,
    /// Why it stopped with paths waiting, if it did. To go on is possible then.
    pub stopped: Option<String>,
    /// How many places there are at which an input is read or something may happen by itself.
    pub choices: u64,
    /// The most options at one of them.
    pub max_options: u64,
    /// Instructions executed.
    pub instructions: u64,
    /// Instructions of all paths together, each from the start of the exploration.
    pub path_instructions: u64,
    /// Questions that were answered, by what.
    pub queries: QueriesView,
    /// Microseconds that it took.
    pub microseconds: u64,
    /// The options, smaller values before larger ones, what comes after a value right behind it.
    pub options: Vec<OptionView>,
    /// The ends of the paths.
    pub leaves: Vec<LeafView>,
    /// What went wrong, each kind at each place once, in the order of the program's code.
    pub findings: Vec<Finding>,
    /// What can be said of each property.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub properties: Vec<CheckedView>,
    /// On how many paths there was no time to find out which values take them: of their inputs,
    /// only examples are known.
    pub inexact: u64,
    /// On how many paths there was no time to say anything at all: they are among `paths` alone.
    pub untold: u64,
}

/// What can be said of a property on the paths that were explored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckedView {
    /// The property.
    pub property: u32,
    /// What it is called.
    pub name: String,
    /// On how many paths it is violated.
    pub violated: u64,
    /// On how many something that was to happen has not when the program ends.
    pub inconclusive: u64,
    /// On how many paths something of it could not be computed, and what: what is said of them may be
    /// wrong.
    pub faults: u64,
    /// What could not be computed, for the first time.
    pub fault: Option<String>,
}

/// How many questions were answered by what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueriesView {
    /// All of them.
    pub all: u64,
    /// By the set of values of one input.
    pub sets: u64,
    /// By an earlier answer.
    pub cache: u64,
    /// By comparing inputs with one another.
    pub differences: u64,
    /// By trying all values.
    pub enumeration: u64,
    /// By a solver.
    pub solver: u64,
    /// By nobody.
    pub unknown: u64,
    /// Microseconds spent in solvers.
    pub microseconds: u64,
}

/// A value that an input may return, and all that lead to the same; or something that may happen by
/// itself before the next input is read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OptionView {
    /// The option that it comes after, by its index.
    pub parent: Option<usize>,
    /// The node that it leads to in the multiverse; nothing for a parameter.
    pub node: Option<String>,
    /// The call of the input, such as `chip_analog_read(12)`; or what happens, and when.
    pub call: String,
    /// Whether it happens by itself. It has no values then.
    pub happens: bool,
    /// After how many instructions it is read, or happens.
    pub count: u64,
    /// An example.
    pub value: String,
    /// More examples: where the values begin and end.
    pub boundaries: Vec<String>,
    /// All values, as ranges; nothing if only the example is known.
    pub values: Option<String>,
    /// How many they are, as text: it may be more than a number can hold.
    pub number: Option<String>,
    /// Whether any value leads there: the input does not matter.
    pub any: bool,
    /// Whether somebody has decided what it returns.
    pub mocked: bool,
    /// The paths that end here, by their index.
    pub leaves: Vec<usize>,
    /// What is decided between this choice and the next.
    pub conditions: Vec<ConditionView>,
}

/// A path that has just been found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundView {
    /// How it ends, as in [`LeafView::end`].
    pub end: String,
    /// What is said about it.
    pub text: String,
    /// After how many instructions it ends.
    pub count: u64,
    /// The inputs on the way; if they are many, the last ones.
    pub inputs: Vec<InputView>,
    /// After how many instructions each of them is read.
    pub counts: Vec<u64>,
    /// Whether these are all inputs on the way.
    pub whole: bool,
}

/// The end of a path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeafView {
    /// `finished`, `exited`, `trapped`, `aborted`, `assertion-failed`, `heap`, `reached` or `cut`.
    pub end: String,
    /// What is said about it.
    pub text: String,
    /// What went wrong or what cut it off, without further words: `integer divide by zero`.
    pub kind: String,
    /// Where it leads, in the multiverse.
    pub place: PlaceView,
    /// Where in the program, if it has not finished.
    pub at: Option<SourceView>,
    /// The option that it comes after, by its index. Nothing if there is none, or if the option
    /// is shown as one with others.
    pub option: Option<usize>,
    /// How many inputs there are on the way.
    pub readings: u64,
    /// The inputs on the way; none where all paths together have too many of them.
    pub inputs: Vec<InputView>,
    /// What is decided after the last choice.
    pub conditions: Vec<ConditionView>,
    /// How many combinations of inputs lead here, if that could be counted.
    pub number: Option<String>,
    /// The properties that are violated on the way.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub violated: Vec<u32>,
}

/// An input on the way to the end of a path, or something that happened by itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputView {
    /// The call, such as `chip_analog_read(12)`; or what happened, and when.
    pub call: String,
    /// Whether it happened by itself. It has no values then.
    pub happens: bool,
    /// An example.
    pub value: String,
    /// All values, as ranges; nothing if only the example is known.
    pub values: Option<String>,
    /// Whether it is of any importance for the path: not any value would do.
    pub matters: bool,
    /// Which parameter of the function that is called it is, counted from 0, if it is one.
    pub parameter: Option<u32>,
}

/// A decision on the way to the end of a path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConditionView {
    /// Where.
    pub at: SourceView,
    /// After how many instructions.
    pub count: u64,
    /// How it went: `true`, `false`, `traps: …`, `calls f`, `is 7`, `goes to …`.
    pub outcome: String,
    /// Whether that is the outcome of what is written in the source. A compiler may also have
    /// turned it round, or decide a part of it only.
    pub as_written: bool,
    /// The condition in terms of the inputs, named in the order of reading.
    pub text: String,
}

/// A place in the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceView {
    /// The function.
    pub function: String,
    /// The byte offset in the binary of the exact instruction.
    pub offset: Option<u32>,
    /// File, line and column, if known.
    pub location: Option<String>,
    /// What is written there: the condition, or the line.
    pub source: Option<String>,
    /// Where exactly, if that is in a library, and this is where the program's own code called it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exactly: Option<String>,
}

impl Suggested {
    /// Why paths were not explored further, and how many each.
    pub fn cut_off(&self) -> BTreeMap<&str, u64> {
        let mut cut_off = BTreeMap::new();
        for leaf in self.leaves.iter().filter(|leaf| leaf.end == "cut") {
            *cut_off.entry(leaf.kind.as_str()).or_default() += 1;
        }
        cut_off
    }

    /// All that is decided on a path, in order.
    pub fn conditions_of(&self, path: usize) -> Vec<&ConditionView> {
        let Some(leaf) = self.leaves.get(path) else { return Vec::new() };
        let option = |at: Option<usize>| at.and_then(|at| self.options.get(at));
        let options =
            std::iter::successors(option(leaf.option), |before| option(before.parent)).skip(1);
        let mut stretches: Vec<&[ConditionView]> = vec![&leaf.conditions];
        stretches.extend(options.map(|option| option.conditions.as_slice()));
        stretches.into_iter().rev().flatten().collect()
    }
}

impl InputView {
    /// What has to be so: `chip_analog_read(12) = 7`, or what has to happen.
    pub fn text(&self) -> String {
        match self.happens {
            true => self.call.clone(),
            false => format!("{} = {}", self.call, self.value),
        }
    }
}

impl LeafView {
    /// Whether something went wrong on the path.
    pub fn is_failure(&self) -> bool {
        let fine = ["finished", "exited", "reached", "out-of-reach", "cut"];
        !fine.contains(&self.end.as_str()) || !self.violated.is_empty()
    }
}

impl ConditionView {
    /// What was decided and how, in the source's own terms where they are known.
    pub fn sentence(&self) -> String {
        let ConditionView { at, outcome, as_written, .. } = self;
        let text = shortened(&self.text);
        match (outcome.as_str(), &at.source) {
            ("true" | "false", Some(source)) if *as_written => format!("{source} is {outcome}"),
            ("true" | "false", Some(source)) => format!("{source} ({text})"),
            ("true" | "false", None) => text,
            ("does not trap", _) => outcome.clone(),
            (trap, _) if trap.starts_with("traps") => format!("{outcome} ({text})"),
            (_, Some(source)) => format!("{source} {outcome}"),
            (_, None) => format!("{outcome} ({text})"),
        }
    }
}

/// Longer conditions than this are not written out.
const LONGEST: usize = 80;

fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

impl SourceView {
    /// The place for people: file and line if they are known, else function and offset.
    pub fn short(&self) -> String {
        match (&self.location, self.offset) {
            // The column says nothing that what is written there would not say better.
            (Some(location), _) => {
                location.rsplit_once(':').map_or(location.clone(), |(line, _)| line.to_owned())
            }
            (None, Some(offset)) => format!("{} {offset:#x}", self.function),
            (None, None) => self.function.clone(),
        }
    }
}
