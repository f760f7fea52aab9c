//! Paths that exploring has found, for people.

use std::collections::HashMap;

use mw_concolic::{Class, Condition, End, Leaf, Outcome, Possibility, Step};
use mw_session::Place;
use mw_vm::{Op, Value};
use mw_world::Call;

use crate::debugger::Debugger;
use crate::suggested::{ConditionView, FoundView, InputView, LeafView, SourceView};

/// What is known of the places of a program that have been looked up.
pub(crate) type Places = HashMap<u32, SourceView>;

/// So many boundaries of a class are offered.
const BOUNDARIES: usize = 8;

/// An end in a word, for people, and without further words.
fn end_text(end: &End) -> (&'static str, String, String) {
    let (word, before, kind) = match end {
        End::Finished => ("finished", "", "finished".into()),
        End::Trapped(kind) => ("trapped", "trap: ", kind.to_string()),
        End::Aborted(message) => ("aborted", "aborted: ", message.clone()),
        End::Exited => ("exited", "", "the program ends itself".into()),
        End::AssertionFailed => ("assertion-failed", "", "an assertion does not hold".into()),
        End::Heap(error) => ("heap", "", error.to_string()),
        End::Reached => ("reached", "", "what was looked for".into()),
        End::Cut(cut) => ("cut", "not explored further: ", cut.to_string()),
    };
    (word, format!("{before}{kind}"), kind)
}

impl Debugger {
    /// What to try beside the example of an option.
    pub(crate) fn boundaries(&self, choice: &Possibility) -> Vec<String> {
        let boundaries = choice.class.boundaries(choice.value.ty(), BOUNDARIES);
        let others = boundaries.into_iter().filter(|value| *value != choice.value);
        others.map(|value| self.value_text(choice.import, value)).collect()
    }

    pub(crate) fn found_view(&self, leaf: &Leaf) -> FoundView {
        let (end, text, _) = end_text(&leaf.end);
        let inputs = leaf.steps.iter().map(|step| self.input_view(step)).collect();
        FoundView { end: end.into(), text, inputs }
    }

    pub(crate) fn input_view(&self, step: &Step) -> InputView {
        InputView {
            call: self.call_text(step.import, &step.args),
            value: self.value_text(step.import, step.value),
            values: step.class.show(),
            matters: !matches!(step.class, Class::Any(_)),
            parameter: match (step.import, &*step.args) {
                (mw_concolic::PARAMETER, [Value::I32(number)]) => Some(*number as u32),
                _ => None,
            },
        }
    }

    /// A path, with what is decided after its last choice. Its option and its inputs are for others
    /// to tell.
    pub(crate) fn leaf_view(
        &self,
        leaf: &Leaf,
        decided: &[Condition],
        place: Place,
        places: &mut Places,
    ) -> LeafView {
        let (end, text, kind) = end_text(&leaf.end);
        let own = leaf.pc.and_then(|pc| self.own_place(pc, &leaf.callers));
        LeafView {
            end: end.into(),
            text,
            kind,
            place: self.place_view(place),
            at: own.or_else(|| leaf.pc.map(|pc| self.known_source(pc, places))),
            option: None,
            readings: leaf.steps.len() as u64,
            inputs: Vec::new(),
            conditions: self.condition_views(decided, places),
            number: leaf.inputs.map(|count| count.to_string()),
        }
    }

    pub(crate) fn condition_views(
        &self,
        conditions: &[Condition],
        places: &mut Places,
    ) -> Vec<ConditionView> {
        let view = |condition: &Condition| {
            let at = self.known_source(condition.pc, places);
            ConditionView {
                count: condition.count,
                outcome: self.outcome_text(condition.pc, condition.outcome),
                as_written: self.is_as_written(condition.pc, &at),
                text: condition.text.to_string(),
                at,
            }
        };
        conditions.iter().map(view).collect()
    }

    fn known_source(&self, pc: u32, places: &mut Places) -> SourceView {
        places.entry(pc).or_insert_with(|| self.source_view(pc)).clone()
    }

    /// Whether a condition holds just when what is written in the source does. The `if` of a
    /// source jumps where it does not hold; what jumps where it holds may be its opposite, and
    /// `&&` and `||` have parts that are decided one by one.
    pub(crate) fn is_as_written(&self, pc: u32, at: &SourceView) -> bool {
        let op = self.session.module().code().get(pc as usize);
        let is_whole = |source: &String| !["&&", "||"].iter().any(|part| source.contains(part));
        matches!(op, Some(Op::BrUnless { .. })) && at.source.as_ref().is_some_and(is_whole)
    }

    pub(crate) fn call_text(&self, import: u32, args: &[Value]) -> String {
        match import == mw_concolic::PARAMETER {
            true => match args {
                [Value::I32(number)] => format!("parameter {}", number + 1),
                _ => "parameter".into(),
            },
            false => self.session.world().show(Call { import, args }),
        }
    }

    pub(crate) fn value_text(&self, import: u32, value: Value) -> String {
        match import == mw_concolic::PARAMETER {
            true => value.to_string(),
            false => self.input_text(import, value),
        }
    }

    fn outcome_text(&self, pc: u32, outcome: Outcome) -> String {
        match outcome {
            Outcome::Condition(holds) => holds.to_string(),
            Outcome::Target(to) => format!("goes to {}", self.place_text(to)),
            Outcome::Callee(func) => format!("calls {}", self.session.module().func_name(func)),
            Outcome::Trap(Some(kind)) => format!("traps: {kind}"),
            Outcome::Trap(None) => match self.session.module().code().get(pc as usize) {
                Some(Op::CallIndirect { .. }) => "calls".into(),
                _ => "does not trap".into(),
            },
            Outcome::Heap(Some(error)) => error.to_string(),
            Outcome::Heap(None) => "stays within its block of memory".into(),
            Outcome::Value(ty, slot) => format!("is {}", Value::from_slot(ty, slot)),
        }
    }

    /// A place in the program, in a word.
    pub(crate) fn place_text(&self, pc: u32) -> String {
        let view = self.source_view(pc);
        view.location.unwrap_or_else(|| match view.offset {
            Some(offset) => format!("{offset:#x}"),
            None => format!("instruction {pc}"),
        })
    }

    /// A place in the program, for people.
    pub(crate) fn source_view(&self, pc: u32) -> SourceView {
        let module = self.session.module();
        let offset = module.offset_of(pc);
        let sources = self.sources.as_deref();
        let location =
            offset.and_then(|o| sources.and_then(|s| s.location_near(o).map(|at| s.show(at))));
        SourceView {
            function: module.func_at(pc).map_or("?".into(), |func| module.func_name(func)),
            offset,
            location,
            source: offset.and_then(|o| sources.and_then(|s| s.branch_text(o))),
            exactly: None,
        }
    }
}
