//! Paths that exploring has found, for people.

use std::collections::HashMap;

use mw_concolic::{Asked, Class, Condition, End, Leaf, Outcome, Possibility, Step};
use mw_session::Place;
use mw_vm::Value;
use mw_world::Event;

use crate::debugger::Debugger;
use crate::suggested::{ConditionView, FoundView, InputView, LeafView, SourceView};

/// What is known of the places of a program that have been looked up.
pub(crate) type Places = HashMap<(u16, u32), SourceView>;

/// So many boundaries of a class are offered.
const BOUNDARIES: usize = 8;

/// An end in a word, for people, and without further words.
fn end_text(end: &End) -> (&'static str, String, String) {
    let (word, before, kind) = match end {
        End::Finished => ("finished", "", "finished".into()),
        End::Trapped(kind) => ("trapped", "trap: ", kind.to_string()),
        End::Aborted(message) => ("aborted", "aborted: ", message.clone()),
        End::Exited => ("exited", "", "the program ends itself".into()),
        End::Deadlocked(who) => ("deadlocked", "", format!("deadlock: {who}")),
        End::Unanswered(who) => ("unanswered", "", format!("never answered: {who}")),
        End::Unhandled(what) => ("unhandled", "", format!("never handled: {what}")),
        End::Livelocked => ("livelocked", "", "livelock: a state that was met before".into()),
        End::AssertionFailed => ("assertion-failed", "", "an assertion does not hold".into()),
        End::Heap(error) => ("heap", "", error.to_string()),
        End::Reached => ("reached", "", "what was looked for".into()),
        End::OutOfReach => ("out-of-reach", "", "what is looked for cannot come any more".into()),
        End::Cut(cut) => ("cut", "not explored further: ", cut.to_string()),
    };
    (word, format!("{before}{kind}"), kind)
}

impl Debugger {
    /// What to try beside the example of an option.
    pub(crate) fn boundaries(&self, choice: &Possibility) -> Vec<String> {
        let Some(example) = choice.value else { return Vec::new() };
        let boundaries = choice.class.boundaries(example.ty(), BOUNDARIES);
        let others = boundaries.into_iter().filter(|value| *value != example);
        others.map(|value| self.value_text(&choice.asked, Some(value))).collect()
    }

    pub(crate) fn found_view(&self, leaf: &Leaf) -> FoundView {
        let (end, text, _) = end_text(&leaf.end);
        let inputs = leaf.steps.iter().map(|step| self.input_view(step)).collect();
        FoundView {
            end: end.into(),
            text,
            count: leaf.count,
            inputs,
            counts: leaf.steps.iter().map(|step| step.count).collect(),
            whole: leaf.untold == 0,
        }
    }

    pub(crate) fn input_view(&self, step: &Step) -> InputView {
        InputView {
            call: self.asked_text(&step.asked, step.count, (step.program, step.pc)),
            happens: step.value.is_none(),
            value: self.value_text(&step.asked, step.value),
            values: step.class.show(),
            matters: !matches!(step.class, Class::Any(_)),
            parameter: match step.asked {
                Asked::Parameter(number) => Some(number),
                Asked::Input { .. } | Asked::Event(_) | Asked::Schedule(_) => None,
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
        let own = leaf.pc.and_then(|pc| self.program(leaf.program).own_place(pc, &leaf.callers));
        LeafView {
            end: end.into(),
            text,
            kind,
            place: self.place_view(place),
            at: own.or_else(|| leaf.pc.map(|pc| self.known_source((leaf.program, pc), places))),
            option: None,
            readings: leaf.steps.len() as u64,
            inputs: Vec::new(),
            conditions: self.condition_views(decided, places),
            number: leaf.inputs.map(|count| count.to_string()),
            violated: self.violated_on(leaf),
        }
    }

    pub(crate) fn condition_views(
        &self,
        conditions: &[Condition],
        places: &mut Places,
    ) -> Vec<ConditionView> {
        let view = |condition: &Condition| {
            let program = self.program(condition.program);
            let at = self.known_source((condition.program, condition.pc), places);
            if let Outcome::Guard(guard, holds) = condition.outcome {
                return ConditionView {
                    count: condition.count,
                    outcome: holds.to_string(),
                    as_written: true,
                    text: condition.text.to_string(),
                    at: SourceView { source: Some(self.guard_text(guard)), ..at },
                };
            }
            ConditionView {
                count: condition.count,
                outcome: program.outcome_text(condition.pc, condition.outcome),
                as_written: program.is_as_written(condition.pc, &at),
                text: condition.text.to_string(),
                at,
            }
        };
        conditions.iter().map(view).collect()
    }

    pub(crate) fn known_source(
        &self,
        (program, pc): (u16, u32),
        places: &mut Places,
    ) -> SourceView {
        let view = || self.program(program).source_view(pc);
        places.entry((program, pc)).or_insert_with(view).clone()
    }

    /// What is decided, after so many instructions and before this one.
    pub(crate) fn asked_text(
        &self,
        asked: &Asked,
        count: u64,
        (program, pc): (u16, u32),
    ) -> String {
        match asked {
            Asked::Input { port, args, .. } => {
                let worlds = self.session.now().worlds_on(port.device()).next();
                worlds.map(|world| world.show_port(*port, args)).unwrap_or_default()
            }
            Asked::Parameter(number) => format!("parameter {}", number + 1),
            Asked::Event(Event::Interrupt { pin, .. }) => {
                let instructions = if count == 1 { "instruction" } else { "instructions" };
                let place = self.program(program).source_view(pc).short();
                format!("interrupt of pin {pin} after {count} {instructions}, at {place}")
            }
            Asked::Schedule(schedule) => schedule.to_string(),
        }
    }

    pub(crate) fn value_text(&self, asked: &Asked, value: Option<Value>) -> String {
        match (asked, value) {
            (_, None) => String::new(),
            (Asked::Input { import, .. }, Some(value)) => self.input_text(*import, value),
            (Asked::Parameter(_) | Asked::Event(_) | Asked::Schedule(_), Some(value)) => {
                value.to_string()
            }
        }
    }
}
