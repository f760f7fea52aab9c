//! Looking for states: `math: result == 66`, `door: open == 1 and cabin: moving == 1`.
//!
//! A part of a query is a condition on what one actor remembers; it may stand without a name, and then
//! is on any actor that has what it asks for. What is under way in the middle of a turn is not looked
//! for: nobody but the actor itself could meet it.

use std::collections::BTreeMap;
use std::sync::Arc;

use mw_ensemble::Checkpoint;
use mw_source::{EvaluateError, Frame, Names, Sources};
use mw_vm::{Machine, Module};

use super::{Graph, StateId};
use crate::condition::Condition;
use crate::session::Session;

/// What is looked for. See the [module](self).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    parts: Vec<Part>,
}

/// A condition on what one actor remembers, or any.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Part {
    who: Option<String>,
    condition: String,
}

/// The states that were looked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Those, the nearest first.
    pub states: Vec<StateId>,
    /// How many there are of which that could not be said: something is not available in them.
    pub unclear: usize,
}

/// A query that cannot be answered.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FindError {
    /// There is nothing to look for.
    #[error("write what to look for, such as `math: result == 66`")]
    Nothing,
    /// Nobody has this name in any state.
    #[error("nobody is called {name} in any of these states; there are: {known}")]
    Nobody {
        /// The name.
        name: String,
        /// Who there is.
        known: String,
    },
    /// A condition cannot be understood.
    #[error("cannot understand `{text}`: {error}")]
    Condition {
        /// The condition.
        text: String,
        /// Why.
        error: EvaluateError,
    },
}

impl Query {
    /// Reads a query.
    pub fn parse(text: &str) -> Result<Query, FindError> {
        let mut parts: Vec<Part> = Vec::new();
        for piece in text.split(" and ") {
            let piece = piece.trim();
            let (who, condition) = match piece.split_once(':') {
                Some((who, rest)) if is_name(who.trim()) && !rest.starts_with(':') => {
                    (Some(who.trim().to_owned()), rest.trim())
                }
                _ => (None, piece),
            };
            match parts.last_mut() {
                // The conditions after a name are all about that one.
                Some(last) if who.is_none() => last.condition += &format!(" and {condition}"),
                _ => parts.push(Part { who, condition: condition.to_owned() }),
            }
        }
        match parts.iter().any(|part| part.condition.is_empty()) {
            true => Err(FindError::Nothing),
            false => Ok(Query { parts }),
        }
    }
}

/// Whether a text can be the name of an actor: `fork#2`, `main/worker`.
fn is_name(text: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || "_#/-.".contains(c);
    !text.is_empty() && text.chars().all(is_part)
}

/// Conditions in terms of each program.
struct Conditions<'a> {
    programs: Vec<(&'a Arc<Module>, &'a Sources)>,
    /// By part and program.
    known: BTreeMap<(usize, usize), Result<Condition, EvaluateError>>,
}

impl Conditions<'_> {
    /// Whether a part holds for a machine; `None` if its program does not know what is asked for.
    fn holds(
        &mut self,
        (part, text): (usize, &str),
        machine: &Machine,
    ) -> Option<Result<bool, EvaluateError>> {
        let mut programs = self.programs.iter();
        let number = programs.position(|(module, _)| Arc::ptr_eq(module, machine.module()))?;
        let (module, sources) = self.programs[number];
        let condition = self.known.entry((part, number)).or_insert_with(|| {
            let frame = Frame::default();
            let (sources, frame) = (Some(sources), Some(&frame));
            Condition::parse(text, &Names { sources, frame, ..Names::of(module) })
        });
        Some(condition.as_ref().ok()?.holds(sources, machine))
    }
}

/// The actors at a moment: their names, and their machines. One task alone has the name `main`.
pub(super) fn actors(moment: &Checkpoint) -> Vec<(&str, &Machine)> {
    let running: &Machine = &moment.machine;
    let Some(ensemble) = moment.ensemble.as_deref() else { return vec![("main", running)] };
    ensemble.tasks().map(|(_, task)| (&*task.name, task.machine().unwrap_or(running))).collect()
}

impl Session {
    /// The states of a graph in which something holds.
    pub fn find_states(&self, graph: &Graph, query: &Query) -> Result<Found, FindError> {
        let programs = self.programs().collect();
        let mut conditions = Conditions { programs, known: BTreeMap::new() };
        let mut known: Vec<bool> = vec![false; query.parts.len()];
        let mut found = Found::default();
        for (id, moment) in (0..).map(StateId).zip(&graph.moments) {
            let (mut all, mut unclear) = (true, false);
            for (number, part) in query.parts.iter().enumerate() {
                let mut any = false;
                for (name, machine) in actors(moment) {
                    if part.who.as_deref().is_some_and(|who| who != name) {
                        continue;
                    }
                    match conditions.holds((number, &part.condition), machine) {
                        None => continue,
                        Some(Ok(holds)) => any |= holds,
                        Some(Err(EvaluateError::Unavailable(_))) => unclear = true,
                        Some(Err(error)) => {
                            let text = part.condition.clone();
                            return Err(FindError::Condition { text, error });
                        }
                    }
                    known[number] = true;
                }
                all &= any;
            }
            match all {
                true => found.states.push(id),
                false => found.unclear += usize::from(unclear),
            }
        }
        match known.iter().position(|known| !known) {
            None => Ok(found),
            Some(number) => Err(self.unknown(graph, &query.parts[number], number, conditions)),
        }
    }

    /// Why nobody could be asked for something.
    fn unknown(
        &self,
        graph: &Graph,
        part: &Part,
        number: usize,
        conditions: Conditions<'_>,
    ) -> FindError {
        let is_there = |who: &String| {
            let mut moments = graph.moments.iter();
            moments.any(|moment| actors(moment).iter().any(|(name, _)| name == who))
        };
        let mut errors = conditions.known.into_iter().filter(|((of, _), _)| *of == number);
        match (&part.who, errors.find_map(|(_, condition)| condition.err())) {
            (Some(name), _) if !is_there(name) => {
                let known: Vec<&str> = graph.tasks().into_iter().collect();
                let known = if known.is_empty() { "main".into() } else { known.join(", ") };
                FindError::Nobody { name: name.clone(), known }
            }
            (_, Some(error)) => FindError::Condition { text: part.condition.clone(), error },
            (_, None) => FindError::Nothing,
        }
    }
}
